"""How often the clusters of a result are split by partitions that are not finer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._lib.arrays import IntArray

COARSE = 1.5  # times k: partitions with more clusters split every cluster, and rightly so
_ASKED = 5  # partitions below which nothing is said about splits


class Splits(NamedTuple):
    """How often the clusters of a labeling are split: no base cluster has 90 % of the members that it could have."""

    split: IntArray  #: of each cluster, the number of partitions that split it
    judged: IntArray  #: the number of partitions that could
    coarse: int  #: partitions with at most 1.5 k clusters, which are asked
    finer: IntArray  #: the numbers of clusters of the other partitions

    @property
    def finer_range(self) -> str:
        """The numbers of clusters of the finer partitions; empty if enough others can be asked."""
        if self.coarse >= _ASKED or len(self.finer) <= self.coarse:
            return ""
        few, many = int(self.finer.min()), int(self.finer.max())
        return f"{few} clusters" if few == many else f"{few}–{many} clusters"

    @property
    def finer_sentence(self) -> str:
        """That the partitions are finer than the result, if they are; nothing is judged then."""
        return self.finer_range and (
            f"Your clusterings are finer than the result ({self.finer_range}); members of a cluster are linked "
            "through chains."
        )

    def sentences(self, names: Sequence[str]) -> dict[int, str]:
        """Return what is said about each cluster that most of the partitions split, the most split first."""
        share = self.split / np.maximum(self.judged, 1)
        often = np.flatnonzero((share > 0.5) & (self.coarse >= _ASKED)).tolist()
        which = f" with at most {int(COARSE * len(names))} clusters" if len(self.finer) else ""
        return {
            c: f"cluster {names[c]} is split in {self.split[c]} of {self.judged[c]} clusterings{which}"
            for c in sorted(often, key=lambda c: -share[c])
        }
