"""The words of docs/which.md; the tables are in quality_page."""

INTRO = """# Which should I use

Made by `python -m benchmarks.quality` (with `page` only from the kept figures; a run that was stopped goes on). All
methods get the same ensembles, 50 k-means partitions with k from √n/2 to 3√n/2, and the true number of clusters. NMI
and ARI are against the truth, objects that belong nowhere left out; seconds are CPU time of the consensus alone.
*Regret* is the NMI of the best method on a set minus that of this one. Data sets: `benchmarks/quality_sets.py`, up to
three seeds; ° marks what was not run on all of them, the slow methods above all. *Noisy labels* are the ensembles of
uneven blobs and moons with a fifth of the labels exchanged at random, *missing labels* the same with 30 % taken away;
*files* are the folder GRAPHENS_DATA, which is not part of the package, at most 600 objects each.
"""

SHORT = """## In short

| you have | take | because |
|---|---|---|
| labels and no idea | `consensus(labels, k)` | `auto` is near the best method of every family below |
| features | `ConsensusClustering(k)` | 50 k-means partitions with many clusters each |
| clusters in each other, some thousand objects | `base="spectral"` | three rings .62 → 1.0; real data .75 → .59 |
| clusters in each other, millions of objects | `base="landmarks"` | three rings .62 → .87; two spirals 1.0 → .03 |
| clusters of even size | `mcla`, `hbgf`, `cspa` | METIS makes parts of equal size; wrong on uneven ones |
| connected clusters, few outliers | `islands`, `eac` | any shape; `eac` (single link) breaks with noise |
| labels with many mistakes | `islands`, `dspa` | average link and islands stay; `lwgp` and METIS do not |
| many missing labels | `lwea`, `leiden`, `dspa` | means over the partitions that have both objects |
| no k | `consensus(labels)` | see the number of clusters below; 1 is a possible answer |
"""

REPEATED = """## Ten ensembles of each set

One ensemble says little about real data, where near answers win by luck. NMI, mean and standard deviation over
ensembles of 50 partitions; of real data only the ensembles differ, of the others the objects too. The last column says
how often `auto` took connected pieces instead of its panel's answer. Both silhouettes of every answer are in
`benchmarks/results/which/repeats.json`.
"""

SHAPES = """## Shapes: how `auto` decides, and where we lose

`auto` adds a *path silhouette* to the reliable one: with P the largest co-association that every step of some path
between two objects has, it asks whether objects are better connected inside their cluster than across. Its four
numbers (lifetime .04, gain .05, a tenth of the mean size, three objects) were chosen on one half of 200 data sets: the
sets of this page, every second real one and the first seed of the others, and three seeds of 18 random families
(`benchmarks/quality_pool.py`). Mean NMI against the rule before: .848 → .900 on that half, .842 → .872 on the other.
The other half was looked at three times; that pieces which live long come before single link was thought of after its
strays (.801 → .810) had been seen, so take .870, what it had before, for the honest figure. On 82 ensembles of 10
partitions with k from the true one to √n, half of them of sets used before: .672 → .691; of 50 such partitions .763 →
.809. A fifth number came later, from wine, breast cancer and a target: with a cluster below a tenth of the mean size
the path silhouette must reach .5. The figures of `auto` and of the estimator above have it; those of this paragraph and
of the random families below were taken without it:
"""

LOSE = """On the half not used for choosing targets gain .27, rings .10, strays .09, the files .09, lines .07. Noise in
the background loses .07 (1.0 → .93) and heavy tails .02, where clumps of three objects pass for clusters.

Real data: on one ensemble each of iris and wdbc `auto` loses .1 and .4 against `lwgp`. Connected pieces are preferred
on iris; on wdbc `lwgp` and `lwea` tie (.983 and .989) and the worse one wins.
Other ensembles of the same sets come out right (`ConsensusClustering` above). Taking, of two answers within .01, the
one that `islands` agrees with would decide wdbc; it was seen after the check, so it is not in.

Bases: with this `auto` k-means partitions are the best base on the mean. Spectral and landmark bases are right where
k-means clusters reach across a gap (three rings in each other), and worse on real data. The line between them is
not told from labels.

Tried and not kept:

- The path silhouette alone as judge: single link always wins it, also where it only splits off outliers.
- A lifetime of a tenth (the rule before): misses spirals, nested rings and touching rectangles (− .03 on the held-out
  half). No lifetime at all: a breast cancer set falls from .79 to .15.
- Asking each small piece to be well connected in itself: it does not tell groups of three from strays of three.
- Whether k is the number that lives longest in the single-link tree: it is not, on the targets (2 lives longest).
- The normalised cut of the answer on the graph of the 5 to 20 strongest co-associations: + .09 on the papers' shapes,
  − .11 on iris, for some sizes − .81 on noisy moons. Cutting that graph spectrally: it falls into too many parts.
- Not solved: three rings in each other and waves, where k-means clusters reach across; that is a matter of the base
  (`base="spectral"`). From labels alone groups of three objects and outliers are the same thing.
"""
