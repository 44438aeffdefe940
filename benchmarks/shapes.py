"""Large sets of odd shapes, from features on disk to clusters on disk: landmarks and lwgp, beside k-means alone.

``python -m benchmarks shapes --large`` takes the sizes of the publication, with GRAPHENS_SCRATCH naming a folder with
room (60 bytes per object).
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .parts import Part, Row

PLACE = os.environ.get("GRAPHENS_SCRATCH")
PARTITIONS = 20


@dataclass(frozen=True)
class Shape:
    """A set of the publication: its points and its clusters."""

    name: str
    n: int
    k: int


#: the sets of the publication, and the seconds that U-SENC (MATLAB, 64 GB of memory) was published to take
SETS = (
    Shape("bananas", 1_000_000, 2),
    Shape("concentric-circles", 5_000_000, 3),
    Shape("circles-and-gaussians", 10_000_000, 11),
    Shape("smiling-face", 2_000_000, 4),
)
PUBLISHED = {"bananas": 318, "concentric-circles": 1726, "circles-and-gaussians": 3603}


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


def measured(name: str, n: int, k: int) -> dict[str, Any]:
    """All steps of one set."""
    with tempfile.TemporaryDirectory(dir=PLACE) as made:
        return {step: run_step(step, Shape(name, n, k), Path(made)) for step in STEPS}


def _published(row: Row) -> str:
    whole = any(one.name == row["name"] and one.n == row["n"] for one in SETS)
    return str(PUBLISHED[row["name"]]) if whole and row["name"] in PUBLISHED else ""


def _cases(share: float) -> list[dict[str, Any]]:
    return [{"name": one.name, "n": int(one.n * share), "k": one.k} for one in SETS]


PARTS = (
    Part(
        "shapes-on-disk",
        f"From features to clusters on disk: {PARTITIONS} partitions by landmarks, then `lwgp`",
        measured,
        cases=[asdict(SETS[0]), *_cases(0.1)[1:]],
        large=_cases(1.0)[1:],
        quick=[{"name": "bananas", "n": 20_000, "k": 2}],
        columns={
            "points": "name",
            "objects": "n",
            "partitions, CPU s": lambda row: row["partitions"]["processor"],
            "consensus, CPU s": lambda row: row["clusters"]["processor"],
            "most memory": lambda row: f"{max(row[s]['peak'] for s in ('partitions', 'clusters')) / 1e6:,.0f} MB",
            "NMI": lambda row: f"{row['agreement']['nmi']:.3f}",
            "NMI of k-means alone": lambda row: f"{row['alone']['nmi']:.3f}",
            "U-SENC as published, s": _published,
        },
        note="k-means alone: scikit-learn's MiniBatchKMeans with the true k, in memory. U-SENC's seconds are those of "
        "its paper (MATLAB, 64 GB, another machine).",
    ),
)


if __name__ == "__main__":
    step, name, number, place = sys.argv[1:]
    found = STEPS[step](name, int(number), Path(place))
    print(json.dumps(found | {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0}))
