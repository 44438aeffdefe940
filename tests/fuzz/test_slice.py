"""A little of the fuzzing in every run of the tests, with another seed each time (conftest.py shows it)."""

import os

from tests.fuzz.__main__ import TARGETS, piece


def test_odd_calls_give_an_answer_or_a_clear_error() -> None:
    seed = int(os.environ["GRAPHENS_FUZZ_SEED"])
    found = piece(",".join(TARGETS), seed, calls=150, seconds=20)
    again = f"GRAPHENS_FUZZ_SEED={seed} repeats this"
    assert not found["findings"], (again, found["findings"])
    assert found["calls"] > 0
