"""A consensus leaves the library as a graph with the answer on it."""

from __future__ import annotations

from collections.abc import Callable, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.graph import Graph
from ..core.inputs import in_order
from ..core.result import Consensus
from ..errors import InputError
from ._atomic import atomic
from ._text import NOT_IN_XML, without
from .gexf import paint

if TYPE_CHECKING:
    import igraph as ig
    import networkx as nx

#: endings of files that hold a network with its communities, and networkx's function for each
NETWORK_FILES = {".graphml": "write_graphml", ".gexf": "write_gexf"}


def to_networkx(r: Consensus) -> nx.Graph[Any]:
    """Return the network of the communities, or the graph of the consensus, with cluster, confidence and share."""
    given = r.network
    if given is None:
        made = _graph(r).to_networkx(consensus=r)
        _set_as_text(made, lambda value: not isinstance(value, (str, int, float)))
        return made
    made = given.copy() if hasattr(given, "adj") else _as_networkx(given)
    _set_as_text(made, lambda value: isinstance(value, Set))
    nodes = list(made)
    for node, cluster, confidence in zip(nodes, r.labels.tolist(), r.confidence.tolist(), strict=True):
        made.nodes[node].update(cluster=cluster, confidence=confidence)
    place = {node: i for i, node in enumerate(nodes)}
    share = _shares(r)
    for a, b, data in made.edges(data=True):
        data["share"] = share.get(_ends(place[a], place[b]), 0.0)
    return made


def to_igraph(r: Consensus) -> ig.Graph:
    """Return the same as an igraph graph."""
    given = r.network
    if given is None:
        return _graph(r).to_igraph(consensus=r)
    made = given.copy() if hasattr(given, "es") else _as_igraph(given)
    made.vs["cluster"], made.vs["confidence"] = r.labels.tolist(), r.confidence.tolist()
    share = _shares(r)
    made.es["share"] = [share.get(_ends(*edge), 0.0) for edge in made.get_edgelist()]
    return made


def write_network(r: Consensus, path: str | Path) -> None:
    """Write what `to_networkx` returns as .graphml or .gexf, vertices by number, their names as `name` and `label`.

    Attributes that files cannot hold, such as tuples, become text. In .gexf vertices have the color of their cluster.
    """
    import networkx as nx

    ending = Path(path).suffix.lower()
    if ending not in NETWORK_FILES:
        raise InputError(f"{path} was given; expected a file ending in {', '.join(NETWORK_FILES)}.")
    answered = to_networkx(r)
    names = [str(data.get("name", node)) for node, data in answered.nodes(data=True)]
    made = nx.convert_node_labels_to_integers(answered)
    for node, name in enumerate(without(NOT_IN_XML, "\ufffd", names, ending[1:])):
        made.nodes[node].update(name=name, label=name)
    places = dict(made.nodes(data="pos"))
    _set_as_text(made, lambda value: not isinstance(value, (str, int, float, np.number)))
    if ending == ".gexf":
        paint(made, places)
    with atomic(path) as file:
        getattr(nx, NETWORK_FILES[ending])(made, file)


def _as_networkx(given: Any) -> Any:
    """A graph of igraph or our own for networkx, with names for nodes where they tell the vertices apart."""
    if isinstance(given, Graph):
        return given.to_networkx(names=len(set(given.names)) == given.n_vertices)
    named = "name" in given.vs.attributes() and len(set(given.vs["name"])) == given.vcount()
    return given.to_networkx(vertex_attr_hashable="name" if named else "_nx_name")


def _as_igraph(given: Any) -> Any:
    """A graph of networkx or our own for igraph, with its attributes."""
    import igraph

    if isinstance(given, Graph):
        return given.to_igraph()
    made = igraph.Graph.from_networkx(given, vertex_attr_hashable="name")
    made.vs["name"] = list(given)
    return made


def _set_as_text(made: Any, odd: Callable[[Any], bool]) -> None:
    """Turn the odd attributes of vertices and edges of a networkx graph into text, sets in their elements' order."""
    texts: dict[int, str] = {}  # networkx's communities are one set for all their vertices
    for *_, data in (*made.nodes(data=True), *made.edges(data=True)):
        for key, value in data.items():
            if odd(value):
                data[key] = texts.get(id(value)) or texts.setdefault(id(value), _as_text(value))


def _as_text(value: Any) -> str:
    return "{" + ", ".join(map(str, in_order(list(value)))) + "}" if isinstance(value, Set) else str(value)


def _graph(r: Consensus) -> Graph:
    if not isinstance(r.graph, Graph):
        raise InputError(
            f"{r.method} worked on no graph; expected a method with one, or coassociation(e).to_networkx(consensus=r)."
        )
    return r.graph


def _shares(r: Consensus) -> dict[tuple[int, int], float]:
    source, target, weight = _graph(r).edges()
    return {_ends(a, b): w for a, b, w in zip(source.tolist(), target.tolist(), weight.tolist(), strict=True)}


def _ends(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
