"""Commands that combine labels: consensus, median, levels."""

from __future__ import annotations

import ast
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, fields
from importlib import import_module
from typing import Annotated, Any

import numpy as np

import graphens as ge

from .. import Consensus, Ensemble
from .._lib.arrays import as_int
from ..errors import ClusterError, GraphensError, InputError, Interrupted, MissingDependency
from ..export.frames import level_columns
from ..export.label_files import draws_of, match_columns
from ..export.table_files import write_table
from ..trees.differing import RULES as LOCI, labels_at, single_link_up_to
from ._command import Arg, InFile, InFiles, Jobs, K, Name, Names, Output, Seed, read_ks, read_numbers
from ._screen import complain, note
from ._tables import Answer, KeepingAnswer, LabelTable, Reading, read_delimiter

#: the rules that need labels alone
RULES = ("eigengap", "stability", "pac", "lifetime", "agreement")
LOSSES = ("vi", "binder", "omari", "nvi", "id", "nid")


@dataclass(kw_only=True)
class Method:
    """What decides the consensus.

    Options
    -------
    method: consensus method; graphens methods lists them, and module:function is your own
    partitioner: for methods that cut a graph; graphens partitioners lists them, and module:function is your own
    set: another option of the method; can be repeated
    """

    k: K | None = None
    seed: Seed | None = None
    method: Name = "auto"
    partitioner: Name | None = None
    set: Annotated[Sequence[str], Arg(metavar="OPTION=VALUE")] = ()

    def options(self) -> dict[str, Any]:
        """Options of the method: Python literals, or plain text if they are not literals."""
        options: dict[str, Any] = {}
        if self.partitioner is not None:
            options["partitioner"] = own_or_name(self.partitioner)
        for pair in self.set:
            name, equals, text = pair.partition("=")
            if not equals or not name.isidentifier():
                raise InputError(f"--set {pair} was given; expected OPTION=VALUE, such as linkage=average.")
            if name in {"labels", "k", "seed", "method"}:
                raise InputError(f"--set {pair} was given, but {name} has its own argument; use that instead.")
            if name in options:
                raise InputError(f"The option {name} was given twice; expected it once.")
            try:
                options[name] = _literal(text.strip())
            except (ValueError, SyntaxError, RecursionError, MemoryError):  # the last two: nested too deep
                options[name] = text
        return options

    @contextmanager
    def fitting(self) -> Iterator[None]:
        """Report an option with a value of the wrong type, since the types of values from the shell are guessed."""
        try:
            yield
        except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError) as error:
            if isinstance(error, GraphensError) or not self.set:
                raise
            options = " ".join(f"--set {pair}" for pair in self.set)
            raise InputError(f"{options} does not work with {self.method}: {error}.") from None


@dataclass(kw_only=True)
class Recipe(Method):
    """What decides the consensus.

    Options
    -------
    rule: rule that chooses the number of clusters
    must_link: table with two columns: pairs of objects that must be together
    cannot_link: table with two columns: pairs of objects that must be apart
    """

    rule: Annotated[str, Arg(words=RULES)] | None = None
    must_link: InFile | None = None
    cannot_link: InFile | None = None

    def combine(self, e: Ensemble, reading: Reading) -> Consensus:
        """Return the consensus of an ensemble."""
        options = self.options() | ({} if self.rule is None else {"rule": self.rule})
        for parameter, path in (("must_link", self.must_link), ("cannot_link", self.cannot_link)):
            if path is not None:
                options[parameter] = read_links(path, e, reading)
        with self.fitting():
            return ge.consensus(e, self.k, method=own_or_name(self.method), seed=self.seed, **options)

    def answer(self, table: LabelTable, e: Ensemble) -> Consensus:
        """Return the saved result if the file holds one and no option requests another; else combine the labels."""
        if table.labels.lower().endswith(".npz") and self == Recipe() and not (table.columns or table.without):
            saved = ge.load(table.labels)
            if isinstance(saved, Consensus):
                return saved
        return self.combine(e, table)


def own_or_name(place: str) -> Any:
    """Return a function of the user that was given as module:function; a name stays a name."""
    module, colon, name = place.partition(":")
    if not colon:
        return place
    sys.path.insert(0, os.getcwd())  # where the user's file is, as for python -m
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"{place} was given, which cannot be imported: {error}. Expected module:function.") from None
    finally:
        sys.path.pop(0)


