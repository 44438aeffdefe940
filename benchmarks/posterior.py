"""Median partitions of posterior samples: two public posteriors, and large synthetic ones.

The draws of the public posteriors, draws_galaxy.npz and draws_iris.npz, are looked for in the folder that GRAPHENS_DATA
names; without them they are left out.
"""

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .measuring import measure, processor_seconds
from .parts import LeftOut, Part, Row, megabytes

#: the least loss that salso 0.3.35 reached with 16 starts, and its CPU seconds on a busy machine of the same kind
SALSO = {
    "galaxy": {
        "binder": (0.218243, 1.2),
        "vi": (0.939374, 1.1),
        "omari": (0.437293, 2.8),
        "nvi": (0.573880, 2.9),
        "id": (0.716629, 4.4),
        "nid": (0.483814, 3.3),
    },
    "iris": {
        "binder": (0.310503, 0.4),
        "vi": (1.646647, 0.2),
        "omari": (0.675586, 0.6),
        "nvi": (0.660376, 3.4),
        "id": (1.267233, 0.9),
        "nid": (0.559545, 2.3),
    },
}
SEEDS = range(10)


def public(draws: str, loss: str) -> dict[str, Any]:
    """One loss and ten seeds on a public posterior."""
    path = Path(os.environ.get("GRAPHENS_DATA", "data")) / f"draws_{draws}.npz"
    if not path.exists():
        raise LeftOut(f"{path} is absent; GRAPHENS_DATA names its folder")
    e = ge.Ensemble.from_draws(np.load(path)["draws"])
    for seed in range(2):  # compiles what is not compiled yet
        _timed(e, loss, seed)
    found, cpu = zip(*(_timed(e, loss, seed) for seed in SEEDS), strict=True)
    known, seconds = SALSO[draws][loss]
    return {"losses": found, "seconds": cpu, "loss of salso": known, "seconds of salso": seconds}


def _timed(e: ge.Ensemble, loss: str, seed: int) -> tuple[float, float]:
    begin = processor_seconds()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        found = ge.median(e, loss=loss, seed=seed).details["expected_loss"]
    return float(found), processor_seconds() - begin


def large(n: int, draws: int, loss: str) -> dict[str, Any]:
    """A synthetic posterior: processor seconds and memory, and the loss beside 50 starts."""
    e, small = synthetic(n, draws), synthetic(60, 500)
    found = measure(_large, e, loss, 16, warm=(small, loss, 16))
    more = measure(_large, e, loss, 50, warm=(small, loss, 16), repeats=1)
    value, k = found.value
    return {"seconds": found.seconds, "peak": found.peak, "k": k, "loss found": value, "loss of 50": more.value[0]}


def synthetic(n: int, count: int, groups: int = 12) -> ge.Ensemble:
    """Draws around groups, some of which every draw splits or merges, a tenth of the labels wrong."""
    rng = np.random.default_rng(n + count)
    truth, half = rng.integers(groups, size=n), rng.integers(2, size=n)
    draws = np.empty((count, n), dtype=np.int16)
    for t in range(count):
        names = np.where(rng.random(groups) < 0.2, rng.integers(groups, size=groups), np.arange(groups))
        split = rng.random(groups) < 0.2
        draw = names[truth] + groups * (split[truth] & (half == 1))
        noise = rng.random(n) < 0.1
        draws[t] = np.where(noise, rng.integers(2 * groups, size=n), draw)
    return ge.Ensemble.from_draws(draws)


def _large(e: ge.Ensemble, loss: str, n_init: int) -> tuple[Any, int]:
    r = ge.median(e, loss=loss, n_init=n_init, seed=0)
    return r.details["expected_loss"], r.k


def by_loss(rows: Sequence[Row]) -> list[Row]:
    """One row for each loss, with what was found on each posterior."""
    return [
        {"loss": name} | {row["draws"]: row for row in rows if row["loss"] == name}
        for name in dict.fromkeys(row["loss"] for row in rows)
    ]


SHOWN: dict[str, Callable[[Row], Any]] = {
    "best": lambda row: f"{min(row['losses']):.6f}",
    "worst": lambda row: f"{max(row['losses']):.6f}",
    "salso": lambda row: f"{row['loss of salso']:.6f}",
    "CPU s, median": lambda row: float(np.median(row["seconds"])),
}
PARTS = (
    Part(
        "posterior-public",
        "Posterior samples: 10,000 draws of 82 galaxies, 1,000 draws of 150 iris flowers",
        public,
        cases=[{"draws": draws, "loss": loss} for draws, known in SALSO.items() for loss in known],
        quick=[{"draws": "iris", "loss": "binder"}],
        columns={
            "loss": "loss",
            **{
                f"{draws}, {title}": (lambda row, draws=draws, shown=shown: shown(row[draws]) if draws in row else "")
                for draws in SALSO
                for title, shown in SHOWN.items()
            },
        },
        gather=by_loss,
        note="Expected loss of the best and the worst of ten seeds. Losses of salso (0.3.35, R and Rust, 16 starts) "
        "were found in another run, so no times of it are shown.",
    ),
    Part(
        "posterior-large",
        "Posterior samples: large synthetic posteriors",
        large,
        cases=[
            {"n": n, "draws": draws, "loss": loss}
            for n, draws in ((500, 2000), (1000, 2000), (5000, 1000))
            for loss in ("vi", "binder")
        ],
        quick=[{"n": 100, "draws": 300, "loss": "vi"}],
        columns={
            "objects": "n",
            "draws": "draws",
            "loss": "loss",
            "CPU seconds": "seconds",
            "memory": megabytes("peak"),
            "k": "k",
            "expected loss, 16 starts": lambda row: f"{row['loss found']:.6f}",
            "50 starts": lambda row: f"{row['loss of 50']:.6f}",
        },
        note="Draws around 12 groups, some of them split or merged, a tenth of the labels wrong.",
    ),
)
