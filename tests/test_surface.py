"""What the Tab key shows, and where methods are found."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.families.method import ROWS

LABELS = [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
X = np.random.default_rng(0).normal(size=(20, 2))


def test_the_tab_key_shows_where_to_begin() -> None:
    shown = [name for name in dir(ge) if not name.startswith("_")]
    own = [name for name in ge.methods if hasattr(ge, name)]
    assert sorted(shown) == sorted([*ge.__all__, *own])
    assert {"eac", "mcla", "lwgp"} <= set(own)
    assert len(ge.__all__) <= 40
    assert not {"Any", "TYPE_CHECKING", "np", "families", "core"} & set(shown)
    for name in shown:
        assert getattr(ge, name) is not None


def test_methods_are_at_home_in_methods_and_at_the_top() -> None:
    for row in ge.methods():
        assert getattr(ge.methods, row.name) is row.function is getattr(ge, row.name, row.function)
        assert ge.methods[row.name] is row
        assert row.name in dir(ge.methods)
    assert ge.methods["eac"](LABELS, 3).labels.tolist() == ge.eac(LABELS, 3).labels.tolist()


@pytest.mark.parametrize("catalog", [ge.methods, ge.partitioners])
def test_registries_are_read_only_mappings_whose_lists_are_short_tables(catalog: Any) -> None:
    rows = catalog()
    assert len(catalog) == len(rows) == len(list(catalog))
    assert isinstance(catalog, Mapping)
    for name, row in catalog.items():
        assert name in catalog
        assert catalog[name] is row is catalog.get(name)
        assert "0x" not in repr(row)  # no addresses of functions
    assert "nothing" not in catalog
    assert catalog.get("nothing") is None
    assert [] not in catalog
    assert [row.name for row in rows] == list(catalog) == rows.to_frame()["name"].tolist()
    assert len(repr(rows).splitlines()) == len(rows) + 1
    assert len(repr(rows)) < 4000
    assert max(map(len, repr(rows).splitlines())) < 80
    with pytest.raises(TypeError):
        catalog["mine"] = rows[0]
    with pytest.raises(ge.errors.UnknownName, match="Did you mean"):
        catalog[f"{rows[0].name}s"]


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(KeyError, match=r"^method = 'lwpg' .* Did you mean lwgp\?$"):
        ge.methods["lwpg"]
    with pytest.raises(AttributeError, match="Did you mean lwgp"):
        _ = ge.methods.lwpg
    with pytest.raises(ge.GraphensError):
        ge.consensus(LABELS, 3, method="lwpg")


def test_a_registered_method_is_at_home_too() -> None:
    ge.register_method("halves-of-test", lambda ensemble, k: np.arange(ensemble.n_objects) % k)
    try:
        assert "halves-of-test" in ge.methods
        assert ge.methods["halves-of-test"](LABELS, 2).k == 2
    finally:
        del ROWS["halves-of-test"]
