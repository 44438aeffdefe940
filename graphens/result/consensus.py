"""What consensus functions return: a clustering that records how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, as_list, call
from ..cutting.community import each_base, is_steady
from ..errors import InputError, collect_warnings, quote
from ..graphs.bipartite import join_clusters
from ..graphs.counts import overlaps
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..labels.names import Names
from ..labels.value import Lazy, ReadOnly, Savable, Value, remembered
from ..trees.dendrogram import Dendrogram

if TYPE_CHECKING:
    import igraph as ig
    import networkx as nx

    from ..choose.choice import Choice
    from ..explore import Explorer
    from ..families.trials import Trial
    from ..graphs.affinity import Affinity
    from ..plot.display import Display
    from .changes import Changes
    from .constraints import Pairs
    from .explanation import Assigned, Explanation

STRUCTURE = 0.6  # agreement of runs that random graphs stay below (0.24 to 0.57 measured) and planted ones do not


class View(NamedTuple):
    """The graph of a result, the vertex of each object (−1 for none), and the cluster of each vertex (−1 for none)."""

    graph: Graph | Hypergraph
    vertices: IntArray
    vertex_labels: LabelArray


def view_overlaps(e: Ensemble, labels: LabelArray, k: int) -> Lazy[View]:
    """Return the graph between the clusters of the partitions and those of the result: how many objects they share."""

    def view() -> View:
        sizes = np.bincount(labels[labels >= 0], e.object_weights[labels >= 0], k)
        table = overlaps(e, labels, k)
        graph, _, clusters = join_clusters(e.cluster_names, e.cluster_sizes(), table, sizes, "result", OVERLAPS)
        return View(graph, np.full(len(labels), MISSING), clusters)

    return Lazy(view)


MIXED = 1.05  # times as far apart as draws of one chain, those of two may be (1.00 to 1.03 if they agree)
#: the kind of graph of methods that compare labels without another graph, see `view_overlaps`
OVERLAPS = "overlaps with the result"


class Consensus(Value, Savable):
    """One clustering of the objects, with the evidence that led to it.

    Attributes
    ----------
    labels
        Cluster of every object, 0 … k − 1 in order of first appearance (`by_size` numbers them by size), −1 for an
        object that is absent from every partition.
    k
        Number of clusters.
    score
        Mean normalized mutual information with the partitions (ANMI).
    method, options
        The method and its options, enough to repeat the call.
    dendrogram
        The dendrogram that the method used, if any.
    tree_of_clusters
        Whether the leaves of the dendrogram are clusters rather than objects.
    why
        How the number of clusters and the result were chosen, in words.
    choice
        How the number of clusters was chosen (a `Choice`); None if it was given, or found by the method itself.
    trials
        One `Trial` for each method that was tried; empty if a method was named.
    network
        For communities, the original network; otherwise None.
    names
        Names of the objects as they were given: text, numbers, dates or tuples.
    changes
        What `update` changed (a `Changes`); None for any other consensus.
    """

    labels: LabelArray
    k: int
    score: float
    method: str
    names: Names | None
    options: Mapping[str, Any] = ReadOnly()
    dendrogram: Dendrogram | None = None
    tree_of_clusters: bool = False
    why: str = ""
    choice: Choice | None = None
    trials: tuple[Trial, ...] = ()
    network: Any = None
    changes: Changes | None = None
    _evidence: Affinity
    _view: Lazy[View]
    _details: Mapping[str, Any] = ReadOnly()
    _own: FloatArray | None = None  # the membership of the method's own model
    _called: tuple[str | None, ...] = ()  # names of the clusters, None for one without
    _call: Mapping[str, Any] = ReadOnly()  # the call that made it: method, k, seed and options as given
    _runs: Mapping[str, Any] = ReadOnly()  # for communities, the arguments of `communities`

    @property
    def graph(self) -> Graph | Hypergraph:
        """The graph that the method worked on, built when it is first used.

        Methods that compare labels without another graph have the overlaps of their clusters with those of the
        partitions, as a graph.
        """
        return self._view().graph

    @property
    def vertices(self) -> IntArray:
        """Vertex of each object in `graph`, −1 for none."""
        return self._view().vertices

    @property
    def vertex_labels(self) -> LabelArray:
        """Cluster of every vertex of `graph`, for object and cluster vertices alike, −1 for a vertex without one.

        ``r.graph.cut(r.vertex_labels)`` is what the clusters cut.
        """
        return self._view().vertex_labels

    @remembered
    def details(self) -> Mapping[str, Any]:
        """Additional results of the method, by name.

        Sums of partition weights among them (``cut``, ``km1``, ``cost``) are in the unit of the given weights.
        """
        return {name: one() if isinstance(one, Lazy) else one for name, one in self._details.items()}

    @property
    def ensemble(self) -> Ensemble:
        """The partitions that were combined, with rescaled weights."""
        return self._evidence.ensemble

    @property
    def cluster_names(self) -> tuple[str, ...]:
        """Names of the clusters: those given by `named`, otherwise their numbers."""
        known = self._called or (None,) * self.k
        return tuple(str(c) if name is None else name for c, name in enumerate(known))

    @property
    def _own_names(self) -> tuple[str, ...]:
        """Names of the clusters if the user named any; otherwise nothing, and tables have no such column."""
        return self.cluster_names if self._called else ()

    @property
    def models_membership(self) -> bool:
        """Whether the membership comes from the method's own model rather than from co-association."""
        return self._own is not None

    @remembered
    def membership(self) -> FloatArray:
        """Membership of every object in every cluster, n × k; rows sum to 1, or to 0 for an unassigned object.

        If the method has a model, this is the model's membership; otherwise it is the normalized co-association with
        the clusters. If a cluster of the model has no objects, it has no column, and its share is missing from the row.
        """
        return self._evidence.membership() if self._own is None else self._own

    @remembered
    def confidence(self) -> FloatArray:
        """Confidence of every object's assignment, a / (a + b), computed in the same way for every method and k.

        a is the object's mean co-association with the other objects in its own cluster (1 if it is alone), and b is the
        largest mean co-association with another cluster. 1 is certain and ½ is undecided; below ½ the object is closer
        to another cluster, and 0 means unassigned. With a single cluster, the confidence is a.

        Confidence ranks the objects of one result; it is not a probability. The same value means more if labels are
        noisy than if partitions have many small clusters, and partitions that share a mistake are confident about it.
        The page "How certain an object is, and why" has the share of correctly assigned objects at each confidence.
        """
        return self._evidence.confidence()

    @remembered
    def cohesion(self) -> FloatArray:
        """Mean co-association of every object with the other objects in its own cluster: a of the confidence.

        1 if it is alone in its cluster, and 0 if it is unassigned. Confidence compares clusters of the result, so it
        cannot show that the partitions split a cluster; cohesion does. It is also low where partitions have many more
        clusters than the result, without any harm: two members of a cluster may then be linked only through others.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.vote([[0, 0], [0, 0], [0, 1], [1, 2]], 2)
        >>> r.labels.tolist(), r.cohesion.tolist(), r.confidence.tolist()
        ([0, 0, 0, 1], [0.75, 0.75, 0.5, 1.0], [1.0, 1.0, 1.0, 1.0])
        """
        return self._evidence.cohesion()

    def __len__(self) -> int:
        return self.k

    def sizes(self) -> AnyArray:
        """Return the number of objects in each cluster."""
        return np.bincount(self.labels[self.labels >= 0], minlength=self.k)

    def by_size(self) -> Consensus:
        """Return the same consensus with its clusters numbered by size, the largest first; ties keep their order.

        By default, clusters are numbered by first appearance. `details` do not change.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.vote([[0, 1], [1, 0], [1, 0]], 2)
        >>> r.labels.tolist(), r.by_size().labels.tolist()
        ([0, 1, 1], [1, 0, 0])
        """
        return self._renumbered(np.argsort(-self.sizes(), kind="stable"))

    def _renumbered(self, order: IntArray) -> Consensus:
        """The same consensus with renumbered clusters; `order` has the old number of each."""
        rank = np.append(np.argsort(order), MISSING).astype(np.int32)  # the last place serves −1
        labels = rank[self.labels]
        return self._replace(
            labels=labels,
            _view=self._view.then(lambda view: view._replace(vertex_labels=rank[view.vertex_labels])),
            _own=None if self._own is None else self._own[:, order],
            _evidence=self._evidence.renumbered(labels, order),
            _called=tuple(self._called[c] for c in order) if self._called else (),
        )

    def named(self, names: Mapping[Any, str] | Sequence[str]) -> Consensus:
        """Return the same consensus with names for its clusters.

        Parameters
        ----------
        names
            A dict from the number or current name of a cluster to its new name, or a list with one name for each
            cluster. Clusters that are not mentioned keep their name or number.

        Returns
        -------
        Consensus
            The names are shown in text, tables, pictures, reports and exports, and kept by `assign`, `update` and
            `save`. The numbers of the clusters do not change.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.vote([[0, 1], [1, 0], [1, 0]], 2).named({0: "loyal"})
        >>> r.cluster_names
        ('loyal', '1')
        >>> r.by_size().cluster_names
        ('0', 'loyal')
        """
        expected = "a dict, or a list with a name for each cluster"
        given = names if isinstance(names, Mapping) else dict(enumerate(as_list("names", names, expected)))
        if given is not names and len(given) != self.k:
            raise InputError(f"{len(given)} names were given for {self.k} clusters; expected one for each, or a dict.")
        known = {name: c for c, name in enumerate(self.cluster_names)}
        called = list(self._called or (None,) * self.k)
        for key, name in given.items():
            c = key if isinstance(key, (int, np.integer)) and not isinstance(key, bool) else known.get(key, MISSING)
            if not 0 <= c < self.k:
                raise InputError(
                    f"There is no cluster {quote(key)}; expected one of {', '.join(self.cluster_names[:20])}."
                )
            if not isinstance(name, str) or not name.strip() or not name.isprintable():
                raise InputError(
                    f"{quote(name)} was given as the name of cluster {key}; expected a single line of text."
                )
            called[c] = name
        named = self._replace(_called=tuple(called))
        twice = [name for name, count in Counter(named.cluster_names).items() if count > 1]
        if twice:
            raise InputError(f"Two clusters would be called {twice[0]!r}; expected a different name for each.")
        return named

    def update(
        self,
        partitions: Any = None,
        *,
        objects: Any = None,
        weights: ArrayLike | None = None,
        drop: str | Sequence[str] = (),
        without: Iterable[Any] = (),
    ) -> Consensus:
        """Return the consensus of an extended ensemble by the same call, with clusters numbered to match this one.

        Parameters
        ----------
        partitions
            New partitions of the same objects, as `Ensemble.append` takes them: a label vector, a Series, a frame.
        objects
            Label rows of new objects, as `assign` takes them; a new label makes a new cluster of its partition. A row
            with the name of an object that is there already replaces its labels, in the partitions that the rows have.
        weights
            Weights of the new partitions, on the scale of those of ``r.ensemble``; 1 by default.
        drop
            Names of partitions to remove.
        without
            Names of objects to remove.

        Returns
        -------
        Consensus
            Computed by the same method with the same options and seed; if k was chosen automatically, it is chosen
            again. Each cluster gets the number and name of the old cluster with which it shares the most objects (the
            best one-to-one matching); a number that is out of range is replaced by a free one. ``changes`` lists which
            objects moved and why, and what happened to the clusters.

        Notes
        -----
        The cost is that of the call on the extended ensemble: nothing is computed incrementally. `assign` places new
        objects without changing anything.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.eac(
        ...     [[0, 0, 1], [0, 0, 1], [1, 0, 0], [1, 1, 0], [1, 1, 0]], 2, linkage="average"
        ... )
        >>> new = r.update([1, 1, 1, 0, 0])
        >>> new.labels.tolist()
        [0, 0, 0, 1, 1]
        >>> print(new.changes)
        Changes: 1 partition added; 1 of 5 objects moved
          moved       x2 (1 → 0)
          why         P3 puts it there
          clusters    2 as before
        """
        from .changes import update

        return update(self, partitions, objects=objects, weights=weights, drop=drop, without=without)

    def constrained(self, must_link: Pairs | None = None, cannot_link: Pairs | None = None) -> Consensus:
        """Return a consensus in which given pairs of objects are together, and other pairs are apart.

        Either every pair is satisfied, or an error names the contradiction: a chain of must-link pairs between objects
        that must be apart, or objects that k clusters cannot keep apart. Objects that must be together move as one
        group to the cluster where they lose the least of Σ w_i m(i, C), where m(i, C) is the mean co-association of
        object i with the other objects in the original cluster C. A group that is already together moves only if a pair
        forces it to. Objects in no pair do not move, clusters keep their numbers, and as many clusters as possible keep
        at least one object.

        Parameters
        ----------
        must_link, cannot_link
            Pairs of names from ``r.names``: a list, or a frame with two columns. If no name is a whole number, whole
            numbers are positions. Pairs from earlier calls of `constrained` remain in force.

        Returns
        -------
        Consensus
            ``r.why`` describes what changed. ``r.details["constraints"]`` has "moved" (name, old cluster, new cluster),
            "loss" (the cost) and "exact" (whether this is the optimum; False if the search ended at a local optimum).
            ``r.options`` has the pairs.

        Notes
        -----
        Groups and the pairs between them form a graph whose vertices are colored with clusters at the lowest cost; an
        integer program finds the optimum. An object without a cluster joins the objects it is linked to.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.vote([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1], [1, 0, 1]], 2)
        >>> r.labels.tolist()
        [0, 0, 1, 1, 1]
        >>> s = r.constrained(must_link=[("x1", "x4")], cannot_link=[("x4", "x2")])
        >>> s.labels.tolist()
        [0, 0, 1, 1, 0]
        >>> s.details["constraints"]["moved"]
        (('x4', 1, 0),)
        """
        from .constraints import constrain

        return constrain(self, must_link, cannot_link)

    def explain(self, which: Any = None, *, position: int | None = None) -> Explanation:
        """Explain why an object is in its cluster.

        Parameters
        ----------
        which
            The name of the object, one of ``r.names``. If no name is a whole number, as with default names (x0, x1, …),
            a whole number is a position.
        position
            Row of the object, counted from 0, as an alternative to its name; negative numbers count from the end.

        Returns an `Explanation`: `votes` (one per partition), `rival`, `margin`, `deciding` (partitions that, if
        removed one at a time, would make another cluster closer), `companions` (the objects that are most often with
        it) and `graph`. O(nB).

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.eac(
        ...     [[0, 0, 1], [0, 0, 1], [0, 1, 2], [1, 1, 0], [1, 1, 0]], 2, linkage="average"
        ... )
        >>> print(r.explain(2))
        x2 is in cluster 0 (confidence 0.50)
          votes       1 of 3 partitions put it with cluster 0
          against     P1 (1), P2 (2)
          rival       cluster 1: 50% of the evidence, 50% for cluster 0
          cohesion    with a member of cluster 0 in 33% of the partitions on average
          deciding    P0
          companions  x0 (33%), x1 (33%), x3 (33%), x4 (33%)
        """
        from .explanation import explain

        return explain(self, which, position)

    @property
    def contradiction(self) -> float:
        """The share of the objects that are more often together with another cluster than with their own.

        `assign` would move them there. A few percent are usual; from a tenth on, the result contradicts the labels it
        was made from. With more than 20,000 objects, a random sample of 20,000 is examined.

        >>> import graphens as ge
        >>> ge.vote([["a", 0], ["a", 0], ["b", 1], ["b", 1]], 2).contradiction
        0.0
        """
        from ..graphs.affinity import affinity_of

        return affinity_of(self).moving()

    def assign(self, rows: Any) -> Assigned:
        """Return the cluster, membership and confidence of new objects, given their rows of labels.

        Parameters
        ----------
        rows
            Labels in the form in which the ensemble was given, or an Ensemble. Columns of a frame or a dict are matched
            by name: absent columns count as missing, and columns that the ensemble does not have are ignored with a
            warning. Rows of any other kind need one label for each partition. A label that no object of the ensemble
            has counts as missing.

        Returns
        -------
        Assigned
            Each new object is in the cluster with the largest mean co-association, with its confidence and the `rival`,
            the second-best cluster; `unseen` counts new labels. The names of the new objects are kept, and `to_frame`
            returns a frame with their index.

        Notes
        -----
        O(mBk) for m new objects; the consensus does not change.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.vote([["a", 0], ["a", 0], ["b", 1], ["b", 1]], 2)
        >>> new = r.assign([["a", 0], ["b", 7], [None, None]])
        >>> new.labels.tolist(), new.confidence.tolist()
        ([0, 1, -1], [1.0, 1.0, 0.0])
        """
        from .explanation import assign

        return assign(self, rows)

    def to_frame(self) -> Any:
        """Return a frame with one row per object: cluster, confidence, cohesion and the membership in every cluster.

        Its index has the original names of the objects, so ``frame.join(r.to_frame())`` works. An object without any
        label has cluster −1 and confidence 0.
        """
        from ..export.frames import consensus_frame

        return consensus_frame(self)

    def uncertain(self, n: int = 10) -> Any:
        """Return a pandas frame with the n least certain objects.

        Its index has the names of the objects, so ``r.explain(r.uncertain(1).index[0])`` explains the first; the
        columns are `cluster`, `rival` (the next best cluster, −1 if there is no evidence for any), `confidence` and
        `cohesion`. Rows ascend by confidence, then by cohesion.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.vote([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1], [1, 1, 0]], 2)
        >>> print(r.uncertain(2).round(2).to_string(index_names=False))
            cluster  rival  confidence  cohesion
        x1        0      1        0.75      0.67
        x4        1      0        0.80      0.67
        """
        from ..export.frames import uncertain_frame

        return uncertain_frame(self, n)

    def top(self, m: int = 3) -> Any:
        """Return a frame with the m largest memberships of every object, for results with many clusters.

        One row per object: `cluster`; `cluster_1` and `membership_1` to `cluster_m` and `membership_m`, from largest to
        smallest, with ties in order of the cluster number (−1 and 0 if there are no more positive memberships); and
        `rest`, the sum of the others. Memberships are computed for a block of objects at a time, so the full n × k
        table is never in memory.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.vote([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1], [2, 2, 2], [2, 1, 2]], 3)
        >>> print(r.top(2).round(2).iloc[:2].to_string(index_names=False))
            cluster  cluster_1  membership_1  cluster_2  membership_2  rest
        x0        0          0          1.00         -1          0.00   0.0
        x1        0          0          0.67          1          0.33   0.0
        """
        from ..export.frames import top_frame

        return top_frame(self, m)

    def to_networkx(self) -> nx.Graph[Any]:
        """Return the graph as a networkx graph whose vertices have `cluster` and `confidence`.

        For communities of a network, it is that network with vertices by name, and edges also have `share`, the share
        of the runs that keep their ends together. For any other consensus, it is ``r.graph``. Attributes that are sets
        become text, since graph files cannot store sets.
        """
        from ..export.annotate import networkx_network

        return networkx_network(self)

    def to_igraph(self) -> ig.Graph:
        """Return the same as an igraph Graph; see `to_networkx`."""
        from ..export.annotate import igraph_network

        return igraph_network(self)

    def plot(self, kind: str = "heatmap", ax: Any = None, **options: Any) -> Display:
        """Draw the consensus and return the display.

        Parameters
        ----------
        kind
            ``"heatmap"`` (co-association in cluster order; ``classes=`` beside it), ``"confidence"``, ``"graph"`` (the
            graph that the method used or, if it has more than 300 vertices, a map of the clusters; ``what=`` may be
            ``"clusters"`` or ``"bipartite"``), ``"tree"`` (dendrogram), ``"map"`` (objects that are often together
            are close), ``"scatter"`` (with ``X=``), ``"flow"`` (from base clusterings, ``columns=``, to ``classes=``)
            or ``"frequencies"`` (of cumulative clusters).
        ax
            Axes to draw on; by default, a new figure.
        **options
            Options of the display, and properties of what it draws, its `artist_`, such as ``cmap="viridis"``.
        """
        from ..plot.of_consensus import draw_consensus

        return draw_consensus(self, kind, ax, **options)

    def report(self, path: str | Path, **options: Any) -> Path:
        """Write an HTML report about the consensus: the result, warnings, pictures, tables, and how to reproduce it.

        Parameters
        ----------
        path
            File to write, either completely or not at all; the page is self-contained.
        **options
            `title`; `classes`, known classes to compare with; `X`, features used to draw the objects; `ks`, numbers of
            clusters to try and show; `methods` to compare. Nothing else is computed for the page, and the same seed
            gives the same bytes.
        """
        from ..report import report

        return call("report", report, self, path, **options)

    def card(self, path: str | Path, *, X: Any = None, classes: Any = None, title: str | None = None) -> Path:
        """Write a picture of 1200 × 630 pixels for sharing: a summary, map, heat map, tree and line of code.

        Parameters
        ----------
        path
            File to write, either completely or not at all: .png, .svg, .pdf, .jpg or .webp.
        X
            Two features used as positions of the objects; by default, positions come from the co-association.
        classes
            Known classes of the objects, shown beside the heat map.
        title
            A custom heading.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.eac([[0, 0, 1], [0, 0, 1], [1, 1, 1], [1, 0, 0]], 2)
        >>> r.card("four.png")  # doctest: +SKIP
        PosixPath('four.png')
        """
        from ..report import card

        return card(self, path, X=X, classes=classes, title=title)

    @overload
    def explore(
        self, path: None = None, *, X: Any = None, classes: Any = None, data: Any = None, title: str | None = None
    ) -> Explorer: ...
    @overload
    def explore(
        self, path: str | Path, *, X: Any = None, classes: Any = None, data: Any = None, title: str | None = None
    ) -> Path: ...
    def explore(
        self,
        path: str | Path | None = None,
        *,
        X: Any = None,
        classes: Any = None,
        data: Any = None,
        title: str | None = None,
    ) -> Explorer | Path:
        """Make an HTML page to explore the consensus: linked views of map, tree, heat map and objects.

        The map has a dot for each object, close to those it is often together with or, for communities, the network;
        with more than 3,000 objects, it begins with a disc for each cluster. You can move a threshold: ties found in a
        larger share of the clusterings are counted, and so are the islands (connected components) they leave, as
        ``g.threshold(theta)`` does for ``g = ge.coassociation(r.ensemble)`` (``r.graph`` for communities).

        Parameters
        ----------
        path
            File to write, either completely or not at all; the page is self-contained. Without a path, the page is
            returned as an `Explorer`, which a notebook displays.
        X
            Two features of every object, such as UMAP coordinates, used as its position; of more, two principal
            components are used.
        classes
            Known classes of the objects, to color by.
        data
            A frame with a row for each object; the page can color by any of its columns, and shows how the values of
            selected objects are distributed.
        title
            Title of the page.

        Examples
        --------
        >>> import graphens as ge
        >>> r = ge.eac([[0, 0, 1], [0, 0, 1], [0, 1, 2], [1, 1, 0], [1, 1, 0]], 2)
        >>> page = r.explore(classes=["a", "a", "a", "b", "b"])
        >>> page
        Explorer(0.1 MB; write(path) saves it to a file)
        """
        from ..explore import explore

        return explore(self, path, X=X, classes=classes, data=data, title=title)

    @property
    def _nouns(self) -> tuple[str, str, str]:
        """What is clustered, what it falls into, and what says so."""
        return ("object", "cluster", "clustering") if self.network is None else ("vertex", "community", "run")

    def _network_graph(self) -> Graph:
        """The network of the communities; lost edges were already reported when it was read."""
        with collect_warnings():
            weight = "weight" if isinstance(self.network, Graph) else self._runs.get("weight", "weight")
            return Graph.of(self.network, weight=weight, symmetrize=True)

    def __repr__(self) -> str:
        shown = shown_sizes(self.sizes(), self._own_names)
        lost = int(np.count_nonzero(self.labels < 0))
        kept = self.confidence[self.labels >= 0]
        objects = f"{len(self.labels)} object{'s' * (len(self.labels) != 1)}"
        lines = [
            f"Consensus by {self.method}: {objects} in {self.k} cluster{'s' * (self.k != 1)}",
            f"  sizes       {shown}" + (f" ({lost} unassigned)" if lost else ""),
            f"  confidence  mean {kept.mean():.2f}, lowest {kept.min():.2f}" if kept.size else "  confidence  -",
            *shown_cohesion(self._evidence, self._own_names),
            *self._shown_loss(),
            f"  score       {self.score:.3f} (ANMI)",
            *wrap(self.why, 79, initial_indent="  why         ", subsequent_indent=" " * 14),
        ]
        if "structure" in self._details:
            lines.append(f"  structure   {self._details['structure']:.2f} (1: the runs agree on every edge)")
        doubt = structure_doubt(self)
        lines += wrap(doubt, 79, initial_indent="  doubt       ", subsequent_indent=" " * 14) if doubt else []
        return "\n".join(lines)

    def _shown_loss(self) -> list[str]:
        """What a median minimizes, and whether the chains of its draws agree."""
        expected, name = self._details.get("expected_loss"), self.options.get("loss", "")
        lines = [] if expected is None else [f"  loss        {expected:.3f} expected ({name})"]
        return lines + wrap(chain_sentence(self), 79, initial_indent="  chains      ", subsequent_indent=" " * 14)


