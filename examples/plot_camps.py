"""
Do my clusterings fall into two groups?
=======================================

One consensus of clusterings that mean different things is a compromise nobody meant. Here half of the clusterings see
the upper half of handwritten digits from 0 to 4, the others the lower half. They disagree, and they are both right.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

import graphens as ge

images, digit = load_digits(n_class=5, return_X_y=True)
halves = {"upper": images[:, :32], "lower": images[:, 32:]}
e = ge.generate(halves, 20, base=KMeans(5, n_init=5), seed=0)
print(e.partition_names[:4])

# %%
# Groups
# ------
# ``modes`` joins partitions that agree, and reports groups only where partitions are clearly nearer to their own.

groups = ge.modes(e, 5, seed=0)
for group in groups:
    print(group)

# %%

place = np.empty(e.n_partitions, dtype=int)
for number, group in enumerate(groups):
    place[group.members] = number
shown = e.plot(camps=place)
plt.show()

# %%
# Two answers instead of one
# --------------------------

for group in groups:
    print(f"{group.names[0][:5]} half: ARI {ge.measures.ari(digit, group.consensus.labels):.2f}")
print(f"all together: ARI {ge.measures.ari(digit, ge.consensus(e, 5, seed=0).labels):.2f}")

# %%
# What to try next
# ----------------
# ``group.contested`` has the objects that the largest group places elsewhere; ``groups[0].consensus.plot()`` draws the
# answer of one group. A single clustering that is off is not a group: :ref:`sphx_glr_gallery_plot_which_is_off.py`.
#
# T. P. Peixoto, *Revealing consensus and dissensus between network partitions*, Physical Review X 11, 2021.
# https://doi.org/10.1103/PhysRevX.11.021003
