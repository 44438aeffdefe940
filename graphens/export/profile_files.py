"""Tables of allele profiles: a row for each genome, a column for each locus."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .._lib.arrays import MISSING, AnyArray, as_path, of_kind
from .._lib.files import atomic
from ..errors import FileError, GraphensError, warn
from ..labels.ensemble import Ensemble
from ._text import clipped
from .label_files import match_columns
from .table_files import MISSING_CELLS, check_header, standard_input

#: cells of chewBBACA, BIGSdb, EnteroBase and GrapeTree where a genome has no allele of a locus
NO_ALLELE = ("0", "-", "?", "N", "LNF", "NIPH", "NIPHEM", "ASM", "ALM", "PLOT3", "PLOT5", "LOTSC", "PAMA")
#: columns of theirs that are not loci, in small letters
_NOT_LOCI = {"st", "cgst", "rst", "wgst", "id", "isolate", "strain", "name", "species"}
_NOT_LOCI |= {"clonal_complex", "lincode", "barcode", "uberstrain"}
_NEW = (b"INF-", b"*")  # what chewBBACA writes before the number of a new allele
_CELLS = 1 << 20  # that are read before they are packed
_TEXTS = 1 << 20  # whose meaning is kept


class Profiles(NamedTuple):
    """A table of alleles: loci × genomes, −1 for a missing allele, and the names of both."""

    alleles: AnyArray
    loci: list[str]
    genomes: list[str]
    title: str


def read_profiles(
    path: str | Path,
    *,
    id_column: str | None = None,
    without: Collection[str] = (),
    missing: Collection[str] = (),
    delimiter: str = "\t",
) -> Profiles:
    """Read a table of alleles, see `Ensemble.from_profiles`."""
    with _lines(path) as lines:
        first = next(lines, b"").removeprefix(b"\xef\xbb\xbf")
        if delimiter == "\t" and b"\t" not in first:
            delimiter = max(",;", key=lambda sign: first.count(sign.encode()))
        header = _cells(first, path, 1, delimiter)
        at, loci = _places(header, path, id_column, without)
        rows = _rows(lines, path, header, (at, *loci), _Meanings([*NO_ALLELE, *MISSING_CELLS, *missing]), delimiter)
        names: list[str] = []
        blocks: list[AnyArray] = []
        while some := list(islice(rows, max(1, _CELLS // len(loci)))):
            names += [name for name, _ in some]
            block = np.stack([alleles for _, alleles in some], axis=1)
            blocks.append(block.astype(np.min_scalar_type(-1 - int(block.max()))))  # the narrowest type with a sign
    if not names:
        raise FileError(f"{path} has no row below its header; expected one row per genome.")
    title = header[at].removeprefix("#").strip()
    return Profiles(np.concatenate(blocks, axis=1), [header[j] for j in loci], names, title)


def write_profiles(e: Ensemble, path: str | Path) -> None:
    """Write an ensemble of alleles in the format of chewBBACA, with tabs, and LNF for missing alleles."""
    texts = [np.append(labels.astype(str), "LNF").tolist() for labels in e.categories]  # −1 is the last
    title = e.index_name if isinstance(e.index_name, str) else "FILE"
    with atomic(path, text=True) as file:
        file.write("\t".join([title, *e.partition_names]) + "\n")
        for name, row in zip(e.vertex_names().texts(), e.labels, strict=True):
            cells = [text[code] for text, code in zip(texts, row.tolist(), strict=True)]
            file.write("\t".join([name, *cells]) + "\n")


class _Meanings(dict[bytes, int]):
    """The allele number of each cell, −1 for none; each different text is interpreted once."""

    def __init__(self, missing: Iterable[str]) -> None:
        super().__init__({text.encode(): MISSING for text in missing})
        self.missing = frozenset(self)

    def __missing__(self, cell: bytes) -> int:
        if len(self) > _TEXTS:
            self.clear()
        self[cell] = MISSING if _plain(cell) in self.missing else self._number(cell)
        return self[cell]

    def _number(self, cell: bytes) -> int:
        """A whole number, without the marks of a new allele; 0 and negative numbers are no alleles."""
        text = _plain(cell)
        for mark in _NEW:
            text = text.removeprefix(mark)
        if not text.removeprefix(b"-").isdigit() or len(text) > 18:
            raise ValueError(cell)
        return max(int(text), 0) or MISSING


def _plain(cell: bytes) -> bytes:
    """A cell without blanks and quotation marks around it."""
    return cell.strip().strip(b'"').strip()


@contextmanager
def _lines(path: str | Path) -> Iterator[Iterator[bytes]]:
    """The lines of a file, compressed with gzip or not, or of standard input."""
    try:
        with standard_input() if str(path) == "-" else open(as_path(path), "rb") as file:
            packed = file.peek(2)[:2] == b"\x1f\x8b"
            yield (line.rstrip(b"\r\n") for line in (gzip.GzipFile(fileobj=file) if packed else file))
    except GraphensError:
        raise
    except (OSError, EOFError, zlib.error, ValueError) as error:  # packed files that are damaged, or end too soon
        reason = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise FileError(f"{path} cannot be read: {reason}.") from None


def _cells(line: bytes, path: str | Path, number: int, delimiter: str) -> list[str]:
    """The cells of one line as text."""
    sign = of_kind("delimiter", delimiter, str, "one character").encode()
    try:
        return [_plain(cell).decode() for cell in line.split(sign)]
    except UnicodeDecodeError:
        raise FileError(f"{path}, line {number}: not UTF-8 text; save the table as UTF-8.") from None


def _places(
    header: Sequence[str], path: str | Path, id_column: str | None, without: Collection[str]
) -> tuple[int, list[int]]:
    """Positions of the id column and of the loci."""
    check_header(header, str(path))
    if len(header) < 2:
        raise FileError(
            f"{path} begins with {clipped(header[0])!r}; expected the names of at least two columns, one of ids and "
            "one for each locus, separated by tabs, commas or semicolons. Give another separator as delimiter=… "
            "(on the command line: --delimiter)."
        )
    left = set(match_columns(header, (), [*without, *([] if id_column is None else [id_column])], path))
    at = 0 if id_column is None else header.index(id_column)
    rest = [j for j, name in enumerate(header) if j != at and name in left and not name.startswith("#")]
    guessed = [header[j] for j in rest if header[j].lower() in _NOT_LOCI]
    if guessed:
        warn(
            f"{path}: the column{'s' * (len(guessed) > 1)} {', '.join(guessed)} did not look like loci and were not "
            f"read. To avoid this warning, leave them out explicitly: without={guessed!r} (--without)."
        )
    loci = [j for j in rest if header[j] not in guessed]
    if not loci:
        raise FileError(f"{path} has no column of alleles; expected one for each locus.")
    return at, loci


def _rows(
    lines: Iterable[bytes], path: str | Path, header: Sequence[str], wanted: Sequence[int], mean: _Meanings, sign: str
) -> Iterator[tuple[str, AnyArray]]:
    """The id and the alleles of every genome; empty lines are ignored."""
    take: Callable[[list[bytes]], tuple[bytes, ...]] = itemgetter(*wanted)
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        cells = line.split(sign.encode())
        if len(cells) != len(header):
            raise FileError(f"{path}, line {number}: {len(cells)} cells; expected {len(header)}.")
        name, *alleles = take(cells)
        try:
            codes = np.fromiter(map(mean.__getitem__, alleles), np.int64, len(alleles))
        except ValueError as error:
            cell = error.args[0]
            raise FileError(
                f"{path}, line {number}, column {clipped(header[wanted[1 + alleles.index(cell)]])!r}: "
                f"{clipped(cell.decode(errors='replace'))!r} is not an allele; expected a whole number, or, for a "
                f"missing allele, an empty cell or one of {', '.join(NO_ALLELE)}. If it marks a missing allele, add "
                "it to missing=[…] (--missing); if the column is not a locus, add it to without=[…] (--without)."
            ) from None
        yield _cells(name, path, number, sign)[0], codes