def _literal(text: str) -> Any:
    """A Python literal, but without underscores in numbers: 1_0 is a typing error, not 10."""
    for node in ast.walk(ast.parse(text, mode="eval")):
        number = isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))
        if number and "_" in (ast.get_source_segment(text, node) or ""):
            raise ValueError(text)
    return ast.literal_eval(text)


def read_links(path: str, e: Ensemble, reading: Reading) -> list[tuple[Any, ...]]:
    """Read pairs of objects; a first line of two words that are not names of objects is a header."""
    names = set(e.vertex_names().texts())
    numbers = e.object_names is None
    if numbers:
        names |= set(map(str, range(e.n_objects)))

    def is_header(rows: Sequence[Sequence[str]]) -> bool:
        return len(rows[0]) == 2 and not names.intersection(rows[0])

    cells = reading.cells(path, is_header=is_header)
    if len(cells) != 2:  # not the delimiter of the labels: whatever is in this one
        cells = Reading(encoding=reading.encoding).cells(path, is_header=is_header)
    if len(cells) != 2:
        raise InputError(f"{path} has {len(cells)} columns; expected two: a pair of objects in each row.")
    pairs = zip(*cells.values(), strict=True)
    return [tuple(int(cell) if numbers and str(cell).isdecimal() else cell for cell in pair) for pair in pairs]


# consensus --------------------------------------------------------------------------------------------------


def consensus(
    table: LabelTable,
    more: InFiles = (),
    *,
    weights: Annotated[Sequence[float], Arg(metavar="W,W,...", read=read_numbers)] = (),
    recipe: Recipe,
    answer: KeepingAnswer,
    out_of_core: bool = False,
    scheduler: Annotated[str, Arg(metavar="ADDRESS")] | None = None,
) -> None:
    """Combine the clusterings of a table into one.

    The table has a row for each object and a column for each clustering: .csv, .tsv, .txt, .parquet, .xlsx, - for
    standard input, or an ensemble saved as .npz. The first line is a header unless it holds only numbers. A first
    column that is different in every row names the objects. Empty cells, NA, NaN, None, null and -1 are missing labels.
    The result has a row for each object: its cluster (empty if the object has no label at all) and the confidence of
    the assignment. If the input is a .csv file, a .csv result has the same delimiter, encoding and decimal mark.

    for example:
      graphens consensus labels.csv -k 3 --method mcla --seed 0 -o out.csv
      graphens consensus labels.csv --columns 'seg_*' --keep revenue -o out.csv
      graphens consensus labels.xlsx --sheet Data --missing k.A. -k 3 -o out.xlsx
      graphens consensus labels.csv -k 3 --names 0=loyal --save answer.npz
      graphens consensus labels.csv --id cell --method eac --set linkage=average
      graphens consensus labels.csv --id cell --must-link pairs.csv -o out.xlsx
      graphens consensus 'labels/*.parquet' -k 20 --out-of-core -o out/

    Options
    -------
    more: more label files (only with --out-of-core)
    weights: weight of each clustering (default: 1)
    out_of_core: read .parquet or .npy files block by block; -o names a folder, or one file ending in .parquet
    scheduler: address of a Dask scheduler to run on, such as tcp://host:8786
    """
    if out_of_core or scheduler:
        _combine_on_disk([table.labels, *more], (table, recipe, answer), weights, scheduler)
        return
    if more:
        extra = f"{more[0]} was given in addition to {table.labels}"
        raise InputError(f"{extra}; expected one table. Only --out-of-core reads several files.")
    e = table.read(*answer.keep)
    beside = answer.kept(table.table)
    r = recipe.combine(e.reweight(weights) if weights else e, table)
    note(repr(answer.write(r, table.table.dialect, beside=beside)))


