"""Communities over a range of resolutions, and the ranges in which they do not change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.arrays import Seed, as_int, number, reported_seed
from ..errors import InputError
from ..families.registry import AnyMethod
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble
from ..labels.value import Viewable
from ..measures.agreement import ari
from ..result.consensus import Consensus
from .detection import communities

if TYPE_CHECKING:
    from ..plot.landscapes import LandscapeDisplay

_SAME = 0.99  # adjusted Rand index from which two consensuses count as the same


@dataclass(frozen=True, eq=False, repr=False)
class Landscape(Viewable):
    """Consensus communities at several resolutions.

    Attributes
    ----------
    resolutions
        The resolutions, in increasing order.
    consensus
        One `Consensus` per resolution.
    plateaus
        Ranges of adjacent resolutions with the same consensus, the longest (on a logarithmic scale) first, as (first,
        last, k).
    """

    resolutions: tuple[float, ...]
    consensus: tuple[Consensus, ...]
    plateaus: tuple[tuple[float, float, int], ...]

    @property
    def table(self) -> Any:
        """Resolution, number of communities, agreement of the runs, modularity, and ARI with the next, as a frame."""
        from ..export.frames import frame

        following = [ari(a.labels, b.labels) for a, b in zip(self.consensus, self.consensus[1:], strict=False)]
        return frame(
            {
                "resolution": self.resolutions,
                "k": [r.k for r in self.consensus],
                "structure": [r.details["structure"] for r in self.consensus],
                "modularity": [r.details["modularity"] for r in self.consensus],
                "next": [*following, np.nan],
            }
        )

    @property
    def ensemble(self) -> Ensemble:
        """The consensus results as partitions, one per resolution, for `clustree`."""
        return Ensemble.from_partitions(
            {f"{at:.3g}": r.labels for at, r in zip(self.resolutions, self.consensus, strict=True)},
            object_names=self.consensus[0].names,
        )

    def plot(self, ax: Any = None, **style: Any) -> LandscapeDisplay:
        """Draw the tree of communities, with their number and the agreement of the runs over the resolution.

        On given axes, only the curves are drawn, without the tree.
        """
        from ..plot.landscapes import LandscapeDisplay

        return LandscapeDisplay.from_landscape(self).plot(ax, **style)

    def __repr__(self) -> str:
        first, last = self.resolutions[0], self.resolutions[-1]
        lines = [f"Landscape of {len(self.resolutions)} resolutions from {first:g} to {last:g}"]
        lines += [
            f"  {k} {'community' if k == 1 else 'communities'} from {low:g} to {high:g}"
            for low, high, k in self.plateaus[:8]
        ]
        return "\n".join(lines)


def landscape(
    G: Any,
    resolutions: Sequence[float] | None = None,
    *,
    n_partitions: int = 20,
    base: Any = "leiden",
    method: AnyMethod = "recluster",
    symmetrize: bool = False,
    weight: str | None = "weight",
    seed: Seed = None,
    **options: Any,
) -> Landscape:
    """Find consensus communities over a range of resolutions.

    Parameters
    ----------
    G
        The network, as for `communities`.
    resolutions
        The resolutions; by default, 13 from ⅛ to 8, each √2 times the previous one.
    n_partitions, base, method, symmetrize, weight, **options
        The runs at each resolution and the consensus method; see `communities`.
    seed
        The same seed gives the same landscape.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphens as ge
    >>> found = ge.networks.landscape(
    ...     nx.karate_club_graph(), [0.25, 0.5, 1.0], n_partitions=10, seed=0
    ... )
    >>> found.table["k"].is_monotonic_increasing
    True
    """
    as_int("n_partitions", n_partitions, 1)
    values = 2.0 ** np.arange(-3, 3.5, 0.5) if resolutions is None else resolutions
    if isinstance(values, str) or np.ndim(values) != 1 or not len(values):
        raise InputError.about("resolutions", resolutions, "a list of positive numbers")
    steps = tuple(sorted({number("resolution", at) for at in values}))
    graph, first = Graph.of(G, weight=weight, symmetrize=symmetrize), reported_seed(seed)
    results = tuple(
        communities(graph, n_partitions, base=base, method=method, resolution=at, seed=first, **options) for at in steps
    )
    return Landscape(steps, results, plateaus(steps, results))


def plateaus(steps: Sequence[float], found: Sequence[Consensus]) -> tuple[tuple[float, float, int], ...]:
    """Ranges of resolutions with the same consensus, the longest first."""
    breaks = [i + 1 for i in range(len(found) - 1) if ari(found[i].labels, found[i + 1].labels) < _SAME]
    stretches = [(a, b - 1) for a, b in zip([0, *breaks], [*breaks, len(found)], strict=True)]
    rows = [(steps[a], steps[b], found[a].k) for a, b in stretches if b > a]
    return tuple(sorted(rows, key=lambda row: row[0] / row[1]))
