"""Dendrograms as Newick text and networkx trees."""

import re

import networkx as nx
import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage

import graphens as ge
from tests.export.zoo import AWKWARD

TOKEN = re.compile(r"'((?:[^']|'')*)'|([(),;])|:([^,();]+)|([^'(),:;]+)")


def read_newick(text: str) -> tuple[dict[int, int], list[float], dict[int, str]]:
    """A plain reader: parent of each node, branch length of each node, names of the leaves."""
    parent: dict[int, int] = {}
    length: list[float] = []
    names: dict[int, str] = {}
    inside: list[int] = []
    last = -1
    for quoted, sign, number, bare in TOKEN.findall(text):
        if number:
            length[last] = float(number)
        elif sign == ")":
            last = inside.pop()
        elif sign == "," or sign == ";":
            continue
        else:
            last = len(length)
            length.append(0.0)
            if inside:
                parent[last] = inside[-1]
            if sign == "(":
                inside.append(last)
            else:
                names[last] = bare or quoted.replace("''", "'")
    return parent, length, names


def distances_to_root(text: str) -> tuple[dict[str, float], dict[int, int], dict[int, str]]:
    parent, length, names = read_newick(text)
    depth = {}
    for leaf, name in names.items():
        node, total = leaf, 0.0
        while node in parent:
            total, node = total + length[node], parent[node]
        depth[name] = total
    return depth, parent, names


def cophenetic(text: str, order: list[str]) -> np.ndarray:
    """Height of the meeting point of every two leaves, from the text alone."""
    parent, length, names = read_newick(text)
    leaf = {name: node for node, name in names.items()}

    def path(node: int) -> list[int]:
        found = [node]
        while found[-1] in parent:
            found.append(parent[found[-1]])
        return found

    found = []
    for i, a in enumerate(order):
        for b in order[i + 1 :]:
            up = path(leaf[a])
            meeting = next(node for node in path(leaf[b]) if node in up)
            found.append(sum(length[node] for node in up[: up.index(meeting)]))
    return np.array(found)


@pytest.mark.parametrize("seed", range(5))
def test_newick_keeps_all_heights(seed: int) -> None:
    z = linkage(np.random.default_rng(seed).random((12, 3)), "average")
    d = ge.Dendrogram(z)
    assert np.allclose(cophenetic(d.to_newick(), list(d.names)), cophenet(z))
    depth, *_ = distances_to_root(d.to_newick())
    assert np.allclose(list(depth.values()), z[-1, 2])


def test_newick_keeps_awkward_names() -> None:
    z = linkage(np.random.default_rng(0).random((len(AWKWARD), 2)), "average")
    text = ge.Dendrogram(z, names=AWKWARD).to_newick()
    assert sorted(read_newick(text)[2].values()) == sorted(AWKWARD)
    assert "'it''s'" in text
    assert "(plain:" in text or ",plain:" in text


def test_small_trees() -> None:
    assert ge.Dendrogram([], names=["a b"]).to_newick() == "'a b';"
    assert ge.Dendrogram([[0, 1, 0.5, 2]], names=["a", "b"]).to_newick() == "(a:0.5,b:0.5);"
    tree = ge.Dendrogram([], names=["a"]).to_networkx()
    assert dict(tree.nodes(data=True)) == {"a": {"name": "a", "height": 0.0, "size": 1}}


def test_objects_that_share_a_leaf_or_have_none_are_all_there() -> None:
    d = ge.Dendrogram([[0, 1, 0.5, 2]], index=[0, 1, 0, -1], names=["a", "b", "c", "d"])
    assert d.to_newick() == "(d:1,((a:0,c:0):0.5,b:0.5):0.5);"


@pytest.mark.parametrize("chain", [True, False])
def test_many_leaves(chain: bool) -> None:  # noqa: FBT001
    n = 20_000
    step = np.arange(n - 1)
    pairs = np.column_stack([np.r_[0, n + step[:-1]], 1 + step]) if chain else np.column_stack([2 * step, 2 * step + 1])
    d = ge.Dendrogram(np.column_stack([pairs, (step + 1) / n, np.zeros(n - 1)]))
    text = d.to_newick()
    assert text.count("(") == text.count(")") == n - 1
    assert text.count(",") == n - 1
    if chain:
        assert d.to_networkx().number_of_edges() == 2 * (n - 1)


@pytest.mark.parametrize("names", [["a", "a", "b"], [2, 3, 4]])
def test_objects_are_numbers_in_a_tree_where_names_are_not_clear(names: list[object]) -> None:
    tree = ge.Dendrogram([[0, 1, 0.25, 2], [2, 3, 0.5, 3]], names=names).to_networkx()
    assert list(tree) == [0, 1, 2, 3, 4]
    assert [tree.nodes[i]["name"] for i in range(3)] == names


def test_networkx_tree() -> None:
    z = linkage(np.random.default_rng(1).random((9, 2)), "complete")
    tree = ge.Dendrogram(z, names=list("abcdefghi")).to_networkx()
    assert nx.is_arborescence(tree)
    objects = list("abcdefghi")
    assert [tree.nodes[name]["name"] for name in objects] == list(tree)[:9] == objects
    assert [v for v in tree if tree.in_degree(v) == 0] == [16]
    for row, merge in enumerate(z):
        assert set(tree.successors(9 + row)) == {list(tree)[int(i)] for i in merge[:2]}
        assert tree.nodes[9 + row]["height"] == merge[2]
        assert tree.nodes[9 + row]["size"] == merge[3]
    for above, below, length in tree.edges(data="length"):
        assert length == tree.nodes[above]["height"] - tree.nodes[below]["height"]
