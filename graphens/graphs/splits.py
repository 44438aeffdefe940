"""How often the clusters of a result are split by partitions that are not finer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._lib.arrays import IntArray

COARSE = 1.5  # times k: partitions with more clusters split every cluster, and rightly so
_SHOWN = 3  # groups of clusters in a sentence
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
            f"Your clusterings are finer than the result ({self.finer_range}): two members of a cluster may be linked "
            "only through others."
        )

    def sentence(self, names: Sequence[str], cluster: int | None = None) -> str:
        """Return which clusters most of the partitions split, or whether one does; nothing if there are none."""
        share = self.split / np.maximum(self.judged, 1)
        often = np.flatnonzero((share > 0.5) & (self.coarse >= _ASKED)).tolist()
        groups: dict[tuple[int, int], list[int]] = {}
        for c in sorted(often, key=lambda c: -share[c]):
            if cluster in (None, c):
                groups.setdefault((int(self.split[c]), int(self.judged[c])), []).append(c)
        coarse = f" with at most {int(COARSE * len(names))} clusters" if len(self.finer) else ""
        sentences = [
            f"{_name([names[c] for c in group], len(names))} split in {split} of {judged} clusterings{coarse}"
            for (split, judged), group in groups.items()
        ]
        others = sum(map(len, list(groups.values())[_SHOWN:]))
        more = [f"{others} more {'is' if others == 1 else 'are'} split in more than half of them"] if others else []
        return "; ".join(sentences[:_SHOWN] + more)


def _name(names: Sequence[str], total: int) -> str:
    """Clusters as the subject of a sentence, with its verb."""
    if len(names) == total > 1:
        return "every cluster is"
    return f"cluster {names[0]} is" if len(names) == 1 else f"clusters {', '.join(names[:-1])} and {names[-1]} are each"
