"""
How many clusters are there?
============================

No rule for the number of clusters is safe alone. Four of them look at the same clusterings of the wines, and a fifth
resamples the data. What they say is drawn side by side: agreement is an answer, disagreement a warning.
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
# One rule decides, by default the eigengap: a walk between objects and their clusters stays inside a group for long,
# and k is the number of groups after which leaving suddenly becomes easy.

choice = ge.choose_k(e, range(2, 8), seed=0)
print(choice.why)
print(choice.answers)

# %%
# Their answers are ringed. Eigengap and ambiguous pairs (PAC) say 3; lifetimes prefer 6, and to the stability rule no
# number is stable enough, so that it says 1.

panel = choice.plot()

# %%
# Monti's resampling
# ------------------
# For every k many subsamples are clustered. Where k fits, two wines are nearly always or nearly never together: the
# curve is flat between the bounds, and few pairs are ambiguous.

m = ge.monti(X, range(2, 8), n_partitions=40, seed=0)
best = min(m.ks, key=lambda k: m.table.set_index("k")["pac"][k])
print(m)
print(f"fewest ambiguous pairs at k = {best}")

# %%
# Resampling sides with the majority: three, the number of cultivars.

resampled = m.plot()
plt.show()

# %%
# What to try next
# ----------------
# ``ge.choose_k(X=X, seed=0)`` clusters the data itself and adds a p-value against data without clusters;
# ``rule="agreement"`` lets the majority decide; ``m.consensus(3)`` is the answer of the resampled
# clusterings. On the command line it is ``graphens choose labels.csv``.
#
# S. Monti, P. Tamayo, J. Mesirov and T. Golub, *Consensus clustering: a resampling-based method for class discovery and
# visualization of gene expression microarray data*, Machine Learning 52, 2003. https://doi.org/10.1023/A:1023949509487
