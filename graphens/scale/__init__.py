"""Labels that do not fit into memory: read from disk block by block, in threads or on a Dask cluster."""

from .generation import generate
from .run import consensus
from .scaled_consensus import ScaledConsensus
from .scanning import Scan, scan

__all__ = ["ScaledConsensus", "Scan", "consensus", "generate", "scan"]


def __dir__() -> list[str]:
    return sorted(__all__)
