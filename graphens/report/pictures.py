"""The pictures of a report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._arrays import LabelArray
from ..core.hypergraph import Hypergraph
from ..core.result import Consensus
from ..plot.colors import through
from ..plot.curves import CurveDisplay
from ..plot.display import Display
from ..plot.heatmap import CoassociationDisplay
from ..plot.objects import ConfidenceDisplay, ScatterDisplay
from ..plot.of_results import draw_consensus
from ..plot.partitions import PartitionsDisplay
from ..plot.strips import TrackingDisplay
from .html import figure, tabs


def of_clusters(r: Consensus, classes: Any, X: Any) -> list[str]:
    """The co-association in cluster order, the confidences, and the objects themselves where X is given."""
    made = [
        figure(
            CoassociationDisplay.from_consensus(r, classes, most=400).plot(),
            "How often objects share a cluster, in the order of the clusters: dark squares along the diagonal are "
            "clusters that the clusterings agree on.",
        ),
        figure(
            ConfidenceDisplay.from_consensus(r).plot(),
            "Confidence of the objects of each cluster, sorted: a long low tail is a cluster with an unclear border.",
        ),
    ]
    if X is not None:
        made.append(
            figure(ScatterDisplay.from_consensus(r, X).plot(), "The objects in their first two features.")
        )
    return made


def graphs(r: Consensus) -> list[str]:
    """What decided: the graph and the tree, where the method has them; and the space of the evidence."""
    made = []
    if r.graph is not None:
        made.append(
            figure(
                _graph(r),
                f"The graph that {r.method} worked on, vertices in the color of their cluster.",
            )
        )
    if r.dendrogram is not None:
        made.append(
            figure(
                draw_consensus(r, "tree", most=24),
                "The last merges of the tree, and the band of heights at which there are so many clusters.",
            )
        )
    made.append(figure(draw_consensus(r, "evidence"), "Objects that are often together lie close."))
    return [f'<div class="beside">{"".join(made)}</div>']


def _graph(r: Consensus) -> Display:
    """The graph with as many edges as a page can bear."""
    few = {} if isinstance(r.graph, Hypergraph) else {"edges": 500}
    return draw_consensus(r, "graph", **few)


def of_partitions(r: Consensus) -> list[str]:
    """Who agrees with whom."""
    if r.ensemble.n_partitions < 2:
        return []
    return [
        figure(
            PartitionsDisplay.from_ensemble(r.ensemble).plot(),
            "Agreement of the clusterings with each other, those alike side by side.",
        )
    ]


def of_ks(r: Consensus, ks: Iterable[int] | None) -> list[str]:
    """How the choice of k was made; with `ks`, every rule's curve and the clusterings across k."""
    if ks is None:
        strengths = r.details.get("auto", {}).get("strengths")
        return [] if not strengths else [_strengths(r, dict(strengths))]
    from ..choose.k import choose_k
    from ..front import consensus

    wanted = [int(k) for k in ks]
    seed = r.options.get("seed")
    choice = choose_k(r.ensemble, wanted, seed=seed)
    answers = {
        k: r if k == r.k else consensus(r.ensemble, k, method=r.method, seed=seed)
        for k in sorted({*wanted, r.k})
    }
    labelings = {k: answer.labels for k, answer in answers.items()}
    numbers = through(list(labelings.values()), list(labelings).index(r.k))
    panels = {f"k = {k}": _at(answer, own) for (k, answer), own in zip(answers.items(), numbers, strict=True)}
    return [
        figure(choice.plot(), choice.why),
        figure(
            TrackingDisplay.from_labelings(labelings, first=r.k).plot(),
            "The objects through the numbers of clusters, colors handed on by best overlap with the answer.",
        ),
        tabs("Number of clusters", panels, f"k = {r.k}"),
    ]


def _at(r: Consensus, numbers: LabelArray) -> str:
    """What the answer looks like at one number of clusters."""
    said = f"{r.k} clusters: sizes {', '.join(f'{size:,}' for size in r.sizes()[:20])}; ANMI {r.score:.3f}."
    return figure(CoassociationDisplay.from_consensus(r, most=200, numbers=numbers).plot(), said)


def _strengths(r: Consensus, strengths: dict[int, float]) -> str:
    shown = CurveDisplay(
        list(strengths),
        list(strengths.values()),
        "strength",
        chosen=r.k,
        what="Relative eigengap over the number of clusters",
    )
    return figure(
        shown.plot(),
        "How suddenly it becomes easy to leave a group: a strength above 1 speaks for that number of clusters.",
    )
