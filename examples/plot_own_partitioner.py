"""
Can I bring my own graph partitioner?
=====================================

Many consensus functions cut a graph. The one who cuts is a function of a graph and a number of parts: here one of five
lines, which lines the vertices up along the Fiedler vector and cuts the line into equal pieces.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse.csgraph import laplacian
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import graphens as ge

# %%
# A partitioner
# -------------


def slices(graph: ge.Graph, k: int, *, seed: int) -> np.ndarray:
    _, vectors = np.linalg.eigh(laplacian(graph.to_scipy().toarray(), normed=True))
    labels = np.empty(graph.n_vertices, dtype=int)
    labels[np.argsort(vectors[:, 1], kind="stable")] = np.arange(graph.n_vertices) * k // graph.n_vertices
    return labels


# %%
# A battery of small graphs (stars, loose vertices, no edges at all) tells whether it keeps the promises that all
# partitioners make. No complaint: it does.

ge.testing.check_partitioner(slices)
ge.register_partitioner("slices", slices, about="equal pieces along the Fiedler vector")

# %%
# By name in every method
# -----------------------
# The co-association graph of the wines, cut by two partitioners of the library and by ours.

X, cultivar = load_wine(return_X_y=True)
e = ge.generate(StandardScaler().fit_transform(X), 30, seed=0)
answers = {name: ge.cspa(e, 3, partitioner=name, seed=0) for name in ("metis", "spectral", "slices")}
errors = {name: ge.measures.error_rate(cultivar, r.labels) for name, r in answers.items()}

# %%
# The wines where the evidence puts them, in the colors of each answer. Equal pieces are a crude idea, and here not a
# bad one.

figure, axes = plt.subplots(1, 3, figsize=(13, 4.6), layout="constrained")
for ax, (name, r) in zip(axes, answers.items(), strict=True):
    r.plot("evidence", ax=ax)
    ax.set_title(f"{name}: {errors[name]:.0%} of the wines misplaced", loc="left", fontsize=11, pad=38)
plt.show()

# %%
# What to try next
# ----------------
# ``ge.partitioners()`` lists those that are there; a package offers its own through the entry-point group
# ``graphens.partitioners``; a consensus function of your own: :ref:`sphx_glr_gallery_plot_own_method.py`.
#
# M. Fiedler, *Algebraic connectivity of graphs*, Czechoslovak Mathematical Journal 23, 1973.
# https://doi.org/10.21136/CMJ.1973.101168
