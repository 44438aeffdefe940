"""Tables of labels on disk (Parquet and .npy): files, blocks of rows, and the columns of a block."""

from __future__ import annotations

import atexit
import glob
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeGuard

import numpy as np

from .._lib.arrays import AnyArray, as_path
from .._lib.files import ONE_HEADER
from ..errors import FileError, GraphensError, InputError, TypeMismatch, did_you_mean, quote
from ..export.table_files import arrow, check_header

ROWS = 1 << 20  # rows of a block: what Parquet writers put into one row group by default
_NULLS = "nulls"  # a column without a single value fits numbers and text
_INDEX = "__index_level_"  # how pandas writes an index without a name
Pathlike = str | os.PathLike[str]


class DaskFrame(Protocol):
    """A frame of Dask, as far as it is used."""

    @property
    def npartitions(self) -> int:
        """Number of blocks."""

    @property
    def index(self) -> Any:
        """The index, which has a name."""

    def reset_index(self) -> DaskFrame:
        """Return the frame with its index as first column."""

    def rename(self, *, columns: Any) -> Any:
        """Return the frame with other names of its columns."""

    def to_parquet(self, path: Any, **options: Any) -> Any:
        """Write a file for each block."""


@dataclass(frozen=True)
class Block:
    """Some rows of one file: `start` … `stop` − 1, and the row groups of a Parquet file that hold them.

    `stamp` is the size and time of the file when it was first opened; the file must not change after that.
    """

    file: str
    start: int
    stop: int
    stamp: tuple[int, int]
    groups: tuple[int, ...] = ()
    skip: int = 0

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class Source:
    """One file: its columns with their types, and the numbers of rows that are stored together in it."""

    path: str
    stamp: tuple[int, int]
    columns: dict[str, str]
    sizes: Sequence[int]

    def blocks(self, rows: int) -> Iterator[Block]:
        """Cut the file into blocks of at most so many rows: small row groups are joined, large ones are cut."""
        groups: list[int] = []
        start, size = 0, 0
        for g, length in enumerate(self.sizes):
            if groups and size + length > rows:
                yield Block(self.path, start, start + size, self.stamp, tuple(groups))
                start, groups, size = start + size, [], 0
            if length > rows:
                for skip in range(0, length, rows):
                    stop = min(skip + rows, length)
                    yield Block(self.path, start + skip, start + stop, self.stamp, (g,), skip)
                start += length
            else:
                groups, size = [*groups, g], size + length
        if size:
            yield Block(self.path, start, start + size, self.stamp, tuple(groups))


_KINDS = {"b": "number", "i": "number", "u": "number", "f": "number", "U": "text"}


def open_sources(paths: Pathlike | Sequence[Pathlike] | DaskFrame) -> list[Source]:
    """Open every file that was named."""
    return [_open(name) for name in file_names(paths)]


def is_dask(frame: Any) -> TypeGuard[DaskFrame]:
    """Whether this is a Dask frame."""
    return hasattr(frame, "to_parquet") and hasattr(frame, "npartitions")


def file_names(paths: Pathlike | Sequence[Pathlike] | DaskFrame) -> list[str]:
    """Return the files of a pattern, a folder, a list or a Dask frame, in the order in which their rows are read."""
    if is_dask(paths):
        folder = TemporaryDirectory(prefix="graphens-")
        atexit.register(folder.cleanup)
        named = paths.rename(columns=str)  # Parquet has no other names
        named.to_parquet(folder.name, write_index=False, name_function="part-{:06d}.parquet".format)
        return file_names(folder.name)
    if not isinstance(paths, (str, os.PathLike)):
        if not isinstance(paths, Sequence) or not paths:
            able = "a file, a folder, a pattern such as 'labels/*.parquet', or a list"
            raise TypeMismatch(f"{quote(paths)} was given; expected {able}.")
        return [name for path in paths for name in file_names(path)]
    text = str(as_path(paths))
    if os.path.isdir(text):
        files = [str(p) for p in Path(text).iterdir() if p.name.endswith(_ENDINGS) and p.name[0] not in "_."]
    else:
        files = [text] if os.path.exists(text) else glob.glob(text)
    if not files:
        able = "Parquet or .npy files, a folder of them, or a pattern"
        raise FileError(f"{text} does not match any file; expected {able}.")
    return sorted(files)


def choose_columns(sources: Sequence[Source], columns: Sequence[str] | None, id: str | None = None) -> tuple[str, ...]:
    """Return the columns that are partitions, all but `id` by default; every file must have them, in any order."""
    first = sources[0]
    if isinstance(columns, str):
        raise TypeMismatch.about("columns", columns, f"a list of names, [{columns!r}]")
    wanted = tuple(name for name in first.columns if name != id) if columns is None else tuple(columns)
    if not wanted:
        besides = "" if id is None else f" besides {id!r}"
        raise InputError(f"{first.path} has no column{besides}; expected one for each partition.")
    named = wanted if id is None else (id, *wanted)
    if len(set(named)) < len(named):
        raise InputError(f"A column is named twice among {', '.join(named)}; expected different ones.")
    for name in named:
        if name not in first.columns:
            shown = ", ".join(list(first.columns)[:10])
            hint = did_you_mean(name, first.columns)
            raise InputError(f"{first.path} has no column {name!r}; expected some of {shown}.{hint}")
        if not first.columns[name] and name != id:
            raise TypeMismatch(f"Column {name!r} of {first.path} holds no labels; expected whole numbers or text.")
    for other in sources[1:]:
        extra = [name for name in other.columns if name not in first.columns]
        if extra and columns is None:
            raise FileError(f"{other.path} does not fit {first.path}: it has a further column {extra[0]!r}.")
    for name in named:
        _check_kinds(sources, name)
    return wanted


