"""The consensus functions, one file per family, and their registry."""

from .combine import combine
from .cumulative import cumulative
from .evidence import eac
from .label_space import ivc, mixture, neace, qmi
from .registry import Method, methods
from .voting import bagclust1, bagclust2, mlmap, vote

__all__ = [
    "Method",
    "bagclust1",
    "bagclust2",
    "combine",
    "cumulative",
    "eac",
    "ivc",
    "methods",
    "mixture",
    "mlmap",
    "neace",
    "qmi",
    "vote",
]
