"""
Are there two camps among my clusterings?
=========================================

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
# Camps
# -----
# ``modes`` joins partitions that agree and believes in camps only where partitions are clearly nearer to their own.

camps = ge.modes(e, 5, seed=0)
for camp in camps:
    print(camp)

# %%

place = np.empty(e.n_partitions, dtype=int)
for number, camp in enumerate(camps):
    place[camp.members] = number
shown = e.plot(camps=place)
plt.show()

# %%
# Two answers instead of one
# --------------------------

for camp in camps:
    print(f"{camp.names[0][:5]} half: ARI {ge.measures.ari(digit, camp.consensus.labels):.2f}")
print(f"all together: ARI {ge.measures.ari(digit, ge.consensus(e, 5, seed=0).labels):.2f}")

# %%
# What to try next
# ----------------
# ``camp.contested`` has the objects that the largest camp places elsewhere; ``camps[0].consensus.plot()`` draws the
# answer of one camp. A clustering that is merely off is no camp: :ref:`sphx_glr_gallery_plot_which_is_off.py`.
#
# T. P. Peixoto, *Revealing consensus and dissensus between network partitions*, Physical Review X 11, 2021.
# https://doi.org/10.1103/PhysRevX.11.021003
