"""
How many clusters are there?
============================

No rule for the number of clusters is right for all data. Here, four rules use the same clusterings of 178 wines, and a
fifth resamples the data. The pictures show their results side by side: trust the number if they agree, and be careful
if they do not.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import graphens as ge

X, cultivar = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)
e = ge.generate(X, 40, seed=0)

# %%
# Rules on labels
# ---------------
# One rule decides, by default the eigengap: a random walk between objects and their clusters rarely leaves a group, and
# the eigenvalues of the walk have a gap after the number of groups.

choice = ge.choose_k(e, range(2, 8), seed=0)
print(choice.why)
print(choice.answers)

# %%
# Rings mark their choices. Eigengap and ambiguous pairs (PAC) choose 3; lifetimes prefer 6, and the stability rule
# finds no number stable enough, so it chooses 1.

panel = choice.plot()

# %%
# Monti's resampling
# ------------------
# Many subsamples are clustered for every k. If k fits the data, two wines are almost always or almost never together:
# the curve is flat between the bounds, and few pairs are ambiguous.

m = ge.monti(X, range(2, 8), n_partitions=40, seed=0)
best = min(m.ks, key=lambda k: m.table.set_index("k")["pac"][k])
print(m)
print(f"fewest ambiguous pairs at k = {best}")

# %%
# Resampling agrees with the majority: three, the number of cultivars.

resampled = m.plot()
plt.show()

# %%
# What to try next
# ----------------
#
# - ``ge.choose_k(X=X, seed=0)`` clusters the data and adds a p-value compared with data without clusters.
# - ``rule="agreement"`` uses the majority.
# - ``m.consensus(3)`` is the consensus of the resampled clusterings.
# - On the command line, use ``graphens choose labels.csv``.
#
# **Paper.** S. Monti, P. Tamayo, J. Mesirov and T. Golub, *Consensus clustering: a resampling-based method for class
# discovery and visualization of gene expression microarray data*, Machine Learning 52, 2003.
# https://doi.org/10.1023/A:1023949509487
