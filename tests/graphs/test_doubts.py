"""One rule for labels that cannot tell what is asked of them: the same sentence wherever they are used."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.errors import DoubtWarning
from graphens.graphs.doubts import doubts


def table(n: int = 120) -> pd.DataFrame:
    """Two segmentations and three columns that say nothing."""
    rng = np.random.default_rng(0)
    truth = np.arange(n) % 3
    return pd.DataFrame(
        {
            "north": truth,
            "south": np.where(rng.random(n) < 0.1, rng.integers(0, 3, n), truth),
            "customer": rng.integers(0, n, n),
            "country": ["US"] * n,
            "empty": [None] * n,
        }
    )


def kinds(labels: Any, **more: Any) -> dict[str | None, str]:
    found = doubts(ge.Ensemble.of(labels), **more)
    return {doubt.partition: doubt.kind for doubt in found if doubt.kind != "alone"}


def test_columns_without_information_have_a_name_and_a_kind() -> None:
    assert kinds(table()) == {"customer": "identifier", "country": "constant", "empty": "missing"}


def test_fine_clusterings_are_not_doubted() -> None:
    assert not kinds([[1], [1], [2], [2], [3], [3], [4]])  # seven objects in four clusters
    assert not kinds((np.arange(300) // 3)[:, None])
    assert kinds((np.arange(300) // 2)[:, None]) == {"P0": "identifier"}
    assert kinds(np.arange(10)[:, None]) == {"P0": "identifier"}
    twice = np.minimum(np.arange(30), 27)[:, None]  # names of which one occurs three times
    assert kinds(twice) == {"P0": "identifier"}
    assert not kinds(np.arange(9)[:, None])


def test_an_object_counts_as_often_as_it_occurs() -> None:
    e = ge.Ensemble.of((np.arange(400) % 80)[:, None])
    micro, _ = e.collapse()
    assert micro.n_objects == 80
    assert not kinds(e)
    assert not kinds(micro)


def test_a_partition_without_weight_is_not_doubted() -> None:
    assert kinds(ge.Ensemble.of(table()).reweight([1, 1, 0, 0, 0])) == {}


def test_one_clustering_and_the_same_one_again_are_no_ensemble() -> None:
    """A consensus of them has confidence 1 everywhere, which is said to mean nothing."""
    one = pd.DataFrame({"only": list("aabbccdd")})
    with pytest.warns(DoubtWarning, match="only one clustering, 'only'"):
        ge.consensus(one, 2, seed=0)
    same = np.array([[0, 2, 1], [0, 2, 1], [1, 0, 0], [-1, -1, -1]])
    with pytest.warns(DoubtWarning, match="All 3 clusterings are the same"):
        ge.vote(same)
    with pytest.warns(DoubtWarning, match="only one clustering, 'P1'"):
        ge.vote(ge.Ensemble([[0, 2], [0, 2], [1, 0], [1, 2]], weights=[0, 1]))
    for other in ([0, 0, 1, -1], [0, 1, 2, -1], [0, 0, -1, 1], [0, 0, 1, 1]):
        named = [doubt.kind for doubt in doubts(ge.Ensemble(np.column_stack([[5, 5, 3, 3], other])))]
        assert ("alone" in named) == (other == [0, 0, 1, 1])


CALLS: dict[str, Callable[[Any], Any]] = {
    "auto": lambda x: ge.consensus(x, 3, seed=0),
    "front door": lambda x: ge.consensus(x, 3, "vote", seed=0),
    "method": lambda x: ge.vote(x, 3),
    "members": lambda x: ge.members(x, 3, seed=0),
    "choose_k": lambda x: ge.choose_k(ge.Ensemble.of(x), range(2, 5), seed=0),
    "compare": lambda x: ge.compare(x, 3, methods=["vote", "lwgp"], seed=0),
}


@pytest.mark.parametrize("call", CALLS)
def test_every_function_says_the_same_once(call: str) -> None:
    frame = table()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CALLS[call](frame)
    said = [str(w.message) for w in caught if issubclass(w.category, DoubtWarning)]
    assert said == [doubt.sentence for doubt in doubts(ge.Ensemble.of(frame))]
    assert {w.filename for w in caught if issubclass(w.category, DoubtWarning)} == {__file__}


def test_a_sentence_for_many_columns() -> None:
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]} | {f"c{t}": [1] * 4 for t in range(6)})
    with pytest.warns(DoubtWarning) as caught:
        ge.lwgp(frame, 2, seed=0)
    assert [str(w.message) for w in caught] == [
        (
            "Column 'c0' has the same label for every object, so it says nothing about the clusters. "
            "The same holds for 'c1', 'c2', 'c3' and 2 more."
        )
    ]


def test_an_explanation_and_a_report_have_the_doubts(tmp_path: Path) -> None:
    with pytest.warns(DoubtWarning):
        r = ge.consensus(table(), 3, seed=0)
    assert "Column 'customer' has" in repr(r.explain(0))
    r.report(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    for name in ("customer", "country", "empty"):
        assert f"Column &#x27;{name}&#x27;" in text or f"Column '{name}'" in text or f"Column &#39;{name}" in text


@pytest.mark.parametrize("method", ["auto", *(row.name for row in ge.methods())])
def test_at_most_as_many_clusters_as_label_rows(method: str) -> None:
    takes_k = method not in ("recluster", "ecg")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        r = ge.consensus([[0]] * 50 + [[1]] * 50, 6, method, seed=0)
    assert r.sizes().tolist() == [50, 50]
    if takes_k:
        assert sum("distinguish only 2 groups" in str(w.message) for w in caught) == 1


def test_rows_that_only_a_partition_without_weight_tells_apart() -> None:
    e = ge.Ensemble([[0, 0], [0, 1], [1, 2], [1, 3]], weights=[1, 0])
    assert kinds(e, k=3) == {None: "few rows"}
    assert kinds(e.reweight([1, 1]), k=3) == {}
