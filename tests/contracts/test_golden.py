"""The first version's answers of all methods on small ensembles, and why some of them are others today."""

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphens as ge

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text("utf-8"))


def ensemble(seed: int) -> tuple[ge.Ensemble, int]:
    """A noisy ensemble, with missing labels or weights for some seeds, and its number of groups."""
    rng = np.random.default_rng(seed)
    n, b, k = int(rng.integers(8, 60)), int(rng.integers(2, 9)), int(rng.integers(2, 5))
    truth = rng.integers(k, size=n)
    truth[:k] = range(k)
    labels = np.empty((n, b), dtype=int)
    for t in range(b):
        noise = rng.random(n) < rng.choice([0.0, 0.1, 0.3])
        p = truth.copy()
        p[noise] = rng.integers(k + (t % 3), size=int(noise.sum()))
        labels[:, t] = rng.permutation(k + 3)[p]
    if seed % 3 == 1:
        labels[rng.random(labels.shape) < 0.15] = -1
    weights = rng.integers(1, 4, size=b).astype(float) if seed % 5 == 2 else None
    masses = rng.integers(1, 4, size=n).astype(float) if seed % 7 == 3 else None
    if seed % 10 == 4:
        labels[3] = -1
    return ge.Ensemble(labels, weights=weights, object_weights=masses), k


def test_every_change_has_a_reason() -> None:
    for key, change in GOLDEN["changed"].items():
        seed, name = key.split("/")
        assert change["now"] != GOLDEN["answers"][seed][name]
        assert len(change["why"]) > 20


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
@pytest.mark.parametrize("seed", sorted(GOLDEN["answers"], key=int))
def test_answers_are_those_of_the_first_version(seed: str) -> None:
    e, k = ensemble(int(seed))
    rows = {row.name: row.function for row in ge.methods()}
    found, wanted = {}, {}
    for name, answer in GOLDEN["answers"][seed].items():
        asked = inspect.signature(rows[name]).parameters
        given: dict[str, Any] = {"k": k, "seed": 0}
        labels = rows[name](e, **{key: value for key, value in given.items() if key in asked}).labels
        found[name] = "".join("-" if label < 0 else str(label) for label in labels)
        wanted[name] = GOLDEN["changed"].get(f"{seed}/{name}", {"now": answer})["now"]
    assert found == wanted