def chain_ratios(r: Consensus) -> FloatArray:
    """How many times farther apart the draws of each chain are from those of the others than draws of one chain.

    Empty if the result is no median of several chains.
    """
    losses = r._details.get("chains")
    if losses is None:
        return np.empty(0)
    inside = losses.diagonal()
    ratio = losses / np.maximum((inside[:, None] + inside) / 2, 1e-9)
    return np.asarray((ratio.sum(axis=1) - ratio.diagonal()) / (len(losses) - 1))


def chain_sentence(r: Consensus) -> str:
    """Say whether draws of two chains are farther apart than those of one chain; nothing if there are no chains."""
    ratios = chain_ratios(r)
    if not ratios.size:
        return ""
    losses = r._details["chains"]
    apart = losses[~np.eye(len(losses), dtype=bool)].mean()
    means = f"Draws are {losses.diagonal().mean():.2f} apart within a chain and {apart:.2f} between chains: "
    if ratios.max() <= MIXED:
        return f"{means}the chains agree."
    names = list(dict.fromkeys(name.partition(" draw ")[0] for name in r.ensemble.partition_names))
    which = f", {names[int(ratios.argmax())]} most" if len(names) > 2 else ""
    return f"{means}the chains differ{which}. Run them longer, or report them one by one."


def shown_cohesion(evidence: Affinity, names: Sequence[str]) -> list[str]:
    """Lines about the cohesion of the clusters, and which of them the partitions split."""
    splits, each = evidence.splits(), [f"{one:.2f}" for one in evidence.cluster_cohesion()]
    finer = f" (finer clusterings: {splits.finer_range})" if splits.finer_range else ""
    split = splits.sentence(names or [str(c) for c in range(len(each))])
    lines = wrap(shown_sizes(each, names) + finer, 79, initial_indent="  cohesion    ", subsequent_indent=" " * 14)
    return lines + wrap(split, 79, initial_indent="  split       ", subsequent_indent=" " * 14)


