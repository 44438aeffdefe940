"""
What if clusters are rings and spirals?
=======================================

There are two solutions. Many k-means clusterings with small clusters follow the shapes when they are combined, or the
clusterings themselves follow the shapes. Neither is best for all data.
"""

import matplotlib.pyplot as plt

import graphens as ge

SHAPES = {
    "3-rings": ge.datasets.load("3-rings", seed=0),
    "2-spirals": ge.datasets.load("2-spirals", seed=0),
    "concentric circles": ge.datasets.load("concentric-circles", seed=0, n=500),
}

# %%
# Three consensus clusterings of each
# -----------------------------------
# We compare ``lwgp`` on ten k-means clusterings, evidence accumulation with single linkage on thirty k-means
# clusterings with many small clusters, and ``lwgp`` on ten spectral clusterings.


def cluster_three_ways(X, k: int) -> dict[str, ge.Consensus]:
    return {
        "k-means": ge.lwgp(ge.generate(X, 10, k=k, seed=0), k, seed=0),
        "evidence": ge.eac(ge.generate(X, 30, seed=0), k),
        "spectral": ge.lwgp(ge.generate(X, 10, k=k, base="spectral", seed=0), k, seed=0),
    }


found = {name: cluster_three_ways(X, truth.max() + 1) for name, (X, truth) in SHAPES.items()}
error = {
    name: {how: ge.measures.error_rate(SHAPES[name][1], r.labels) for how, r in row.items()}
    for name, row in found.items()
}
for name, row in error.items():
    print(f"{name:20}", ", ".join(f"{how} {wrong:.0%}" for how, wrong in row.items()))

# %%
# k-means with the right k fails on all three. Small k-means clusters, combined, find rings and spirals; spectral
# clusterings find rings and circles. In the circles, gaps along a circle are as wide as those between two circles.

figure, axes = plt.subplots(3, 3, figsize=(9, 8.6), layout="constrained")
for row, (name, (X, _)) in zip(axes, SHAPES.items(), strict=True):
    for ax, (how, r) in zip(row, found[name].items(), strict=True):
        ax.scatter(*X.T, c=ge.plot.colors(r.labels), s=6)
        ax.set_title(
            f"{name}, {how}: {error[name][how]:.0%} misplaced", loc="left", fontsize=9
        )
        ax.set_aspect("equal")
        ax.set_axis_off()
plt.show()

# %%
# What to try next
# ----------------
#
# - ``base="path"`` follows paths of small steps and finds all three, but needs n × n distances.
# - ``base="landmarks"`` is spectral clustering for millions of objects.
# - ``ge.consensus(e, k)`` automatically tries single linkage with outliers set aside.
#
# **Paper.** B. Fischer and J. M. Buhmann, *Bagging for path-based clustering*, IEEE Transactions on Pattern Analysis
# and Machine Intelligence 25, 2003. https://doi.org/10.1109/TPAMI.2003.1240115