def _combine_on_disk(
    paths: list[str], groups: tuple[LabelTable, Recipe, KeepingAnswer], weights: Sequence[float], scheduler: str | None
) -> None:
    """Combine labels on disk; the summary goes to standard error."""
    from .. import scale
    from ..scale.sources import file_names, open_sources

    table, recipe, answer = groups
    if recipe.k is None and recipe.method != "auto":
        raise InputError(f"--out-of-core with --method {recipe.method} needs the number of clusters; expected -k K.")
    if answer.output == "-":
        raise InputError("--out-of-core writes files; expected -o FOLDER, or -o FILE.parquet for a single file.")
    used = {"labels", "columns", "without", "id", "table", "k", "seed", "method", "partitioner", "set", "output"}
    for group in groups:
        for one in fields(group):
            if one.name not in used and getattr(group, one.name) != one.default:
                option = one.name.replace("_", "-")
                raise InputError(f"--{option} cannot be used with --out-of-core; leave one of them out.")
    one_file = answer.output.lower().endswith(".parquet") and not os.path.isdir(answer.output)
    files, columns = paths if len(paths) > 1 else paths[0], None
    if table.columns or table.without:
        first, *_ = file_names(paths)
        left_out = [*table.without, *([] if table.id is None else [table.id])]
        columns = match_columns(open_sources(first)[0].columns, table.columns, left_out, first)
    labels = scale.scan(files, columns=columns, id=table.id, weights=weights or None)
    folder = f"{answer.output}.parts" if one_file else answer.output
    how: dict[str, Any] = {"method": recipe.method, "seed": recipe.seed, **recipe.options()}
    with _client(scheduler) as client:
        result = scale.consensus(labels, recipe.k, out=folder, client=client, **how)
    if one_file:
        result = result.write(answer.output)
        shutil.rmtree(folder, ignore_errors=True)
    note(repr(result))


@contextmanager
def _client(address: str | None) -> Iterator[Any]:
    if address is None:
        yield None
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise MissingDependency("--scheduler needs Dask; pip install 'graphens[scale]'.") from None
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"--scheduler {address} cannot be reached: {error}. Is it running?") from None
    with client:
        yield client


# median -----------------------------------------------------------------------------------------------------


def median(
    table: LabelTable,
    *,
    draws: Annotated[str, Arg(metavar="WHERE", words=("rows", "columns"))] = "rows",
    variable: Name | None = None,
    loss: Annotated[str, Arg(words=LOSSES)] = "vi",
    a: Annotated[float, Arg("-a", "A")] = 1.0,
    k: K | None = None,
    max_k: Annotated[int, Arg(metavar="K")] | None = None,
    starts: Annotated[int, Arg(parameter="n_init")] = 16,
    skip: int = 0,
    every: int = 1,
    seed: Seed | None = None,
    n_jobs: Jobs | None = None,
    answer: Answer,
) -> None:
    """Estimate one clustering from posterior draws by minimizing its expected loss.

    The table has a row for each draw and a column for each object, as R packages write it (a column of row names
    without a header is ignored, and so are columns and comments that Stan and R's posterior write about the draws).
    With --draws columns, it has a row for each object and a column for each draw. An ensemble saved as .npz also works.
    The result has a row for each object: its cluster and the confidence of the assignment. The expected loss and the
    95 % credible ball around the estimate go to standard error.

    for example:
      graphens median draws.csv --loss vi --seed 0 -o estimate.csv
      graphens median draws.csv --loss binder --skip 500 --every 10
      graphens median stan_output.csv --variable z --seed 0

    Options
    -------
    draws: whether the draws are rows or columns of the table
    variable: the variable with the labels: z for the columns z[1], z[2], ... or z.1, z.2, ...
    loss: loss to minimize
    a: for vi and binder, a number between 0 and 2: values below 1 give more clusters
    max_k: maximum number of clusters
    starts: number of starts of the search
    skip: leave out the first N draws of every chain (burn-in)
    every: keep only every Nth draw of a chain (thinning)
    """
    if draws == "columns" or table.profiles or table.labels.lower().endswith(".npz"):
        if variable is not None:
            raise InputError("--variable selects columns of a table whose rows are draws; leave it out here.")
        e = table.read()
    elif table.columns or table.without or table.id:
        advice = "use them with --draws columns"
        raise InputError(f"--columns, --without and --id need a table whose columns are draws; {advice}.")
    else:
        table.table = table.cells(table.labels, comments="#", everywhere=True)
        e = Ensemble.from_draws(draws_of(table.table, table.labels, variable))
    chain = np.zeros(e.n_partitions, dtype=int) if e.chains is None else e.chains
    chains = [np.flatnonzero(chain == c) for c in range(chain.max() + 1)]
    shortest = min(map(len, chains))
    for flag, value, least, most in (("--skip", skip, 0, shortest - 1), ("--every", every, 1, None)):
        if value < least or (most is not None and value > most):
            bounds = f"at least {least}" if most is None else f"between {least} and {most}"
            draws_of_each = f"{shortest} draws" + " of a chain" * (len(chains) > 1)
            raise InputError(f"{flag} {value} was given for {draws_of_each}; expected a number {bounds}.")
    e = e.take(partitions=np.concatenate([one[skip::every] for one in chains])) if skip or every > 1 else e
    try:
        r = ge.median(e, k, loss=loss, a=a, max_k=max_k, n_init=starts, n_jobs=n_jobs, seed=seed)
    except Interrupted as stop:
        complain(str(stop).partition("; it is in")[0] + ".")
        raise
    r = answer.write(r, table.table.dialect)
    note(f"{r!r}\n{ge.credible_ball(r, e, loss=loss, a=a)!r}")


