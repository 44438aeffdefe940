"""Cutting graphs and hypergraphs into parts: `partition`, the partitioners and their registry."""

from .entry import partition
from .partitioner_registry import Partitioner, partitioners, register_partitioner

__all__ = ["Partitioner", "partition", "partitioners", "register_partitioner"]
