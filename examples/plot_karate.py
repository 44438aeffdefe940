"""
Where does the karate club split?
=================================

A karate club that was studied in 1977 split in two, around its instructor and its president. Label propagation, run
fifty times on the friendships before the split, gives different results. Which groups do the runs agree on, and
which members are hard to place?
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import graphens as ge

G = nx.karate_club_graph()
side = np.array([club == "Officer" for _, club in G.nodes.data("club")]).astype(int)

# %%
# Fifty runs
# ----------

e = ge.generate(G, 50, base="label-propagation", seed=0)
print(e)
different = len({tuple(run) for run in e.labels.T})
sizes = e.n_clusters
print(f"{different} different results, with {sizes.min()} to {sizes.max()} communities")

# %%
# What they agree on
# ------------------
# The two clusters of the consensus match the two sides, except for one or two members.

r = ge.consensus(e, 2, seed=0)
misplaced = round(ge.measures.error_rate(side, r.labels) * len(side))
print(r)
print(f"{misplaced} of {len(side)} members on the other side than in 1977")

# %%
# The first picture shows the club, with edges as wide as the share of runs that keep their ends together; the
# second shows the confidence of each member.

shares = ge.coassociation(e, on=G)
axes = [plt.subplots(figsize=(5, 4.2), layout="constrained")[1] for _ in range(2)]
shares.plot(axes[0], labels=r.labels)
axes[0].set_title("Member 0 is the instructor, 33 the president", loc="left", fontsize=11)
r.plot("confidence", ax=axes[1])
plt.show()

# %%
# What to try next
# ----------------
#
# - ``ge.communities(G, seed=0)`` does both steps with Leiden and finds the four communities of largest modularity.
# - ``r.explain(8)`` shows the votes of the runs on member 8.
# - For the characters of a novel, see :ref:`sphx_glr_gallery_plot_miserables.py`.
#
# **Paper.** W. W. Zachary, *An information flow model for conflict and fission in small groups*, Journal of
# Anthropological Research 33, 1977. https://doi.org/10.1086/jar.33.4.3629752
