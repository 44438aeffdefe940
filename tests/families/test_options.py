"""Options of the wrong kind or out of bounds: one clear error, before anything runs."""

import inspect
from typing import Any

import pytest

import graphens as ge
from graphens.families.contract import OPTIONS

LABELS = [[0, 1], [1, 0], [1, 1]]
ODD: list[Any] = ["abc", object(), [], {}, 10**30, -1, 2.5j]
CASES = [
    (row.name, option)
    for row in ge.methods()
    for option in inspect.signature(row.function).parameters
    if option in OPTIONS
]


def _refuses(option: str, value: Any) -> bool:
    try:
        OPTIONS[option](option, value)
    except ge.GraphensError:
        return True
    return False


def test_only_data_functions_and_a_few_options_are_checked_elsewhere() -> None:
    every = {option for row in ge.methods() for option in inspect.signature(row.function).parameters}
    assert every - OPTIONS.keys() == {
        "labels", "k", "seed", "partitioner", "G", "X", "neighbors", "indices", "reference", "start", "clustering",
        "average", "balance", "loss", "a", "max_k", "n_jobs", "share",
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore:k = 2 is ignored")
@pytest.mark.parametrize(("name", "option"), CASES)
def test_odd_options_are_refused_in_our_own_words(name: str, option: str) -> None:
    refused = [value for value in ODD if _refuses(option, value)]
    assert refused
    for value in refused:
        with pytest.raises(ge.GraphensError, match=f"{option} = "):
            ge.consensus(LABELS, 2, method=name, **{option: value})


def test_every_option_of_a_method_that_repeats_is_bounded() -> None:
    for option in ("n_init", "max_iter", "steps", "sweeps", "population", "generations", "retries"):
        with pytest.raises(ge.GraphensError, match="between"):
            OPTIONS[option](option, 10**30)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("aggregate", {"start": "magic"}),
        ("even", {"balance": -1}),
        ("even", {"balance": float("nan")}),
        ("even", {"balance": "much"}),
        ("islands", {"share": 2}),
        ("pta", {"neighbors": 0}),
    ],
)
def test_what_one_method_takes(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(ge.GraphensError, match=f"{next(iter(options))} = "):
        ge.consensus(LABELS, 2, method=name, **options)