def _check_kinds(sources: Sequence[Source], name: str) -> None:
    """Check that a column is in all files, and has the same kind of labels in all that have any."""
    typed: Source | None = None
    for one in sources:
        if name not in one.columns:
            raise FileError(f"{one.path} does not fit {sources[0].path}: it has no column {name!r}.")
        if one.columns[name] == _NULLS:
            continue
        typed = typed or one
        here, there = (_HOLDS[source.columns[name]] for source in (one, typed))
        if here != there:
            what = f"its column {name!r} holds {here}, that of the other {there}"
            raise FileError(f"{one.path} does not fit {typed.path}: {what}.")


_HOLDS = {"number": "numbers", "text": "text", "": "values other than labels"}


def stamp_of(path: str) -> tuple[int, int]:
    """Return the size and the time of a file."""
    try:
        state = os.stat(path)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}.") from None
    return state.st_size, state.st_mtime_ns


@contextmanager
def reading(block: Block) -> Iterator[None]:
    """Turn any failure with a file inside the block into an error that names it; refuse a file that has changed."""
    _check_unchanged(block)
    try:
        yield
    except FileError:
        _check_unchanged(block)
        raise
    except (GraphensError, MemoryError):
        raise
    except Exception as error:
        _check_unchanged(block)
        cause = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".")
        raise FileError(
            f"Rows {block.start} to {block.stop - 1} of {block.file} cannot be read ({cause}). The file seems to be "
            "damaged: write it again, or leave it out."
        ) from error
    _check_unchanged(block)


def _check_unchanged(block: Block) -> None:
    if stamp_of(block.file) != block.stamp:
        raise FileError(
            f"{block.file} has changed since it was scanned: its size or modification time is different. Scan the "
            "files again, and write the result to another folder."
        )


def read_columns(block: Block, columns: Sequence[str]) -> Iterator[Any]:
    """Read the columns of some rows, one after another: NumPy or Arrow vectors; inside `reading`."""
    if block.file.endswith(".npy"):
        rows = np.asarray(open_array(block.file)[block.start : block.stop])
        yield from (rows[:, int(name[1:])] for name in columns)
        return
    file = open_parquet(block.file)
    for name in columns:
        whole = file.read_row_groups(list(block.groups), columns=[name], use_threads=False).column(name)
        yield whole.slice(block.skip, len(block)).combine_chunks()


def open_parquet(path: str) -> Any:
    """Open a Parquet file; repeated text is read as numbers and a dictionary."""
    parquet = arrow("parquet")
    try:
        file = parquet.ParquetFile(path)
        texts = [f.name for f in file.schema_arrow if _kind(f.type) == "text"]
        return parquet.ParquetFile(path, read_dictionary=texts) if texts else file
    except (OSError, ValueError, NotImplementedError) as error:
        raise FileError(f"{path} cannot be read as Parquet: {' '.join(str(error).split()).rstrip('.')}.") from None


def open_array(path: str) -> AnyArray:
    """Open a .npy table without reading it."""
    try:
        with ONE_HEADER:
            table = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise FileError(f"{path} cannot be read as .npy: {str(error).rstrip('.')}.") from None
    if table.ndim != 2 or table.shape[1] == 0:
        raise FileError(f"{path} has shape {table.shape}; expected n_objects × n_partitions.")
    return np.asarray(table) if not isinstance(table, np.memmap) else table


def _open(path: str) -> Source:
    if not path.endswith(_ENDINGS):
        raise FileError(f"{path} was given; expected files ending in {' or '.join(_ENDINGS)}.")
    if not os.path.isfile(path):
        raise FileError(f"{path} is not a file.")
    path = os.path.abspath(path)  # a worker may stand elsewhere
    stamp = stamp_of(path)
    if path.endswith(".npy"):
        table = open_array(path)
        kind = _KINDS.get(table.dtype.kind, "")
        return Source(path, stamp, {f"P{t}": kind for t in range(table.shape[1])}, [len(table)])
    file = open_parquet(path)
    schema, groups = file.schema_arrow, range(file.metadata.num_row_groups)
    check_header(schema.names, path)
    columns = {f.name: _kind(f.type) for f in schema if not f.name.startswith(_INDEX)}
    return Source(path, stamp, columns, [file.metadata.row_group(g).num_rows for g in groups])


_ENDINGS = (".parquet", ".npy")


def _kind(arrow_type: Any) -> str:
    """Whether a column of Arrow holds numbers, text or only nulls; nothing for anything else."""
    types = arrow("types")
    if types.is_dictionary(arrow_type):
        return _kind(arrow_type.value_type)
    if types.is_string(arrow_type) or types.is_large_string(arrow_type) or str(arrow_type) == "string_view":
        return "text"
    if types.is_null(arrow_type):
        return _NULLS
    numbers = types.is_integer(arrow_type) or types.is_floating(arrow_type) or types.is_boolean(arrow_type)
    return "number" if numbers else ""
