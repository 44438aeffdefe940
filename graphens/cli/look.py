"""Commands that look at clusterings: choose, compare, explain, members, modes."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import graphens as ge

from .. import Ensemble
from .._lib.files import atomic
from .._lib.progress import screen_width
from ..choose.choice import rule_table
from ..errors import InputError, did_you_mean
from ..export.table_files import write_table
from ._command import Arg, ClassesIn, Figures, InFiles, K, Ks, MethodNames, Name, Seed, TableOut
from ._screen import in_options, note, paragraphs, say
from ._tables import LabelTable, enumerated, show
from .from_labels import RULES, Recipe, own_or_name

_SHADES = " ░▒▓█"  # of a number that a rule finds bad to good


def choose(
    table: LabelTable,
    *,
    ks: Ks = (2, 3, 4, 5, 6, 7, 8, 9, 10),
    rule: Annotated[str, Arg(words=RULES)] = "eigengap",
    seed: Seed | None = None,
    output: Figures | None = None,
) -> None:
    """Choose the number of clusters, and show the result of every rule.

    The table has a row for each rule and a column for each number of clusters, darker if it is better; brackets are the
    choice of a rule. With -o, the figures of the rules are written, a row for each number of clusters: for eigengap and
    lifetime larger values are better, for stability and pac smaller ones.

    example:
      graphens choose labels.csv --ks 2:12 --seed 0

    Options
    -------
    ks: numbers of clusters to try (default: 2:10)
    rule: rule that chooses the number of clusters
    """
    choice = ge.choose_k(table.read(), list(ks), rule=rule, seed=seed)
    if output is not None:
        show(choice.columns(), output, table.table.dialect, above=repr(choice))
        return
    chosen = rule_table(choice)
    room = max(((screen_width(sys.stdout) or 80) - 30) // 4, 8)
    shades = {k: max((row.shades.get(k, 0.0) + (k == row.k) for row in chosen.rows), default=0.0) for k in chosen.ks}
    shown = sorted(sorted(chosen.ks, key=lambda k: (k != chosen.k, -shades[k]))[:room])
    say(*paragraphs(in_options(repr(choice)), sys.stdout), "", chosen.sentence, "")
    say(f"{'':28}" + "".join(f"{k:^4}" for k in shown))
    for row in chosen.rows:
        cells = (_SHADES[round(4 * row.shades.get(k, 0.0))] * 2 for k in shown)
        rings = (f"[{cell}]" if k == row.k else f" {cell} " for k, cell in zip(shown, cells, strict=True))
        say(f"{row.words:28}{''.join(rings)}".rstrip())


def compare(
    table: LabelTable,
    more: InFiles = (),
    *,
    k: K | None = None,
    methods: MethodNames | None = None,
    truth: ClassesIn | None = None,
    seed: Seed | None = None,
    seeds: int | None = None,
    time_limit: float | None = None,
    output: Figures | None = None,
) -> None:
    """Run several methods on a table of clusterings and show them side by side.

    score is the mean normalized mutual information with the clusterings, silhouette shows how clearly objects belong to
    their own cluster, balance is the size of the largest cluster divided by the mean size, and agreement is the mean
    NMI with the results of the other methods. With --truth, ari, nmi and error_rate compare the results with the true
    classes.

    With several tables, or --seeds, the table shows means and standard deviations over all runs, and the mean rank (by
    ari with --truth, otherwise by score). Friedman's test and the critical difference of mean ranks are shown above it.

    for example:
      graphens compare labels.csv -k 5 --methods lwgp,lwea,mcla,eac
      graphens compare labels.csv -k 5 --truth species -o table.tex
      graphens compare iris.csv wine.csv -k 3 --seeds 10 --truth class -o table.tex

    Options
    -------
    more: more tables of labels
    methods: methods to compare; module:function is your own (default: all that are feasible for this size)
    truth: true classes: a column of the table, or a file
    seeds: repeat the comparison with this many seeds
    time_limit: leave out methods that are expected to take more processor seconds (default: 10 if none are named)
    """
    variants = None if methods is None else {name: own_or_name(name) for name in methods}
    if not more and seeds is None:
        e = table.read(truth)
        rows = ge.compare(e, k, methods=variants, truth=table.classes(truth, e), seed=seed, time_limit=time_limit)
        columns = rows.figures if output else rows.different()
        show(columns, output, table.table.dialect, above=rows.omission(), below="note")
        return
    if seeds is not None and seed is not None:
        raise InputError("Both --seed and --seeds were given; expected only one of them.")
    tables, truths = {}, {}
    for path in (table.labels, *more):
        table.labels = path
        name = Path(path).stem
        if name in tables:
            raise InputError(f"Two tables called {name} were given; expected different names.")
        tables[name] = table.read(truth)
        truths[name] = table.classes(truth, tables[name])
    classes: Any = None if truth is None else truths if len(tables) > 1 else truths[name]
    numbers = [seed or 0] if seeds is None else seeds
    study = ge.benchmark(tables, k, methods=variants, truth=classes, seeds=numbers, time_limit=time_limit)
    if output is not None and output.lower().endswith(".tex"):
        with atomic(output, text=True) as file:
            file.write(study.to_latex() + "\n")
        note(study.rank().said)
        return
    show(study.summary(), output, table.table.dialect, above=study.rank().said, below="note")


def explain(table: LabelTable, object: str, *, recipe: Recipe, output: Figures | None = None) -> None:
    """Explain why an object is in its cluster.

    The consensus is computed as `graphens consensus` does it, or read from a file saved with --save. The table has a
    row for each clustering: the object's label there, the consensus cluster of most objects with that label, and the
    share of them in the object's own cluster.

    example:
      graphens explain labels.csv AAACATACAACCAC --id cell -k 5

    Options
    -------
    object: the object: its name, or its row number (from 0) if names are not numbers
    """
    e = table.read()
    reasons = recipe.answer(table, e).explain(position=_position(object, e, table))
    show(reasons.columns(), output, table.table.dialect, above=repr(reasons))


def _position(given: str, e: Ensemble, table: LabelTable) -> int:
    """The row of the object whose name reads so; a row number where no name reads like a number."""
    names = e.vertex_names().texts()
    rows = [i for i, name in enumerate(names) if name == given]
    if len(rows) == 1:
        return rows[0]
    numbers = any(map(str.isdecimal, names))
    if not rows and given.isdecimal() and not numbers and int(given) < len(names):
        return int(given)
    if rows:
        advice = "Use --duplicates number" if numbers else f"Say explain {rows[0]} or explain {rows[1]}"
        raise InputError(f"{len(rows)} objects are called {given}: rows {enumerated(rows)}. {advice}.")
    last = "" if e.object_names is not None else f", 0 to {len(names) - 1}"
    column = next((name for name, cells in table.table.items() if given in map(str, cells)), None)
    advice = f" If the column {column!r} names the objects, add --id {shlex.quote(column)}." if column else ""
    raise InputError(
        f"{given} was given, but no object has that name; expected the name of one object, or its row number "
        f"(from 0{last}) if names are not numbers.{advice if e.object_names is None else did_you_mean(given, names)}"
    )


def members(
    table: LabelTable,
    *,
    k: K | None = None,
    method: Name = "lwgp",
    seed: Seed | None = None,
    output: Figures | None = None,
) -> None:
    """Show how well each clustering of a table agrees with the others, and how much it matters.

    agreement is the mean adjusted Rand index with the other clusterings (about 0 is chance level), influence is how
    much the consensus changes without the clustering, and weight is a suggestion for consensus --weights.

    example:
      graphens members labels.csv --id customer -k 5 --seed 0

    Options
    -------
    method: method of the consensus used to measure influence
    """
    from ..choose.select import member_columns

    show(member_columns(table.read(), k, method=method, seed=seed), output, table.table.dialect)


def modes(
    table: LabelTable,
    *,
    k: K | None = None,
    seed: Seed | None = None,
    answers: TableOut | None = None,
    output: Figures | None = None,
) -> None:
    """Find groups of clusterings that agree within a group but not between groups.

    The table has a row for each group, the largest first: its share of the clusterings, the number of clusters in its
    own consensus, the number of objects it places differently than the largest group, and the names of its clusterings.
    With --answers, the consensus of every group is written as well, with a row for each object and a column for each
    group.

    example:
      graphens modes labels.csv --id customer --seed 0 --answers groups.csv

    Options
    -------
    answers: write the consensus of every group to this file
    """
    e = table.read()
    groups = ge.modes(e, k, seed=seed)
    if answers is not None:
        columns = {str(e.index_name or "object"): e.vertex_names().column()}
        for j, group in enumerate(groups):
            columns[f"group_{j}"] = [None if c < 0 else c for c in group.consensus.labels.tolist()]
        write_table(columns, answers, table.table.dialect)
    show(groups.columns(), output, table.table.dialect, below="names")
