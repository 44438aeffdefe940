"""The versions of packages and the machine, for a bug report or the methods section of a paper."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

from ._lib.memory import budget, readable
from ._lib.threads import n_threads
from .cutting import partitioners

__all__ = ["Versions", "show_versions"]

#: what graphens asks for in pyproject.toml, then what comes along and matters
PACKAGES = (
    "numpy", "scipy", "numba", "llvmlite", "networkx", "igraph", "scikit-learn", "narwhals",
    "pymetis", "mtkahypar", "matplotlib", "joblib", "threadpoolctl", "pandas", "polars", "pyarrow",
    "dask", "distributed", "xarray", "arviz", "anndata", "openpyxl", "argcomplete",
)  # fmt: skip
_VARIABLES = ("GRAPHENS_", "NUMBA_", "OMP_", "MKL_", "OPENBLAS_", "PYTHONHASHSEED", "PYTHON_GIL")


class Versions(dict[str, str | None]):
    """Installed versions by name, None for a package that is not installed. As text, it is a table.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.show_versions()["graphens"] == ge.__version__
    True
    """

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:{width}}  {number or 'not installed'}" for name, number in self.items())


def show_versions() -> Versions:
    """Return the versions of graphens, Python and all packages, and what is known of the machine.

    Paste it into a bug report: ``print(ge.show_versions())``, or ``graphens versions`` on the command line. Nothing is
    sent anywhere. The paths and the variables that it shows may contain your name.

    Returns
    -------
    Versions
        A dict of text, None for a package that is not installed.

    Examples
    --------
    >>> import graphens as ge
    >>> print(ge.show_versions())
    graphens       ...
    Python         3...
    platform       ...
    """
    from . import __version__
    from .kernels._store import places, writable

    free_threaded = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else ", free-threaded"
    no_metis = "not in use: pymetis is not installed; the spectral partitioner is used instead"
    memory = ""
    with suppress(AttributeError, OSError, ValueError):  # not every system reports it
        memory = f"{readable(os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE'))}, of which "
    versions = Versions(
        {
            "graphens": __version__,
            "Python": f"{platform.python_version()} ({platform.python_implementation()}{free_threaded})",
            "platform": platform.platform(),
            "cores": str(n_threads()),
            "memory": f"{memory}graphens may use {readable(budget())}",
            "METIS": "in use" if partitioners["metis"].available else no_metis,
            "BLAS": _blas(),
            "compiled code": next(map(str, filter(writable, places())), "not kept: no folder can be written"),
        }
    )
    for name in PACKAGES:
        versions[name] = None
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    versions.update((name, value) for name, value in sorted(os.environ.items()) if name.startswith(_VARIABLES))
    return versions


def _blas() -> str:
    """The loaded libraries for linear algebra, on which the last digits of results depend."""
    from threadpoolctl import threadpool_info

    libraries = [one for one in threadpool_info() if one["user_api"] == "blas"]
    versions = {f"{one['internal_api']} {one['version']} ({one['num_threads']} threads)" for one in libraries}
    return ", ".join(sorted(versions)) or "unknown"
