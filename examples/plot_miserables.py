"""
Which characters are between the communities of a novel?
========================================================

In this network, two characters of *Les Misérables* are joined by an edge whose weight is how often they appear
together. The communities of the network differ from run to run. Characters on which the runs disagree are between
communities.
"""

import matplotlib.pyplot as plt
import networkx as nx
from matplotlib.patheffects import withStroke

import graphens as ge

G = nx.les_miserables_graph()
r = ge.communities(G, 50, base="label-propagation", seed=0)
print(r)
print(f"agreement of the runs over all edges: {r.details['structure']:.2f}")

# %%
# The least certain characters
# ----------------------------
# A confidence near ½ means that another community would be almost as good.

unsure = sorted(zip(r.confidence.round(2).tolist(), r.names, strict=True))[:6]
for confidence, name in unsure:
    print(f"{name:16} {confidence}")

# %%
# Characters with a high confidence have full color, the others are pale. Only the names of the most frequent and the
# least certain characters are shown.

G = r.to_networkx()
place = nx.kamada_kawai_layout(G, weight=None)
figure, ax = plt.subplots(figsize=(9, 6.6), layout="constrained")
widths = [0.3 + 2.5 * share for *_, share in G.edges.data("share")]
nx.draw_networkx_edges(G, place, ax=ax, width=widths, edge_color="#c4c4c4")
shades = ge.plot.colors(r.labels)
degree = dict(G.degree())
for v, shade, sure in zip(r.names, shades, r.confidence, strict=True):
    ax.scatter(
        *place[v],
        s=30 + 12 * degree[v],
        color=shade,
        alpha=max(0.15, sure),
        linewidths=0,
        zorder=2,
    )
told = {*sorted(degree, key=lambda v: -degree[v])[:6], *(name for _, name in unsure[:4])}
halo = [withStroke(linewidth=3, foreground="white")]
for v in told:
    ax.annotate(
        v,
        place[v],
        xytext=(0, 8),
        textcoords="offset points",
        ha="center",
        path_effects=halo,
        zorder=3,
    )
ax.set_title(
    f"{len(G)} characters in {r.k} communities, paler where the runs disagree",
    loc="left",
    fontsize=11,
)
ax.set_axis_off()
plt.show()

# %%
# What to try next
# ----------------
#
# - ``base="leiden"`` gives runs that disagree less.
# - ``method="ecg"`` weights the edges by their shares and clusters once more.
# - ``r.explain("Magnon")`` shows the votes on one character.
# - ``nx.write_gexf(G, "miserables.gexf")`` writes a file for Gephi.
#
# **Paper.** A. Lancichinetti and S. Fortunato, *Consensus clustering in complex networks*, Scientific Reports 2,
# 2012. https://doi.org/10.1038/srep00336
