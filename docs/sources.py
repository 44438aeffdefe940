"""What the five documents behind this library say, and where it is here.

For each paper: the place, what stands there, our names, and where it is shown. Names are separated by commas and begin
with `ge.`; what is not here has a reason in their place. It is shown in a test, or on a page, with the title of a
section behind `#`.
"""

from __future__ import annotations

Row = tuple[str, str, str, str]

REPRODUCTION = "docs/reproduction.md"

SOURCES: dict[str, list[Row]] = {
    "Ayad and Kamel 2005": [
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
            "every cluster goes to the most similar accumulated one",
            "ge.cumulative",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.1",
            "an accumulated cluster that nothing joins: detected, tried again",
            "ge.cumulative(retries=…)",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.1",
            "the reverse mapping: every accumulated cluster takes its most similar new one",
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
            "§2.2",
            "group average on 1 − Jaccard of the accumulated clusters, cut at k",
            "ge.cumulative, ge.link",
            "tests/families/test_cumulative.py",
        ),
        (
            "§2.2",
            "assignment probabilities p(M = j | X = i), the most likely wins",
            "ge.cumulative, ge.Consensus.membership",
            "tests/families/test_cumulative.py",
        ),
        (
            "§1",
            "voting of bootstrap clusterings after a reference (Dudoit and Fridlyand)",
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
            "relabeling by the likelihood so far (Fischer and Buhmann)",
            "ge.mlmap",
            "tests/families/test_voting.py",
        ),
        (
            "§3",
            "error rate by the best matching of labels",
            "ge.measures.error_rate",
            "tests/measures/test_agreement.py",
        ),
        (
            "Figs. 2 and 3",
            "artificial sets: ensembles over c against k-means",
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
            "real sets: against single, complete and average link of co-association",
            "ge.cumulative, ge.eac",
            f"{REPRODUCTION}#Ayad and Kamel 2005, Figs. 3 and 5",
        ),
        (
            "Fig. 6",
            "error against the number of partitions",
            "ge.cumulative",
            f"{REPRODUCTION}#More bootstrap partitions, fewer errors",
        ),
        (
            "§3.3",
            "c matters less as partitions are added",
            "ge.cumulative",
            f"{REPRODUCTION}#The number c of clusters matters less as B grows",
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
            "tests/families/test_median.py",
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
            "Fig. 4.2",
            "the cut of two hyperedges",
            "ge.Hypergraph.cut",
            f"{REPRODUCTION}#Seven objects, three partitions",
        ),
        (
            "§4.5.1.1",
            "MCLA: Jaccard meta-graph, balanced meta-clusters, association, competition",
            "ge.mcla, ge.metagraph",
            "tests/families/test_partitioning.py",
        ),
        (
            "§4.5.1.1",
            "confidence: winner's share of association",
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
    ],
    "Chen, lecture": [
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
            "evidence accumulation",
            "co-association of n partitions, agglomeration, longest lifetime",
            "ge.eac",
            "tests/families/test_evidence.py",
        ),
        (
            "first example",
            "ring, rectangle and Gaussian: 30 partitions, k in [10, 30]",
            "ge.eac",
            f"{REPRODUCTION}#30 partitions, k in [10, 30], single link",
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
            "weights",
            "internal and external weights, several indices averaged",
            "ge.wce, ge.measures.internal_weights",
            "tests/families/test_weighted.py",
        ),
        (
            "second example",
            "five clusters, 20 partitions, single link, plain and weighted",
            "ge.wce",
            f"{REPRODUCTION}#20 k-means partitions and single link, plain and weighted by validity",
        ),
        (
            "application",
            "PCF, DCF, PLS, PDWT of trajectories, 80 partitions each",
            "ge.generators.pcf, ge.generators.dcf, ge.generators.pls, ge.generators.pdwt",
            f"{REPRODUCTION}#Four representations × 80 partitions",
        ),
    ],
    "Fred and Jain 2005": [
        (
            "§2",
            "a partition that agrees with the ensemble, is robust, fits the truth",
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
            "Figs. 2 and 3",
            "concentric clusters: matrices, dendrogram, lifetimes",
            "ge.eac, ge.Dendrogram.lifetimes",
            f"{REPRODUCTION}#30 partitions, k in [10, 30], single link",
        ),
        (
            "§3.3",
            "single and average link on co-association",
            "ge.link, ge.eac",
            "tests/linkage/test_link_on_labels.py",
        ),
        (
            "§3.3",
            "k-cluster lifetime, the longest decides",
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
            "mean NMI with an ensemble, of an ensemble with itself, the objective",
            "ge.measures.anmi, ge.measures.pairwise",
            "tests/measures/test_agreement.py",
        ),
        (
            "eq. 8 to 12",
            "bootstrap ensembles: the k of least variance, and when there is none",
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
            "Fig. 7",
            "variance over bootstrap ensembles",
            "ge.stability",
            f"{REPRODUCTION}#The k of least variance over bootstrap ensembles is the natural one",
        ),
        (
            "Fig. 8",
            "the number of clusters settles as partitions are added",
            "ge.eac",
            f"{REPRODUCTION}#The number of clusters settles as partitions are added",
        ),
        (
            "Figs. 9 and 10",
            "too small, too large and random k on half rings",
            "ge.eac",
            f"{REPRODUCTION}#Too small k misses the half rings",
        ),
        (
            "§5.1",
            "uniform noise is one cluster",
            "ge.eac",
            f"{REPRODUCTION}#Random points in five dimensions are one cluster",
        ),
        (
            "§5.3",
            "lower bound of k by a Gaussian mixture (Figueiredo and Jain)",
            "ge.generators.mixture_components, ge.generate(k='mixture')",
            "tests/generators/test_distances.py",
        ),
        (
            "§6",
            "spectral clustering of Ng, Jordan and Weiss, σ by distortion",
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
            "strings: patterns that are no vectors",
            "ge.generate(metric=…)",
            "tests/generators/test_distances.py",
        ),
        ("Fig. 11", "texture images", "not available", REPRODUCTION),
        (
            "Fig. 12",
            "complex image by lifetime",
            "ge.eac",
            f"{REPRODUCTION}#By lifetime instead of a forced k",
        ),
        (
            "Table 2",
            "error rates with k random in wide intervals",
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
            f"{REPRODUCTION}#Cores by shared neighbors, then the ensemble",
        ),
    ],
    "Li, Yu, Hao and Li 2007": [
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
            "merging any similarity matrix until k clusters or no edge is left",
            "ge.link(linkage='normalized-edges')",
            "tests/linkage/test_normalized_edges.py",
        ),
        ("§3.2", "the same on co-association (CA-HNE)", "ge.hne", "tests/linkage/test_normalized_edges.py"),
        (
            "§4",
            "Latent-EM, Boost-KM, EAC, CSPA, HGPA, MCLA beside it",
            "ge.mixture, ge.generate(sampling='boosting'), ge.eac, ge.cspa, ge.hgpa, ge.mcla",
            f"{REPRODUCTION}#Li, Yu, Hao and Li 2007, Table 2",
        ),
        (
            "Table 2",
            "mean errors of 20 runs on five sets",
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
    path, _, section = shown.partition("#")
    if path.startswith("docs/"):
        return f"[{section or path.removeprefix('docs/').removesuffix('.md')}]({path.removeprefix('docs/')})"
    return f"`{path}`"


def page() -> str:
    """The whole page."""
    about = (
        "The five documents that this library began with, paragraph by paragraph. The tables list every algorithm, "
        "formula, table and figure, what it is called here, and the test or the page that shows it. The page is "
        "made from `docs/sources.py`, and a test checks that every name exists."
    )
    parts = [f"# Where each paper is implemented\n\n{about}"]
    parts += [f"## {paper}\n\n{table(paper)}" for paper in SOURCES]
    return "\n\n".join(parts) + "\n"
