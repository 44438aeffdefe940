"""The uncertainty of an estimate: the ball around it that holds most of the draws, and the draws at its edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.arrays import (
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    Seed,
    as_int,
    as_labels,
    as_list,
    canonical,
    number,
    of_kind,
    percent,
    reported_seed,
)
from ..cutting.entry import Partition
from ..errors import InputError, collect_warnings, quote
from ..graphs.coassociation import coassociation
from ..labels.encoding import labels_of_codes
from ..labels.ensemble import Ensemble, Labels
from ..labels.value import Viewable
from ..measures.agreement import labeling_of
from ..measures.losses import draw_losses, expected_loss
from ..result.explanation import object_position
from .correspondence import match

if TYPE_CHECKING:
    from ..plot.strips import TrackingDisplay

_TIE = 1e-9  # distances and shares closer than this are equal


@dataclass(frozen=True, eq=False, repr=False)
class CredibleBall(Viewable):
    """The smallest ball around an estimate that holds a given share of the draws.

    Attributes
    ----------
    labels
        The estimate.
    radius
        Distance of the farthest draw inside.
    share
        Share of the draws inside, by weight; at least `level`.
    horizontal
        The draws inside that are farthest from the estimate.
    upper
        Among the draws inside with the fewest clusters, those farthest from the estimate.
    lower
        Among the draws inside with the most clusters, those farthest from the estimate.
    level, loss
        The level and the loss that were given.
    distances
        Distance of every draw from the estimate; NaN if they share no object.
    ensemble
        The draws.
    """

    labels: LabelArray
    radius: float
    share: float
    horizontal: list[Partition]
    upper: list[Partition]
    lower: list[Partition]
    level: float
    loss: str
    distances: FloatArray
    ensemble: Ensemble

    @property
    def bounds(self) -> dict[str, list[Partition]]:
        """The bounds by name."""
        return {"horizontal": self.horizontal, "upper": self.upper, "lower": self.lower}

    @property
    def table(self) -> Any:
        """The estimate and its bounds as a frame: draw, k, distance, and number of objects that differ."""
        from ..export.frames import frame

        where = {name: t for t, name in enumerate(self.ensemble.partition_names)}
        rows = [("estimate", "", int(self.labels.max(initial=-1)) + 1, 0.0, 0)]
        for bound, found in self.bounds.items():
            for p in found:
                distance, apart = float(self.distances[where[p.partitioner]]), int(self.differs(p).sum())
                rows.append((bound, p.partitioner, p.k, distance, apart))
        columns = dict(zip(("bound", "draw", "k", "distance", "elsewhere"), zip(*rows, strict=True), strict=True))
        return frame(columns, self.ensemble._names.backend)

    @property
    def posterior_k(self) -> dict[int, float]:
        """The share of the draws with each number of clusters, by weight."""
        e = self.ensemble
        total = np.bincount(e.n_clusters, weights=e.weights) / e.weights.sum()
        return {int(k): float(total[k]) for k in np.flatnonzero(total)}

    def together(self, a: Any, b: Any) -> float:
        """Return the probability that two objects, by name or number, share a cluster, over draws that have both."""
        e = self.ensemble
        i, j = (object_position(which, None, e.vertex_names()) for which in (a, b))
        first, second = e.codes[:, i], e.codes[:, j]
        both = e.weights * ((first != e.absent) & (second != e.absent))
        if not both.any():
            raise InputError(
                f"{quote(a)} and {quote(b)} were given; expected two objects that both have a label in some draw."
            )
        return float(both @ (first == second) / both.sum())

    def differs(self, partition: Partition) -> AnyArray:
        """Return which objects a partition places differently than the estimate, after clusters are matched."""
        other = as_labels(of_kind("partition", partition, Partition).labels, len(self.labels))
        return np.asarray(match(self.labels, other).relabel(other) != self.labels)

    def convergence(self, sizes: Sequence[int] | None = None, *, seed: Seed = None, **options: Any) -> Any:
        """Return how the estimate changes with the number of draws, as a frame.

        Parameters
        ----------
        sizes
            Numbers of draws, counted from the first; by default, an eighth, a quarter, half and all of them.
        seed, **options
            Passed to `median`, which is run for each number of draws.

        Returns
        -------
        frame
            For each number of draws: k, the expected loss against all draws, and the distance from the estimate of
            the ball.
        """
        from ..export.frames import frame
        from ..families import median

        e, own = self.ensemble, reported_seed(seed)
        parts = (
            [max(1, e.n_partitions // part) for part in (8, 4, 2, 1)]
            if sizes is None
            else as_list("sizes", sizes, "numbers of draws")
        )
        counts = list(dict.fromkeys(as_int("sizes", m, 1, e.n_partitions) for m in parts))
        with collect_warnings():
            found = [median(e.take(partitions=np.arange(m)), loss=self.loss, seed=own, **options) for m in counts]
        center = Ensemble.from_partitions([self.labels])
        return frame(
            {
                "draws": counts,
                "k": [r.k for r in found],
                "expected_loss": [expected_loss(r.labels, e, self.loss) for r in found],
                "distance": [expected_loss(r.labels, center, self.loss) for r in found],
            }
        )

    def plot(self, ax: Any = None, **style: Any) -> TrackingDisplay:
        """Draw the estimate and the first bound of each kind as rows of objects, in the order of the estimate."""
        from ..plot.display import amount
        from ..plot.strips import TrackingDisplay

        first = f"estimate, k = {int(self.labels.max(initial=-1)) + 1}"
        bounds = {f"{name}, k = {found[0].k}": found[0].labels for name, found in self.bounds.items()}
        shown = TrackingDisplay.from_labelings({first: self.labels} | bounds, first=first)
        shown.what = f"{amount(len(self.labels), 'object')}: the estimate and the bounds of its ball"
        shown.how = f"{percent(self.share)} of the draws within {self.radius:.3g} ({self.loss})"
        return shown.plot(ax, **style)

    def __repr__(self) -> str:
        ks = {name: ", ".join(str(p.k) for p in found) for name, found in self.bounds.items()}
        ks = {name: f"{each} cluster{'s' * (each != '1')}" for name, each in ks.items()}
        size = f"{percent(self.share, 1)} of {self.ensemble.n_partitions} draws"
        k = int(self.labels.max(initial=-1)) + 1
        return (
            f"Credible ball of {size}, radius {self.radius:.4g} ({self.loss})\n"
            f"  estimate    {k} cluster{'s' * (k != 1)}\n"
            f"  horizontal  {ks['horizontal']} clusters: the draw farthest from the estimate\n"
            f"  upper       {ks['upper']} clusters: the farthest draw with the fewest clusters\n"
            f"  lower       {ks['lower']} clusters: the farthest draw with the most clusters"
        )


def credible_ball(
    estimate: Any, ensemble: Labels, level: float = 0.95, loss: str = "vi", a: float = 1.0
) -> CredibleBall:
    """Return the smallest ball around an estimate that holds a share of the draws, and the draws at its edges.

    Parameters
    ----------
    estimate
        A Consensus, or labels.
    ensemble
        The draws: an Ensemble, or anything that Ensemble accepts.
    level
        The share of the draws, by weight, that the ball must contain.
    loss, a
        The distance, by the name of a loss of `measures.expected_loss`; ``"vi"`` and ``"binder"`` with a = 1 are the
        most common.

    Notes
    -----
    The radius is the smallest distance within which the draws have at least the share `level` of the weight. The bounds
    are lists, which have several entries if draws are tied; equal draws are listed once. O(nB).

    References
    ----------
    Wade and Ghahramani, Bayesian cluster analysis: point estimation and credible balls, 2018.

    Examples
    --------
    >>> import graphens as ge
    >>> draws = ge.Ensemble.from_partitions(
    ...     [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 2], [0, 0, 0, 0]]
    ... )
    >>> ball = ge.credible_ball([0, 0, 1, 1], draws, 0.75)
    >>> ball.radius, ball.share, ball.lower[0].labels.tolist(), ball.posterior_k
    (0.5, 0.75, [0, 0, 1, 2], {1: 0.25, 2: 0.5, 3: 0.25})
    """
    e, level = Ensemble.of(ensemble), number("level", level)
    if not 0 < level <= 1:
        raise InputError.about("level", level, "a number above 0, and at most 1")
    labels = labeling_of(estimate, e)
    distances = draw_losses(labels, e, loss, a)
    known = np.flatnonzero(~np.isnan(distances) & (e.weights > 0))
    if not known.size:
        raise InputError("No draw has a label for any object of the estimate; expected draws of the same objects.")
    order = known[np.argsort(distances[known], kind="stable")]
    held = np.cumsum(e.weights[order]) / e.weights[order].sum()
    radius = float(distances[order[int(np.argmax(held >= level - _TIE))]])
    inside = known[distances[known] <= radius + _TIE]
    few, many = (inside[e.n_clusters[inside] == of(e.n_clusters[inside])] for of in (np.min, np.max))
    return CredibleBall(
        labels=labels,
        radius=radius,
        share=float(e.weights[inside].sum() / e.weights[known].sum()),
        horizontal=_farthest(e, inside, distances),
        upper=_farthest(e, few, distances),
        lower=_farthest(e, many, distances),
        level=level,
        loss=loss,
        distances=distances,
        ensemble=e,
    )


def _farthest(e: Ensemble, draws: IntArray, distances: FloatArray) -> list[Partition]:
    """The draws farthest away, each once, as partitions of the co-association graph."""
    graph, different = coassociation(e), dict[bytes, Partition]()
    for t in draws[distances[draws] >= distances[draws].max() - _TIE].tolist():
        labels = canonical(labels_of_codes(e.codes[t]))
        if labels.tobytes() not in different:
            mass = np.bincount(labels[labels >= 0], weights=e.object_weights[labels >= 0])
            figures = len(mass), graph.cut(labels), float(mass.max() / mass.mean())
            different[labels.tobytes()] = Partition(labels, *figures, e.partition_names[t])
    return list(different.values())
