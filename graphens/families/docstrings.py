"""The docstrings of consensus functions: sections that many share are written once here, and added where they lack."""

from __future__ import annotations

import inspect
import re
from textwrap import fill

from .references import in_words

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
    "adjusted": "Whether to leave out partitions that agree with the others only by chance, since entropies favor "
    "small clusters. Objects with labels only in such partitions are assigned last, to the cluster they are most often "
    "together with, or get −1 if nothing links them to a cluster. False gives the form of the paper. With labels on "
    "disk, all partitions are used.",
    "linkage": '``"single"``, ``"average"`` or ``"complete"``.',
    "X": "Features, one row per object.",
    "sample": "Maximum number of distinct label rows for which the tree has all objects. Beyond that, it has a random "
    "sample of this many objects, and every other object joins the cluster with the largest mean S.",
    "methods": "The panel: names from `graphens.methods`, in order of preference.",
    "average": 'What the mutual information is divided by: the ``"geometric"``, ``"arithmetic"``, ``"min"`` or '
    '``"max"`` of the two entropies, or their ``"joint"`` entropy.',
    "order": 'Partitions as ``"given"``, ``"shuffled"`` by the seed, or those with the ``"most"`` clusters first.',
    "sweeps": "Maximum number of passes over all objects.",
    "G": "The network: a networkx or igraph graph, or a `Graph`, with its vertices in the order of the objects or "
    "matched by name. Without a network, all pairs of objects that are ever together are its edges.",
    "base": 'The community algorithm: "leiden", "louvain", "louvain-1" (its first level), "label-propagation", '
    '"infomap", "walktrap", "fast-greedy", or your own partitioner that finds k, by name or as a function '
    "``(graph, k, *, seed)``.",
    "resolution": "Larger values give more and smaller communities.",
}
_WIDTH = 112
_CUT = """Consensus
    ``details``: "cut" and "balance" of the parts, "partitioner", and on small graphs "search" (see `Partition`)."""
_EXAMPLE = """\
>>> import graphens as ge
>>> labels = [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
>>> ge.{}(labels, 3{}).labels.tolist()
[0, 0, 0, 1, 1, 2, 2]"""
_ORDER = ("Parameters", "Returns", "Notes", "References", "Examples")


def sections_of(doc: str | None) -> dict[str, str]:
    """Return the sections of a docstring by name; the text before them is called ""."""
    start, *rest = re.split(r"^(\w[\w ]*)\n-+\n", inspect.cleandoc(doc or ""), flags=re.MULTILINE)
    return {"": start.rstrip()} | dict(zip(rest[::2], map(str.rstrip, rest[1::2]), strict=True))


def joined(sections: dict[str, str]) -> str:
    """Return a docstring from its sections, without those that are empty."""
    order = dict.fromkeys(("", *(name for name in _ORDER if name in sections), *sections))
    return "\n\n".join(f"{n}\n{'-' * len(n)}\n{sections[n]}" if n else sections[n] for n in order if sections[n])


def complete(doc: str, parameters: list[str], *, name: str = "", reference: str = "") -> str:
    """Add what a docstring lacks: shared descriptions of parameters, in their order, papers, and an example of `name`.

    >>> complete("Cut a graph.", ["seed"]).splitlines()[2:]
    ['Parameters', '----------', 'seed', '    The same seed gives the same result.']
    """
    sections = sections_of(doc)
    entries = {}  # of every parameter that is described; `a, b` is one entry for both
    for entry in re.split(r"\n(?=\S)", sections.get("Parameters", "")):
        entries.update(dict.fromkeys(map(str.strip, entry.partition("\n")[0].split(",")), entry))
    for one in (set(PARAMETERS) & set(parameters)) - set(entries):
        entries[one] = f"{one}\n" + fill(PARAMETERS[one], _WIDTH, initial_indent="    ", subsequent_indent="    ")
    sections["Parameters"] = "\n".join(dict.fromkeys(entries[one] for one in parameters if one in entries))
    if name:
        sections.setdefault("Returns", _CUT if "partitioner" in parameters else "Consensus")
        sections.setdefault("Examples", _EXAMPLE.format(name, ", seed=0" * ("seed" in parameters)))
    if reference:
        sections.setdefault("References", fill(in_words(reference), _WIDTH))
    return joined(sections)
