"""
How do I get the graph into Gephi and back?
===========================================

The example is the network of marriages between fifteen families of Renaissance Florence. The graph and its communities
are written to a file that other programs can open, and the same graph is read back.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import networkx as nx

import graphens as ge

G = nx.florentine_families_graph()
r = ge.communities(G, n_partitions=50, seed=0)
print(r)

# %%
# Write the graph
# ---------------
# ``to_networkx`` returns your graph with ``cluster`` and ``confidence`` on the vertices and ``share`` on the edges: the
# share of runs that put both ends into the same community. GEXF is Gephi's own format, and GraphML opens almost
# everywhere.

colored = r.to_networkx()
print(colored.nodes["Medici"])
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "florence.gexf"
nx.write_gexf(colored, path)

# %%
# Read it back
# ------------

again = nx.read_gexf(path)
folder.cleanup()
print(f"{again.number_of_nodes()} families, {again.number_of_edges()} marriages, as before")

# %%
# This picture is drawn from the graph that was read back. The wider a line, the more runs keep both families together.

place = nx.kamada_kawai_layout(again)
figure, ax = plt.subplots(figsize=(7.4, 5.6), layout="constrained")
share = [again.edges[edge]["share"] for edge in again.edges]
shades = ge.plot.colors([cluster for _, cluster in again.nodes.data("cluster")])
below = {family: (x, y - 0.085) for family, (x, y) in place.items()}
nx.draw_networkx_edges(
    again, place, ax=ax, width=[0.6 + 3 * s for s in share], edge_color="#b0b0b0"
)
nx.draw_networkx_nodes(again, place, ax=ax, node_size=160, node_color=shades)
nx.draw_networkx_labels(
    again,
    below,
    ax=ax,
    font_size=9,
    bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 0.6},
)
ax.set_title(
    f"Marriages between {len(again)} families of Florence, {r.k} communities",
    loc="left",
    fontsize=11,
)
ax.margins(0.1)
ax.set_axis_off()
plt.show()

# %%
# What to try next
# ----------------
#
# - You can write every graph of the library: ``ge.metagraph(e).write("clusters.graphml")``,
#   ``g.write("graph.net")`` for Pajek, ``h.write("h.hif.json")`` for hypergraph tools.
# - ``ge.Graph.read`` reads them.
# - On the command line: ``graphens communities edges.csv --graph network.gexf``.
#
# **Paper.** J. F. Padgett and C. K. Ansell, *Robust action and the rise of the Medici, 1400-1434*, American Journal
# of Sociology 98, 1993. https://doi.org/10.1086/230190
