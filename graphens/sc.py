"""Single-cell tables: consensus of the clusterings in the columns of `adata.obs`, without importing anndata.

Anything with a pandas frame `obs` and a mapping `uns` works. If there is an `obsm` too, the memberships are written
there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ._lib.arrays import LabelArray
from ._lib.stored import digest
from .choose.auto import consensus as combine
from .choose.eigengap import stable_level
from .errors import InputError, TypeMismatch
from .export.label_files import match_columns
from .families.registry import AnyMethod
from .graphs.affinity import affinity_of
from .labels.ensemble import Ensemble
from .result.consensus import Consensus

__all__ = ["consensus", "ensemble"]


def __dir__() -> list[str]:
    return sorted(__all__)


_SUFFIXES = ("_confidence", "_cohesion", "_rival")
_MARK = {"made_by": "graphens"}  # in uns, so that patterns leave our own columns out


def ensemble(adata: Any, keys: str | Sequence[str]) -> Ensemble:
    """Return the ensemble of some columns of `obs`.

    Parameters
    ----------
    adata
        An AnnData object, or anything with a pandas frame `obs`.
    keys
        Names of the columns, or patterns such as "leiden_*". A pattern never matches columns that `consensus` wrote;
        name these explicitly.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import pandas as pd
    >>> import graphens as ge
    >>> cells = SimpleNamespace(
    ...     obs=pd.DataFrame({"r_1": ["a", "a", "b"], "r_2": ["x", "y", "y"]}), uns={}
    ... )
    >>> ge.sc.ensemble(cells, "r_*").n_clusters.tolist()
    [2, 2]
    """
    if not hasattr(adata, "obs") or not hasattr(adata.obs, "columns"):
        raise TypeMismatch(f"A {type(adata).__name__} was given; expected an AnnData object with a frame `obs`.")
    return Ensemble(adata.obs[_columns(adata, _listed(keys))])


def consensus(
    adata: Any,
    keys: str | Sequence[str],
    k: int | None = None,
    *,
    method: AnyMethod = "auto",
    seed: int | None = None,
    key_added: str = "consensus",
    overwrite: bool = False,
    **options: Any,
) -> Consensus:
    """Combine the clusterings in columns of `obs`, and write the result to `adata`.

    Writes ``obs[key_added]`` (categories "0", "1", …, the largest cluster first; missing if a cell is in no
    clustering), ``obs[key_added + "_confidence"]``, ``obs[key_added + "_cohesion"]``, ``obs[key_added + "_rival"]``
    (the closest other cluster, missing if there is none), ``obsm[key_added + "_membership"]`` (one column per cluster)
    and ``uns[key_added]`` (method, parameters, number of clusters, stable levels, score, and why). All of it survives
    `write_h5ad`.

    Parameters
    ----------
    adata
        An AnnData object, or anything with a pandas frame `obs` and a mapping `uns`.
    keys
        Names of the columns, or patterns such as "leiden_*".
    k, method, seed, options
        As in `graphens.consensus`. Without k, if the clusters of several resolutions nest, ``r.choice.levels`` are the
        numbers of clusters that are stable, and the one that fits all columns best is written.
    key_added
        Name of the new column.
    overwrite
        Whether to replace columns of these names that graphens did not write, or that were changed since.

    Returns
    -------
    Consensus
        The result, with the same numbers of clusters: by size, not by first appearance.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import pandas as pd
    >>> import graphens as ge
    >>> columns = {"r_1": ["a", "a", "b", "b"], "r_2": ["x", "x", "y", "y"]}
    >>> cells = SimpleNamespace(obs=pd.DataFrame(columns), uns={})
    >>> r = ge.sc.consensus(cells, ["r_1", "r_2"], 2, method="eac")
    >>> cells.obs["consensus"].tolist(), cells.uns["consensus"]["method"]
    (['0', '0', '1', '1'], 'eac')
    """
    e = ensemble(adata, keys)
    if not overwrite:
        _refuse_taken(adata, key_added)
    automatic = k is None and method == "auto" and not {"rule", "panel", "by"}.intersection(options)
    if automatic:
        options["rule"] = stable_level
    r = combine(e, k, method=method, seed=seed, **options).by_size()
    if automatic and r.choice is not None:  # the call can be repeated with the number that was chosen
        r = r._replace(choice=replace(r.choice, rule="eigengap"), _call={**r._call, "k": r.k, "rule": None})
    written = {
        "": _categorical(r.labels, r.k),
        "_confidence": np.array(r.confidence),
        "_cohesion": np.array(r.cohesion),
        "_rival": _categorical(affinity_of(r).every_object.rival, r.k),
    }
    for end, column in written.items():
        adata.obs[f"{key_added}{end}"] = column
    if hasattr(adata, "obsm"):
        adata.obsm[f"{key_added}_membership"] = np.array(r.membership)
    adata.uns[key_added] = {
        **_MARK,
        "method": r.method,
        "params": {"keys": list(e.partition_names), **_plain(r.options)},
        "n_clusters": int(r.k),
        "levels": [] if r.choice is None else list(r.choice.levels),
        "score": float(r.score),
        "why": r.why,
        "checksums": [_checksum(place[name]) for place, name in _places(adata, key_added)],
    }
    return r


def _listed(keys: Any) -> list[str]:
    names = [keys] if isinstance(keys, str) else keys
    if not isinstance(names, Sequence) or not all(isinstance(key, str) for key in names):
        able = "names of columns in obs, or patterns such as 'leiden_*'"
        advice = "The number of clusters comes after them: consensus(adata, 'leiden_*', 12)."
        raise TypeMismatch.about("keys", keys, able, advice=advice)
    return list(names)


def _columns(adata: Any, keys: list[str]) -> list[str]:
    """The columns that match the names and patterns, each once, in the given order; patterns leave our own ones out."""
    if not keys:
        raise InputError("No column was named; expected the names of clusterings in obs.")
    columns = [str(column) for column in adata.obs.columns]
    return match_columns([one for one in columns if one in keys or not _ours(adata, one)], keys, (), "obs")


def _places(adata: Any, key: str) -> list[tuple[Any, str]]:
    """Where `consensus` writes, apart from uns."""
    places = [(adata.obs, key + end) for end in ("", *_SUFFIXES)]
    return places + ([(adata.obsm, f"{key}_membership")] if hasattr(adata, "obsm") else [])


def _checksum(column: Any) -> str:
    """A checksum of what a column shows, whatever its type."""
    values = np.asarray(column)
    return digest(values if values.dtype.kind == "f" else values.tolist())


def _refuse_taken(adata: Any, key: str) -> None:
    """Refuse to replace what `consensus` did not write, or what was changed since, such as names of cell types."""
    record = adata.uns.get(key)
    sums = list(record.get("checksums", [])) if _ours(adata, key) else []
    taken = [
        f"{'obs' if place is adata.obs else 'obsm'}[{name!r}]"
        for i, (place, name) in enumerate(_places(adata, key))
        if name in place and (i >= len(sums) or _checksum(place[name]) != sums[i])
    ]
    taken += [f"uns[{key!r}]"] if record is not None and not _ours(adata, key) else []
    if taken:
        raise InputError(
            f"{', '.join(taken)} would be replaced, which graphens did not write or which "
            f"{'was' if len(taken) == 1 else 'were'} changed since (leaving cells out is a change, too). Give another "
            "name with key_added=, or overwrite=True."
        )


def _ours(adata: Any, column: str) -> bool:
    """Whether `consensus` wrote this column."""
    key = next((column.removesuffix(end) for end in _SUFFIXES if column.endswith(end)), column)
    record = getattr(adata, "uns", {}).get(key)
    return isinstance(record, Mapping) and record.get("made_by") == _MARK["made_by"]


def _categorical(labels: LabelArray, k: int) -> Any:
    import pandas as pd

    return pd.Categorical.from_codes(labels, categories=[str(c) for c in range(k)])


def _plain(options: Any) -> dict[str, Any]:
    """Options in a form that a file can hold: text, numbers and booleans; others as text, and None left out."""
    return {
        name: value if isinstance(value, (str, bool, int, float)) else str(value)
        for name, value in options.items()
        if value is not None
    }
