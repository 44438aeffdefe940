"""Dendrograms as trees: Newick text and networkx, without recursion, so that trees may be deep."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.files import atomic
from ..trees.dendrogram import Dendrogram
from .packages import nodes_called

if TYPE_CHECKING:
    import networkx as nx

_PLAIN = re.compile(r"[A-Za-z0-9.+-]+")


def to_newick(d: Dendrogram) -> str:
    """Return the tree of all objects in Newick format, see `Dendrogram.to_newick`. O(n)."""
    merges, n = d.to_scipy(), d.n_objects
    names = [name if _PLAIN.fullmatch(name) else "'" + name.replace("'", "''") + "'" for name in d.names.texts()]
    children = merges[:, :2].astype(np.int64).tolist()
    height = (np.concatenate([np.zeros(n), merges[:, 2]]) * _unit(d)).tolist()
    done: list[str] = []
    waiting: list[str | tuple[int, float | None]] = [(n + len(merges) - 1, None)] if n else []
    while waiting:
        step = waiting.pop()
        if isinstance(step, str):
            done.append(step)
            continue
        node, above = step
        length = "" if above is None else f":{above - height[node]:.12g}"
        if node < n:
            done.append(names[node] + length)
        else:
            left, right = children[node - n]
            done.append("(")
            waiting += [f"){length}", (right, height[node]), ",", (left, height[node])]
    return "".join(done) + ";"


def _unit(d: Dendrogram) -> int:
    """The number of loci for trees of allele profiles, whose heights are shares of them; otherwise 1."""
    return d._ensemble.n_partitions if d._ensemble is not None and d._ensemble._loci else 1


def write_newick(d: Dendrogram, path: str | Path) -> None:
    """Write the tree of all objects as Newick text (.nwk, .newick)."""
    with atomic(path, text=True) as file:
        file.write(to_newick(d) + "\n")


def tree_network(d: Dendrogram) -> nx.DiGraph[Any]:
    """Return the tree of all objects as a directed graph, see `Dendrogram.to_networkx`."""
    import networkx as nx

    merges, n = d.to_scipy(), d.n_objects
    merges[:, 2] *= _unit(d)
    tree = nx.DiGraph()
    nodes = nodes_called(d.names, range(n, n + len(merges)))
    for node, name in zip(nodes, d.names, strict=False):
        tree.add_node(node, name=name, height=0.0, size=1)
    steps = zip(merges[:, 2].tolist(), merges[:, 3].astype(np.int64).tolist(), strict=True)
    tree.add_nodes_from((n + step, {"height": height, "size": size}) for step, (height, size) in enumerate(steps))
    height = np.concatenate([np.zeros(n), merges[:, 2]])
    child = merges[:, :2].astype(np.int64).ravel()
    parent = np.repeat(np.arange(n, n + len(merges)), 2)
    lengths = height[parent] - height[child]
    tree.add_weighted_edges_from(
        zip(parent.tolist(), [nodes[i] for i in child.tolist()], lengths.tolist(), strict=True), weight="length"
    )
    return tree
