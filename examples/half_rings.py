"""Fifty k-means clusterings that are all wrong, and the two rings they add up to.

Run it with ``python examples/half_rings.py [picture.png]``; it needs Matplotlib.

k-means cuts curved clusters into pieces. The pieces differ from run to run, but neighbours on a ring keep meeting in
the same piece: the spanning forest of the co-association graph follows the rings and does not cross between them.
"""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt
from matplotlib.collections import LineCollection

import graphens as ge

COLORS = ["#4878a8", "#e98b49", "#4aa37c"]


def main(picture: str) -> None:
    """Generate, combine, draw."""
    X, truth = ge.datasets.load("half-rings", seed=0)
    e = ge.generate(X, n_partitions=50, k=(10, 30), seed=0)
    r = ge.eac(e)
    print(r)
    print(f"  error       {ge.measures.error_rate(truth, r.labels):.1%} of the objects")

    figure, (one, forest, found) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    one.scatter(*X.T, c=e.labels[:, 0], cmap="tab20", s=10)
    one.set_title(f"One of 50 k-means clusterings, k = {e.n_clusters[0]}")

    source, target, weight = ge.coassociation(e).spanning_forest().edges()
    lines = LineCollection(
        [X[[i, j]] for i, j in zip(source, target, strict=True)], cmap="viridis", linewidths=1.6
    )
    lines.set_array(weight)
    forest.add_collection(lines)
    scale = forest.inset_axes([0.2, -0.04, 0.6, 0.035])  # inside its panel: all three stay of one size
    figure.colorbar(lines, cax=scale, orientation="horizontal", label="share of clusterings")
    forest.set_title("Co-association graph: spanning forest")

    found.scatter(*X.T, c=[COLORS[label] for label in r.labels], s=10)
    found.set_title(f"Consensus: {r.k} clusters live longest")
    for ax in (one, forest, found):
        ax.set(aspect="equal", xlim=one.get_xlim(), ylim=one.get_ylim())
        ax.set_axis_off()
    figure.savefig(picture, dpi=140)
    print(f"picture in {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "half_rings.png")
