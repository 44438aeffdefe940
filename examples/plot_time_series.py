"""
Which view of a time series should be clustered?
================================================

A time series can be represented as a curve, as frequencies or as windows, and each view shows something that the others
hide. You do not have to choose: cluster every view, and combine the clusterings.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphens as ge

# %%
# Four kinds of series
# --------------------
# The series rise or fall, and they oscillate or not.

rng = np.random.default_rng(0)
kind, time = np.repeat(np.arange(4), 40), np.linspace(0, 1, 96)
rises, swings = kind[:, None] % 2, kind[:, None] // 2
slope = rng.uniform(1, 3, (160, 1)) * np.where(rises, 1, -1)
wave = np.sin(
    2 * np.pi * rng.uniform(8, 14, (160, 1)) * time + rng.uniform(0, 2 * np.pi, (160, 1))
)
series = slope * (time - 0.5) + swings * wave + rng.normal(scale=0.3, size=(160, 96))

# %%
# Two views
# ---------
# A straight line through each series captures only the trend; the mean step from one point to the next captures only
# the oscillation. We make ten clusterings of each view, with two or three clusters.


def trend(series: np.ndarray) -> np.ndarray:
    return ge.generators.pcf(series, degree=1)[:, 1:]


def step(series: np.ndarray) -> np.ndarray:
    return np.abs(np.diff(series)).mean(axis=1, keepdims=True)


e = ge.generate(series, 20, k=(2, 3), representations=[trend, step], seed=0)
found = {
    "trend alone": ge.eac(e.take(partitions=range(0, 20, 2)), 4, linkage="average"),
    "step alone": ge.eac(e.take(partitions=range(1, 20, 2)), 4, linkage="average"),
    "together": ge.eac(e, 4, linkage="average"),
}
scores = {name: ge.measures.ari(kind, r.labels) for name, r in found.items()}
for name, score in scores.items():
    print(f"{name:12} ARI {score:.2f}")

# %%
# Neither view alone can distinguish the four kinds; their clusterings together can.

labels = ge.match(kind, found["together"].labels).relabel(found["together"].labels)
for c in range(4):
    figure, ax = plt.subplots(figsize=(4.6, 2.8), layout="constrained")
    members = np.flatnonzero(labels == c)
    ax.plot(time, series[members].T, color=ge.plot.color(c), linewidth=0.4, alpha=0.3)
    ax.plot(time, series[members[0]], color=ge.plot.color(c), linewidth=1.6)
    ax.set_title(f"Cluster {c}: {len(members)} series, one in bold", loc="left", fontsize=11)
    ax.set(xlabel="time", ylim=(series.min(), series.max()))
    ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# What to try next
# ----------------
#
# - ``representations=["pcf", "dcf", "pls", "pdwt"]`` uses the four views of the paper: polynomials, Fourier
#   coefficients, windows and wavelets.
# - ``ge.wce(e, 4, X=X)`` weights the clusterings by validity indices.
#
# **Paper.** Y. Yang and K. Chen, *Temporal data clustering via weighted clustering ensemble with different
# representations*, IEEE Transactions on Knowledge and Data Engineering 23, 2011.
# https://doi.org/10.1109/TKDE.2010.112
