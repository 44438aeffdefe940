"""The scikit-learn estimator: an ensemble and its consensus behind fit and predict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from ._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, as_int, as_weights, draw, freeze
from ._lib.frames import collected
from ._lib.threads import one_pool_thread
from .choose.answers import follow_gaps
from .choose.auto import consensus, run_method
from .choose.rules import Rule
from .errors import InputError, collect_warnings
from .families.outcome import Outcome, to_consensus
from .families.registry import AnyMethod
from .generators.bases import BASES, Base, find_bases, takes_weights, warn_unsized
from .generators.ensembles import distinguishable, make_recipe
from .generators.features import read_views
from .generators.pieces import Neighborhoods
from .generators.recipe import Labeler, k_choices
from .generators.samplings import SAMPLINGS
from .generators.work import produce
from .graphs.affinity import Placement, affinity_of
from .labels.ensemble import Ensemble
from .labels.names import Names
from .labels.ready import Ready
from .measures import anmi
from .result.consensus import Consensus

if TYPE_CHECKING:  # scikit-learn has no types: what its base classes add, for those who check theirs
    from typing import Self

    class BaseEstimator:
        """Parameters by name."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002
            """Return the parameters."""

        def set_params(self, **params: Any) -> Self:
            """Set parameters."""

        def __sklearn_tags__(self) -> Any: ...

    class ClusterMixin:
        """Labels in one step."""

        def fit_predict(self, X: Any, y: Any = None, **kwargs: Any) -> LabelArray:
            """Fit, and return the labels."""

    class TransformerMixin:
        """Features in one step."""

        def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
            """Fit, and return what `transform` returns."""

        def set_output(self, *, transform: Any = None) -> Self:
            """Choose the kind of frame that comes out."""

    class Named:
        """Names of the features that come out."""

        def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
            """Return the names."""

else:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin as Named, ClusterMixin, TransformerMixin


_NEARLY_NONE = 1e-6  # of the mean weight: what an object of weight 0 weighs beside those that were clustered
_MOST = 10_000  # objects up to which all are clustered; of more, a sample is, and the others are placed by it


