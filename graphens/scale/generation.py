"""`generate` for features on disk: models from a sample, sums over blocks if a base needs them, labels by block."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, Seed, as_int, narrowest, reported_seed
from .._lib.features import as_features
from .._lib.progress import step
from .._lib.stored import digest
from ..errors import InputError, TypeMismatch, did_you_mean
from ..generators.landmarks import LANDMARKS, MEET, Landmarks, some_rows
from ..generators.recipe import k_choices
from .blocks import add
from .engine import Task, engine, sum_blocks, write_parts
from .folder import Folder, Tables, shared_tables
from .scanning import Scan, scan
from .sources import ROWS, Block, DaskFrame, Pathlike, choose_columns, is_dask, open_sources, read_columns, reading

SAMPLE = 100_000  # rows that models are made from
_ROWS = ROWS // 4  # of a block: features are wider than labels
_BYTES = 1 << 28  # of a block: beyond 128 features it has fewer rows
RANGES = {"minibatch": (10, 30), "landmarks": (20, 60)}  # k of the partitions, where none is given


@dataclass(frozen=True)
class Plan:
    """The plan of an ensemble: the base, and k and the seed of every partition."""

    base: str
    ks: tuple[int, ...]
    seeds: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Piece:
    """Some rows of features: a block of a file with the columns to read, or an array."""

    block: Block | AnyArray
    columns: tuple[str, ...] = ()

    def read(self) -> FloatArray:
        """Return the features, objects in rows."""
        if not isinstance(self.block, Block):
            return self.block
        with reading(self.block):
            features = np.column_stack([_numbers(column) for column in read_columns(self.block, self.columns)])
        if not np.isfinite(features).all():
            raise InputError(
                f"{self.block.file} has a row with a missing or infinite value among {self.block.start} to "
                f"{self.block.stop - 1}; expected finite features. Fill or leave out such rows first."
            )
        return features

    def __len__(self) -> int:
        return len(self.block)


def generate(
    blocks: Pathlike | Sequence[Any] | DaskFrame,
    n_partitions: int = 50,
    *,
    base: str = "minibatch",
    k: int | Sequence[int] | None = None,
    out: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    client: Any = None,
    seed: Seed = None,
) -> Scan:
    """Generate partitions of objects whose features are read block by block, and write their labels to disk.

    Parameters
    ----------
    blocks
        Features: files as for `scan` (Parquet with columns of numbers, or .npy), a Dask frame, or a list of arrays.
    n_partitions
        Number of partitions.
    base
        ``"minibatch"``: k-means with centers from samples of 100,000 rows. ``"landmarks"``: spectral clustering through
        1,000 representatives, for clusters of any shape, which takes one more pass.
    k
        Number of clusters in each partition: a number, an interval (low, high) or several numbers, from which every
        partition draws its own; by default 10 to 30, or 20 to 60 for landmarks.
    out
        Folder for the labels: part-000000.parquet, … with the columns P0, P1, …. An interrupted call can be resumed, as
        with `consensus`.
    columns
        Names of the features; by default, all columns.
    client, seed
        As for `consensus`.

    Returns
    -------
    Scan
        The labels, ready for `graphens.scale.consensus`.

    Notes
    -----
    Memory is needed for 2 blocks per thread, of up to 262,144 rows and 256 MB, and for the models, whatever the number
    of objects.

    References
    ----------
    Huang, Wang, Wu, Lai and Kwoh, Ultra-scalable spectral clustering and ensemble clustering, 2020.

    Examples
    --------
    >>> import tempfile, numpy as np, graphens as ge
    >>> X = np.random.default_rng(0).normal(size=(300, 2)) + np.repeat(
    ...     [[0, 0], [9, 9]], 150, axis=0
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ge.scale.generate([X[:200], X[200:]], 5, k=4, out=folder, seed=0)
    Scan(300 objects × 5 partitions, 20 clusters, 2 files in 2 blocks)
    """
    pieces, fingerprint = _pieces(blocks, columns)
    if base not in RANGES:
        raise InputError.about("base", base, " or ".join(RANGES), advice=did_you_mean(base, RANGES))
    n = sum(map(len, pieces))
    choices = k_choices(tuple(min(end, n) for end in RANGES[base]) if k is None else k, n)
    count = as_int("n_partitions", n_partitions, 1)
    folder, where = Folder(out), engine(client)
    number = None if seed is None or isinstance(seed, np.random.Generator) else reported_seed(seed)
    arguments = {"files": fingerprint, "n_partitions": count, "base": base, "k": choices.tolist(), "seed": number}
    with folder.locked():
        rng = np.random.default_rng(folder.begin(arguments, seed=reported_seed(seed))["seed"])
        ks, seeds = choices[rng.integers(len(choices), size=count)], rng.integers(2**31, size=count)
        plan = Plan(base, tuple(ks.tolist()), tuple(seeds.tolist()))
        if folder.read_json("result") is None:
            _make(pieces, plan, folder, where, int(rng.integers(2**31)))
        return scan(folder.path)


def _make(pieces: Sequence[Piece], plan: Plan, folder: Folder, engine: Any, seed: int) -> None:
    n, total, steps = len(pieces), sum(map(len, pieces)), 3 if plan.base == "landmarks" else 2
    run = partial(sum_blocks, engine, folder)
    with step(1, steps):
        run("sample", n, lambda i: (draw_sample, (pieces[i], i, total, seed)), _join)
    sample = folder.shared("sample")
    meets: tuple[str, int] | None = None
    if plan.base == "landmarks":
        share = min(1.0, MEET / total)
        with step(2, steps):
            run("meeting_of_landmarks", n, lambda i: (sum_landmark_meetings, (pieces[i], i, share, plan, *sample)), add)
        meets = folder.shared("meeting_of_landmarks")
    out = str(folder.path)

    def task(i: int) -> Task:
        return write_labels, (pieces[i], i, plan, *sample, meets, out)

    with step(steps, steps):
        write_parts(engine, folder, n, task, "writing partitions")


# block functions -----------------------------------------------------------------------------------------------


def draw_sample(piece: Piece, number: int, total: int, seed: int) -> Tables:
    """Draw the block's share of the sample."""
    X, rng = piece.read(), np.random.default_rng([seed, number])
    size = len(X) if total <= SAMPLE else int(rng.binomial(len(X), SAMPLE / total))
    return {"X": X[np.sort(rng.choice(len(X), size, replace=False))]}


def _join(a: Tables, b: Tables) -> Tables:
    return {"X": np.concatenate([a["X"], b["X"]])}


def sum_landmark_meetings(piece: Piece, number: int, share: float, plan: Plan, sample: str, version: int) -> Tables:
    """Sum the transfer matrix of landmarks over a block, or over a share of it, for every partition."""
    X = piece.read()
    if share < 1:
        X = some_rows(X, max(1, round(share * len(X))), plan.seeds[0] + number)
    return {str(t): model.transfer_matrix(X) for t, model in enumerate(models(plan, sample, version, None))}


def write_labels(
    piece: Piece, number: int, plan: Plan, sample: str, version: int, meets: tuple[str, int] | None, out: str
) -> int:
    """Write the labels of a block in all partitions."""
    folder = Folder(out)
    if not folder.part(number).exists():
        X = piece.read()
        fitted = models(plan, sample, version, meets)
        kind = narrowest(max(plan.ks))
        folder.write_part(number, {f"P{t}": model.predict(X).astype(kind) for t, model in enumerate(fitted)})
    return number


_models: dict[Any, list[Any]] = {}
_lock = Lock()


def models(plan: Plan, sample: str, version: int, meets: tuple[str, int] | None) -> list[Any]:
    """Make the models of all partitions from the sample, once in every process; they are the same everywhere."""
    with _lock:
        key = (plan, sample, version)
        if (key, meets) not in _models:
            X, each = shared_tables(sample, version)["X"], list(zip(plan.ks, plan.seeds, strict=True))
            fitted = _models.get((key, None)) or [MAKERS[plan.base](X, k, seed) for k, seed in each]
            if meets is not None:  # unfinished models are not needed any more
                for t, model in enumerate(fitted):
                    model.finish(shared_tables(*meets)[str(t)], some_rows(X, len(X) // 2, plan.seeds[t] + 1))
            _models.clear()
            _models[key, meets] = fitted
        return _models[key, meets]


def center_model(X: FloatArray, k: int, seed: int) -> Any:
    """Run k-means on a part of the sample, which differs between partitions."""
    from sklearn.cluster import MiniBatchKMeans

    some = some_rows(X, max(len(X) // 2, k), seed)
    return MiniBatchKMeans(min(k, len(some)), n_init=1, random_state=seed, batch_size=4096).fit(some)


def landmark_model(X: FloatArray, k: int, seed: int) -> Landmarks:
    """Choose landmarks from the sample; the clusters follow when the transfer matrix is known."""
    p = min(len(X), LANDMARKS, max(4 * k, len(X) // 5))
    model = Landmarks(k, seed)
    model.begin(some_rows(X, 10 * p, seed), p)
    return model


MAKERS: dict[str, Any] = {"minibatch": center_model, "landmarks": landmark_model}


# what was given --------------------------------------------------------------------------------------------------


def _pieces(blocks: Pathlike | Sequence[Any] | DaskFrame, columns: Sequence[str] | None) -> tuple[list[Piece], str]:
    """The blocks of files, or arrays as blocks; and a description of them."""
    of_files = isinstance(blocks, (str, os.PathLike)) or is_dask(blocks)
    items: Any = blocks
    if not of_files and not (isinstance(items, Sequence) and items):
        raise TypeMismatch(
            f"{type(blocks).__name__} was given; expected files, or a list of at least one array of features, [X]."
        )
    if of_files or isinstance(items[0], (str, os.PathLike)):
        files = open_sources(blocks)
        names = choose_columns(files, columns)
        text = [name for one in files for name in names if one.columns[name] == "text"]
        if text:
            raise TypeMismatch(f"Column {text[0]!r} holds text; expected features, which are numbers.")
        rows = max(1, min(_ROWS, _BYTES // (8 * len(names))))
        every = [block for source in files for block in source.blocks(rows)]
        return [Piece(block, names) for block in every], digest(every, names)
    full = [(i, block) for i, block in enumerate(items) if getattr(block, "shape", ())[:1] != (0,)]
    arrays = [as_features(block, name=f"Block {i}") for i, block in full]
    widths = sorted({block.shape[1] for block in arrays})
    if len(widths) != 1:
        raise InputError(f"The blocks have {widths or 'no'} features; expected the same number in all of them.")
    return [Piece(block) for block in arrays], digest(*arrays)


def _numbers(column: Any) -> FloatArray:
    values = column if isinstance(column, np.ndarray) else column.to_numpy(zero_copy_only=False)
    return np.asarray(values, dtype=np.float64)
