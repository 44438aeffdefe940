"""Beyond memory: labels on disk under a memory limit, killed twice and called again; two workers against one.

GRAPHENS_SCRATCH names a folder on a disk with room: 13 bytes per row for the labels, 10 for an answer. ``python -m
benchmarks scale --large`` takes 200 million rows.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge
from graphens.scale.scanning import Scan

from .parts import Part, beside, megabytes, ratio

PLACE = os.environ.get("GRAPHENS_SCRATCH")
B, K, PART = 20, 20, 1_000_000
LIMIT = 2 << 30
#: where a process is killed, by what it says it does: few distinct rows are gathered and written, more are counted
STRIKES = {"counting": "pairs of clusters|distinct rows", "labeling": "labels of rows|writing"}


def write_labels(folder: Path, n: int) -> None:
    """Twenty partitions of about thirty clusters each that agree on twenty groups, one label in five at random."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(exist_ok=True)
    most = min(PART, -(-n // 5))  # several files, so that there is a middle
    for number, start in enumerate(range(0, n, most)):
        path = folder / f"{number:04d}.parquet"
        if path.exists():
            continue
        rng = np.random.default_rng(number)
        size = min(most, n - start)
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

    def strike(name: str, done: float) -> None:
        if die and re.search(STRIKES[die], name) and 0.5 <= done < 1:
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
    for die in (*STRIKES, ""):
        command = [sys.executable, "-m", "benchmarks.scale", str(folder), method, str(out), die]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != (-signal.SIGKILL if die else 0):
            raise RuntimeError(f"{die or 'the last call'} ended with {done.returncode}: {done.stderr[-2000:]}")
        print(method, die or done.stdout.strip(), flush=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss * 1024.0)


def reading(s: Scan) -> Spent:
    """One pass that only reads the labels."""
    begin = time.process_time()
    for number in range(len(s.blocks)):
        s.read(number)
    return Spent(time.process_time() - begin, 0.0)


def labels_on_disk(n: int, method: str) -> dict[str, Any]:
    """Under the limit, killed twice and called again, beside one pass of reading."""
    with tempfile.TemporaryDirectory(dir=PLACE) as made:
        folder = Path(PLACE or made) / f"labels-{n}"  # in a folder of its own, labels are used again
        write_labels(folder, n)
        size = sum(path.stat().st_size for path in folder.iterdir())
        s = ge.scale.scan(folder)
        once = reading(s)
        spent = limited(folder, method, Path(made) / "out")
    return {
        "bytes": size,
        "clusters": int(s.n_clusters.sum()),
        "seconds": spent.processor,
        "seconds of reading": once.processor,
        "peak": spent.peak,
    }


def workers(n: int) -> dict[str, Any]:
    """The same work on one worker process and on two: what the busiest worker took of the processor."""
    from distributed import Client, LocalCluster

    busiest, labels = [], []
    with tempfile.TemporaryDirectory(dir=PLACE) as made:
        place = Path(made)
        write_labels(place / "labels", n)
        s = ge.scale.scan(place / "labels")
        few = ge.scale.scan(sorted((place / "labels").iterdir())[:1])
        for count in (1, 2):
            with (
                LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster,
                Client(cluster, set_as_default=False) as client,
            ):
                warm = place / f"warm{count}"
                ge.scale.consensus(few, K, method="mcla", out=warm, client=client)  # import and compile
                before = client.run(time.process_time)
                r = ge.scale.consensus(s, K, method="mcla", out=place / f"out{count}", seed=0, client=client)
                after = client.run(time.process_time)
                busiest.append(max(spent - before[one] for one, spent in after.items()))
                labels.append(np.asarray(r.labels))
    return {"one": busiest[0], "two": busiest[1], "same": bool((labels[0] == labels[1]).all())}


PARTS = (
    Part(
        "scale-labels",
        "Labels on disk, 20 partitions: killed twice and called again, 2 GiB of memory allowed",
        labels_on_disk,
        cases=[{"n": 5_000_000, "method": method} for method in ("lwgp", "mcla")],
        large=[{"n": 200_000_000, "method": method} for method in ("lwgp", "mcla")],
        quick=[{"n": 200_000, "method": "mcla"}],
        columns={
            "rows": "n",
            "method": lambda row: f"`{row['method']}`",
            "CPU s per million rows": lambda row: row["seconds"] / row["n"] * 1e6,
            "reading alone": lambda row: row["seconds of reading"] / row["n"] * 1e6,
            "ratio": ratio("seconds", "seconds of reading"),
            "most memory of a process": megabytes("peak"),
        },
        note="Parquet, about 590 clusters, hardly two rows alike. RLIMIT_DATA of 2 GiB, enforced by the system; "
        "SIGKILL in the middle of counting and in the middle of labeling, so some work is done twice.",
    ),
    Part(
        "scale-workers",
        "Labels on disk: two Dask workers beside one",
        workers,
        cases=[{"n": 2_000_000}],
        quick=[{"n": 100_000}],
        columns=beside(
            lambda row: f"`mcla` of {row['n']:,} rows on disk, busier of two Dask workers",
            lambda row: "one Dask worker",
            "one",
            ours="two",
            memory=lambda row: "",
        ),
        note="With Dask workers, the work of the client is not counted; one and two workers give the same labels.",
    ),
)


if __name__ == "__main__":
    child(*sys.argv[1:])
