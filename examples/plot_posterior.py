"""
What does a posterior of clusterings say?
=========================================

A Bayesian mixture model gives thousands of clusterings, one for each draw of its sampler. Here, a Dirichlet process
mixture is fitted to the velocities of 82 galaxies. The draws are summarized by one estimate, and a credible ball shows
which other clusterings are plausible.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphens as ge

# in 1000 km/s, away from us: galaxies in the Corona Borealis region (Roeder 1990)
table = """
9.172 9.350 9.483 9.558 9.775 10.227 10.406 16.084 16.170 18.419 18.552 18.600 18.927
19.052 19.070 19.330 19.343 19.349 19.440 19.473 19.529 19.541 19.547 19.663 19.846 19.856
19.863 19.914 19.918 19.973 19.989 20.166 20.175 20.179 20.196 20.215 20.221 20.415 20.629
20.795 20.821 20.846 20.875 20.986 21.137 21.492 21.701 21.814 21.921 21.960 22.185 22.209
22.242 22.249 22.314 22.374 22.495 22.746 22.747 22.888 22.914 23.206 23.241 23.263 23.484
23.538 23.542 23.666 23.706 23.711 24.129 24.285 24.289 24.366 24.717 24.990 25.633 26.960
26.995 32.065 32.789 34.279
"""
velocity = np.array(table.split(), dtype=float)

# %%
# A sampler in thirty lines
# -------------------------
# Collapsed Gibbs sampling: each galaxy in turn leaves its cluster and joins another or opens a new one. The probability
# of a cluster is its size times the predictive density of the velocity, with the mean of the cluster integrated out.
# Velocities in a cluster are normal with a standard deviation of 1; means are normal around 20 with one of 7.


def sample(x, n_draws, burn_in=200, alpha=1.0, inside=1.0, center=20.0, between=7.0, seed=0):
    """Draws of labels from a Dirichlet process mixture of normals, one in each row."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(len(x), dtype=int)
    size, total = np.zeros(len(x) + 1), np.zeros(len(x) + 1)
    size[0], total[0] = len(x), x.sum()
    draws = []
    for sweep in range(burn_in + n_draws):
        for i in rng.permutation(len(x)):
            size[labels[i]] -= 1
            total[labels[i]] -= x[i]
            precision = size / inside**2 + 1 / between**2
            mean = (total / inside**2 + center / between**2) / precision
            variance = 1 / precision + inside**2
            weight = size.copy()
            weight[np.argmin(size)] = alpha  # an empty slot is the new cluster
            chance = (
                weight * np.exp(-((x[i] - mean) ** 2) / (2 * variance)) / np.sqrt(variance)
            )
            labels[i] = np.searchsorted(np.cumsum(chance), rng.random() * chance.sum())
            size[labels[i]] += 1
            total[labels[i]] += x[i]
        if sweep >= burn_in:
            draws.append(labels.copy())
    return np.array(draws)


e = ge.Ensemble.from_draws(sample(velocity, 600), axis=0)
print(e)

# %%
# One clustering
# --------------
# The estimate is the clustering with the smallest expected loss. Variation of information prefers few clusters.
# Binder's loss counts pairs of galaxies, and allows small clusters next to large ones.

for loss in ("vi", "binder"):
    r = ge.median(e, loss=loss, seed=0)
    expected = r.details["expected_loss"]
    print(f"{loss}: {r.k} clusters of {r.sizes().tolist()}, expected loss {expected:.3f}")

# %%

r = ge.median(e, loss="vi", seed=0)
shown = r.plot()
plt.show()

# %%
# The credible ball
# -----------------
# The credible ball contains 95% of the draws. Its bounds are draws at its edge: the farthest draw, the farthest of
# those with the fewest clusters, and the farthest of those with the most.

ball = ge.credible_ball(r, e, level=0.95)
print(ball)
shown = ball.plot()
plt.show()

# %%

print({k: round(share, 2) for k, share in ball.posterior_k.items()})
print(
    f"galaxies 8 and 9 together: {ball.together(7, 8):.2f}, 7 and 8: {ball.together(6, 7):.2f}"
)
print(ball.convergence(seed=0).round(3).to_string(index=False))

# %%
# What to try next
# ----------------
#
# - Try other losses: ``"nvi"``, ``"id"``, ``"nid"``, ``"omari"``.
# - ``ge.modes(e)`` finds groups of draws that agree, such as chains that converged to different clusterings.
# - See also :doc:`the how-to on posterior samples </howto/posterior>`.
#
# **Paper.** K. Roeder, *Density estimation with confidence sets exemplified by superclusters and voids in the
# galaxies*, Journal of the American Statistical Association 85, 1990.
#
# S. Wade and Z. Ghahramani, *Bayesian cluster analysis: point estimation and credible balls*, Bayesian Analysis 13,
# 2018. https://doi.org/10.1214/17-BA1073
