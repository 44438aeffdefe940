"""Beyond memory: labels on disk under a memory limit, killed twice and called again; two workers against one.

``python -m benchmarks scale`` runs a reduced size; GRAPHENS_ROWS=200000000 the one that the figures are meant for,
with GRAPHENS_SCRATCH naming a folder on a disk with room for it (13 bytes per row for the labels, 10 for an answer).
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import graphens as ge
from graphens.scale.scanning import Scan

from .harness import report

ROWS = int(os.environ.get("GRAPHENS_ROWS", 5_000_000))
PLACE = os.environ.get("GRAPHENS_SCRATCH")
B, K, PART = 20, 20, 1_000_000
LIMIT = 2 << 30


def write_labels(folder: Path, n: int) -> None:
    """Twenty partitions of about thirty clusters each that agree on twenty groups, one label in five at random."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(exist_ok=True)
    for number, start in enumerate(range(0, n, PART)):
        path = folder / f"{number:04d}.parquet"
        if path.exists():
            continue
        rng = np.random.default_rng(number)
        size = min(PART, n - start)
        truth = rng.integers(0, K, size, dtype=np.uint8)
        columns = {}
        for t in range(B):
            k = 25 + t % 10
            name = np.random.default_rng([1, t]).permutation(k).astype(np.uint8)
            stray = rng.random(size) < 0.2
            columns[f"P{t}"] = name[np.where(stray, rng.integers(0, k, size, dtype=np.uint8), truth)]
        pq.write_table(pa.table(columns), path.with_suffix(".new"))
        path.with_suffix(".new").rename(path)


def child(folder: str, method: str, out: str, die: str) -> None:
    """One call in a process of its own: no more private memory than the limit, and a kill where it is told to."""
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))
    what, _, share = die.partition(":")

    def strike(name: str, done: float) -> None:
        if what and name.startswith(what) and done >= float(share):
            os.kill(os.getpid(), signal.SIGKILL)

    with ge.progress(strike):
        r = ge.scale.consensus(ge.scale.scan(folder), K, method=method, out=out, seed=0)
    print(json.dumps({"score": r.score, "timings": dict(r.timings)}))


@dataclass(frozen=True)
class Spent:
    """Processor seconds, and the most memory of any one process."""

    processor: float
    peak: float


def limited(folder: Path, method: str, out: Path) -> Spent:
    """Run the child until it is through: killed in the middle of counting, killed in the middle of labeling."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for die in ("pairs:0.5", "labels:0.5", ""):
        command = [sys.executable, "-m", "benchmarks.scale", str(folder), method, str(out), die]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != (-signal.SIGKILL if die else 0):
            raise RuntimeError(
                f"{die or 'the last call'} ended with {done.returncode}: {done.stderr[-2000:]}"
            )
        print(method, die or done.stdout.strip(), flush=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        after.ru_maxrss * 1024.0,
    )


def reading(s: Scan) -> Spent:
    """One pass that only reads the labels."""
    begin = time.process_time()
    for number in range(len(s.blocks)):
        s.read(number)
    return Spent(time.process_time() - begin, 0.0)


def labels_on_disk(place: Path) -> None:
    """Under the limit, killed twice and called again, beside one pass of reading."""
    folder, million = place / "labels", ROWS / 1e6
    write_labels(folder, ROWS)
    size = sum(path.stat().st_size for path in folder.iterdir())
    once, rows = reading(ge.scale.scan(folder)), []
    for method in ("lwgp", "mcla"):
        spent = limited(folder, method, place / method)
        ratio = spent.processor / once.processor
        rows.append(
            [
                method,
                spent.processor / million,
                ratio,
                spent.peak / 1e6,
            ]
        )
        shutil.rmtree(place / method)
    report(
        "scale_labels",
        f"Labels on disk: {million:g} million × {B}, killed twice and called again",
        [
            "method",
            "processor seconds per million rows",
            "as a multiple of one reading pass (processor)",
            "MB at most",
        ],
        rows,
        f"{size / 1e9:.2f} GB of Parquet, about {int(ge.scale.scan(folder).n_clusters.sum())} clusters, hardly two "
        "rows alike. RLIMIT_DATA of 2 GiB, enforced by the system; SIGKILL in the middle of counting and in the middle "
        f"of labeling. One pass of reading alone: {once.processor / million:.2f} processor "
        f"seconds per million rows. Memory: the most of any process, of both methods. "
        f"Load at the end: {os.getloadavg()[2]:.0f} on {os.cpu_count()} cores.",
    )


def two_workers(place: Path) -> None:
    """The same work on one worker process and on two."""
    from distributed import Client, LocalCluster

    write_labels(place / "few", min(ROWS, 10_000_000))
    s, seconds, labels = ge.scale.scan(place / "few"), [], []
    busiest = []  # processor seconds of the worker that had most to do
    for count in (1, 2):
        with (
            LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            few = ge.scale.scan([place / "few" / f"{i:04d}.parquet" for i in range(2)])
            ge.scale.consensus(
                few, K, "mcla", out=place / f"warm{count}", client=client
            )  # import and compile
            begin, before = time.perf_counter(), client.run(time.process_time)
            r = ge.scale.consensus(s, K, method="mcla", out=place / f"workers{count}", seed=0, client=client)
            seconds.append(time.perf_counter() - begin)
            busiest.append(max(spent - before[one] for one, spent in client.run(time.process_time).items()))
            labels.append(r.labels)
    for name in ("few", "warm1", "warm2", "workers1", "workers2"):
        shutil.rmtree(place / name)
    same = str(bool((labels[0] == labels[1]).all()))
    report(
        "scale_workers",
        f"Two worker processes against one: mcla of {s.n_objects / 1e6:g} million × {B} labels",
        [
            "measured by",
            "one worker, s",
            "two workers, s",
            "speed-up",
            "same labels",
        ],
        [
            ["the clock", *seconds, seconds[0] / seconds[1], same],
            ["the processor, busiest worker", *busiest, busiest[0] / busiest[1], same],
        ],
        f"Load of the machine at the end: {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores. Where others keep the "
        "cores busy two workers have no more of them than one; what the busiest worker took of the processor tells "
        "more then (what the client does between is not in it).",
    )


def run() -> None:
    """Make the tables."""
    with tempfile.TemporaryDirectory() as made:
        place = Path(PLACE or made)  # in a folder of its own, what an ended run wrote is used again
        labels_on_disk(place)
        two_workers(place)
        shutil.rmtree(place / "labels")


if __name__ == "__main__":
    child(*sys.argv[1:])
