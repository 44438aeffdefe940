"""Data sets of the papers: shapes generated from their descriptions, data of scikit-learn, and your own files."""

from .alleles import allele_profiles
from .catalog import load, names

__all__ = ["allele_profiles", "load", "names"]


def __dir__() -> list[str]:
    return sorted(__all__)
