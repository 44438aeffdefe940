"""Communities inside communities: one network, and what it falls into as the resolution rises.

Run it with ``python examples/networks.py [picture.png]``; it needs Matplotlib.

Nine groups of twelve, three by three closer to each other. Ten runs of Leiden at each resolution agree on three
communities over a long stretch and on nine over another; in between they do not stay the same.
"""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import graphens as ge


def nested(seed: int) -> nx.Graph:
    """Edges with a chance of .9 inside a group, .2 inside three groups, .01 elsewhere."""
    group = np.repeat(np.arange(9), 12)
    close = group // 3
    chance = np.where(group[:, None] == group, 0.9, np.where(close[:, None] == close, 0.2, 0.01))
    upper = np.triu(np.random.default_rng(seed).random(chance.shape) < chance, 1)
    made = nx.Graph()
    made.add_nodes_from(range(len(group)))
    made.add_edges_from(np.argwhere(upper).tolist())
    return made


def main(picture: str) -> None:
    """Find, draw."""
    G = nested(0)
    found = ge.networks.landscape(G, np.geomspace(0.25, 4, 9), 10, seed=0)
    print(found)

    figure, (left, middle, right) = plt.subplots(
        1, 3, figsize=(15, 4.6), layout="constrained", gridspec_kw={"width_ratios": [1, 1.1, 1.1]}
    )
    fine = found.consensus[-1]
    ge.Graph.of(G).plot(left, labels=fine.labels, seed=0)
    left.set_title(f"A network and its {fine.k} smallest communities", loc="left", fontsize=11)
    shown = ge.plot.LandscapeDisplay.from_landscape(found)
    shown.tree.plot(middle)
    shown.plot(right)
    figure.savefig(picture, dpi=110)
    print(f"picture in {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "networks.png")
