"""Descriptions of parameters that many consensus functions share, and the function that fills them in."""

from __future__ import annotations

import inspect
import re

#: what a parameter means wherever the function itself says nothing of it
PARAMETERS = {
    "labels": "An Ensemble, or anything that Ensemble accepts: a table of labels with objects in rows and partitions "
    "in columns; −1, NaN or None marks a missing label.",
    "k": "Number of clusters; by default the largest number of clusters in a partition.",
    "seed": "The same seed gives the same result.",
    "partitioner": "A name from `graphens.partitioners`, or a function ``(graph, k, *, seed)`` that gets a "
    "`graphens.Graph` and returns one whole number per vertex.",
    "partitioner_options": 'More options of the partitioner, such as ``{"imbalance": 0.1}``.',
    "n_init": "Number of runs with different seeds; the best one is kept.",
    "max_iter": "Maximum number of iterations per run.",
    "collapse": "Cut the graph of the distinct label rows, each weighted by its objects, so that objects with equal "
    "labels stay together. False cuts the graph of all objects; partitioners that look at the edges inside a part "
    "(community detection) always do so.",
    "neighbors": 'Keep the p strongest edges of a vertex; None keeps all; ``"auto"`` keeps up to four million edges '
    "and, in larger graphs, 100 per vertex.",
    "entropy_scale": "How quickly the weight of a cluster falls as its entropy grows; values from 0.2 to 1 are common.",
    "linkage": '``"single"``, ``"average"`` or ``"complete"``.',
    "X": "Features, one row per object.",
    "methods": "The panel: names from `graphens.methods`, in order of preference.",
    "order": 'Partitions as ``"given"``, ``"shuffled"`` by the seed, or those with the ``"most"`` clusters first.',
    "sweeps": "At most this many passes over all objects.",
}
_WIDTH = 112
_SECTION = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)


def complete(doc: str, parameters: list[str]) -> str:
    """Add the shared descriptions that a docstring lacks to its section Parameters, in the order of the signature.

    >>> complete("Cut a graph.", ["seed"]).splitlines()[2:]
    ['Parameters', '----------', 'seed', '    The same seed gives the same result.']
    """
    text = inspect.cleandoc(doc)
    marks = list(_SECTION.finditer(text))
    starts = [mark.start() for mark in marks] + [len(text)]
    before, said = text[: starts[0]].rstrip(), ""
    rest = text[starts[0] :]
    if marks and marks[0][1] == "Parameters":
        said, rest = text[marks[0].end() : starts[1]].rstrip(), text[starts[1] :]
    entries = {}  # of every parameter that is described; `a, b` is one entry for both
    for entry in re.split(r"\n(?=\S)", said) if said else []:
        entries.update(dict.fromkeys(map(str.strip, entry.partition("\n")[0].split(",")), entry))
    lines = [entries.get(name) or _from_table(name) for name in parameters]
    section = "Parameters\n----------\n" + "\n".join(dict.fromkeys(line for line in lines if line))
    return "\n\n".join(part for part in (before, section, rest) if part)


def shared_sections(doc: str | None) -> str:
    """Return the sections Parameters and Returns of a docstring, for a method that has the same."""
    text = inspect.cleandoc(doc or "")
    marks = list(_SECTION.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return "".join(
        "\n\n" + text[mark.start() : end].strip()
        for mark, end in zip(marks, ends, strict=True)
        if mark[1] in ("Parameters", "Returns")
    )


def _from_table(name: str) -> str:
    import textwrap

    text = PARAMETERS.get(name)
    if text is None:
        return ""
    return f"{name}\n" + textwrap.fill(text, _WIDTH, initial_indent="    ", subsequent_indent="    ")