def shown_sizes(sizes: Sequence[Any] | AnyArray, names: Sequence[str]) -> str:
    """Sizes of clusters as text, with the names of the clusters if they have any."""
    each = [f"{name} {size}" for name, size in zip(names, sizes, strict=True)] if names else map(str, sizes)
    return ", ".join(list(each)[:8]) + (", …" if len(sizes) > 8 else "")


def structure_doubt(r: Consensus) -> str:
    """Return a doubt about communities on which the runs hardly agree, or could only agree, otherwise nothing."""
    found, base = r._details.get("structure"), r._runs.get("base")
    if found is None:
        return ""
    if r.k > 1 and ((steady := is_steady(base)) or r.ensemble.n_partitions == 1):
        which = f"All runs of {each_base(base)[0]} are the same" if steady else "There is only one run"
        advice = "Use another base, such as leiden." if steady else "Use more runs."
        return f"{which}, so a confidence and a structure of 1 say nothing. {advice}"
    if found >= STRUCTURE:
        return ""
    if r.k == 1:
        return "There is only one community, so no structure was found."
    if r.k == len(r.labels):
        return "Every vertex is its own community, so no structure was found."
    return (
        f"The runs hardly agree (structure {found:.2f}), no better than they do on random graphs, so these "
        "communities may not be real."
    )
