"""Arguments that several commands share: how they are added, and how their values are read.

An option is stored under the name of the library's parameter, so that an error about the parameter can name the option.
"""

from __future__ import annotations

import argparse
import ast
import codecs
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import GraphensError, InputError, meant
from ..export.table_files import as_number

#: the rules that need labels alone
RULES = ("eigengap", "stability", "pac", "lifetime", "agreement")


# what is added ----------------------------------------------------------------------------------------------


def add_labels(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the table of labels and how to read it."""
    parser.add_argument(
        "labels", nargs="?" if optional else None, help="table of labels, or - for standard input"
    )
    parser.add_argument(
        "--columns", metavar="A,B,...", type=names, help="columns to use as clusterings (default: all)"
    )
    about = "the table holds allele profiles, as written by chewBBACA, BIGSdb, EnteroBase or GrapeTree (0: missing)"
    parser.add_argument("--profiles", action="store_true", help=about)
    add_reading(parser)


def add_features(parser: argparse.ArgumentParser) -> None:
    """Add the table of features and how to read it."""
    add = parser.add_argument
    kinds = "table of features (.csv, .tsv, .txt, .parquet, - for standard input) or an array (.npy)"
    add("data", help=kinds)
    add("--columns", metavar="A,B,...", type=names, help="columns to use as features (default: all)")
    add("--without", metavar="A,B,...", type=names, default=[], help="columns to leave out")
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add how to read a table."""
    add = parser.add_argument
    about = "column with the names of the objects (default: the first, if it is different in every row)"
    add("--id", metavar="COLUMN", help=about)
    add("--delimiter", metavar="C", type=delimiter, help="column separator (default: detected)")
    about = "text encoding, such as latin-1 (default: from the byte order mark, or utf-8)"
    add("--encoding", metavar="NAME", type=encoding, help=about)


def add_k(parser: argparse.ArgumentParser, *more: str) -> None:
    """Add the number of clusters in the result."""
    about = "number of clusters in the result (default: chosen automatically)"
    parser.add_argument("-k", *more, "--clusters", dest="k", metavar="K", type=answer_k, help=about)


def add_ks(
    parser: argparse.ArgumentParser, default: str | None, about: str = "numbers of clusters to try"
) -> None:
    """Add the numbers of clusters to look at."""
    parser.add_argument(
        "--ks",
        metavar="LOW:HIGH|K,K,...",
        type=ks_of,
        default=None if default is None else ks_of(default),
        help=f"{about} (default: {default or 'none'})",
    )


def add_rule(parser: argparse.ArgumentParser, default: str | None = "eigengap") -> None:
    """Add what chooses the number of clusters from labels."""
    about = f"rule that chooses the number of clusters: {', '.join(RULES)} (default: eigengap)"
    parser.add_argument("--rule", metavar="NAME", type=OneOf(RULES), default=default, help=about)


def add_method(parser: argparse.ArgumentParser, default: str = "auto") -> None:
    """Add what chooses the method, and its options."""
    add = parser.add_argument
    add(
        "--method",
        default=default,
        help="consensus method; graphens methods lists them (default: %(default)s)",
    )
    add(
        "--partitioner", metavar="NAME", help="for methods that cut a graph; graphens partitioners lists them"
    )
    about = "another option of the method; can be repeated"
    add("--set", metavar="OPTION=VALUE", action="append", default=[], help=about)


def add_pairs(parser: argparse.ArgumentParser) -> None:
    """Add the pairs of objects that have to be together, or apart."""
    for name, where in (("must", "together"), ("cannot", "apart")):
        about = f"table with two columns: pairs of objects that must be {where}"
        parser.add_argument(f"--{name}-link", metavar="FILE", help=about)


def add_consensus(parser: argparse.ArgumentParser, what: str = "result") -> None:
    """Add everything that decides a consensus of a table of labels."""
    add_k(parser)
    add_seed(parser, what)
    add_rule(parser, None)
    add_method(parser)
    add_pairs(parser)


def add_seed(parser: argparse.ArgumentParser, what: str = "result") -> None:
    """Add the seed."""
    parser.add_argument("--seed", type=int, help=f"the same seed gives the same {what}")


def add_partitions(
    parser: argparse.ArgumentParser, default: int, about: str, flag: str = "--partitions"
) -> None:
    """Add how many clusterings are made."""
    parser.add_argument(
        "-B",
        flag,
        dest="n_partitions",
        metavar="B",
        type=int,
        default=default,
        help=f"{about} (default: %(default)s)",
    )


def add_jobs(parser: argparse.ArgumentParser, what: str = "clusterings") -> None:
    """Add how many clusterings are made at a time, and where finished ones are kept."""
    about = f"number of {what} made at the same time (-1: one per core)"
    parser.add_argument("-j", "--jobs", dest="n_jobs", metavar="N", type=int, help=about)
    about = f"save finished {what} to this file; the same command resumes from it"
    parser.add_argument("--checkpoint", metavar="FILE", help=about)


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add where the clusters go, and what stands beside them."""
    parser.add_argument("--membership", action="store_true", help="add the membership in every cluster")
    about = "output file: .csv, .tsv, .txt, .parquet, .xlsx, .tex, or - for standard output (default)"
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help=about)


def add_answer(parser: argparse.ArgumentParser) -> None:
    """Add where the clusters go, as a table and whole."""
    add_table(parser)
    parser.add_argument(
        "--top", metavar="M", type=int, help="add the M largest memberships, and the sum of the others"
    )
    about = "save the complete result (.npz) for graphens assign, graphens update and load() in Python"
    parser.add_argument("--save", metavar="FILE", help=about)


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add where a table of figures goes."""
    about = "write the table to a file: .csv, .tsv, .parquet, .xlsx, .tex, or - (default: print it)"
    parser.add_argument("-o", "--output", metavar="FILE", help=about)


# what reads values ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)  # argparse asks for a hash, which lists have not
class OneOf:
    """Reads one of several words, which are also used for completion."""

    known: Collection[str]

    def __call__(self, text: str) -> str:
        """Return the word, or say what was expected."""
        if text not in self.known:
            raise argparse.ArgumentTypeError(
                f"{text} was given; expected one of {', '.join(self.known)}.{meant(text, self.known)}"
            )
        return text


def names(text: str) -> list[str]:
    """Read names separated by commas."""
    return [name.strip() for name in text.split(",")]


def answer_k(text: str) -> int:
    """Read the number of clusters in the result."""
    try:
        return as_number(text, int)
    except ValueError:
        base = (
            f" For the base clusterings use --base-k {text}." if re.fullmatch(r"\d+([:,]\d+)+", text) else ""
        )
        raise argparse.ArgumentTypeError(
            f"{text} was given; expected one number, the number of clusters in the result.{base}"
        ) from None


def _numbers(text: str, expected: str) -> tuple[list[int], bool]:
    """Whole numbers, and whether they are the two ends of an interval."""
    try:
        if ":" in text:
            low, high = (as_number(part, int) for part in text.split(":"))
            return [low, high], True
        return [as_number(part, int) for part in text.split(",")], False
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} was given; expected {expected}") from None