# levels -----------------------------------------------------------------------------------------------------


@dataclass
class AlleleTable:
    """A table of alleles.

    Options
    -------
    profiles: table of alleles, or - for standard input
    columns: columns to use as loci (default: all that look like loci)
    without: columns to leave out
    missing: additional codes for a missing allele
    id: column with the ids (default: the first)
    duplicates: if several rows have the same id, keep the first row or number the ids (default: keep all rows)
    delimiter: column separator (default: detected)
    """

    profiles: InFile
    _: KW_ONLY
    columns: Names = ()
    without: Names = ()
    missing: Names = ()
    id: Annotated[str, Arg(metavar="COLUMN")] | None = None
    duplicates: Annotated[str, Arg(words=("first", "number"))] | None = None
    delimiter: Annotated[str, Arg(metavar="C", read=read_delimiter)] | None = None

    def read(self) -> Ensemble:
        """Read the alleles."""
        how = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "profiles"}
        return LabelTable(self.profiles, **how).alleles()


def levels(
    table: AlleleTable,
    *,
    at: Annotated[Sequence[int], Arg(metavar="LOW:HIGH|T,T,...", read=read_ks)],
    rule: Annotated[str, Arg(metavar="RULE", words=LOCI, parameter="missing")] = "share",
    singletons: bool = True,
    output: Output = "-",
) -> None:
    r"""Group genomes that differ in at most a given number of loci, as in allele-based typing.

    The table is separated by tabs and has a header and a row for each genome: its id, then its allele number at every
    locus, as in chewBBACA, BIGSdb, EnteroBase, GrapeTree and pHierCC. It may be compressed with gzip. 0, -, ?, N,
    LNF, NIPH, NIPHEM, ASM, ALM, PLOT3, PLOT5, LOTSC, PAMA, negative numbers and empty cells mean that an allele is
    missing. An ensemble saved as .npz also works.

    At level t, two genomes are in the same cluster if they differ in at most t loci, or if a chain of such pairs
    connects them (single linkage). The result has a row for each genome and a column for each level. The id of a
    cluster is the id of its first genome, so ids do not change when genomes are added at the end of the table.

    for example:
      graphens levels profiles.tsv --at 0,2,5,10 -o levels.csv
      graphens levels cgMLST.tsv --at 0:10 --rule count \
          --without ST,clonal_complex -o levels.parquet

    Options
    -------
    at: levels: maximum numbers of differing loci
    rule: how to count when alleles are missing, scaled up from the loci that both have or without scaling
    singletons: give no id to a genome that is alone
    """
    e = table.read()
    wanted = [as_int("at", level, 0, e.n_partitions) for level in dict.fromkeys(at)]
    tree = single_link_up_to(e, max(wanted), rule)
    labels = labels_at(tree, e, wanted)
    ids = level_columns(e.vertex_names(), labels, singletons=singletons)
    columns: dict[str, Any] = {str(e.index_name or "genome"): e.vertex_names().column()}
    write_table(columns | {str(level): column for level, column in ids.items()}, output)
    missing = f"{e.n_missing / e.codes.size:.2%} of the alleles missing"
    lines = [f"{e.n_objects} genomes, {e.n_partitions} loci, {missing}"]
    for level in wanted:
        sizes = np.bincount(labels[level][labels[level] >= 0])
        alone = int(np.count_nonzero(sizes == 1))
        several = len(sizes) - alone
        largest = f", the largest with {sizes.max()} genomes" if several else ""
        clusters = f"{several} cluster{'s' * (several != 1)}{largest}"
        lines.append(f"  at {level}: {clusters}; {alone} genome{'s' * (alone != 1)} alone")
    note("\n".join(lines))