class ConsensusClustering(Named, TransformerMixin, ClusterMixin, BaseEstimator):
    """Cluster many times, and combine the clusterings into one.

    Parameters
    ----------
    n_clusters
        Number of clusters; None lets the method choose.
    method
        A consensus method, as for `consensus`: a name, "auto" for the automatic choice, or a function.
    method_options
        Options of the consensus method, by name.
    rule
        How the number of clusters is chosen if `n_clusters` is None: ``"eigengap"`` (the default of "auto") or another
        rule of `choose_k`, or a function ``(ensemble, generator) -> k``. Without a rule, a named method uses its own
        default.
    base
        The clusterer that makes the partitions; see `generate`. The default is "pieces": k-means with many clusters,
        each split into the pieces that nearest neighbors connect. With a `sampling`, the default is "kmeans". If base,
        sampling and method are the defaults, seven algorithms answer; see Notes.
    n_partitions, sampling, share, assign
        How the ensemble is made, see `generate`.
    k_range
        Number of clusters in the base partitions: a number, an interval or a list; see `generate`. By default, the
        interval of the base (√n/2 to 3√n/2 for most, up to √n for "spectral"), starting at `n_clusters` or above. A
        scikit-learn clusterer gets its number of clusters from this range, too, unless its own is None.
    random_state
        A number, a RandomState or None.
    n_jobs
        Number of partitions made at the same time.

    Attributes
    ----------
    labels_
        Cluster of every object, −1 if no partition has it.
    n_clusters_
        Number of clusters found.
    membership_
        Membership of every object in every cluster, n × n_clusters_.
    confidence_
        Confidence of every object's assignment, a / (a + b), where a is the mean co-association with its own cluster
        and b is that with the closest other cluster. It ranks the objects of one result and is not a probability; see
        `Consensus.confidence`.
    ensemble_
        The base partitions.
    consensus_
        The complete `Consensus`: score, graph, dendrogram and more.
    n_features_in_, feature_names_in_
        As in other scikit-learn estimators.

    Notes
    -----
    By default, the consensus of the pieces chooses the number of clusters, and is one of seven answers. The others are
    spectral clustering, Genie linkage, k-means, Gaussian mixtures with full and with equal covariances, and a mixture
    with more components that are merged. If an answer cuts less than 3 % of the links between nearest neighbors, there
    are gaps, and the answer that follows them best, with clusters of even size, is the result. Otherwise it is average
    linkage of the seven answers. ``consensus_.trials`` has the cut and the evenness of every answer. Beyond 10,000
    objects, a sample of this size is clustered, and the base models label the others.

    `predict` labels new objects if the base models can: it predicts their base labels, and then computes the mean
    co-association with each cluster from the counts |c ∩ C| of the training objects. For training objects, the result
    may differ from `labels_` if the consensus used more than those counts. `transform` returns these memberships, one
    column per cluster; `fit_transform` is `fit` followed by `transform`, and `membership_` has the method's own
    memberships of the training data.

    Examples
    --------
    >>> import graphens as ge
    >>> X, truth = ge.datasets.load("half-rings", seed=0)
    >>> model = ge.ConsensusClustering(2, method="eac", random_state=0).fit(X)
    >>> ge.measures.error_rate(truth, model.labels_)
    0.0
    """

    labels_: LabelArray
    n_clusters_: int

    _parameter_constraints: Mapping[str, Any] = {}

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        method: AnyMethod = "auto",
        method_options: Mapping[str, Any] | None = None,
        rule: str | Rule | None = None,
        base: Any = None,
        n_partitions: int = 50,
        k_range: Any = None,
        sampling: str | None = None,
        share: float | None = None,
        assign: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.method = method
        self.method_options = method_options
        self.rule = rule
        self.base = base
        self.n_partitions = n_partitions
        self.k_range = k_range
        self.sampling = sampling
        self.share = share
        self.assign = assign
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> ConsensusClustering:
        """Generate an ensemble from X and compute its consensus; y is ignored.

        An object of weight 2 counts as two, and one of weight 0 is only labeled. Algorithms that take no weights get
        rows repeated if the weights are whole numbers; otherwise they do not answer, and ``consensus_.why`` says so.
        """
        X = validate_data(self, collected(X), accept_sparse="csr", dtype=[np.float64, np.float32], ensure_min_samples=2)
        if self.n_clusters is not None:
            as_int("n_clusters", self.n_clusters, 1, X.shape[0])
        random = check_random_state(self.random_state)
        seed, second = (int(number) for number in random.randint(2**31 - 1, size=2))
        weight = None if sample_weight is None else as_weights(np.asarray(sample_weight), X.shape[0], "objects")
        there = np.arange(X.shape[0]) if weight is None else np.flatnonzero(weight)
        sampled = self._follows_gaps and len(there) > _MOST
        some = there[draw(len(there), _MOST, second)] if sampled else there if len(there) < X.shape[0] else None
        weight = weight if weight is None or some is None else weight[some]
        views, bases = read_views(X if some is None else X[some]), self._bases()
        warn_unsized(bases, "k_range", self.k_range)
        if self.n_clusters is not None:
            distinguishable(views, self.n_clusters, "n_clusters")
        k, requested = self._base_k(views.n_objects, bases), "" if self.k_range is None else "k_range"
        how: dict[str, Any] = {"sampling": self.sampling, "share": self.share, "assign": self.assign}
        recipe = make_recipe(views, self.n_partitions, k, bases, seed, n_jobs=self.n_jobs, requested=requested, **how)
        if weight is not None:
            if recipe.sampling.step is not None:
                raise InputError(f"sampling = {self.sampling!r} takes no weights; leave sample_weight out.")
            recipe = replace(recipe, weight=weight)
        shelf = produce(recipe, views, dict, n_jobs=self.n_jobs, progress=False, keep=True)
        self._labelers = [shelf.made[t].labeler for t in sorted(shelf.made)]  # how they label new objects
        e, points = shelf.ensemble(), views.matrices[0]
        e = e if weight is None else e._replace(object_weights=weight)
        r = self._combine(e, points, second)
        if self._follows_gaps and isinstance(bases[0].build, Neighborhoods):
            r = follow_gaps(r, points, bases[0].build, second, weight)
        elif weight is not None:
            repeating = [base.name for base in bases if not takes_weights(base.build(points, 1, 0))]
            if repeating:
                r = r._replace(why=f"{r.why} Rows were repeated according to their weights for {', '.join(repeating)}.")
        if some is not None:
            e, r = self._extend(e, r, X, some, sample_weight)
        self.ensemble_: Ensemble = e
        self.consensus_: Consensus = r
        self.labels_ = np.array(r.labels)
        self.n_clusters_ = int(r.k)
        return self

    def _extend(self, e: Ensemble, r: Consensus, X: Any, some: IntArray, weight: Any) -> tuple[Ensemble, Consensus]:
        """The ensemble and the result of all objects, by the base models of a sample."""
        codes = _new_codes(e, self._labelers, X)
        labels = np.array(affinity_of(r).place(codes).labels)
        labels[some] = r.labels
        n = len(labels)
        weights = np.ones(n) if weight is None else np.maximum(weight, _NEARLY_NONE * np.mean(weight))
        whole = e._replace(codes=freeze(codes), object_weights=freeze(weights), _names=Names(("x", n)))
        outcome = Outcome(labels, details={**r._details, "sampled": len(some)})
        spread = to_consensus(r.method, Ready.of(whole), outcome, r.options)
        return whole, spread._replace(why=r.why, trials=r.trials, choice=r.choice)

    def predict(self, X: Any) -> AnyArray:
        """Return the clusters of new objects, by their base labels; −1 if no base model gives a label."""
        return self._placed(X).labels

    def predict_membership(self, X: Any) -> FloatArray:
        """Return the membership of new objects in every cluster, by their base labels."""
        return self._placed(X).membership

    def score(self, X: Any, y: Any = None) -> float:
        """Return how well the clusters of these objects agree with their base labels (mean NMI); y is ignored."""
        codes = self._codes(X)
        labels = np.where(codes == self.ensemble_.absent, MISSING, codes.astype(np.int64))
        with collect_warnings():  # a few new objects are often in one base cluster
            e = Ensemble.from_partitions(labels, weights=self.ensemble_.weights)
        return anmi(affinity_of(self.consensus_).place(codes).labels, e)

    def _placed(self, X: Any) -> Placement:
        codes = self._codes(X)
        return affinity_of(self.consensus_).place(codes)

    def _codes(self, X: Any) -> AnyArray:
        """Base labels of new objects as codes of the ensemble."""
        check_is_fitted(self)
        X = validate_data(self, collected(X), accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        return _new_codes(self.ensemble_, self._labelers, X)

    def transform(self, X: Any) -> FloatArray:
        """Return the membership of objects in every cluster, by their base labels, as features for the next step."""
        return self.predict_membership(X)

    @property
    def _n_features_out(self) -> int:
        """Number of columns of `transform`, from which scikit-learn makes their names."""
        return self.n_clusters_

    @property
    def membership_(self) -> FloatArray:
        """Membership of every object in every cluster."""
        check_is_fitted(self)
        return self.consensus_.membership

    @property
    def confidence_(self) -> FloatArray:
        """Confidence of every object's assignment: a / (a + b)."""
        check_is_fitted(self)
        return self.consensus_.confidence

    @property
    def _base(self) -> Any:
        """The base that is used: "pieces" needs the neighbors of all objects, so it is not used on samples."""
        return self.base if self.base is not None else "pieces" if self.sampling is None else "kmeans"

    @property
    def _follows_gaps(self) -> bool:
        """Whether everything that makes the ensemble is the default, so that seven algorithms answer."""
        return self.base is None and self.sampling is None and self.method == "auto" and not self.method_options

    def _bases(self) -> tuple[Base, ...]:
        return find_bases(self._base)

    def _base_k(self, n: int, bases: Sequence[Base]) -> Any:
        if self.k_range is not None or self.n_clusters is None:
            return self.k_range
        k = min(as_int("n_clusters", self.n_clusters, 1), n)
        low, high = k_choices(None, n, bases)[[0, -1]].tolist()
        low = max(low, k)
        return low, max(low, high)

    def _combine(self, e: Ensemble, X: Any, seed: int) -> Consensus:
        options = dict(self.method_options or {})
        if self.n_clusters is None and self.method == "auto":  # the features help to choose it
            r = run_method(e, None, "auto", seed, self.rule, options, X=X, parameter="n_clusters")
            return r._replace(_call={"method": "auto", "k": r.k, "seed": seed, **options})
        if self.rule is not None:
            options["rule"] = self.rule
        return consensus(e, self.n_clusters, method=self.method, seed=seed, **options)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        projects = self.sampling in SAMPLINGS and SAMPLINGS[self.sampling].dense
        tags.input_tags.sparse = projects or all(
            (base not in BASES or BASES[base].sparse)
            if isinstance(base, str)
            else not hasattr(base, "__sklearn_tags__") or bool(get_tags(base).input_tags.sparse)
            for base in (self._base if isinstance(self._base, (list, tuple)) else [self._base])
        )
        return tags


def _labels_new_objects(model: ConsensusClustering) -> bool:
    """Whether all bases have a predict."""
    sampling = SAMPLINGS.get(model.sampling)
    silent = [base.name for base in model._bases() if not base.predicts and (sampling is None or sampling.uses_base)]
    if silent:
        raise InputError(
            f"New objects cannot be labeled, because {', '.join(silent)} has no predict. Use kmeans, minibatch, "
            "medoids, gmm or another base with predict, or fit_predict on all objects together."
        )
    return True


# After the class, because its base classes wrap `transform`; without a predict, scikit-learn shall not see these.
for _name in ("predict", "predict_membership", "score", "transform", "fit_transform"):
    _method = getattr(ConsensusClustering, _name)
    setattr(ConsensusClustering, _name, available_if(_labels_new_objects)(_method))


def _new_codes(e: Ensemble, labelers: Sequence[Labeler | None], X: AnyArray) -> AnyArray:
    """Base labels of new objects as codes of the ensemble (B × m), absent if it has no such cluster."""
    codes = np.full((e.n_partitions, X.shape[0]), e.absent, dtype=e.codes.dtype)
    X = X[:]  # neighbors are remembered for this very object, and the caller may change its own
    with one_pool_thread():
        for row, names, label in zip(codes, e.categories, labelers, strict=True):
            if label is None:  # of objects that were not clustered, such as those of weight 0
                continue
            labels = label((X,))
            at = np.minimum(np.searchsorted(names, labels), max(len(names) - 1, 0))
            exists = names[at] == labels if len(names) else np.zeros(len(labels), dtype=bool)
            row[exists] = at[exists]
    return codes
