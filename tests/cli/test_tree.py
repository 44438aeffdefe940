"""The dendrogram in text."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import graphens as ge
from graphens.cli.demo import draw

PICTURE = """
b  ────────────┬─────────┐┊
a  ────────────┘         ├─────────┐
cc ──────────────────────┘┊        ├──────────
d  ──┬─────────────────────────────┘
e  ──┘                    ┊
     0         0.25      0.5       0.75      1
"""


def test_a_small_tree() -> None:
    d = ge.Dendrogram(
        [[3, 4, 0, 2], [1, 0, 0.25, 2], [2, 6, 0.5, 3], [5, 7, 0.75, 5]], names=["b", "a", "cc", "d", "e"]
    )
    drawn = draw(d, width=40, cut=0.525)
    assert drawn == PICTURE.strip("\n").splitlines()


def test_a_tree_higher_than_one() -> None:
    lines = draw(ge.Dendrogram([[0, 1, 4, 2]]), width=20)
    assert lines == ["x0 " + "─" * 22 + "┐", "x1 " + "─" * 22 + "┘", "     0    1    2    3    4"]


@pytest.mark.parametrize("n", [1, 2, 3, 30])
def test_every_leaf_has_its_line_and_every_merge_its_join(n: int) -> None:
    x = np.random.default_rng(n).random((n, 2))
    d = ge.Dendrogram(linkage(x, "average") if n > 1 else [], names=[f"leaf {i}" for i in range(n)])
    *lines, _ = draw(d, width=400)
    assert sorted(line.split(" ─")[0].strip() for line in lines) == sorted(d.names)
    text = "".join(lines)
    assert sum(map(text.count, "┐┬")) == sum(map(text.count, "┘┴")) == n - 1
