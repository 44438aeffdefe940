"""Large sets of odd shapes, from features on disk to clusters on disk: landmarks and lwgp, beside k-means alone.

``python -m benchmarks shapes`` takes a tenth of each set; GRAPHENS_OBJECTS=10000000 the sizes of the publication, with
GRAPHENS_SCRATCH naming a folder with room (60 bytes per object). A run that is stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .harness import kept, origin, records, report

OBJECTS = int(os.environ.get("GRAPHENS_OBJECTS", 1_000_000))  # of the largest set
PLACE = os.environ.get("GRAPHENS_SCRATCH")
PARTITIONS = 20


@dataclass(frozen=True)
class Shape:
    """A set of the publication: its points, its clusters, and the seconds that U-SENC was published to take."""

    name: str
    n: int
    k: int
    seconds: int | None


SETS = [
    Shape("bananas", 1_000_000, 2, 318),
    Shape("concentric-circles", 5_000_000, 3, 1726),
    Shape("circles-and-gaussians", 10_000_000, 11, 3603),
    Shape("smiling-face", 2_000_000, 4, None),
]


def points(name: str, n: int, place: Path) -> dict[str, Any]:
    """Write the set."""
    X, truth = ge.datasets.load(name, seed=0, n=n)
    np.save(place / "X.npy", X)
    np.save(place / "truth.npy", truth.astype(np.int8))
    return {}


def partitions(name: str, k: int, place: Path) -> dict[str, Any]:
    """Make and write the partitions."""
    s = ge.scale.generate(place / "X.npy", PARTITIONS, base="landmarks", out=place / "labels", seed=0)
    return {"clusters": int(s.n_clusters.sum())}


def clusters(name: str, k: int, place: Path) -> dict[str, Any]:
    """Combine them, and write the clusters."""
    r = ge.scale.consensus(place / "labels", k, out=place / "out", seed=0)
    return {"rows": r.details.get("rows", 0)}


def agreement(name: str, k: int, place: Path) -> dict[str, Any]:
    """How well the clusters on disk are those of the set."""
    found = np.concatenate([cluster for cluster, _ in _read(place / "out")])
    return {"nmi": ge.measures.nmi(np.load(place / "truth.npy"), found)}


def alone(name: str, k: int, place: Path) -> dict[str, Any]:
    """k-means alone on the same points, in memory."""
    from sklearn.cluster import MiniBatchKMeans

    X = np.load(place / "X.npy")
    batch = max(1024, len(X) // 1000)  # the default's 1,024 rows take minutes of small steps at five million
    found = MiniBatchKMeans(k, n_init=3, batch_size=batch, max_iter=5, random_state=0).fit_predict(X)
    return {"nmi": ge.measures.nmi(np.load(place / "truth.npy"), found)}


def _read(path: Path) -> Any:
    import pyarrow.parquet as pq

    for part in sorted(path.glob("part-*.parquet")):
        table = pq.read_table(part)
        yield table["cluster"].to_numpy(), table["confidence"].to_numpy()


STEPS = {step.__name__: step for step in (points, partitions, clusters, agreement, alone)}


def run_step(step: str, case: Shape, place: Path) -> dict[str, Any]:
    """Run a step in a process of its own: what it found, its processor seconds, its memory."""
    before = _busy()
    number = case.n if step == "points" else case.k
    command = [sys.executable, "-m", "benchmarks.shapes", step, case.name, str(number), str(place)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    spent = {"processor": _busy() - before}
    print(case.name, step, spent, done.stdout.strip(), flush=True)
    return spent | json.loads(done.stdout.splitlines()[-1])


def _busy() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(case: Shape) -> dict[str, Any]:
    """All steps of one set."""
    with tempfile.TemporaryDirectory(dir=PLACE) as made:
        steps = {step: run_step(step, case, Path(made)) for step in STEPS}
    return {**steps, "load": os.getloadavg()[2]}


def run() -> None:
    """Measure every set and make the table."""
    share = min(1.0, OBJECTS / 10_000_000)
    table([replace(one, n=int(one.n * share)) for one in SETS])


def page() -> None:
    """Make the table of what is kept, without measuring anything."""
    table([Shape(**record["case"]) for record in records("scale_shapes")])


def table(cases: Sequence[Shape]) -> None:
    """Make the table of some sets; those that were measured before are not measured again."""
    rows, absent = [], {one.name for one in SETS} - {case.name for case in cases}
    for case, found in kept("scale_shapes", measured, cases).items():
        made, combined = found["partitions"], found["clusters"]
        rows.append(
            [
                case.name,
                case.n / 1e6,
                made["processor"] / 60,
                (made["processor"] + combined["processor"]) / 60,
                max(made["peak"], combined["peak"]) / 1e6,
                round(100 * found["agreement"]["nmi"], 2),
                round(100 * found["alone"]["nmi"], 2),
                f"{case.seconds / 60:.0f}" if case.seconds and case in SETS else "",
            ]
        )
    report(
        "scale_shapes",
        f"From features to clusters on disk: {PARTITIONS} partitions by landmarks, then lwgp",
        [
            "points",
            "millions",
            "partitions, minutes of the processor",
            "in all",
            "MB at most",
            "NMI, %",
            "NMI of k-means alone, %",
            "U-SENC, minutes",
        ],
        rows,
        "U-SENC as published: MATLAB, 64 GB, generation included; NMI 97.5 to 99.9 % on its sets of one and five "
        "million. k-means alone: scikit-learn's MiniBatchKMeans with the true k, in memory. Ours on a machine with 2 "
        "cores and 24 GB that others used at the same time."
        + (f" Not measured in one piece yet, and left out: {', '.join(sorted(absent))}." if absent else ""),
        origin("scale_shapes"),
    )


if __name__ == "__main__":
    step, name, number, place = sys.argv[1:]
    found = STEPS[step](name, int(number), Path(place))
    print(json.dumps(found | {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0}))
