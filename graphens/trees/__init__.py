"""Merging: dendrograms of similarity graphs."""

from .agglomerate import link

__all__ = ["link"]
