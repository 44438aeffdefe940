"""The words of docs/which.md; the tables are in quality_page."""

INTRO = """# Which method should I use

If you do not want to choose, call `ge.consensus(labels, k)`: it tries several methods and keeps the best result
([how it chooses](front_door.md)). In the tables this is called `auto`. This page compares all methods on the same
data sets, so that you can see when another method is better.
"""

SHORT = """## In short

| you have | use | because |
|---|---|---|
| labels, and no preference | `consensus(labels, k)` | it is close to the best method on every kind of data below |
| features | `ConsensusClustering(k)` | 50 k-means clusterings, split where neighbors do not connect them |
| features, and twice the time | \
[k-means and landmarks together](#which-base-for-features) | better on moons and other shapes |
| millions of objects in clusters of any shape | `base="landmarks"` | \
finds [bananas, circles and faces](benchmarks.md#larger-than-memory) of up to a million points |
| clusters of equal size | `mcla`, `hbgf`, `cspa` | they make parts of equal size, and are bad for uneven clusters |
| clusters that should have similar sizes | `even` | \
[you choose](partitioning.md#similar-cluster-sizes) how much similar sizes are worth |
| connected clusters of any shape | `islands`, `eac` | \
`eac` (single linkage) fails if there is noise between clusters |
| labels with many errors | `auto`, `islands` | see the column "noisy labels" |
| many missing labels | `auto`, `leiden`, `dspa` | see the column "missing labels" |
| no k | `consensus(labels)` | \
it [finds k](#how-often-the-number-of-clusters-is-found), or 1 if there are no clusters |
"""

MEASURED = """## How it was measured

Every method gets the same labels: for each data set, 50 k-means clusterings with √n/2 to 3√n/2 clusters, and the
true number of clusters as k. NMI (normalized mutual information) and ARI (adjusted Rand index) compare the result
with the true classes; 1 is perfect. Seconds are the CPU time of the consensus alone. The objects are in random
order, because [some methods read the classes from the order](order.md).

| data | what they are |
|---|---|
| balanced blobs, uneven blobs | round groups of equal and of different sizes |
| noisy labels | clusterings of uneven blobs and moons, with a fifth of the labels exchanged at random |
| missing labels | the same clusterings, with 30% of the labels removed |
| moons, lines, rings | groups that are not round |
| shapes of papers | half rings, spirals and others from published studies |
| scikit-learn's sets | iris, wine, breast cancer, digits |
| files | 14 data sets from a folder that is not part of the package, with at most 600 objects each |

Each random set is drawn up to three times. In a clone of the repository, `python -m benchmarks.quality` measures
everything on this page.
"""

REGRET = """## All methods: regret, rank and time

*Regret* is the NMI of the best method on a data set, minus the NMI of this one. *Rank* 1 is the best method on a data
set.
"""

ESTIMATOR = """## The estimator and scikit-learn, at their defaults

The algorithms cluster the features, with the true k if they take one. All parameters have their default values. The
rows with `base=` use 20 clusterings instead of 50, and *and landmarks* uses 50 by k-means and 20 by landmarks. The last
columns are means over the kinds of data. Noise of HDBSCAN counts as one cluster.
"""

FOUND = """## How often the number of clusters is found

The table has the share of data sets for which a [rule](choosing.md#how-many-clusters) finds the true number of
clusters. *Separation* is the distance between the centers of blobs, in standard deviations. *Noise* is data without
clusters, where the true number is 1. *Fresh seeds* are data that were not used to develop the rules.
"""

REPEATED = """## Ten ensembles of each set

One ensemble says little about real data, where similar methods win by chance. This table has the mean and the
standard deviation of the NMI over ten ensembles of 50 clusterings. For real data, only the clusterings differ; for
generated data, the objects differ too. The last column says how often `auto` preferred connected pieces (`islands`
or single linkage) to the result of `lwgp`, `lwea` and `hbgf`.
"""

HALVES = """## `auto` on new data

The steps of `auto` were developed on one half of the data sets (A), and adjusted after a look at the other half (B).
The *new* sets, 28 real ones and 18 kinds of random ones, were used only at the end. There are 5, 10, 20 or 50
k-means clusterings with 2 to √n clusters each. The table has the mean NMI.

- *Real* and *made* are real and generated data. *Half* is A, B or new, and *auto of 0.4* is the `auto` of version 0.4.
- *Regret* is the NMI of the best of `lwgp`, `lwea`, `hbgf` and `islands` on a set, minus that of `auto`.
- *Worst* is the largest regret on a set. *Below both* is how far the NMI of `auto` was below that of both `lwgp` and
  `lwea`, on the set where this was largest.
"""

DECIDES = """## Where other methods are better

`auto` keeps the result with the largest ANMI × (1 + path silhouette)² ([how it chooses](front_door.md)). This works
well on average, but not always:

- **Tiny clusters.** Groups of three or four objects far from everything else, as in the set "target", look like
  outliers in the labels. `auto` does not make them clusters; `islands` with `share=0` does.
- **Spirals and waves.** The k-means clusterings may reach across the gap between two clusters, and no method can
  undo that. If you have features, use `base="spectral"` or `base="landmarks"`.
- **Single ensembles.** Now and then, `auto` is far off on one ensemble. The table of ten ensembles shows how often.

This table has other random data, of many shapes, in two halves (not A and B above), with one ensemble for each data
set. Neither half was used to develop the present steps of `auto`. *Without shapes* is `auto` with `by="silhouette"`,
which leaves out its step for unusual shapes.
"""

LOSE = """## Which base for features

`ConsensusClustering` clusters the features with `base="pieces"` by default: k-means clusters, split into the pieces
that ten nearest neighbors connect. Unlike plain k-means, this also finds three nested rings, in about the same
time.

| base | when |
|---|---|
| `"pieces"` (default) | a first try |
| `"spectral"` | k-means clusters reach across gaps, as in nested rings; worse on real data |
| `"landmarks"` | shapes, or millions of objects |
| `["kmeans"] * 5 + ["landmarks"] * 2` with `n_partitions=70` | \
a little better almost everywhere, worse on rings; takes twice the time |

Next: [choosing automatically](front_door.md), [the methods](reference/methods.md), [ensembles from
data](generation.md), [compare methods on your own data](howto/compare.md). """
