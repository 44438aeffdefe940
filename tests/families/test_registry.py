"""Methods of one's own: registered, plugged in, checked."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.errors import GraphensWarning, InputError, TypeMismatch
from graphens.families.method import ROWS
from graphens.families.outcome import Outcome

LABELS = [[0, 0], [0, 0], [1, 1], [-1, -1], [1, 2]]


@pytest.fixture(autouse=True)
def own_rows() -> Iterator[None]:
    before = dict(ROWS)
    yield
    ROWS.clear()
    ROWS.update(before)


def parity(ensemble: ge.Ensemble, k: int, *, seed: int, shift: int = 0) -> np.ndarray:
    """Take the first partition modulo k."""
    return (ensemble.labels[:, 0] + shift) % k


def test_a_registered_method_is_like_any_other() -> None:
    ge.register_method("parity", parity, cost="O(n)")
    r = ge.consensus(LABELS, 2, method="parity", seed=3, shift=1)
    assert r.labels.tolist() == [0, 0, 1, -1, 1]
    assert r.method == "parity"
    assert r.options == {"k": 2, "seed": 3, "shift": 1}
    row = next(row for row in ge.methods() if row.name == "parity")
    assert row.cost == "O(n)"
    assert "O(n)" in row.function.__doc__
    assert "modulo" in row.function.__doc__
    assert ge.supra(LABELS, 2, methods=["parity"], seed=0).details["winner"] == "parity"
    with pytest.raises(InputError, match="its options are shift"):
        ge.consensus(LABELS, 2, method="parity", shfit=1)


def test_without_k_or_seed() -> None:
    ge.register_method("own", lambda ensemble: ensemble.labels[:, 1], needs_k=False)
    assert ge.consensus(LABELS, method="own").labels.tolist() == [0, 0, 1, -1, 2]


@pytest.mark.parametrize(
    ("name", "function", "facts", "words"),
    [
        ("mcla", parity, {}, "'mcla' is already used"),
        ("mine", 3, {}, "expected a function"),
        ("mine", lambda: 0, {}, "no first parameter for the ensemble"),
        ("mine", lambda *labels: 0, {}, "no first parameter for the ensemble"),
        ("mine", lambda *, ensemble: 0, {}, "no first parameter for the ensemble"),
        ("mine", lambda **labels: 0, {}, "no first parameter for the ensemble"),
        ("mine", dict, {}, "no first parameter for the ensemble"),
        ("mine", lambda e, width: 0, {}, "requires width"),
        ("mine", parity, {"color": "red"}, "color was given"),
        ("auto", parity, {}, "other than 'auto'"),
    ],
)
def test_what_cannot_be_registered(name: str, function: object, facts: dict[str, str], words: str) -> None:
    with pytest.raises((InputError, TypeMismatch), match=words):
        ge.register_method(name, function, **facts)  # type: ignore[arg-type]


def failing(ensemble: ge.Ensemble, k: int, *, seed: int) -> None:
    raise KeyError("codebook")


def test_a_method_that_raises_is_named_and_its_exception_kept() -> None:
    ge.register_method("failing", failing)
    with pytest.raises(ge.errors.PluginError, match="The method 'failing' raised KeyError: 'codebook'") as caught:
        ge.consensus(LABELS, 2, method="failing")
    assert isinstance(caught.value.__cause__, KeyError)
    assert isinstance(caught.value, RuntimeError)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda e: None, "returned nothing; expected one label for each of the 4 objects"),
        (lambda e: iter(range(4)), "expected one label for each of the 4 objects"),
        (lambda e: [[0], [1, 2], 3, 4], "returned an invalid result"),
        (lambda e: 0, "0 was given; expected one label for each of the 4 objects"),
        (lambda e: ["a", "b", "a", "b"], "expected whole numbers"),
        (lambda e: [0.5, 1, 1, 0], "expected whole numbers"),
        (lambda e: Outcome(np.zeros(3, dtype=int)), "expected one label for each of the 4 objects"),
        (lambda e: Outcome("labels"), "expected one label for each of the 4 objects"),
        (lambda e: Outcome([0, 0, 1, 1], membership=np.ones((3, 2))), r"shape \(3, 2\); expected one row"),
        (lambda e: Outcome([0, 0, 1, 1], membership=np.ones((4, 1))), "at least 2 columns"),
        (lambda e: Outcome([0, 0, 1, 1], membership="high"), "are not numbers"),
        (lambda e: Outcome([0, 0, 1, 1], membership=np.full((4, 2), np.nan)), "not finite"),
        (lambda e: Outcome([0, 0, 1, 1], graph=np.eye(4)), "gave a ndarray as its graph"),
        (lambda e: Outcome([0, 0, 1, 1], graph=ge.coassociation(LABELS)), "5 object vertices for 4 objects"),
        (
            lambda e: Outcome([0, 0, 1, 1], graph=ge.coassociation(e), vertex_labels=[0]),
            "expected one label for each of the 4 vertices",
        ),
        (lambda e: Outcome([0, 0, 1, 1], graph=ge.coassociation(e), index=[0, 1]), "4 objects"),
        (lambda e: Outcome([0, 0, 1, 1], graph=ge.coassociation(e), index=[0, 1, 2, 9]), "4 vertices"),
        (lambda e: Outcome([0, 0, 1, 1], dendrogram=[1, 2]), "gave a list as its dendrogram"),
        (
            lambda e: Outcome([0, 0, 1, 1], dendrogram=ge.link(ge.coassociation(LABELS), "single")),
            "a dendrogram of 5 objects",
        ),
        (lambda e: Outcome([0, 0, 1, 1], details=3), "gave a int as its details"),
    ],
)
def test_an_answer_of_the_wrong_kind_names_the_method(answer: object, words: str) -> None:
    ge.register_method("mine", answer)  # type: ignore[arg-type]
    with pytest.raises(ge.GraphensError, match=words) as caught:
        ge.consensus(LABELS, method="mine")
    assert "'mine'" in str(caught.value)


def test_answers_of_other_kinds_are_read() -> None:
    import igraph

    ge.register_method("nested", lambda e, k, *, seed: ge.vote(e, k))
    ge.register_method("cut", lambda e, k, *, seed: ge.partition(ge.coassociation(e), k, seed=seed))
    ge.register_method(
        "igraph", lambda e: igraph.VertexClustering(igraph.Graph(e.n_objects), [0, 0, 1, 1]), needs_k=False
    )
    for name in ("nested", "cut", "igraph"):
        assert ge.consensus(LABELS, 2, method=name, seed=0).labels.tolist() == [0, 0, 1, -1, 1]


@pytest.mark.parametrize("row", ge.methods(), ids=lambda row: row.name)
def test_every_method_says_what_it_takes(row: Any) -> None:
    with pytest.raises(TypeMismatch, match="has no option colour; it takes labels, "):
        row.function(LABELS, colour=1)
    with pytest.raises(TypeMismatch, match="missing a required argument: 'labels'"):
        row.function()
    with pytest.raises(TypeMismatch, match="too many positional arguments"):
        row.function(*[LABELS] * 20)


def plug_in(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str, text: str, entry: str) -> None:
    (folder / f"{module}.py").write_text(text)
    info = folder / f"{module}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[graphens.methods]\n{entry} = {module}:method\n")
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])


def test_plug_ins_are_found_and_bad_ones_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def method(ensemble, k, *, seed):\n    return ensemble.labels[:, 0] % k\n"
    plug_in(tmp_path, monkeypatch, "good_method_module", text, "plugged")
    assert ge.consensus(LABELS, 2, method="plugged").labels.tolist() == [0, 0, 1, -1, 1]
    plug_in(tmp_path, monkeypatch, "bad_method_module", "1 / 0", "broken")
    plug_in(tmp_path, monkeypatch, "sly_method_module", text, "mcla")
    with pytest.warns(GraphensWarning, match="could not be loaded") as heard:
        names = [row.name for row in ge.methods()]
    assert len(heard) == 2
    assert "broken" not in names


def test_compare_leaves_out_what_would_take_long_and_says_so() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(0, 9, (3001, 12)))
    found = ge.compare(e, 3, methods=["vote", "semidefinite"], seed=0, time_limit=10)
    assert list(found["method"]) == ["vote"]
    assert found.left_out["semidefinite"] > 10
    assert "semidefinite (about" in repr(found).splitlines()[-1]
    with pytest.raises(ge.GraphensError, match=r"Each method is expected to take longer than 0\.1 s"):
        ge.compare(e, 3, methods=["semidefinite"], time_limit=0.1)
    with pytest.raises(ge.GraphensError, match="time_limit"):
        ge.compare(e, 3, methods=["vote"], time_limit=0)
    assert not ge.compare(e, 3, methods=["vote", dullest], time_limit=5).left_out


def dullest(ensemble: ge.Ensemble, k: int = 2, *, column: int = 0, seed: int | None = None) -> object:
    """Return a partition as it is."""
    return ensemble.labels[:, column] % k


def test_a_method_is_named_given_or_partly_given() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [1, 0], [1, 1], [-1, -1]], weights=[1, 2])
    assert ge.consensus(e, 2, method=dullest).labels.tolist() == [0, 0, 1, 1, -1]
    second = partial(dullest, column=1)
    assert ge.consensus(e, 2, method=second).labels.tolist() == [0, 0, 0, 1, -1]
    assert ge.consensus(e, 2, method=ge.eac, linkage="average").method == "eac"
    assert ge.consensus(e, 2, method=partial(ge.eac, linkage="average")).options["linkage"] == "average"
    assert ge.consensus(e, 3, method=partial(ge.eac, k=2)).k == 2  # what is fixed stays
    assert ge.consensus(e, 2, method=ge.methods["eac"]).dendrogram is not None
    kept = ge.consensus(e, 2, method=lambda ensemble, k: ge.eac(ensemble, k))
    assert kept.dendrogram is not None  # of a consensus that a function returns
    assert kept.graph.n_vertices == 4
    with pytest.raises(ge.GraphensError, match="dullest has no option row; its options are column"):
        ge.consensus(e, 2, method=partial(dullest, row=3))
    with pytest.raises(ge.GraphensError, match="named options only"):
        ge.consensus(e, 2, method=partial(dullest, e))
    with pytest.raises(ge.GraphensError, match="or a function"):
        ge.consensus(e, 2, method=3)  # type: ignore[arg-type]
