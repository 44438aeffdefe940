"""What the five documents behind this library say, and where it is here.

For each paper: the place, what stands there, our names, and where it is shown. Names are separated by commas and begin
with `ge.`; what is not here has a reason in their place, which begins with "not". It is shown in a test, or on a page,
with the title of a section behind `#`.
"""

from __future__ import annotations

import re
from pathlib import Path

Row = tuple[str, str, str, str]

ROOT = Path(__file__).resolve().parents[1]
REPRODUCTION = "docs/reproduction.md"

SOURCES: dict[str, list[Row]] = {
    "Ayad and Kamel 2005": [
        (
            "Fig. 1",
            "the model: generation, mapping, combination",
            "ge.generate, ge.cumulative",
            "docs/explanation.md",
        ),
        (
            "§2.1",
            "ensemble mapping: a cumulative c × N matrix of counts",
            "ge.cumulative",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.1, step 2",
            "binary Jaccard similarity of a cluster and an accumulated cluster",
            "ge.metagraph",
            "tests/views/test_metagraph.py",
        ),
        (
            "§2.1, steps 1 to 4",
            "every cluster is added to the most similar accumulated one",
            "ge.cumulative",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.1",
            "accumulated clusters that no new cluster joins are detected, and the mapping is tried again",
            "ge.cumulative(retries=…)",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.1",
            "the reverse mapping: every accumulated cluster takes the new cluster most similar to it",
            "ge.cumulative(mapping=…)",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.1",
            "objects that a bootstrap left out have no label",
            "ge.generate(sampling='bootstrap')",
            "tests/generators/test_generate.py",
        ),
        (
            "§2.1",
            "Z as a matrix of patterns, with other similarities",
            "ge.cumulative(similarity=…)",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.1",
            "Z as a joint distribution; clusters are merged where the least information is lost",
            "ge.cumulative(clustering=…)",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.1",
            "c × N counts instead of an N × N matrix",
            "ge.cumulative",
            "tests/contracts/test_memory.py",
        ),
        (
            "§2.2",
            "group average on 1 − Jaccard of the accumulated clusters, cut at k",
            "ge.cumulative, ge.link",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.2",
            "assignment probabilities p(M = j | X = i); the most likely cluster is chosen",
            "ge.cumulative, ge.Consensus.membership",
            "tests/families/test_cumulative.py",
        ),
        (
            "§1",
            "voting of bootstrap clusterings matched to a reference (Dudoit and Fridlyand)",
            "ge.bagclust1",
            "tests/families/test_voting.py",
        ),
        (
            "§1",
            "dissimilarity of bootstrap clusterings, clustered by PAM",
            "ge.bagclust2",
            "tests/families/test_voting.py",
        ),
        (
            "§1",
            "relabeling by maximum likelihood given the earlier clusterings (Fischer and Buhmann)",
            "ge.mlmap",
            "tests/families/test_voting.py",
        ),
        (
            "§1",
            "several consensus functions on bootstrap clusterings (Minaei et al.)",
            "ge.compare",
            "tests/test_surface.py",
        ),
        (
            "§3",
            "error rate by the best matching of labels",
            "ge.measures.error_rate",
            "tests/measures/test_agreement.py",
        ),
        (
            "Figs. 2 and 3",
            "artificial data: ensembles with different c, compared with k-means",
            "ge.datasets.load",
            f"{REPRODUCTION}#Ayad and Kamel 2005, Figs. 3 and 5",
        ),
        (
            "Fig. 4",
            "accumulated clusters and their dendrogram",
            "ge.Consensus.plot",
            "tests/families/test_cumulative.py",
        ),
        (
            "Fig. 5",
            "real data: compared with single, complete and average link on the co-association",
            "ge.cumulative, ge.eac",
            f"{REPRODUCTION}#Ayad and Kamel 2005, Figs. 3 and 5",
        ),
        (
            "Fig. 6",
            "error against the number of partitions",
            "ge.cumulative",
            f"{REPRODUCTION}#More bootstrap partitions mean fewer errors",
        ),
        (
            "§3.3",
            "c matters less as partitions are added",
            "ge.cumulative",
            f"{REPRODUCTION}#The number c of clusters matters less as B grows",
        ),
        (
            "§3.2",
            "mean errors of k-means on six data sets",
            "ge.measures.error_rate",
            f"{REPRODUCTION}#Ayad and Kamel 2005, Figs. 3 and 5",
        ),
        (
            "§4",
            "other consensus functions on the accumulated clusters",
            "ge.cumulative(clustering=…)",
            "tests/families/test_cumulative.py",
        ),
        (
            "§4, [3], [4]",
            "two combiners of Ayad et al., by shared nearest neighbors and by information",
            "not built: the paper names them for future work and does not describe them",
            "",
        ),
    ],
    "Yang 2017, chapter 4": [
        (
            "§4.2",
            "bagging: bootstrap, cluster, vote",
            "ge.generate(sampling='bootstrap'), ge.vote",
            "tests/generators/test_generate.py",
        ),
        (
            "§4.2",
            "boosting of clusterings",
            "ge.generate(sampling='boosting')",
            "tests/generators/test_adaptive.py",
        ),
        (
            "eq. 4.1 to 4.3",
            "linear, product and majority combiners with weights",
            "ge.combine",
            "tests/families/test_combine.py",
        ),
        (
            "§4.2",
            "boosting: the weights of instances and of base learners",
            "ge.generate(sampling='boosting'), ge.Ensemble(weights=…)",
            "tests/generators/test_adaptive.py",
        ),
        (
            "§4.4",
            "pairwise diversity: disagreement, double fault",
            "ge.measures.diversity",
            "tests/measures/test_diversity.py",
        ),
        (
            "§4.4",
            "entropy, Kohavi-Wolpert variance, difficulty, inter-rater agreement, generalized diversity",
            "ge.measures.diversity",
            "tests/measures/test_diversity.py",
        ),
        (
            "§4.4",
            "different learners, different samples, different parameters",
            "ge.generate",
            "tests/generators/test_generate.py",
        ),
        (
            "§4.5",
            "five kinds of methods: hypergraph, co-association, voting, information, mixture",
            "ge.methods",
            "docs/reference/methods.md",
        ),
        ("Table 4.1", "the cost of each function", "ge.methods", "docs/reference/methods.md"),
        ("Table 4.1", "METIS", "ge.partition(partitioner='metis')", "tests/cutting/test_metis.py"),
        ("Table 4.1", "SPEC", "ge.partition(partitioner='spectral')", "tests/cutting/test_spectral.py"),
        ("Table 4.1", "CSPA, HGPA, MCLA", "ge.cspa, ge.hgpa, ge.mcla", "tests/families/test_partitioning.py"),
        ("Table 4.1", "HBGF, IBGF, CBGF", "ge.hbgf, ge.ibgf, ge.cbgf", "tests/families/test_partitioning.py"),
        (
            "Table 4.1",
            "PBC with bagging; automatic outlier detection",
            "ge.path_based, ge.mlmap",
            "tests/generators/test_distances.py",
        ),
        ("Table 4.1", "BagClust1, BagClust2", "ge.bagclust1, ge.bagclust2", "tests/families/test_voting.py"),
        (
            "Table 4.1",
            "CMWC: weak clusterings by random projections and hyperplanes",
            "ge.qmi, ge.generate(sampling='hyperplanes')",
            "tests/families/test_label_space.py",
        ),
        (
            "Table 4.1",
            "CMCITG: genetic algorithm on mutual information",
            "ge.genetic",
            "tests/families/test_median.py",
        ),
        (
            "Table 4.1",
            "SCECMGA: correlation matrix and genetic algorithm",
            "not built: neither the chapter nor the paper's abstract says how the correlation matrix picks samples",
            "",
        ),
        ("Table 4.1", "NEACE", "ge.neace", "tests/families/test_label_space.py"),
        ("Table 4.1", "VKM, voting k-means", "ge.vkm", "tests/families/test_evidence.py"),
        ("Table 4.1", "ClusterFusion with weighted kappa", "ge.fusion", "tests/families/test_median.py"),
        ("Table 4.1", "DCUEA: spanning tree of co-association", "ge.eac", "tests/families/test_evidence.py"),
        ("Table 4.1", "ACE: mixture of multinomials", "ge.mixture", "tests/families/test_label_space.py"),
        (
            "Table 4.2, 4.3",
            "three label vectors of seven objects and their hypergraph",
            "ge.hypergraph",
            f"{REPRODUCTION}#Seven objects, three partitions",
        ),
        ("§4.5.1.1", "S = HHᵀ / T", "ge.coassociation", "tests/views/test_coassociation.py"),
        (
            "Fig. 4.1",
            "the similarity matrix of CSPA",
            "ge.coassociation, ge.cspa",
            f"{REPRODUCTION}#Seven objects, three partitions",
        ),
        (
            "Fig. 4.2",
            "the cut of two hyperedges",
            "ge.Hypergraph.cut",
            f"{REPRODUCTION}#Seven objects, three partitions",
        ),
        (
            "§4.5.1.1",
            "HMETIS",
            "not in the library: it is not available as a package; METIS or Mt-KaHyPar is used instead",
            "",
        ),
        (
            "§4.5.1.1",
            "K = max k_t if no number is given",
            "ge.cspa, ge.hgpa, ge.mcla",
            "tests/families/test_partitioning.py",
        ),
        (
            "§4.5.1.1",
            "MCLA: Jaccard meta-graph, balanced meta-clusters, association, competition",
            "ge.mcla, ge.metagraph",
            "tests/families/test_partitioning.py",
        ),
        (
            "§4.5.1.1",
            "the association vector (0, 0, 0, 0, 1/3, 1, 1)",
            "ge.hypergraph",
            f"{REPRODUCTION}#Seven objects, three partitions",
        ),
        (
            "§4.5.1.1",
            "confidence: the association with the chosen cluster as a share of all associations",
            "ge.Consensus.membership",
            "tests/contracts/test_results.py",
        ),
        (
            "§4.5.1.2",
            "DSPA: average link, longest lifetime",
            "ge.dspa, ge.Dendrogram.lifetimes",
            "tests/families/test_evidence.py",
        ),
        (
            "Fig. 4.3",
            "the dendrogram of DSPA and its lifetimes",
            "ge.dspa, ge.Dendrogram.plot",
            f"{REPRODUCTION}#Seven objects, three partitions",
        ),
        (
            "Table 4.4",
            "voting: relabeling by the Hungarian method",
            "ge.vote, ge.match",
            f"{REPRODUCTION}#Seven objects, three partitions",
        ),
        (
            "eq. 4.4",
            "NMI with the geometric mean of entropies",
            "ge.measures.nmi",
            "tests/measures/test_agreement.py",
        ),
        (
            "eq. 4.5",
            "objective: mean NMI with the partitions; the best of several functions",
            "ge.measures.anmi, ge.supra",
            "tests/families/test_median.py",
        ),
        ("§4.5.2", "greedy improvement of the objective", "ge.greedy", "tests/families/test_median.py"),
        (
            "§4.5",
            "evidence aggregation of Gionis et al. and Ailon et al.",
            "ge.aggregate",
            "tests/families/test_correlation.py",
        ),
        ("§4.5", "consensus clustering of Monti et al.", "ge.monti", "tests/choose/test_monti.py"),
        ("§4.5", "semidefinite programming", "ge.semidefinite", "tests/families/test_median.py"),
        (
            "§4.5.1",
            "the models of chapters 5 and 6: hidden Markov models, hybrid sampling",
            "not built: the chapter only names them (the model of chapter 7 is ge.wce)",
            "",
        ),
    ],
    "Chen, lecture": [
        (
            "strength",
            "knowledge reuse and privacy: only labels are needed",
            "ge.Ensemble",
            "tests/core/test_ensemble.py",
        ),
        ("strength", "distributed computing", "ge.scale.generate, ge.scale.consensus", "docs/scale.md"),
        (
            "criteria",
            "robustness, consistency, novelty of a consensus",
            "ge.measures.robustness, ge.measures.consistency, ge.measures.novelty",
            "tests/measures/test_criteria.py",
        ),
        ("criteria", "stability of a consensus", "ge.stability", "tests/choose/test_k.py"),
        (
            "partition generation",
            "representations, views, algorithms, metrics, parameters, projections, bootstrap",
            "ge.generate",
            "tests/generators/test_generate.py",
        ),
        (
            "existing algorithms",
            "voting, evidence, graphs and hypergraphs, mutual information, multinomials, median partitions",
            "ge.vote, ge.eac, ge.cspa, ge.hgpa, ge.supra, ge.mixture, ge.median",
            "docs/reference/methods.md",
        ),
        (
            "evidence accumulation",
            "co-association of n partitions, agglomeration, longest lifetime",
            "ge.eac",
            "tests/families/test_evidence.py",
        ),
        (
            "evidence accumulation",
            "distances d_SL, d_CL and d_GA between clusters",
            "ge.link",
            "tests/linkage/test_link_on_labels.py",
        ),
        (
            "first example",
            "ring, rectangle and Gaussian: 30 partitions, k in [10, 30]",
            "ge.eac",
            f"{REPRODUCTION}#Single link on 30 partitions with k in [10, 30]",
        ),
        (
            "internal indices",
            "F-ratio, rate-distortion, DBI, BIC, silhouette, MDL, stochastic complexity, MH Γ",
            "ge.measures.internal",
            "tests/measures/test_internal.py",
        ),
        (
            "external indices",
            "Rand, adjusted Rand, pair counting, information, set matching, NMI",
            "ge.measures.agreement, ge.measures.purity",
            "tests/measures/test_agreement.py",
        ),
        (
            "external indices",
            "DVI, the validity index of Dunn",
            "ge.measures.internal(index='dunn')",
            "tests/measures/test_internal.py",
        ),
        (
            "weights",
            "indices normalized to [0, 1], larger is better",
            "ge.measures.internal_weights",
            "tests/families/test_weighted.py",
        ),
        (
            "weights",
            "internal and external weights, several indices averaged",
            "ge.wce, ge.measures.internal_weights",
            "tests/families/test_weighted.py",
        ),
        (
            "algorithm",
            "one consensus for each index, then their consensus",
            "ge.wce(reconcile=True)",
            "tests/families/test_weighted.py",
        ),
        (
            "second example",
            "five clusters, 20 partitions, single link, plain and weighted",
            "ge.wce",
            f"{REPRODUCTION}#Single link on 20 k-means partitions, plain and weighted by validity",
        ),
        (
            "application",
            "PCF, DCF, PLS, PDWT of trajectories, 80 partitions each",
            "ge.generators.pcf, ge.generators.dcf, ge.generators.pls, ge.generators.pdwt",
            f"{REPRODUCTION}#80 partitions of each of four representations",
        ),
        (
            "application",
            "16 clusters of the CAVIAR trajectories",
            "not reproduced: the trajectories are not available; the protocol is run on other series",
            f"{REPRODUCTION}#80 partitions of each of four representations",
        ),
    ],
    "Fred and Jain 2005": [
        (
            "Fig. 1",
            "one data set clustered by k-means, single and complete link",
            "ge.generate",
            f"{REPRODUCTION}#Complex image with the number of clusters chosen by lifetime",
        ),
        ("eq. 1 and 2", "a clustering ensemble", "ge.Ensemble", "tests/core/test_ensemble.py"),
        (
            "§2",
            "a partition should agree with the ensemble, be robust, and fit the true classes",
            "ge.measures.anmi, ge.stability, ge.measures.error_rate",
            "tests/choose/test_k.py",
        ),
        (
            "§3.1",
            "ensembles by representation, algorithm, parameters, subsampling",
            "ge.generate",
            "tests/generators/test_generate.py",
        ),
        (
            "§3.2",
            "co-association C(i, j) = n_ij / N",
            "ge.coassociation",
            "tests/views/test_coassociation.py",
        ),
        (
            "Fig. 2d",
            "similarity by Euclidean distance compared with co-association",
            "ge.coassociation",
            f"{REPRODUCTION}#Co-association separates clusters that distances do not",
        ),
        (
            "Figs. 2 and 3",
            "concentric clusters: matrices, dendrogram, lifetimes",
            "ge.eac, ge.Dendrogram.lifetimes",
            f"{REPRODUCTION}#Single link on 30 partitions with k in [10, 30]",
        ),
        (
            "§3.3",
            "single and average link on co-association",
            "ge.link, ge.eac",
            "tests/linkage/test_link_on_labels.py",
        ),
        (
            "§3.3",
            "k-cluster lifetime; the longest one decides k",
            "ge.Dendrogram.cut_longest_lifetime",
            "tests/core/test_dendrogram.py",
        ),
        (
            "Table 1",
            "single link on the p nearest neighbors",
            "ge.eac(neighbors=…)",
            "tests/families/test_evidence.py",
        ),
        (
            "§3.4",
            "p = 20 nearest neighbors instead of all pairs",
            "ge.eac(neighbors=…)",
            "tests/families/test_evidence.py",
        ),
        (
            "eq. 3",
            "entropy and mutual information of partitions",
            "ge.measures.nmi",
            "tests/measures/test_agreement.py",
        ),
        (
            "eq. 4",
            "NMI with the arithmetic mean of entropies",
            "ge.measures.nmi(average='arithmetic')",
            "tests/measures/test_agreement.py",
        ),
        (
            "§4.1, [56]",
            "NMI with log k_a and log k_b",
            "ge.measures.nmi(average='log')",
            "tests/measures/test_criteria.py",
        ),
        (
            "eq. 5 to 7",
            "mean NMI of a partition with an ensemble and of an ensemble with itself, and the objective",
            "ge.measures.anmi, ge.measures.pairwise",
            "tests/measures/test_agreement.py",
        ),
        (
            "§4.2",
            "the number of partitions into k clusters",
            "ge.measures.anmi",
            f"{REPRODUCTION}#The best of all partitions into k clusters",
        ),
        (
            "eq. 7",
            "the partition with the largest mean NMI",
            "ge.greedy(average='arithmetic'), ge.supra(average='arithmetic')",
            f"{REPRODUCTION}#The best of all partitions into k clusters",
        ),
        (
            "Fig. 4",
            "reference partitions of the cigar set",
            "ge.datasets.load",
            f"{REPRODUCTION}#Mean NMI with an ensemble is largest near its own k",
        ),
        (
            "eq. 8 to 12",
            "bootstrap ensembles: the k of least variance, and a test of whether there is one",
            "ge.stability, ge.choose_k(rule='stability')",
            "tests/choose/test_k.py",
        ),
        (
            "Fig. 5",
            "mean NMI is largest near the ensemble's own k",
            "ge.measures.anmi",
            f"{REPRODUCTION}#Mean NMI with an ensemble is largest near its own k",
        ),
        (
            "Fig. 6",
            "test sets: half rings, three rings, cigar, complex image, five-dimensional noise",
            "ge.datasets.load",
            "tests/datasets/test_load.py",
        ),
        (
            "§5",
            "Algorithms I and II: fixed k, and random k from an interval",
            "ge.generate(k=…)",
            "tests/generators/test_generate.py",
        ),
        (
            "§5.1",
            "natural clusters by lifetime; iris has two",
            "ge.eac",
            f"{REPRODUCTION}#The longest lifetime finds the natural clusters of the test sets",
        ),
        (
            "Fig. 7",
            "variance over bootstrap ensembles",
            "ge.stability",
            f"{REPRODUCTION}#The k of least variance over bootstrap ensembles is the natural number of clusters",
        ),
        (
            "Fig. 8",
            "the number of clusters settles as partitions are added",
            "ge.eac",
            f"{REPRODUCTION}#The number of clusters settles as partitions are added",
        ),
        (
            "Figs. 9 and 10",
            "half rings with k too small, too large and random",
            "ge.eac",
            f"{REPRODUCTION}#A small k misses the half rings",
        ),
        (
            "Fig. 9d",
            "single link on the points themselves",
            "ge.eac",
            f"{REPRODUCTION}#A small k misses the half rings",
        ),
        (
            "§5.1",
            "uniform noise is one cluster",
            "ge.eac",
            f"{REPRODUCTION}#Random points in five dimensions are one cluster",
        ),
        (
            "§5.3",
            "lower bound on k from a Gaussian mixture (Figueiredo and Jain)",
            "ge.generators.mixture_components, ge.generate(k='mixture'), ge.choose_k(rule='mixture')",
            "tests/generators/test_distances.py",
        ),
        (
            "§5.3",
            "the half rings have 10 Gaussian components",
            "ge.generators.mixture_components",
            f"{REPRODUCTION}#Half-rings are made of 10 Gaussian components",
        ),
        (
            "§6",
            "100 and 200 partitions give similar errors",
            "ge.eac",
            f"{REPRODUCTION}#100 and 200 partitions give errors similar to those of 50",
        ),
        (
            "§6",
            "spectral clustering of Ng, Jordan and Weiss, with σ chosen by distortion",
            "ge.generate(base='njw')",
            "tests/generators/test_distances.py",
        ),
        (
            "§6",
            "prototypes by shared nearest neighbors",
            "ge.snn_prototypes",
            "tests/generators/test_prototypes.py",
        ),
        (
            "§6",
            "strings: objects that are not vectors",
            "ge.generate(metric=…)",
            "tests/generators/test_distances.py",
        ),
        (
            "§6",
            "the spectral kernel method of Cristianini et al. on breast cancer",
            "not built: the paper quotes two error rates of another paper",
            "",
        ),
        (
            "§6",
            "the cost of the methods: O(n²N), O(n²Nk), O(nNk), O(nk²N²)",
            "ge.methods",
            "docs/reference/methods.md",
        ),
        ("Fig. 11", "texture images", "not reproduced: the images are not available", ""),
        (
            "Fig. 12",
            "complex image, number of clusters chosen by lifetime",
            "ge.eac",
            f"{REPRODUCTION}#Complex image with the number of clusters chosen by lifetime",
        ),
        (
            "Fig. 12b",
            "complex image by spectral clustering",
            "ge.generate(base='njw')",
            f"{REPRODUCTION}#Complex image with the number of clusters chosen by lifetime",
        ),
        (
            "§6, item 1",
            "complex image, 739 points in eight clusters",
            "ge.datasets.load",
            "tests/datasets/test_load.py",
        ),
        (
            "Table 2",
            "error rates with random k from wide intervals",
            "ge.eac, ge.cspa, ge.hgpa, ge.mcla",
            f"{REPRODUCTION}#Fred and Jain 2005, Table 2",
        ),
        (
            "Table 3",
            "error rates with k* clusters in every partition",
            "ge.eac, ge.cspa, ge.hgpa, ge.mcla",
            f"{REPRODUCTION}#Fred and Jain 2005, Table 3",
        ),
        (
            "Table 4",
            "error rates on prototypes",
            "ge.snn_prototypes, ge.eac",
            f"{REPRODUCTION}#Prototypes from shared nearest neighbors, then the ensemble",
        ),
    ],
    "Li, Yu, Hao and Li 2007": [
        (
            "§1, [11]",
            "bagged clustering of Leisch",
            "not built: named in a list of other methods and not described",
            "",
        ),
        (
            "eq. 1",
            "co-association C(i, j) = n_ij / N",
            "ge.coassociation",
            "tests/views/test_coassociation.py",
        ),
        (
            "Fig. 1, §2.2",
            "2-spirals, N = 30, k = 60: similarity by distance and by co-association, with three properties",
            "ge.coassociation",
            f"{REPRODUCTION}#Co-association separates clusters that distances do not",
        ),
        (
            "§2",
            "the co-association matrix against Euclidean similarity",
            "ge.coassociation",
            "tests/views/test_coassociation.py",
        ),
        (
            "eq. 2",
            "threshold graph: an edge where the similarity is above θ",
            "ge.Graph.threshold",
            "tests/core/test_graph.py",
        ),
        (
            "eq. 3",
            "normalized edges of two clusters",
            "ge.link(linkage='normalized-edges'), ge.hne",
            "tests/linkage/test_normalized_edges.py",
        ),
        (
            "§3.2",
            "merging on any similarity matrix until k clusters, or no edges, are left",
            "ge.link(linkage='normalized-edges')",
            "tests/linkage/test_normalized_edges.py",
        ),
        ("§3.2", "the same on co-association (CA-HNE)", "ge.hne", "tests/linkage/test_normalized_edges.py"),
        (
            "§3.2",
            "O(n² log n) time; a heap over the edges",
            "ge.hne",
            "tests/linkage/test_normalized_edges.py",
        ),
        (
            "§3.2",
            "θ between 0.1 and 0.4 works well",
            "ge.hne(theta=…)",
            f"{REPRODUCTION}#Normalized edges work well with θ in [0.1, 0.4]",
        ),
        (
            "Table 1",
            "2-spirals, complex image (743 points), 3-paths, breast cancer, yeast",
            "ge.datasets.load",
            "tests/datasets/test_load.py",
        ),
        (
            "Fig. 2",
            "complex image and 3-paths clustered by normalized edges",
            "ge.hne",
            f"{REPRODUCTION}#Complex image with the number of clusters chosen by lifetime",
        ),
        (
            "§4",
            "comparison with Latent-EM, Boost-KM, EAC, CSPA, HGPA and MCLA",
            "ge.mixture, ge.generate(sampling='boosting'), ge.eac, ge.cspa, ge.hgpa, ge.mcla",
            f"{REPRODUCTION}#Li, Yu, Hao and Li 2007, Table 2",
        ),
        (
            "Table 2",
            "mean errors of 20 runs on five data sets",
            "ge.hne",
            f"{REPRODUCTION}#Li, Yu, Hao and Li 2007, Table 2",
        ),
        (
            "§4",
            "10 or 20 partitions are enough",
            "ge.hne",
            f"{REPRODUCTION}#10 or 20 partitions are enough for normalized edges",
        ),
    ],
}


