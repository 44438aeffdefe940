"""The data of the papers: their shapes made anew from descriptions, what scikit-learn ships, and files of your own."""

from .alleles import allele_profiles
from .catalog import load, names

__all__ = ["allele_profiles", "load", "names"]


def __dir__() -> list[str]:
    return sorted(__all__)
