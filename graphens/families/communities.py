"""Communities of the bipartite graph: objects and clusters in the same groups."""

from __future__ import annotations

from typing import Any

from .._lib.arrays import Seed, number
from ..cutting import partition
from ..errors import InputError
from ..graphs.bipartite import BipartiteGraph
from ..labels.ensemble import Ensemble
from .contract import consensus_function
from .metaclusters import collapse
from .outcome import Outcome
from .rows import rows_to_cut


@consensus_function(
    family="communities",
    graph="bipartite",
    needs_k=False,
    missing="an absent object has no edge to a partition's clusters",
    cost="O(ñB) per pass, about 20 runs for a given k",
    reference="Traag, Waltman and van Eck 2019",
    membership="share of an object's clusters in each community",
    merges=True,
)
def leiden(e: Ensemble, k: int | None = None, *, resolution: float = 1.0, seed: Seed = None) -> Outcome:
    """Find communities of objects and clusters together by modularity, which also determines their number.

    The Leiden algorithm runs on the star expansion. The membership of an object in a community is the share of its
    clusters, weighted by partition, that are in it.

    Parameters
    ----------
    k
        By default, the number that maximizes modularity. A given k is reached by searching over the resolution.

    Returns
    -------
    Consensus
        ``graph`` is the bipartite graph of the distinct label rows. ``details``: "communities", the community
        of every cluster.
    """
    if not number("resolution", resolution) > 0:
        raise InputError.about("resolution", resolution, "a positive number")
    e = e.take(partitions=e.weights > 0)
    micro, index = rows_to_cut(e, k, collapse=True)
    n = micro.n_objects
    graph = BipartiteGraph(micro, repeated=True)
    parts = partition(graph, k, partitioner="leiden", seed=seed, resolution=float(resolution))
    of_rows, clusters = parts.labels[:n], parts.labels[n:]
    shares, details = collapse(micro, clusters, k=parts.k).of_objects(), {"communities": clusters}
    sketch: Any = {"graph": graph, "index": index, "vertex_labels": parts.labels}
    return Outcome(of_rows[index], membership=shares[index], details=details, **sketch)