def table(paper: str) -> str:
    """One paper's rows as Markdown."""
    lines = ["| in the paper | what | here | shown in |", "|---|---|---|---|"]
    for place, what, names, shown in SOURCES[paper]:
        here = ", ".join(f"`{name}`" for name in names.split(", ")) if names.startswith("ge.") else names
        lines.append(f"| {place} | {what} | {here} | {_link(shown)} |".replace("| X =", "\\| X ="))
    return "\n".join(lines)


def _link(shown: str) -> str:
    """A test by its path, a page or its section as a link."""
    path, _, section = shown.partition("#")
    if not path.startswith("docs/"):
        return path and f"`{path}`"
    page = path.removeprefix("docs/")
    return f"[{section or page.removesuffix('.md')}]({page}{_anchor(path, section)})"


def _anchor(path: str, section: str) -> str:
    """Where a section begins, as the site and GitHub call it; nothing for a whole page."""
    text = (ROOT / path).read_text(encoding="utf-8")
    heading = re.search(rf"^#+ ({re.escape(section)}.*)$", text, re.MULTILINE) if section else None
    slug = re.sub(r"[^\w\- ]", "", heading[1].strip().lower()).replace(" ", "-") if heading else ""
    return f"#{slug}" if slug else ""


def page() -> str:
    """The whole page."""
    about = (
        "This library began with five documents. The tables list every algorithm, formula, table and figure in them, "
        "its name in graphens, and the test or page that shows it. What is not in graphens is listed with the reason. "
        "This page is made from `docs/sources.py`, and a test checks that every name exists."
    )
    parts = [f"# Where each paper is implemented\n\n{about}"]
    parts += [f"## {paper}\n\n{table(paper)}" for paper in SOURCES]
    return "\n\n".join(parts) + "\n"
