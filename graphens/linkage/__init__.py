"""Merging: dendrograms of similarity graphs."""

from .agglomerate import link
from .paths import path_based

__all__ = ["link", "path_based"]
