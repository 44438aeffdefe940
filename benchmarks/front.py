"""What the defaults cost: `auto` on a million objects, and the bases that follow shapes on several thousand."""

from __future__ import annotations

import time
import warnings

import graphens as ge

from .data import random_projections
from .harness import measure, megabytes, report

N, B, K = 1_000_000, 20, 10
OBJECTS, PARTITIONS = 5_000, 20


def combined(method: str, e: ge.Ensemble, k: int) -> float:
    """CPU seconds of one consensus."""
    warnings.simplefilter("ignore")
    begin = time.process_time()
    ge.consensus(e, k, method=method, seed=0)
    return time.process_time() - begin


def auto() -> None:
    """`auto` as a whole, and lwgp alone on the same ensemble; the methods take turns."""
    small = random_projections(2_000, B, (20, 100), dimensions=16)
    for dimensions in (2, 16):
        e = random_projections(N, B, (20, 100), dimensions=dimensions)
        names = ("lwgp", "lwea", "islands", "auto")
        runs = {
            name: [measure(combined, name, e, K, warm=(name, small, K)) for _ in range(2)] for name in names
        }
        alone = min(run.value for run in runs["lwgp"])
        rows = [
            [
                name,
                min(run.value for run in some),
                megabytes(max(run.peak for run in some)),
                f"{min(run.value for run in some) / (2 * alone + 2):.2f}",
            ]
            for name, some in runs.items()
        ]
        distinct = e.collapse()[0].n_objects
        report(
            f"front_auto_{dimensions}",
            f"`auto` on {N:,} objects × {B} partitions with 20 to 100 clusters ({dimensions}-D), k = {K}",
            ["method", "CPU seconds", "memory", "CPU ÷ (2 × lwgp + 2 s)"],
            rows,
            f"{distinct:,} distinct rows. The better of two runs each; the wish is 1 at most for auto.",
        )


def generated(base: str, n: int) -> tuple[float, str, float]:
    """CPU seconds of the partitions of a base, their numbers of clusters, and the NMI of the consensus."""
    warnings.simplefilter("ignore")
    X, truth = ge.datasets.load("smiling-face", n=n, seed=0)
    begin = time.process_time()
    model = ge.ConsensusClustering(4, base=base, n_partitions=PARTITIONS, random_state=0).fit(X)
    seconds = time.process_time() - begin
    sizes = model.ensemble_.n_clusters
    return seconds, f"{sizes.min()} to {sizes.max()}", ge.measures.nmi(truth, model.labels_)


def bases() -> None:
    """Bases at several thousand objects, the neighbor graph kept sparse."""
    rows = []
    for base in ("kmeans", "spectral", "landmarks"):
        run = measure(generated, base, OBJECTS, warm=(base, 300))
        cpu, sizes, nmi = run.value
        rows.append([f"`{base}`", sizes, cpu, megabytes(run.peak), f"{nmi:.3f}"])
    report(
        "front_bases",
        f"`ConsensusClustering(4, base=…, n_partitions={PARTITIONS})` on smiling-face, {OBJECTS:,} objects",
        ["base", "clusters of a partition", "CPU seconds", "memory", "NMI"],
        rows,
        f"A dense matrix of all pairs alone would take {megabytes(8.0 * OBJECTS**2)}.",
    )


def run() -> None:
    """All of it."""
    bases()
    auto()
