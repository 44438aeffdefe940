"""Read partitions in any form (tables, vectors, communities, dicts) as label vectors of the same length."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set as AbstractSet
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import MISSING, AnyArray, FloatArray, LabelArray, as_int, as_numbers, as_weights, narrowest
from .._lib.frames import as_frame, as_series
from ..errors import InputError, OrientationWarning, TypeMismatch, did_you_mean, quote, warn
from .encoding import as_array, encode, widened
from .names import Names, align, as_names, index_names, named_partitions, question_names, row_names


def are_memberships(tables: Any) -> bool:
    """Whether something is a list of tables rather than a table of labels."""
    if not isinstance(tables, (list, tuple)):
        return False
    try:
        return len(tables) > 0 and all(np.ndim(table) == 2 for table in tables[:2])
    except ValueError:  # rows of different lengths: whatever it is, the reader of labels can say what is wrong
        return False


def scaled(table: ArrayLike, where: str) -> FloatArray:
    """Check a table of memberships and scale its rows to sum to 1; rows of NaN become rows of zeros."""
    values = np.array(as_numbers(table, f"{where}: the memberships"))
    if values.ndim != 2 or values.shape[1] == 0:
        raise InputError(f"{where} has memberships of shape {values.shape}; expected n_objects × n_clusters.")
    values[np.isnan(values).all(axis=1)] = 0
    if not np.isfinite(values).all() or values.min(initial=0) < 0:
        raise InputError(
            f"{where} has a negative or infinite membership, or one NaN among numbers; expected finite values of "
            "zero or more, and a whole row of NaN or zeros where an object is absent."
        )
    total = values.sum(axis=1, keepdims=True)
    return np.divide(values, total, out=values, where=total > 0)


def strongest_columns(table: FloatArray) -> LabelArray:
    """Return the strongest column of every row, the first where tied; −1 for a row of zeros."""
    return np.where(table.any(axis=1), table.argmax(axis=1), MISSING).astype(np.int32)


#: labels that many tables mean as missing
_MARKS = ("?", "-", "--", ".", "k.A.", "k. A.", "#NV", "#N/A", "N/A", "n/a", "n.a.", "<NA>", "NULL")
#: columns above which a table with few rows is refused: each takes some time, and such a table is transposed
MOST_COLUMNS = 100_000


class Columns(NamedTuple):
    """One label vector per partition, and the names that came with them."""

    labels: list[Any]
    partition_names: Sequence[str] | None = None
    object_names: Names | None = None

    def n_objects(self) -> int:
        """Check that there is something to combine and that all label vectors have the same length."""
        if not self.labels:
            raise InputError("No partition was given; expected at least one column of labels.")
        # an array without a dimension has a length only in name
        lengths = [
            len(column) if hasattr(column, "__len__") and getattr(column, "shape", None) != () else -1
            for column in self.labels
        ]
        if min(lengths) < 0:
            odd = lengths.index(-1)
            raise TypeMismatch(
                f"Partition {odd} is of type {type(self.labels[odd]).__name__}; expected a label vector."
            )
        if len(set(lengths)) > 1:
            odd = next(t for t, length in enumerate(lengths) if length != lengths[0])
            raise InputError(
                f"Partition {odd} has {lengths[odd]} labels and partition 0 has {lengths[0]}; expected one label for "
                "every object in every partition, −1 or None where an object is absent."
            )
        if lengths[0] == 0:
            raise InputError("No object was given; expected at least one row of labels.")
        return lengths[0]


# tables: objects in rows -----------------------------------------------------------------------------------


def from_table(labels: Any) -> Columns:
    """Split a table of labels, objects in rows, into its columns."""
    frame = as_frame(labels)
    table: Any = _as_table(labels) if frame is None else frame.table
    if len(table.shape) != 2:
        raise InputError(
            f"Labels of shape {table.shape} were given; expected n_objects × n_partitions. "
            "For separate label vectors, communities or node dicts use Ensemble.from_partitions([first, second, …])."
        )
    refuse_transposed(*table.shape)
    if frame is None:
        return Columns(list(table.T))
    default = type(frame.table.to_native().columns).__name__ == "RangeIndex"
    names = None if default else [str(name) for name in frame.names]
    return Columns(list(frame.table.iter_columns()), names, row_names(frame))


def refuse_transposed(n_rows: int, n_columns: int) -> None:
    """Refuse a table with so many columns that reading each on its own would take minutes."""
    if n_columns > max(MOST_COLUMNS, 10 * n_rows):
        raise InputError(
            f"A table of {n_rows} × {n_columns} labels was given: it looks transposed. Rows are objects, columns are "
            "partitions; for one label vector per partition use Ensemble.from_partitions."
        )


def _refuse_others(labels: Any) -> None:
    """Refuse other kinds of input that graphens can use, and say which function takes them."""
    kind = type(labels)
    if hasattr(kind, "obs") and hasattr(kind, "uns"):
        advice = 'sc.consensus(adata, "leiden_*") reads columns of obs, and sc.ensemble returns them.'
    elif hasattr(kind, "edges") or hasattr(kind, "es"):
        advice = "communities(graph) finds the communities of a network."
    elif isinstance(labels, (str, Path)):
        advice = "Read a file first, as with pandas.read_csv, or give it to graphens consensus on the command line."
    elif hasattr(kind, "tocsr"):
        advice = "Ensemble(matrix.toarray()) reads a sparse matrix of labels."
    else:
        return
    shown = quote(labels) if isinstance(labels, (str, Path)) else f"An object of type {kind.__name__}"
    raise TypeMismatch(f"{shown} was given; expected labels: a table, n_objects × n_partitions. {advice}")


def _as_table(labels: Any) -> AnyArray:
    _refuse_others(labels)
    if isinstance(labels, (AbstractSet, bytes)) or not hasattr(labels, "__len__"):
        raise TypeMismatch(
            f"An object of type {type(labels).__name__} was given; expected a table of labels, n_objects × "
            "n_partitions. For separate label vectors use Ensemble.from_partitions."
        )
    try:
        table = as_array(labels)
    except ValueError:  # rows with masks
        raise _ragged_error(labels) from None
    if table.ndim == 1 and table.dtype == object and any(isinstance(row, (list, tuple, np.ndarray)) for row in table):
        raise _ragged_error(labels)
    return table


def _ragged_error(labels: Any) -> InputError:
    lengths = sorted({len(row) if hasattr(row, "__len__") else 0 for row in labels})
    return InputError(
        f"The rows of labels have different lengths ({', '.join(map(str, lengths[:5]))}); expected one label of "
        "every partition for each object, −1 or None where an object is absent. For communities, one list of "
        "nodes each, use Ensemble.from_partitions."
    )


# one thing per partition -----------------------------------------------------------------------------------


def from_partitions(partitions: Any, object_names: ArrayLike | None = None) -> Columns:
    """Read one label vector, list of communities or node dict per partition."""
    if as_frame(partitions) is not None:  # a frame holds its columns
        return from_table(partitions)
    _refuse_others(partitions)
    names: list[str] | None = None
    if isinstance(partitions, Mapping):
        value = next(iter(partitions.values()), ())
        if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
            raise InputError(
                f"A mapping of names to single labels was given ({quote(value)} is the first); expected a label vector "
                "for each name. One partition as a node dict goes into a list: Ensemble.from_partitions([nodes])."
            )
        names, partitions = [str(name) for name in partitions], partitions.values()
    if isinstance(partitions, bytes) or not isinstance(partitions, Iterable):
        raise TypeMismatch(
            f"An object of type {type(partitions).__name__} was given; expected a list with one label vector, one "
            "list of communities or one node dict per partition."
        )
    columns = [_unwrap(partition, t) for t, partition in enumerate(partitions)]
    if any(_names_nodes(partition) for partition in columns):
        return _by_node(columns, names, object_names)
    if names is None:  # those of Series, if all are different
        series = [column.name for column in map(as_series, columns) if column is not None]
        texts = [str(name) for name in series if name is not None and name != ""]
        names = texts if texts and len(set(texts)) == len(columns) else None
    return Columns(columns, names, _common_index(columns))


def _unwrap(partition: Any, t: int) -> Any:
    """The labels or communities inside results of other packages."""
    if isinstance(partition, AbstractSet):
        raise TypeMismatch(
            f"Partition {t} is a {type(partition).__name__}, which is one community; expected a list of communities "
            "for each partition: Ensemble.from_partitions([communities, more_communities, …])."
        )
    if hasattr(partition, "membership") and hasattr(partition, "graph"):  # igraph
        return list(partition.membership)
    if hasattr(partition, "communities") and not callable(partition.communities):  # cdlib
        return list(partition.communities)
    if isinstance(partition, Iterable) and not hasattr(partition, "__len__"):
        return list(partition)
    return list(partition) if type(partition).__name__ == "dict_values" else partition


def _names_nodes(partition: Any) -> bool:
    """Whether a partition is a dict or a list of groups of nodes; labels are never groups."""
    if not isinstance(partition, (list, tuple)) or not len(partition):
        return isinstance(partition, Mapping)
    kinds = (AbstractSet, list, tuple, np.ndarray, range)
    return isinstance(partition[0], kinds) and all(isinstance(group, kinds) for group in partition)


def _by_node(columns_of_nodes: list[Any], names: list[str] | None, object_names: ArrayLike | None) -> Columns:
    """Label vectors over all nodes that occur, in the order of the dicts, or sorted if there are communities."""
    if not all(map(_names_nodes, columns_of_nodes)):
        odd = next(t for t, partition in enumerate(columns_of_nodes) if not _names_nodes(partition))
        raise InputError(
            f"Partition {odd} is a label vector, while others name their objects; expected one kind throughout."
        )
    ordered = all(isinstance(partition, Mapping) for partition in columns_of_nodes)
    dicts = [p if isinstance(p, Mapping) else _node_dict(p, t) for t, p in enumerate(columns_of_nodes)]
    nodes = list(dict.fromkeys(chain.from_iterable(dicts)))
    nodes = nodes if ordered else in_order(nodes)
    # Names that were given say which objects there are, and in which order.
    objects = Names(as_names(nodes if object_names is None else object_names))
    places = objects.places(nodes)
    if None in places:
        strange = nodes[places.index(None)]
        raise InputError(f"{quote(strange)} is not among the object names; expected a name for every node.")
    place: Any = dict(zip(nodes, places, strict=True))
    columns: list[list[Any]] = [[None] * len(objects) for _ in dicts]
    for column, labels in zip(columns, dicts, strict=True):
        for node, label in labels.items():
            column[place[node]] = label
    return Columns(columns, names, objects)


def _node_dict(communities: Sequence[Any], t: int) -> dict[Hashable, int]:
    try:
        community = {node: c for c, group in enumerate(communities) for node in group}
    except TypeError as error:
        raise TypeMismatch(f"Partition {t} has communities with values that cannot be nodes: {error}.") from None
    if len(community) < sum(len(set(group)) for group in communities):
        twice = next(n for c, group in enumerate(communities) for n in group if community[n] != c)
        raise InputError(
            f"Partition {t} has {quote(twice)} in more than one community; expected communities that do not overlap."
        )
    return community


def in_order(nodes: list[Any]) -> list[Any]:
    """Return nodes sorted by value or, if they cannot be compared, by type and text."""
    try:
        return sorted(nodes)
    except TypeError:
        return sorted(nodes, key=lambda node: (type(node).__name__, str(node)))


# frames and series -----------------------------------------------------------------------------------------


def _common_index(partitions: Sequence[Any]) -> Names | None:
    """The names of objects that pandas columns share; columns about different objects are an error."""
    columns = [column for column in map(as_series, partitions) if column is not None]
    indexed = [column.to_native().index for column in columns if hasattr(column.to_native(), "iloc")]
    # Rows that are only counted are matched by place; lengths are checked later.
    counted = all(type(one).__name__ == "RangeIndex" for one in indexed)
    if not counted and not all(one.equals(indexed[0]) for one in indexed[1:]):
        raise InputError(
            "The pandas columns have different indexes, so they describe different objects, or the same objects in a "
            "different order. Align them first, e.g. with pandas.DataFrame(columns), which Ensemble takes as it is."
        )
    if not columns:
        return None
    backend = str(columns[0].implementation.value)
    shared = bool(indexed) and len(indexed) == len(partitions)
    return index_names(columns[0], backend) if shared else Names(("x", len(columns[0])), backend=backend)


# the fields of an ensemble ----------------------------------------------------------------------------------


def label_fields(
    labels: Any,
    weights: ArrayLike | None = None,
    object_weights: ArrayLike | None = None,
    partition_names: Sequence[str] | None = None,
    object_names: ArrayLike | None = None,
) -> dict[str, Any]:
    """The fields of an ensemble of labels of any form; warn if a table looks transposed.

    A mapping and a list of Series have one partition each; everything else is a table with objects in rows.
    """
    listed = isinstance(labels, (list, tuple)) and len(labels) > 0
    table = not (isinstance(labels, Mapping) or (listed and all(as_series(column) is not None for column in labels)))
    columns = from_table(labels) if table else from_partitions(labels, object_names)
    fields = encoded_fields(columns, weights, object_weights, partition_names, object_names)
    if table:
        n_partitions, n_objects = fields["codes"].shape  # a list is easily one of label vectors
        question_orientation(n_partitions, n_objects, 1 if listed and n_objects > 2 else 10)
    return fields


def encoded_fields(
    columns: Columns,
    weights: ArrayLike | None,
    object_weights: ArrayLike | None,
    partition_names: Sequence[str] | None,
    object_names: ArrayLike | None,
) -> dict[str, Any]:
    """Check the label vectors with their weights and names; names given by the caller have priority."""
    n_objects, n_partitions = columns.n_objects(), len(columns.labels)
    texts = columns.partition_names if partition_names is None else partition_names
    named = Names.given(texts, n_partitions, "P").texts()
    names = Names(("x", n_objects)) if columns.object_names is None else columns.object_names
    if object_names is not None:
        title = getattr(object_names if isinstance(object_names, Names) else as_series(object_names), "name", None)
        title = object_names.title if isinstance(object_names, Names) else title
        title = title if title is None or isinstance(title, tuple) else str(title) or None
        names = Names(*Names.given(object_names, n_objects).parts, title=title, backend=names.backend)
    question_names(names)
    codes = np.empty((n_partitions, n_objects), dtype=np.uint8)
    categories: list[AnyArray] = []
    for t, column in enumerate(columns.labels):
        row, labels = encode(column, f"Partition {t if texts is None else named[t]}")
        codes = widened(codes, max(narrowest(max(len(labels) - 1, 0)), codes.dtype, key=lambda kind: kind.itemsize))
        codes[t] = row.astype(codes.dtype)  # −1 wraps to the largest number of the type: the sentinel
        categories.append(labels)
    _question_marks(named, categories)
    if weights is not None:
        weights = align(weights, named_partitions(named), "weights")
    if object_weights is not None:
        object_weights = align(object_weights, names, "object_weights")
    return {
        "codes": codes,
        "n_clusters": np.array([len(labels) for labels in categories], dtype=np.int64),
        "weights": as_weights(weights, n_partitions, "partitions"),
        "object_weights": as_weights(object_weights, n_objects, "objects", positive=True),
        "partition_names": tuple(named),
        "_names": names,
        "categories": tuple(categories),
    }


def _question_marks(names: Sequence[str], categories: Sequence[AnyArray]) -> None:
    """Warn once if a label looks like a code for missing labels but is read as a cluster."""
    marks = [
        (name, label)
        for name, labels in zip(names, categories, strict=True)
        if labels.dtype == object
        for label in _MARKS
        if label in labels
    ]
    if marks:
        name, label = marks[0]
        more = f", and {len(marks) - 1} more like it" if len(marks) > 1 else ""
        warn(
            f"Column {name!r} has the label {label!r}{more}, which is read as a cluster. If it marks a missing label, "
            f"replace it with None (on the command line: add --missing={label!r})."
        )


def question_orientation(n_partitions: int, n_objects: int, most: int = 10) -> None:
    """Warn if there are more than `most` times as many partitions as objects."""
    if n_partitions > most * n_objects:
        warn(
            f"{n_partitions} partitions of {n_objects} objects: the table looks transposed. Rows are objects, "
            "columns are partitions; for one label vector per partition use Ensemble.from_partitions (on the command "
            "line: turn the table first).",
            OrientationWarning,
        )


# columns about the draws, by R's posterior, CmdStanPy and ArviZ; iterations are counted in every chain
_CHAIN, _ITERATION = (".chain", "chain__", "chain"), (".iteration", "iter__", "draw", ".draw", "draw__")


class Read(NamedTuple):
    """Draws × objects, with their names if there are any."""

    table: AnyArray
    names: list[str] | None = None
    objects: Any = None


def read_draws(draws: Any, axis: int | tuple[int, int], variable: str | None) -> Read:
    """Read draws of any kind, see `Ensemble.from_draws`."""
    if isinstance(draws, Read):
        return draws
    if isinstance(draws, str | Path):
        from ..export.label_files import read_draw_table

        rows = read_draw_table(draws, variable)
        return _along(rows.table, rows.objects, axis, rows.names)
    if isinstance(draws, list | tuple) and draws and all(isinstance(one, str | Path) for one in draws):
        return _read_chains([read_draws(one, axis, variable) for one in draws])
    group = getattr(draws, "posterior", draws)
    if hasattr(group, "data_vars"):
        group = _variable(group, variable)
    if hasattr(group, "dims") and hasattr(group, "transpose"):
        return _read_dimensions(group)
    if isinstance(draws, dict) and draws:
        raise TypeMismatch(
            f"A dict of {', '.join(map(str, list(draws)[:10]))} was given; expected the draws of one of them, such as "
            f"draws[{next(iter(draws))!r}]."
        )
    frame = as_frame(draws)
    if frame is None:
        return _along(as_array(draws), None, axis)
    names = [str(name) for name in frame.names]
    wanted = set(object_columns(names, variable)) if axis == 0 else set(names)
    places = [j for j, name in enumerate(names) if name in wanted]
    about = {name: frame.table[name].to_list() for name in names if name in (*_CHAIN, *_ITERATION)}
    return _along(frame.table.to_numpy()[:, places], [names[j] for j in places], axis, draw_names(about))


def _read_chains(chains: Sequence[Read]) -> Read:
    """Put draws of several files, one for each chain, into one table."""
    sizes = [chain.table.shape[1] for chain in chains]
    if len(set(sizes)) > 1:
        raise InputError(f"Files with draws of {sizes} objects were given; expected chains of the same objects.")
    each = [chain.names or [f"draw {d}" for d in range(len(chain.table))] for chain in chains]
    names = [f"chain {c} {name}" for c, draws in enumerate(each) for name in draws]
    return Read(np.concatenate([chain.table for chain in chains]), names, chains[0].objects)


def object_columns(names: Sequence[str], variable: str | None) -> list[str]:
    """Return the columns of draws that are objects: z[1], z.2, … of a variable, or all except those of the sampler.

    These are .chain, .iteration, .draw (R's posterior), chain, draw (ArviZ) and lp__ and the like (Stan).
    """
    if variable is not None:
        chosen = [name for name in names if re.fullmatch(rf"{re.escape(variable)}[\[._]?\d+\]?", name)]
        if not chosen:
            stems = {re.sub(r"[\[._]?\d+\]?$", "", name): None for name in names}
            raise InputError.about(
                "variable", variable, f"one of {', '.join(list(stems)[:20])}", advice=did_you_mean(variable, stems)
            )
        return chosen
    of_samplers = [name for name in names if name in (*_CHAIN, *_ITERATION) or name.endswith("__")]
    if of_samplers:
        more = ", …" * (len(of_samplers) > 5)
        warn(f"Columns that samplers write about the draws are left out: {', '.join(of_samplers[:5])}{more}.")
    return [name for name in names if name not in of_samplers]


def draw_names(table: Mapping[str, Any]) -> list[str] | None:
    """Return the names "chain 1 draw 250" of draws in rows, if a column of the table says that they have several."""
    of_chain, of_draw = (next((name for name in known if name in table), None) for known in (_CHAIN, _ITERATION))
    if of_chain is None or len(set(table[of_chain])) < 2:
        return None
    numbers = range(len(table[of_chain])) if of_draw is None else table[of_draw]
    return [f"chain {c} draw {d}" for c, d in zip(table[of_chain], numbers, strict=True)]


def _along(
    table: AnyArray, names: Sequence[str] | None, axis: int | tuple[int, int], rows: list[str] | None = None
) -> Read:
    """Turn an array so that its draws come first; the names are those of its columns, and of draws in rows."""
    if isinstance(axis, tuple):
        if table.ndim != 3 or not set(axis) <= set(range(-3, 3)) or len({a % 3 for a in axis}) != 2:
            wanted = "two different axes, those of the chains and of their draws, of an array with three"
            raise InputError.about("axis", axis, wanted, because=f" for labels of shape {table.shape}")
        turned = np.moveaxis(table, axis, (0, 1))
        n_chains, n_draws, n = turned.shape
        named = [f"chain {c} draw {d}" for c in range(n_chains) for d in range(n_draws)]
        return Read(turned.reshape(n_chains * n_draws, n), named)
    along = as_int("axis", axis, -2, 1) % 2
    if table.ndim != 2:
        raise InputError(
            f"Labels of shape {table.shape} were given; expected draws × objects (axis=0) or objects × draws "
            "(axis=1). For chains × draws × objects use axis=(0, 1)."
        )
    fraction = next((cell for cell in table[0].tolist() if isinstance(cell, float) and cell % 1 > 0), None)
    if along == 0 and names is not None and fraction is not None:
        raise InputError(
            f"The first draw has the value {fraction:.4g}; expected cluster labels, which are whole numbers. If the "
            'table has several variables, choose the columns z[1], z[2], … with variable="z" (--variable).'
        )
    return Read(table, rows, names) if along == 0 else Read(table.T, None if names is None else list(names))


def _variable(group: Any, variable: str | None) -> Any:
    """One variable of a data set, by name, or the only one that has a dimension besides chains and draws."""
    candidates = [str(name) for name, one in group.data_vars.items() if len(set(one.dims) - {"chain", "draw"}) == 1]
    whole = [name for name in candidates if group[name].dtype.kind in "iu"]  # means and weights are no labels
    candidates = whole or candidates
    if variable is None and len(candidates) == 1:
        return group[candidates[0]]
    if variable is None or variable not in group.data_vars:
        close = "" if variable is None else did_you_mean(variable, candidates)
        wanted = f"the name of one with labels, among {', '.join(candidates)}"
        raise InputError.about("variable", variable, wanted, advice=close)
    return group[variable]


def _read_dimensions(array: Any) -> Read:
    """An array whose dimensions have names: chain, draw, and one for the objects."""
    over = [name for name in ("chain", "draw") if name in array.dims]
    rest = [name for name in array.dims if name not in over]
    if "draw" not in over or len(rest) != 1:
        raise InputError(
            f"Dimensions {', '.join(map(str, array.dims))} were given; expected draw, optionally chain, and one for "
            "the objects. Rename them, or pass the values and give axis=."
        )
    turned = array.transpose(*over, rest[0])
    coordinates = [np.asarray(array[name]).tolist() for name in over]
    names = [""]
    for dimension, values in zip(over, coordinates, strict=True):
        names = [f"{before} {dimension} {value}".strip() for before in names for value in values]
    objects = np.asarray(array[rest[0]]) if rest[0] in array.coords else None
    return Read(np.asarray(turned).reshape(len(names), -1), names, objects)
