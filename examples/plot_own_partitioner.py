"""
Can I use my own graph partitioner?
===================================

Many consensus methods cut a graph with a partitioner, which is a function of a graph and a number of parts. The one
here has five lines of code: it sorts the vertices by the Fiedler vector and cuts the order into equal pieces.
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
    labels[np.argsort(vectors[:, 1], kind="stable")] = (
        np.arange(graph.n_vertices) * k // graph.n_vertices
    )
    return labels


# %%
# A set of small graphs (stars, isolated vertices, no edges at all) tests whether it meets the requirements for all
# partitioners. It passes without an error.

ge.testing.check_partitioner(slices)
ge.register_partitioner("slices", slices, about="equal pieces along the Fiedler vector")

# %%
# Use it in every method
# ----------------------
# The co-association graph of the wines is cut by two built-in partitioners and by ours.

X, cultivar = load_wine(return_X_y=True)
e = ge.generate(StandardScaler().fit_transform(X), 30, seed=0)
results = {
    name: ge.cspa(e, 3, partitioner=name, seed=0) for name in ("metis", "spectral", "slices")
}
errors = {name: ge.measures.error_rate(cultivar, r.labels) for name, r in results.items()}

# %%
# The wines are placed by their co-association, in the colors of each result. Equal pieces are a crude idea, but they
# work well here.

for name, r in results.items():
    figure, ax = plt.subplots(figsize=(4.8, 4), layout="constrained")
    r.plot("map", ax=ax)
    ax.set_title(
        f"{name}: {errors[name]:.0%} of the wines misplaced", loc="left", fontsize=11, pad=38
    )
plt.show()

# %%
# What to try next
# ----------------
#
# - ``ge.partitioners()`` lists the available partitioners.
# - A package can provide its own through the entry-point group ``graphens.partitioners``.
# - For your own consensus method, see :ref:`sphx_glr_gallery_plot_own_method.py`.
#
# **Paper.** M. Fiedler, *Algebraic connectivity of graphs*, Czechoslovak Mathematical Journal 23, 1973.
# https://doi.org/10.21136/CMJ.1973.101168
