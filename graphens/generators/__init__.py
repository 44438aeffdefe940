"""Ensembles from data: many clusterings of the same objects, each seen a little differently."""

from .ensembles import generate
from .recipe import default_k
from .representations import dcf, pcf, pdwt, pls

__all__ = ["dcf", "default_k", "generate", "pcf", "pdwt", "pls"]
