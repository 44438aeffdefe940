"""Median partitions by a genetic algorithm: partitions exchange clusters, and mutual information selects."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, Seed, as_int, generator, one_of
from ..errors import InputError
from ..labels.ensemble import Ensemble
from ..measures.matching import match
from .contract import consensus_function
from .method import Cost
from .move_counts import base_clusters, information
from .outcome import Outcome, required
from .policy import POLICY
from .standard_form import standard
from .trials import compete

FITNESS = {"nmi": True, "mi": False}


@consensus_function(
    family="median partition",
    graph="count tables",
    missing="an object absent from a base partition gets the label most partitions give it",
    cost=Cost("generations·population·ñB + generations·population·k³", "and the cost of the panel"),
    reference="Luo, Jing and Xie 2006",
)
def genetic(
    e: Ensemble,
    k: int | None = None,
    *,
    fitness: str = "nmi",
    average: str = "geometric",
    population: int = 30,
    generations: int = 60,
    mutation: float = 0.01,
    methods: Sequence[str] = POLICY.starts,
    seed: Seed = None,
) -> Outcome:
    """Evolve partitions that exchange clusters; those that share more information with the ensemble survive.

    The first generation is the best result of the panel and the base partitions, with their clusters matched to it
    (Hungarian method; extra clusters go to their largest overlap). A child takes the labels of one parent and some
    complete clusters of the other, after these are matched to the first parent's; then a few objects change their
    label. Parents are chosen by tournaments of two. The two best always survive, so the result is never worse than the
    panel.

    Parameters
    ----------
    k
        Number of clusters; by default, the largest k_t. The result has fewer if a cluster dies out.
    fitness
        ``"nmi"``: the average NMI with the partitions; ``"mi"``: the mutual information itself (apart from the shares
        of the clusters, this ranks like the likelihood of the mixture of multinomials).
    average
        What the mutual information is divided by with ``fitness="nmi"``: the ``"geometric"``, ``"arithmetic"``,
        ``"min"`` or ``"max"`` of the two entropies, or their ``"joint"`` entropy.
    population, generations
        Number of partitions in a generation, and maximum number of generations; the search ends after 15 generations
        without improvement.
    mutation
        Share of the objects whose label changes in a child, from 0 to 1.
    methods
        The panel.
    seed
        Seed for the panel and all random choices.

    Returns
    -------
    Consensus
        ``details``: "fitness", the best of every generation.

    References
    ----------
    Luo, Jing and Xie, Combining multiple clusterings using information theory based genetic algorithm, 2006.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
    ... )
    >>> ge.genetic(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    from ..kernels.moves import NORMS

    one_of("fitness", fitness, FITNESS)
    if not 0 <= mutation <= 1:
        raise InputError.about("mutation", mutation, "a share from 0 to 1")
    k = required(k)
    size = as_int("population", population, 4)
    form = standard(e, beside=compete(methods, e, k, seed)[0].labels)
    micro, first = form.ensemble, form.beside
    assert first is not None
    one_of("average", average, NORMS)
    value = valued(micro, k, NORMS[average] if FITNESS[fitness] else -1)
    rng = generator(seed)
    living = _founders(micro, first, k, size, rng)
    best, history = _evolve(living, value, k, as_int("generations", generations, 0), mutation, rng)
    return Outcome(form.spread(best), details={"fitness": history})


def valued(e: Ensemble, k: int, norm: int) -> Callable[[AnyArray], float]:
    """Return the fitness of a labeling: its average NMI or, with norm −1, its mutual information."""
    from ..kernels.moves import shared_information

    rows, (shares, entropies) = base_clusters(e), information(e)
    total = int(e.offsets[-1])
    return lambda own: float(shared_information(rows, shares, entropies, e.object_weights, own, total, k, norm))


def _founders(e: Ensemble, first: AnyArray, k: int, size: int, rng: np.random.Generator) -> list[AnyArray]:
    """The reference, and the base partitions with clusters matched to it; missing labels are filled by majority."""
    chosen = np.arange(e.n_partitions)
    if e.n_partitions >= size:
        chosen = np.sort(rng.choice(e.n_partitions, size - 1, replace=False, p=e.weights / e.weights.sum()))
    named = [first]
    for t in chosen:
        code = e.codes[t].astype(np.int64)
        there = code != e.absent
        if there.any():
            column = np.full(e.n_objects, -1, dtype=np.int32)
            column[there] = _renamed(code[there], first[there], k, e.object_weights[there])
            named.append(column)
    votes = np.stack([(np.stack(named) == c).sum(axis=0) for c in range(k)])
    usual = votes.argmax(axis=0).astype(np.int32)
    founders = [np.where(column >= 0, column, usual).astype(np.int32) for column in named]
    while len(founders) < size:
        a, b = rng.integers(len(founders), size=2)
        founders.append(_child(founders[a], founders[b], k, 0.02, rng))
    return founders


def _renamed(labels: AnyArray, reference: AnyArray, k: int, masses: FloatArray) -> AnyArray:
    """Rename clusters to the labels 0 … k − 1 of a reference, by overlap."""
    width = int(labels.max(initial=0)) + 1
    cells = np.bincount(labels.astype(np.int64) * k + reference, weights=masses, minlength=width * k).astype(float)
    return match(cells.reshape(width, k)).argmax(axis=1)[labels].astype(np.int32)


def _child(a: AnyArray, b: AnyArray, k: int, mutation: float, rng: np.random.Generator) -> AnyArray:
    """The labels of one parent, overwritten by some clusters of the other, with a few objects changed."""
    other = _renamed(b, a, k, np.ones(len(a)))
    taken = rng.random(k) < 0.5
    child = np.where(taken[other], other, a)
    changed = rng.random(len(a)) < mutation
    child[changed] = rng.integers(k, size=int(changed.sum()))
    return child.astype(np.int32)


def _evolve(
    living: list[AnyArray],
    value: Callable[[AnyArray], float],
    k: int,
    generations: int,
    mutation: float,
    rng: np.random.Generator,
) -> tuple[AnyArray, list[float]]:
    """Tournaments, children and survival of the two best, until there is no improvement for 15 generations."""
    worth = np.array([value(own) for own in living])
    history = [float(worth.max())]
    for _ in range(generations):
        elite = np.argsort(-worth, kind="stable")[:2]
        fights = rng.integers(len(living), size=(len(living) - 2, 2, 2))
        winners = np.take_along_axis(fights, worth[fights].argmax(axis=2)[..., None], axis=2)[..., 0]
        children = [_child(living[a], living[b], k, mutation, rng) for a, b in winners]
        living = [living[i] for i in elite] + children
        worth = np.concatenate([worth[elite], [value(own) for own in children]])
        history.append(float(worth.max()))
        if len(history) > 15 and history[-1] <= history[-16] + 1e-12:
            break
    return living[int(worth.argmax())], history
