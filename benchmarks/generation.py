"""Generating ensembles: overhead over the bare scikit-learn loop, memory, and twenty kills."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import graphens as ge

from .harness import measure, megabytes, processor_seconds, report

N, D, B, K = 100_000, 16, 50, (10, 30)
REPEATS = 5


def features(n: int = N, d: int = D, seed: int = 0) -> np.ndarray:
    """Twenty Gaussian groups."""
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(20, d)) * 4
    return centers[rng.integers(20, size=n)] + rng.normal(size=(n, d))


def choices(n_partitions: int, seed: int = 0) -> list[tuple[int, int]]:
    """Number of clusters and seed of every partition, as `generate` draws them."""
    drawn = []
    for t in range(n_partitions):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(t,)))
        drawn.append((int(rng.choice(np.arange(K[0], K[1] + 1))), int(rng.integers(2**31))))
    return drawn


def bare(X: np.ndarray, n_partitions: int) -> None:
    """The loop a user would write, scikit-learn using all cores for each partition."""
    from sklearn.cluster import KMeans

    for k, seed in choices(n_partitions):
        KMeans(k, init="random", n_init=1, random_state=seed).fit(X)


def bare_one_core(X: np.ndarray, n_partitions: int) -> None:
    """The same loop on one core."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        bare(X, n_partitions)


def ours(X: np.ndarray, n_partitions: int, n_jobs: int) -> None:
    ge.generate(X, n_partitions, k=K, seed=0, n_jobs=n_jobs)


def overhead(n_partitions: int = B, one_core: int = 10, repeats: int = REPEATS) -> None:
    """Seconds of two ways in turn, so that a busy machine is busy for both; medians of their ratios."""
    X = features()
    bare(X[:1000], 2)
    ours(X[:1000], 2, 2)  # everything is loaded before the first measurement
    pairs = [
        ("generate, n_jobs=2", lambda: ours(X, n_partitions, 2)),
        ("bare loop, all cores", lambda: bare(X, n_partitions)),
        ("generate, n_jobs=1", lambda: ours(X, one_core, 1)),
        ("bare loop, one core", lambda: bare_one_core(X, one_core)),
    ]
    spent = {name: np.zeros(repeats) for name, _ in pairs}
    for turn in range(repeats):
        for name, way in pairs:
            start = processor_seconds()
            way()
            spent[name][turn] = processor_seconds() - start
    rows = []
    for (mine, _), (theirs, _), number in ((*pairs[:2], n_partitions), (*pairs[2:], one_core)):
        middle = [float(np.median(spent[name])) for name in (mine, theirs)]
        rows.append([mine, theirs, number, *middle, f"{np.median(spent[mine] / spent[theirs]):.3f}"])
    report(
        "generation_overhead",
        f"Generating k-means partitions of {N:,} × {D}, k in {K[0]} to {K[1]}",
        ["way", "against", "partitions", "CPU seconds", "CPU seconds of the other", "ratio"],
        rows,
        f"Medians of {repeats} rounds in which the ways take turns; the target is a ratio of at most 1.05.",
    )


def memory(n_partitions: int = 10) -> None:
    """Highest memory above what the process had with X."""
    X = features()
    model = measure(bare_one_core, X, n_partitions, warm=(X[:1000], 1)).peak
    ensemble = N * n_partitions
    rows = []
    for jobs in (1, 2):
        peak = measure(ours, X, n_partitions, jobs, warm=(X[:1000], 2, jobs)).peak
        allowed = ensemble + jobs * model
        rows.append([f"n_jobs={jobs}", megabytes(peak), megabytes(allowed), f"{peak / allowed:.2f}"])
    report(
        "generation_memory",
        f"Memory above X ({megabytes(N * D * 8)}) while generating {n_partitions} partitions",
        ["way", "peak", "ensemble and one model per worker", "ratio"],
        rows,
        f"One model: {megabytes(model)}, the peak of the bare loop, which keeps nothing (k-means centers a copy of X).",
    )


SCRIPT = """
import sys, numpy as np, graphens as ge
X = np.random.default_rng(0).normal(size=(4000, 8))
def say(done, total):
    print(done, flush=True)
ge.generate(X, 60, k=(10, 30), sampling=sys.argv[2] or None, seed=0, n_jobs=2, progress=say, checkpoint=sys.argv[1])
"""


def kills(times: int = 20) -> None:
    """Kill at random moments until it is through, that many times; compare with an undisturbed run."""
    X = np.random.default_rng(0).normal(size=(4000, 8))
    choose, rows = random.Random(0), []
    for sampling in (None, "consistency"):
        whole = ge.generate(X, 60, k=(10, 30), sampling=sampling, seed=0, n_jobs=2)
        done = same = finished = 0
        kept: list[int] = []
        while done < times:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "e.ckpt"
                while done < times and (stored := _killed(path, sampling, choose.uniform(0.0, 0.2))) < 60:
                    done += 1
                    kept.append(stored)
                same += ge.generate(X, 60, k=(10, 30), sampling=sampling, seed=0, checkpoint=path) == whole
                finished += 1
        rows.append([str(sampling), done, " ".join(map(str, kept)), finished, same])
    report(
        "generation_kills",
        "Killed (SIGKILL) at random moments and resumed",
        [
            "sampling",
            "kills",
            "partitions of 60 done by then",
            "ensembles finished",
            "bit-identical to an undisturbed one",
        ],
        rows,
    )


def _killed(path: Path, sampling: str | None, after: float) -> int:
    """Start, wait for a first partition and a while longer, kill; how many partitions it had reported."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), sampling or ""], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    first = process.stdout.readline() + process.stdout.readline()
    time.sleep(after)
    process.kill()
    rest, _ = process.communicate(timeout=60)
    return int((first + rest).split()[-1])


def run() -> None:
    overhead()
    memory()
    kills()
