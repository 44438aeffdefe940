"""The words of docs/which.md; the tables are in quality_page."""

INTRO = """# Which method should I use

If you do not want to choose, call `ge.consensus(labels, k)`: it tries several methods and keeps the best result
([how it chooses](choosing.md)). In the tables this is called `auto`. This page compares all methods on the same
data sets, so that you can see when another method is better.
"""

SHORT = """## In short

| you have | use | because |
|---|---|---|
| labels, and no preference | `consensus(labels, k)` | it is close to the best method on every kind of data below |
| features | `ConsensusClustering(k)` | \
[seven algorithms](#clusters-from-features-true-k-given); gaps in the data choose one, or all vote |
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
it [finds k](choosing.md), or 1 if the clusterings do not agree |
"""

MEASURED = """## How it was measured

Every method gets the same labels: for each data set, 50 k-means clusterings with √n/2 to 3√n/2 clusters, and the
true number of clusters as k. NMI (normalized mutual information) and ARI (adjusted Rand index) compare the result
with the true classes; 1 is perfect. Seconds are the CPU time of the consensus alone. The objects are in random
order, because [some methods read the classes from the order](howto/compare.md#shuffle-the-rows-before-you-compare).

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

ESTIMATOR = """## Clusters from features, true k given

`ConsensusClustering(k)` and single algorithms on the same data, in NMI / ARI, with the true k given. *Shapes* are sets
of the benchmark suite of Gagolewski et al. 2022 (doi 10.5281/zenodo.7088171), *real* are public sets of UCI, KEEL and
scikit-learn, and *gaussians* and *integers* are drawn at random, the latter rounded to about seven values. Sets have at
most 1,000 rows, and are dealt into thirds, to see what holds in all of them. The settings of the estimator come from an
earlier study of such sets, which may include some of these. The last column is the lead over the best algorithm of the
row, chosen afterwards, with a 95 % bootstrap interval over sets. Noise of HDBSCAN, which takes no k, counts as one
cluster.

<!-- figures: features -->
<!-- end of figures -->

No single algorithm is good on every kind of data: those that follow shapes are worse on real data, and mixtures the
reverse. The estimator does not know the kind. It loses most to a Gaussian mixture on rounded Gaussian groups. On real
data, all algorithms find little of the classes.
"""

REPEATED = """## Ten ensembles of each set

One ensemble says little about real data, where similar methods win by chance. This table has the mean and the
standard deviation of the NMI over ten ensembles of 50 clusterings. For real data, only the clusterings differ; for
generated data, the objects differ too. The last column says how often `auto` preferred connected pieces (`islands`
or single linkage) to the result of `lwgp`, `lwea` and `hbgf`.
"""

DECIDES = """## Where other methods are better

`auto` keeps the result with the largest ANMI × (1 + path silhouette) ([how it chooses](choosing.md#which-method)).
This works well on average, but not always:

- **Spirals and waves.** The k-means clusterings may reach across the gap between two clusters, and no method can
  undo that. If you have features, use `base="spectral"` or `base="landmarks"`.
- **Single ensembles.** Now and then, `auto` is far off on one ensemble. The table of ten ensembles shows how often.

This table has other random data, of many shapes, in two halves (not A and B above), with one ensemble for each data
set. Neither half was used to develop the present steps of `auto`. *Without shapes* is `auto` with `by="silhouette"`,
which leaves out its step for unusual shapes.
"""

LOSE = """## Which base for features

By default, `ConsensusClustering` lets seven algorithms answer. With `base=`, it combines the clusterings of that base
alone; `base="pieces"` gives one of the seven answers.

| base | when |
|---|---|
| none (default) | a first try |
| `"spectral"` | k-means clusters reach across gaps, as in nested rings; worse on real data |
| `"landmarks"` | shapes, or millions of objects |

Next: [how it chooses](choosing.md), [the methods](reference/methods.md), [ensembles from
data](generation.md), [compare methods on your own data](howto/compare.md). """