def ks_of(text: str) -> list[int]:
    """Read an interval, both ends included, or numbers of clusters."""
    found, interval = _numbers(text, expected := "2:12 or 2,3,5")
    if interval and found[0] > found[1]:
        raise argparse.ArgumentTypeError(f"{text} was given; expected {expected}")
    return list(range(found[0], found[1] + 1)) if interval else found


def base_k(text: str) -> Any:
    """Read a number, an interval or numbers to draw from."""
    found, interval = _numbers(text, "10, 10:30 or 5,10,20")
    if interval:
        return found[0], found[1]
    return found[0] if len(found) == 1 else np.array(sorted(found * 2))  # twice each: two are no interval


def delimiter(text: str) -> str:
    """Read what separates cells: a character, or its name."""
    known = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "space": " ", "blank": " "}
    found = known.get(text, text)
    if len(found) != 1 or found in '"\r\n':
        raise argparse.ArgumentTypeError(
            f"{text!r} was given; expected one character, or comma, semicolon, tab or space."
        )
    return found


def encoding(text: str) -> str:
    """Read the name of an encoding of text."""
    try:
        return codecs.lookup(text).name if "x".encode(text) else text
    except LookupError:
        raise argparse.ArgumentTypeError(
            f"{text} was given; expected a text encoding, such as utf-8, latin-1, cp1252 or utf-16."
        ) from None


def method_options(args: argparse.Namespace) -> dict[str, Any]:
    """Options of the method: Python literals, or plain text if they are not literals."""
    options: dict[str, Any] = {} if args.partitioner is None else {"partitioner": args.partitioner}
    for pair in args.set:
        name, given, text = pair.partition("=")
        if not given or not name.isidentifier():
            raise InputError(f"--set {pair} was given; expected OPTION=VALUE, such as linkage=average.")
        if name in {"labels", "k", "seed", "method"}:
            raise InputError(f"--set {pair} was given, but {name} has its own argument; use that instead.")
        try:
            options[name] = _literal(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):  # the last two: nested too deep
            options[name] = text
    return options


def _literal(text: str) -> Any:
    """A Python literal, but without underscores in numbers: 1_0 is a typing error, not 10."""
    for node in ast.walk(ast.parse(text, mode="eval")):
        number = isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))
        if number and "_" in (ast.get_source_segment(text, node) or ""):
            raise ValueError(text)
    return ast.literal_eval(text)


@contextmanager
def fitting_options(args: argparse.Namespace) -> Iterator[None]:
    """Report an option with a value of the wrong type, since the types of values from the shell are guessed."""
    try:
        yield
    except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError) as error:
        if isinstance(error, GraphensError) or not args.set:
            raise
        given = " ".join(f"--set {pair}" for pair in args.set)
        raise InputError(f"{given} does not work with {args.method}: {error}.") from None
