"""Beyond memory: labels on disk under a memory limit, killed twice; two workers against one; large odd shapes.

``python -m benchmarks scale`` runs reduced sizes; GRAPHENS_ROWS=200000000 those that the figures are meant for.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge
from graphens.scale.scanning import Scan

from .harness import report

ROWS = int(os.environ.get("GRAPHENS_ROWS", 5_000_000))
OBJECTS = int(os.environ.get("GRAPHENS_OBJECTS", 1_000_000))  # of the largest set of points
PLACE = os.environ.get("GRAPHENS_SCRATCH")
B, K, PART = 20, 20, 1_000_000
LIMIT = 2 << 30
SETS = {  # points they are known with, and clusters
    "bananas": (1_000_000, 2),
    "smiling-face": (2_000_000, 4),
    "concentric-circles": (5_000_000, 3),
    "circles-and-gaussians": (10_000_000, 11),
}


def write_labels(folder: Path, n: int) -> None:
    """Twenty partitions of about thirty clusters each that agree on twenty groups, one label in five at random."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    for number, start in enumerate(range(0, n, PART)):
        rng = np.random.default_rng(number)
        size = min(PART, n - start)
        truth = rng.integers(0, K, size, dtype=np.uint8)
        columns = {}
        for t in range(B):
            k = 25 + t % 10
            name = np.random.default_rng([1, t]).permutation(k).astype(np.uint8)
            stray = rng.random(size) < 0.2
            columns[f"P{t}"] = name[np.where(stray, rng.integers(0, k, size, dtype=np.uint8), truth)]
        pq.write_table(pa.table(columns), folder / f"{number:04d}.parquet")


def child(folder: str, method: str, out: str, die: str) -> None:
    """One call in a process of its own: no more private memory than the limit, and a kill where it is told to."""
    import signal

    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))
    what, _, share = die.partition(":")

    def strike(name: str, done: float) -> None:
        if what and name.startswith(what) and done >= float(share):
            os.kill(os.getpid(), signal.SIGKILL)

    begin = time.perf_counter()
    with ge.progress(strike):
        r = ge.scale.consensus(ge.scale.scan(folder), K, method=method, out=out, seed=0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": time.perf_counter() - begin, "peak": peak, "score": r.score, **r.timings}))


def limited(folder: Path, method: str, out: Path, die: str = "") -> dict[str, Any]:
    """Run the child; what it said, or how long it lived."""
    begin = time.perf_counter()
    arguments = [str(folder), method, str(out), die]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.scale", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return dict(json.loads(done.stdout.splitlines()[-1]))
    if not die:
        raise RuntimeError(done.stderr[-2000:])
    return {"seconds": time.perf_counter() - begin}


def reading(s: Scan) -> float:
    """Seconds of one pass that only reads the labels."""
    begin = time.perf_counter()
    for number in range(len(s.blocks)):
        s.read(number)
    return time.perf_counter() - begin


def labels_on_disk(place: Path) -> None:
    """Under the limit, killed twice and called again, beside one pass of reading."""
    folder = place / "labels"
    write_labels(folder, ROWS)
    once, rows = reading(ge.scale.scan(folder)), []
    for method in ("lwgp", "mcla"):
        out = place / method
        parts = [limited(folder, method, out, die) for die in ("pairs:0.5", "labels:0.5", "")]
        spent = sum(part["seconds"] for part in parts)
        rows.append([method, ROWS / 1e6, spent, 1e6 * spent / ROWS, spent / once, parts[-1]["peak"] / 1e6])
        shutil.rmtree(out)
    report(
        "scale_labels",
        f"Labels on disk: {ROWS / 1e6:g} million × {B}, killed twice and called again",
        ["method", "million rows", "seconds in all", "per million rows", "passes of reading", "MB at most"],
        rows,
        f"RLIMIT_DATA of 2 GiB, enforced by the system. One pass of reading alone: {once:.1f} s.",
    )


def two_workers(place: Path) -> None:
    """The same work on one worker process and on two."""
    from distributed import Client, LocalCluster

    s, seconds = ge.scale.scan(place / "labels"), []
    for count in (1, 2):
        with (
            LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            begin = time.perf_counter()
            ge.scale.consensus(s, K, method="mcla", out=place / f"workers{count}", seed=0, client=client)
            seconds.append(time.perf_counter() - begin)
    report(
        "scale_workers",
        f"Two worker processes against one: mcla of {ROWS / 1e6:g} million × {B} labels",
        ["one worker, s", "two workers, s", "speed-up"],
        [[*seconds, seconds[0] / seconds[1]]],
    )


def shapes(place: Path) -> None:
    """Landmarks and lwgp from features to clusters, beside k-means alone."""
    from sklearn.cluster import MiniBatchKMeans

    rows = []
    for name, (size, k) in SETS.items():
        n = int(size * min(1.0, OBJECTS / 10_000_000))
        X, truth = ge.datasets.load(name, seed=0, n=n)
        np.save(place / "X.npy", X)
        begin = time.perf_counter()
        s = ge.scale.generate(place / "X.npy", 20, base="landmarks", out=place / f"{name}-labels", seed=0)
        made = time.perf_counter() - begin
        r = ge.scale.consensus(s, k, out=place / f"{name}-out", seed=0)
        spent = time.perf_counter() - begin
        alone = MiniBatchKMeans(k, n_init=3, random_state=0).fit_predict(X)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
        score, plain = ge.measures.nmi(truth, r.labels), ge.measures.nmi(truth, alone)
        rows.append([name, n / 1e6, made, spent, score, plain, peak])
        print(rows[-1], flush=True)
    report(
        "scale_shapes",
        "From features to clusters: 20 partitions by landmarks, then lwgp",
        [
            "points",
            "millions",
            "partitions, s",
            "in all, s",
            "NMI",
            "NMI of k-means alone",
            "MB at most so far",
        ],
        rows,
        "Published (U-SENC, MATLAB, 64 GB): 1M 318 s, 5M 1,726 s, 10M 3,603 s; NMI 97.5 to 99.9.",
    )


def run() -> None:
    """Make the tables."""
    with tempfile.TemporaryDirectory(dir=PLACE) as made:
        place = Path(made)
        labels_on_disk(place)
        two_workers(place)
        shapes(place)


if __name__ == "__main__":
    child(*sys.argv[1:])
