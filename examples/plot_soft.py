"""
What do soft memberships add?
=============================

A mixture model gives not only the cluster of an object, but also its probability. Combining the probabilities instead
of the labels keeps this information.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

import graphens as ge

iris = load_iris()
rng = np.random.default_rng(0)

# %%
# Memberships
# -----------
# Twelve mixtures of three Gaussians are each fitted to another bootstrap sample and then applied to all flowers.

memberships = []
for seed in range(12):
    drawn = rng.integers(150, size=150)
    fitted = GaussianMixture(3, random_state=seed).fit(iris.data[drawn])
    memberships.append(fitted.predict_proba(iris.data))
e = ge.Ensemble.from_memberships(memberships)
print(e)

# %%
# Three rules
# -----------
# The rules are the mean of the memberships, their product, and the majority of the strongest clusters. Columns are
# matched first, since component 2 of one mixture may be component 0 of the next.

results = {rule: ge.combine(e, rule=rule) for rule in ("linear", "product", "majority")}
errors = {rule: ge.measures.error_rate(iris.target, r.labels) for rule, r in results.items()}
single = [ge.measures.error_rate(iris.target, labels) for labels in e.labels.T]
print(f"single mixtures: {np.mean(single):.1%} misplaced on average")
for rule, error in errors.items():
    print(f"{rule}: {error:.1%} misplaced")

# %%
# Every flower is a stacked bar of its memberships. The mean shows a broad border between the two species on the right,
# while the product of twelve memberships is almost always close to 0 or 1.

order = np.lexsort((results["linear"].membership.max(axis=1), iris.target))
figure, axes = plt.subplots(2, 1, figsize=(8.4, 4.4), layout="constrained", sharex=True)
for ax, rule in zip(axes, ("linear", "product"), strict=True):
    r = results[rule]
    heights = r.membership[order]
    floor = np.zeros(150)
    for c in range(3):
        ax.bar(range(150), heights[:, c], bottom=floor, width=1, color=ge.plot.color(c))
        floor += heights[:, c]
    ax.set(ylabel="membership", xlim=(-0.5, 149.5), ylim=(0, 1))
    ax.set_title(f"{rule}: {errors[rule]:.1%} misplaced", loc="left", fontsize=11)
axes[1].set_xticks([25, 75, 125], iris.target_names)
plt.show()

# %%
# What to try next
# ----------------
#
# - ``ge.lwgp(e, 3)`` and all other methods accept the same ensemble and use its strongest clusters.
# - ``r.membership`` of any method is soft, whether or not the input was.
#
# **Paper.** E. Dimitriadou, A. Weingessel and K. Hornik, *A combination scheme for fuzzy clustering*, International
# Journal of Pattern Recognition and Artificial Intelligence 16, 2002. https://doi.org/10.1142/S0218001402002052
