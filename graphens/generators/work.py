"""Make the partitions of a recipe in parallel, with progress and checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, freeze
from .._lib.memory import require
from .._lib.progress import Progress, counting
from ..errors import DegenerateWarning, Interrupted, unheard, warn
from ..labels.encoding import widened
from ..labels.ensemble import Ensemble
from ..labels.names import Names
from .checkpoint import Checkpoint, open_checkpoint
from .features import Matrix, Views
from .recipe import PartitionCodes, Recipe, make

#: whether the first partitions suffice
Enough = Callable[[Ensemble], bool]
FIRST = 10  # partitions after which `Enough` is asked

#: finished partitions as they come, each with what the next one of a sequence depends on
Partitions = Iterator[tuple[PartitionCodes, Mapping[str, AnyArray] | None]]


class Shelf:
    """Finished partitions, with their codes in the final array."""

    recipe: Recipe
    views: Views

    def __init__(self, recipe: Recipe, views: Views) -> None:
        self.recipe, self.views = recipe, views
        n_bytes = recipe.n_partitions * views.n_objects
        require(n_bytes, f"An ensemble of {recipe.n_partitions} × {views.n_objects} labels", "Use fewer partitions")
        self.codes: AnyArray = np.empty((recipe.n_partitions, views.n_objects), dtype=np.uint8)
        self.made: dict[int, PartitionCodes] = {}

    def put(self, made: PartitionCodes) -> None:
        """Add one partition, in any order."""
        if made.codes.dtype.itemsize > self.codes.dtype.itemsize:
            self.codes = widened(self.codes, made.codes.dtype)
        self.codes[made.t] = widened(made.codes, self.codes.dtype)
        self.made[made.t] = replace(made, codes=np.empty(0, dtype=made.codes.dtype))

    def left(self) -> list[int]:
        """Numbers of the partitions that are not finished."""
        return [t for t in range(self.recipe.n_partitions) if t not in self.made]

    def ensemble(self) -> Ensemble:
        """The ensemble of the finished partitions, in order."""
        numbers = sorted(self.made)
        categories = tuple(freeze(self.made[t].categories) for t in numbers)
        recipe, titles = self.recipe, []  # P0, P1, … and, if there are several, the view and the base
        for t in numbers:
            view = [self.views.names[recipe.view(t)]] if recipe.n_views > 1 else []
            base = [recipe.base(t).name] if len(recipe.bases) > 1 else []
            titles.append(" ".join([*view, *base, f"P{t}"]))
        codes = self.codes if len(numbers) == len(self.codes) else self.codes[numbers]
        return Ensemble._from_fields(
            codes=codes,
            n_clusters=np.array([len(names) for names in categories], dtype=np.int64),
            weights=np.array([self.made[t].weight for t in numbers]),
            object_weights=np.ones(self.views.n_objects),
            partition_names=tuple(titles),
            _names=self.views.object_names or Names(("x", self.views.n_objects)),
            _runs=True,
            categories=categories,
        )


def parallel(
    recipe: Recipe, views: Sequence[Matrix], left: Sequence[int], *, keep: bool, n_jobs: int | None
) -> Partitions:
    """Make independent partitions through joblib, with whatever backend is set."""
    from joblib import Parallel, delayed

    parcel = Parcel(views)
    jobs = (delayed(_make)(recipe, parcel, t, keep=keep) for t in left)
    # threads where clusterers spend their time in compiled code that lets go of the interpreter: X is not copied
    prefer = "threads" if all(base.threads for base in recipe.bases) else "processes"
    workers = None if n_jobs is None else int(n_jobs)
    for partition in Parallel(n_jobs=workers, prefer=prefer, return_as="generator_unordered")(jobs):
        yield partition, None


class Parcel:
    """The data as a single argument with a known size.

    A backend that sends work to other machines then sends it once to each of them, not with every partition. The Dask
    backend checks single arguments for their size and weak references, but does not look inside a tuple.
    """

    def __init__(self, matrices: Sequence[Matrix]) -> None:
        self.matrices = matrices

    def __sizeof__(self) -> int:
        parts = [(m.data, m.indices, m.indptr) if sparse.issparse(m) else (m,) for m in self.matrices]
        return int(sum(part.nbytes for each in parts for part in each))


def _make(recipe: Recipe, parcel: Parcel, t: int, *, keep: bool) -> PartitionCodes:
    return make(recipe, parcel.matrices, t, keep=keep)


def sequential(
    recipe: Recipe, matrices: Sequence[Matrix], left: Sequence[int], *, keep: bool, state: Mapping[str, AnyArray]
) -> Partitions:
    """Make partitions that depend on earlier ones, one after another; their state is stored with them."""
    assert recipe.sampling.step is not None
    for t in left:
        partition, state = recipe.sampling.step(recipe, matrices, t, state, keep=keep)
        if partition is None:  # the sequence ends here
            return
        yield partition, state


def produce(
    recipe: Recipe,
    views: Views,
    arguments: Callable[[], dict[str, Any]],
    *,
    n_jobs: int | None,
    progress: Progress,
    checkpoint: str | Path | None = None,
    keep: bool = False,
    enough: Enough | None = None,
) -> Shelf:
    """Make all partitions of a recipe, or only the first ten if these are `enough`.

    `arguments` describes the call for a checkpoint, and `keep` keeps the models.
    """
    with nullcontext() if checkpoint is None else open_checkpoint(checkpoint) as file, _calm():
        if file is not None:
            recipe = replace(recipe, entropy=file.settle(arguments(), recipe.entropy))
        shelf = Shelf(recipe, views)
        for partition in () if file is None else file.done(views.n_objects, recipe.n_partitions):
            shelf.put(partition)
        how: Any = {"state": {} if file is None else file.state()} if recipe.sampling.step else {"n_jobs": n_jobs}
        work = partial(sequential if recipe.sampling.step else parallel, recipe, views.matrices, keep=keep, **how)
        n = recipe.n_partitions
        what = f"clustering {n} time{'s' * (n > 1)}{', resumed' * bool(shelf.made)}"
        with counting(progress, what) as report:
            _fill(shelf, work, file, report, enough)
    empty = [t for t, partition in shelf.made.items() if len(partition.categories) == 0]
    if empty:
        warn(
            f"{len(empty)} of {len(shelf.made)} partitions have no clusters because all of their objects are noise "
            f"(the first is partition {min(empty)}); they add nothing to a consensus.",
            DegenerateWarning,
        )
    return shelf


def _fill(
    shelf: Shelf,
    work: Callable[[Sequence[int]], Partitions],
    file: Checkpoint | None,
    report: Callable[[int, int], None],
    enough: Enough | None,
) -> None:
    """Collect partitions as they are finished; after an interrupt, those that are done are kept."""
    total = shelf.recipe.n_partitions
    try:
        report(len(shelf.made), total)
        for until in (total,) if enough is None else (FIRST, total):
            for partition, state in work([t for t in shelf.left() if t < until]):
                if file is not None:
                    file.add(partition, state)
                shelf.put(partition)
                report(len(shelf.made), total)
            if enough is not None and len(shelf.made) == until < total and enough(shelf.ensemble()):
                break
    except KeyboardInterrupt:
        advice = f" The same call resumes from {file.path}." if file is not None else ""
        done = len(shelf.made)
        where = "They are the `ensemble` of this exception (in a console: sys.last_value.ensemble)." if done else ""
        raise Interrupted(
            f"Interrupted after {done} of {total} partitions.{advice} {where}", shelf.ensemble() if done else None
        ) from None


@contextmanager
def _calm() -> Iterator[None]:
    """Ignore harmless warnings: a run that did not converge, unconnected neighbors, unfinished tasks."""
    from sklearn.exceptions import ConvergenceWarning

    unfinished = r"\s*\d+ tasks (have been successfully executed|which were still being processed)"
    with (
        unheard(ConvergenceWarning),
        unheard(UserWarning, "Graph is not fully connected"),
        unheard(UserWarning, unfinished),  # joblib, after an interrupt
    ):
        yield
