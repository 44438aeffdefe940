"""Pictures of ensembles, graphs, trees and results; each first computes its data as arrays and then draws them.

>>> import graphens as ge
>>> r = ge.eac([[0, 0], [0, 0], [1, 1], [1, 0]], 2)
>>> shown = ge.plot.CoassociationDisplay.from_consensus(r)
>>> shown.similarity.shape
(4, 4)
"""

from .choosing import CdfDisplay, ChoiceDisplay, CurveDisplay, ExplanationDisplay, PanelDisplay
from .cluster_maps import ClusterMapDisplay
from .colors import color, colors, inherited
from .display import Display
from .flows import FlowDisplay
from .graphs import GraphDisplay, HypergraphDisplay
from .heatmap import CoassociationDisplay
from .landscapes import LandscapeDisplay
from .method_maps import MethodsDisplay, RanksDisplay
from .moving import IslandsDisplay, animate
from .object_pictures import ConfidenceDisplay, FrequencyDisplay, MapDisplay, ScatterDisplay
from .of_consensus import draw_consensus
from .partitions import PartitionsDisplay
from .strips import ClusterTreeDisplay, TrackingDisplay
from .trees import DendrogramDisplay

__all__ = [
    "CdfDisplay", "ChoiceDisplay", "ClusterMapDisplay", "ClusterTreeDisplay",
    "CoassociationDisplay", "ConfidenceDisplay", "CurveDisplay", "DendrogramDisplay", "Display",
    "ExplanationDisplay", "FlowDisplay", "FrequencyDisplay", "GraphDisplay", "HypergraphDisplay", "IslandsDisplay",
    "LandscapeDisplay", "MapDisplay", "MethodsDisplay", "PanelDisplay", "PartitionsDisplay", "RanksDisplay",
    "ScatterDisplay", "TrackingDisplay", "animate", "color", "colors", "draw_consensus", "inherited",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
