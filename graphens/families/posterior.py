"""The partition with the smallest mean loss over many draws: the point estimate of Bayesian clustering."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .._lib.arrays import MISSING, AnyArray, Seed, as_int, generator
from .._lib.threads import map_threads, thread_number
from ..errors import Interrupted
from ..graphs.coassociation import coassociation
from ..labels.ensemble import Ensemble
from ..trees import link
from .contract import consensus_function
from .medians import FEW, Best, Estimate, Found, Posterior
from .method import Cost
from .outcome import Outcome

_TREE = 3000  # objects up to which average link is one of the starts
_LEVELS = 5  # numbers of clusters that the search goes on with
_DRAWS = 400, 1000  # in a sample, at least and at most
_SAMPLES = 3  # that are searched where there are more draws
_FINAL = 5  # estimates that all draws decide between
_ROUNDS = 8  # of going on
_MORE = 4  # times as many starts and steps for few objects


@consensus_function(
    family="median partition",
    graph="count tables; co-association for Binder's loss",
    needs_k=False,
    missing="the loss of a draw counts only the objects it has",
    cost=Cost("ñkB", "for Binder's loss up to 2,000 rows O(ñ²B), then O(ñk)", per="sweep"),
    reference="Wade and Ghahramani 2018; Dahl, Johnson and Müller 2022",
    merges=True,
    draws=True,
)
def median(
    e: Ensemble,
    k: int | None = None,
    *,
    loss: str = "vi",
    a: float = 1.0,
    max_k: int | None = None,
    n_init: int = 16,
    n_jobs: int | None = None,
    seed: Seed = None,
) -> Outcome:
    """Find the partition with the smallest expected loss, for partitions that are draws from a posterior.

    With p, q, r the shares of objects in the clusters of a draw, of the estimate and in both, H their entropies to base
    2 and I = H(draw) + H(estimate) − H(both): ``"vi"`` a Σ p log p + b Σ q log q − 2 Σ r log r, the variation of
    information for a = b = 1; ``"binder"`` a Σ p² + b Σ q² − 2 Σ r²; ``"omari"`` 1 − adjusted Rand index; ``"nvi"``
    1 − I / H(both); ``"id"`` max H − I; ``"nid"`` 1 − I / max H.

    Parameters
    ----------
    k
        Number of clusters; by default, the number with the smallest loss.
    loss
        The loss to minimize.
    a
        For ``"vi"`` and ``"binder"``: the weight, between 0 and 2, of separating objects that belong together;
        b = 2 − a is the weight of joining objects that do not. Less than 1 gives more clusters.
    max_k
        Maximum number of clusters; by default, as many as the memory budget allows.
    n_init
        Number of starts, and of steps in every later round; four times as many for up to 15 objects.
    n_jobs
        Number of threads, −1 for one per core; 1 by default. The result does not depend on it.

    Returns
    -------
    Consensus
        ``details``: "expected_loss"; "starts", the number of starts; "from", the source of the best estimate: a start,
        merges, a tree or a step of a later round.

    Notes
    -----
    Each start places the objects one after another in random order, each in the existing or new cluster with the
    smallest loss, and then moves single objects until nothing changes. From the best start, clusters are merged one by
    one. Then, starting from the best estimates with several numbers of clusters, one to three clusters are dissolved
    and their objects placed again, as long as that helps; with up to 15 objects, half of these steps instead place a
    few objects of any cluster again. Average linkage of the co-association is one of the starts. With more than 400
    draws, the search uses three samples of them, and the best estimates are then improved with all draws. Objects with
    the same labels everywhere move together, and equal draws are combined into one with their total weight. An
    interrupt raises an error that reports the best loss so far and has its `labels`.

    References
    ----------
    Wade and Ghahramani, Bayesian cluster analysis: point estimation and credible balls, 2018. Dahl, Johnson and Müller,
    Search algorithms and loss functions for Bayesian clustering, 2022.

    Examples
    --------
    >>> import graphens as ge
    >>> draws = [[0, 0, 1, 1, 1], [0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
    >>> r = ge.median(ge.Ensemble.from_partitions(draws), loss="vi", seed=0)
    >>> r.labels.tolist(), round(r.details["expected_loss"], 4)
    ([0, 0, 1, 1, 1], 0.4132)
    """
    micro, index = e.collapse()
    posterior = Posterior.of(micro, loss, a)
    most = posterior.limit if max_k is None else as_int("max_k", max_k, 1 if k is None else k)
    bounds = (1, most) if k is None else (min(k, micro.n_objects),) * 2
    search = Search(posterior, bounds, generator(seed), n_jobs)
    try:
        search.run(n_init)
    except KeyboardInterrupt as stop:
        raise search.interrupted(index) from stop
    best = search.found.best()[0]
    details = {"expected_loss": best.loss, "starts": n_init, "from": best.origin}
    return Outcome(best.estimate.labels[index], graph=coassociation(e), details=details)


class Search:
    """A search for the median partition: starts, merges from the best start, and rounds that dissolve clusters."""

    posterior: Posterior
    bounds: tuple[int, int]
    rng: np.random.Generator
    threads: int
    found: Found

    def __init__(
        self, posterior: Posterior, bounds: tuple[int, int], rng: np.random.Generator, n_jobs: int | None
    ) -> None:
        self.posterior, self.bounds, self.rng = posterior, bounds, rng
        self.threads = thread_number(n_jobs)
        self.found = Found()
        self.kept: dict[bytes, Best] = {}  # the best with samples of the draws, and their loss with all

    def run(self, n_init: int) -> None:
        """Search with all draws or, if there are many, with several samples of them, and then from the best."""
        every, count = self.posterior, self.posterior.ensemble.n_partitions
        n_init *= _MORE if every.ensemble.n_objects <= FEW else 1
        if count <= _DRAWS[0] or every.draws.pairs.size:
            self._search(n_init, n_init)
            return
        size = min(max(count // 4, _DRAWS[0]), _DRAWS[1])
        for _ in range(_SAMPLES):
            self.posterior = every.some(np.sort(self.rng.choice(count, size, replace=False)))
            self.found = Found()
            self._search(n_init, -(-3 * n_init // 4))
            for level in self.found.best(_LEVELS):
                labels = level.estimate.labels
                again = Estimate(every, labels, *self.bounds)
                self.kept.setdefault(labels.tobytes(), Best(again.loss, again, level.origin))
        self.posterior, self.found = every, Found()
        for best in sorted(self.kept.values(), key=lambda one: one.loss)[:_FINAL]:
            self.found.add(best.estimate.settle(self.rng), best.origin)
        self._all(self._trees(), "tree")
        self._shake(-(-n_init // 4), "last step")

    def _search(self, n_init: int, starts: int) -> None:
        """Make some starts, merge clusters from the best one, and go on in rounds while that helps."""
        self._all((self._trees() + [self._random] * starts)[:starts], "start")
        self._down(self.found.best()[0].estimate)
        for turn in range(_ROUNDS):
            best = self.found.best(_LEVELS)
            self._shake(n_init, f"round {turn + 1}, step")
            if [level.loss for level in self.found.best(_LEVELS)] == [level.loss for level in best]:
                break

    def _shake(self, steps: int, what: str) -> None:
        best = self.found.best(_LEVELS)
        self._all([best[i % len(best)].estimate.shaken for i in range(steps)], what)

    def _all(self, jobs: Sequence[Callable[[np.random.Generator], Estimate]], what: str) -> None:
        """Do every job with its own random generator, in threads; after an interrupt, finished jobs are kept."""
        rngs = self.rng.spawn(len(jobs))
        done: dict[int, Estimate] = {}

        def work(i: int) -> None:
            done[i] = jobs[i](rngs[i])

        try:
            map_threads(work, range(len(jobs)), f"searching for the median: {what}s", threads=self.threads)
        finally:
            for i in sorted(done):
                self.found.add(done[i], f"{what} {i + 1}")

    def _estimate(self, labels: AnyArray) -> Estimate:
        return Estimate(self.posterior, labels, *self.bounds)

    def _random(self, rng: np.random.Generator) -> Estimate:
        """Place all objects in random order, with the number of clusters of some draw, or with any number."""
        e = self.posterior.ensemble
        drawn = int(rng.choice(e.n_clusters)) if rng.random() < 0.5 else self.bounds[1]
        return self._estimate(np.full(e.n_objects, MISSING)).settle(rng, drawn)

    def _trees(self) -> list[Callable[[np.random.Generator], Estimate]]:
        return [self._tree] * (self.posterior.ensemble.n_objects <= _TREE)

    def _tree(self, rng: np.random.Generator) -> Estimate:
        """Cut the average-link tree where the loss is smallest."""
        e = self.posterior.ensemble
        tree = link(coassociation(e), "average")
        most = max(self.bounds[0], min(self.bounds[1], int(e.n_clusters.max())))
        cuts = [self._estimate(tree.cut(k)) for k in range(self.bounds[0], most + 1)]
        return min(cuts, key=lambda cut: cut.loss).settle(rng)

    def _down(self, best: Estimate) -> None:
        """Merge two clusters at a time, and improve every result by single moves."""
        step: Estimate | None = best
        while step is not None and len(step.clusters) > self.bounds[0]:
            step = step.merged()
            if step is not None:
                self.found.add(step.settle(self.rng, len(step.clusters)), "merges")

    def interrupted(self, index: AnyArray) -> Interrupted:
        """Return the error of an interrupt, with the best labels so far."""
        if not self.kept and not self.found.levels:
            return Interrupted("The search for the median was interrupted before its first start was done.")
        best = min(self.kept.values(), key=lambda one: one.loss) if self.kept else self.found.best()[0]
        return Interrupted(
            f"The search for the median was interrupted. The best partition so far ({best.origin}) has "
            f"{len(best.estimate.clusters)} clusters and an expected {self.posterior.loss.name} loss of "
            f"{best.loss:.6g}; it is in this error's `labels`.",
            labels=best.estimate.labels[index],
        )
