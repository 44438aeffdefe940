"""The words of docs/which.md; the tables are in quality_page."""

INTRO = """# Which should I use

Made by `python -m benchmarks.quality` (with `page` only from the kept figures; a run that was stopped goes on). All
methods get the same ensembles, 50 k-means partitions with k from √n/2 to 3√n/2, and the true number of clusters. NMI
and ARI are against the truth, objects that belong nowhere left out; seconds are CPU time of the consensus alone.
*Regret* is the NMI of the best method on a set minus that of this one. Data sets: `benchmarks/quality_sets.py`, up to
three seeds; ° would mark what was not run on all of them. *Noisy labels* are the ensembles of
uneven blobs and moons with a fifth of the labels exchanged at random, *missing labels* the same with 30 % taken away;
*files* are the folder GRAPHENS_DATA, which is not part of the package, at most 600 objects each.
Methods get the objects in random order; [why that matters](order.md).
"""

SHORT = """## In short

| you have | take | because |
|---|---|---|
| labels and no idea | `consensus(labels, k)` | `auto` is near the best method of every family below |
| features | `ConsensusClustering(k)` | 50 k-means partitions with many clusters each |
| features, twice the time | … and landmarks (see the end) | files .71 → .76, rings .84 → .87; shipped sets .78 → .75 |
| clusters in each other, some thousand objects | `base="spectral"` | three rings .62 → 1.0; files .71 → .66 |
| clusters in each other, millions of objects | `base="landmarks"` | three rings .62 → .87; two spirals 1.0 → .03 |
| clusters of even size | `mcla`, `hbgf`, `cspa` | METIS makes parts of equal size; wrong on uneven ones |
| connected clusters, few outliers | `islands`, `eac` | any shape; `eac` (single link) breaks with noise |
| labels with many mistakes | `auto`, `islands` | islands stay (.98), average link less (.91), `lwgp` not (.44) |
| many missing labels | `auto`, `leiden`, `dspa` | means over the partitions that have both objects |
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
between two objects has, it asks whether objects are better connected inside their cluster than across. Four of its
numbers (lifetime .04, gain .05, a tenth of the mean size, three objects) were chosen on one half of 200 data sets: the
sets of this page, every second real one and the first seed of the others, and three seeds of 18 random families
(`benchmarks/quality_pool.py`). Mean NMI against the rule before: .848 → .900 on that half, .842 → .872 on the other.
The other half was looked at three times; that pieces which live long come before single link was thought of after its
strays (.801 → .810) had been seen, so take .870, what it had before, for the honest figure. On 82 ensembles of 10
partitions with k from the true one to √n, half of them of sets used before: .672 → .691; of 50 such partitions .763 →
.809. A fifth number came later, from wine, breast cancer and a target: with a cluster below a tenth of the mean size
the path silhouette must reach .5.

The sixth, shapes only where `lwgp` and `lwea` differ (adjusted Rand index below .95), came last. Of 55 ensembles of 50
partitions where pieces made the answer better, 53 have a lower index; of 28 where they made it worse, 19 a higher one.
Mean NMI without it → with it:

| ensembles | sets | looked at to choose | not looked at before |
| --- | --- | --- | --- |
| 50 partitions, k around √n | 12 real ones (iris .696 → .766, breast cancer .730 → .794) | 120: .702 → .712 | |
| | six files of shapes | 24: .766 → .766 | |
| | families of this page | 69: .932 → .932 | 69: .927 → .929 |
| | random families | 108: .878 → .883 | 54: .876 → .877 |
| 10 partitions, k from the true one to √n | real ones | 48: .683 → .689 | 72: .692 → .695 |
| | files of shapes | 24: .759 → .754 | |
| | families of this page | | 46: .813 → .780 |
| | random families | 54: .795 → .789 | 108: .786 → .800 |
| 50 partitions, k from the true one to √n | all of these | | 65: .770 → .770 |

So real data gain, and moons and rings lose where ten partitions are all there is. The random families, one ensemble
each (on the first column the first four numbers were chosen):
"""

LOSE = """Real data: of the shipped sets `auto` loses on wdbc, where `lwgp` is better than `lwea` and their scores tie
(.983 and .989, say); on time series (cbf) pieces cost .04 over ten ensembles. `auto` now and then errs by far on one
ensemble: the ten ensembles above show how often.

Bases: spectral partitions are right where k-means clusters reach across a gap (three rings in each other), and worse on
real data. 20 partitions of landmarks beside 50 of k-means (`base=["kmeans"] * 5 + ["landmarks"] * 2, n_partitions=70`)
help a little nearly everywhere: .710 → .726 on 24 ensembles of real sets, .869 → .876 on 18 random families, chosen
among the variants below. On all sets (the estimator's table) the mean over families is .01 larger, on rings, shapes
and the files, and smaller on scikit-learn's four; they take twice the seconds. So they are not the default.

Tried and not kept, `auto`:

- The path silhouette alone as judge: single link always wins it, also where it only splits off outliers.
- A lifetime of a tenth (the rule before): misses spirals, nested rings and touching rectangles (− .03 on the held-out
  half). No lifetime at all: a breast cancer set falls from .79 to .15.
- Pieces only where they come again from two halves of the partitions as well as the panel's answer does: real data
  .705 → .721, but shapes .912 → .846. Half the partitions are too few for a shape, and a wrong cut comes again.
- Between `lwgp` and `lwea` the one that comes again: real data + .014, random families − .026 (moons .96 → .61).
  Answers made from one half and judged by the silhouettes of the other: .727 where judging all by all has .731.
- A third opinion (`islands`, or average link) where the two scores are within .01 or .02, or as a part of the score:
  at most + .003 on real data, nothing elsewhere.
- Single link only where its cut is a level of the tree and breaks no tie: with ten partitions real data + .007, shapes
  − .012. A gain of at least two partitions' worth: + .011 and − .009, and on fresh sets − .004 and − .017.
- The least path silhouette of .5 for small clusters dropped, now that the panel must differ: real data .712 → .706.
- Asking each small piece to be well connected in itself: it does not tell groups of three from strays of three.
- Whether k is the number that lives longest in the single-link tree: it is not, on the targets (2 lives longest).
- The normalized cut of the answer on the graph of the 5 to 20 strongest co-associations: + .09 on the papers' shapes,
  − .11 on iris, for some sizes − .81 on noisy moons. Cutting that graph spectrally: it falls into too many parts.

Tried and not kept, the estimator, which sees the features:

- Of the answers of a k-means and a landmark ensemble the one with the smaller normalized cut in the graph of ten
  nearest neighbors: real data .710 → .729 (12 ensembles), shapes .890 → .915 (26): no better than mixing them (.737
  and .919). With a spectral ensemble as a third: .687 and .896; its cuts are always small.
- Ten of the 50 k-means partitions replaced by landmarks: real data .729 on 24, but random families .851 (a target 1.0 →
  .66). 20 spectral partitions beside 50 of k-means: real data .728 on 12, shapes .919 on 23 (mixed landmarks: .952).
- Not solved: three rings in each other and waves, where k-means clusters reach across; that is a matter of the base
  (`base="spectral"`). From labels alone groups of three objects and outliers are the same thing.
"""
