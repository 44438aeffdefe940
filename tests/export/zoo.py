"""Graphs that give writers trouble."""

import numpy as np

import graphens as ge
from graphens.labels.names import Names

AWKWARD = ["plain", "two words", 'say "hi"', "it's", "R&D <b>", "ünï 中 🦉", "back\\slash", "a,b;c\td", "x]y[z", ""]


def awkward_graph(names: list[str]) -> ge.Graph:
    """A ring with one isolated vertex at the end, odd weights and both roles."""
    n = len(names)
    adjacency = np.zeros((n, n))
    for i in range(n - 2):
        adjacency[i, i + 1] = adjacency[i + 1, i] = 1 / (i + 3)
    weights = np.linspace(0, 2.5, n)
    return ge.Graph(adjacency, vertex_weights=weights, roles=np.arange(n) % 2, names=names, kind="awkward")


ENSEMBLE = ge.Ensemble(
    [[0, 5, "a"], [0, 5, "b"], [1, -1, "b"], [1, 7, None], [-1, -1, None]],
    weights=[1, 0.5, 2],
    object_names=["o 1", "o 2", "o 3", "o 4", "lost"],
    partition_names=["first", "second", "third"],
)

GRAPHS = {
    "awkward": awkward_graph(AWKWARD),
    "duplicates": awkward_graph(["same", "same", "other", "same", "x"]),
    "empty": ge.Graph(np.zeros((0, 0))),
    "one": ge.Graph(np.zeros((1, 1)), names=["only"]),
    "edgeless": ge.Graph(np.zeros((3, 3))),
    "coassociation": ge.coassociation(ENSEMBLE),
    "bipartite": ge.bipartite(ENSEMBLE),
    "meta": ge.metagraph(ENSEMBLE),
}

HYPERGRAPHS = {
    "ensemble": ge.hypergraph(ENSEMBLE),
    "counts": ge.Hypergraph([[3, 0], [1, 2], [0, 0]], vertex_weights=[1, 2.5, 1], hyperedge_weights=[0.25, 1]),
    "duplicates": ge.Hypergraph(np.eye(2), vertex_names=Names(np.array(["v", "v"])), hyperedge_names=["e", "e"]),
    "one": ge.Hypergraph([[1]]),
    "edgeless": ge.Hypergraph(np.zeros((2, 0))),
}
