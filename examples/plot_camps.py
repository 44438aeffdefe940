"""
Do my clusterings fall into two groups?
=======================================

If clusterings describe different aspects of the data, a single consensus is a compromise that fits none of them. Here
the objects are images of handwritten digits from 0 to 4. Half of the clusterings use the upper half of the images, and
the others use the lower half. The two groups of clusterings disagree, and both are right.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

import graphens as ge

images, digit = load_digits(n_class=5, return_X_y=True)
halves = {"upper": images[:, :32], "lower": images[:, 32:]}
e = ge.generate(halves, 20, k=5, base=KMeans(n_init=5), seed=0)
print(e.partition_names[:4])

# %%
# Groups
# ------
# ``modes`` puts clusterings that agree into groups. It reports several groups only if clusterings clearly agree more
# with their own group than with the others.

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
# Two results instead of one
# --------------------------

for group in groups:
    print(
        f"{group.names[0][:5]} half: ARI {ge.measures.ari(digit, group.consensus.labels):.2f}"
    )
print(f"all together: ARI {ge.measures.ari(digit, ge.consensus(e, 5, seed=0).labels):.2f}")

# %%
# What to try next
# ----------------
#
# - ``group.contested`` has the objects that the largest group places in another cluster.
# - ``groups[0].consensus.plot()`` draws the result of one group.
# - A single clustering that disagrees is not a group: see :ref:`sphx_glr_gallery_plot_which_is_off.py`.
#
# **Paper.** T. P. Peixoto, *Revealing consensus and dissensus between network partitions*, Physical Review X 11,
# 2021. https://doi.org/10.1103/PhysRevX.11.021003
