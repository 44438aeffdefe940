"""Commands that cluster features or networks many times: generate, cluster, monti, communities."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

import graphens as ge

from .. import Ensemble
from ..errors import GraphensError, InputError, Interrupted
from ..export.annotate import NETWORK_FILES, write_network
from ..export.edge_list import read_edge_list
from ..export.table_files import WRITABLE, as_number, write_table
from ._command import Arg, Checkpoint, Figures, InFile, Jobs, Ks, Name, Seed, read_interval, read_names
from ._screen import complain, note, say
from ._tables import Answer, FeatureTable, KeepingAnswer, show
from .from_labels import Method, Recipe, own_or_name


def read_base_k(text: str) -> Any:
    """Read a number, an interval or numbers to draw from."""
    numbers, interval = read_interval(text, "10, 10:30 or 5,10,20")
    if interval:
        return numbers[0], numbers[1]
    return numbers[0] if len(numbers) == 1 else np.array(sorted(numbers * 2))  # twice each: two are no interval


@dataclass(kw_only=True)
class Making:
    """What decides an ensemble of a table of features.

    Options
    -------
    n_partitions: number of clusterings
    base_k: number of clusters in each clustering: a number, an interval, or numbers to draw from (default: around the
        square root of n)
    base: clustering algorithms
    sampling: how the data for each clustering are sampled: bootstrap, subsample, features, ...
    share: share of the objects or features in each sample
    assign: also label objects that a sample left out, instead of leaving their labels missing
    """

    n_partitions: Annotated[int, Arg("-B --partitions", "B")] = 50
    base_k: Annotated[Any, Arg("--base-k", "K|LOW:HIGH|K,K,...", read_base_k)] | None = None
    base: Annotated[Sequence[str], Arg(metavar="NAME,...", read=read_names)] = ("kmeans",)
    sampling: Name | None = None
    share: Annotated[float, Arg(metavar="F")] | None = None
    assign: bool = False
    n_jobs: Jobs | None = None
    checkpoint: Checkpoint | None = None

    def make(self, table: FeatureTable, seed: Seed | None, *aside: str) -> Ensemble:
        """Read the features and generate the ensemble."""
        X, objects = table.read(*aside)
        base = self.base if len(self.base) > 1 else self.base[0]
        how = {name: getattr(self, name) for name in ("sampling", "share", "assign", "n_jobs", "checkpoint")}
        with self._named_failures(table.data):
            e = ge.generate(X, self.n_partitions, k=self.base_k, base=base, seed=seed, **how)
        return e if objects is None else e._replace(_names=objects)

    @contextmanager
    def _named_failures(self, path: str) -> Iterator[None]:
        """Say what an interruption leaves, which base refused the features, and that k is that of the clusterings."""
        try:
            yield
        except Interrupted as stop:
            done = 0 if stop.ensemble is None else stop.ensemble.n_partitions
            saved = "are lost; --checkpoint FILE would have saved them"
            if self.checkpoint:
                saved = f"are saved in {self.checkpoint}; run the same command to continue"
            complain(f"{done} of {self.n_partitions} clusterings {saved}.")
            raise
        except GraphensError as error:
            if error.parameter != "k":
                raise
            error = error.named("base_k =")
            error.parameter = "base_k"
            raise error from None
        except ValueError as error:  # of a base clusterer, about features that it cannot cluster
            raise InputError(f"--base {','.join(self.base)} cannot cluster {path}: {error}") from None


@dataclass(kw_only=True)
class MakingAlone(Making):
    """What decides an ensemble where there is no other number of clusters."""

    base_k: Annotated[Any, Arg("-k --base-k", "K|LOW:HIGH|K,K,...", read_base_k)] | None = None


def generate(
    table: FeatureTable,
    *,
    making: MakingAlone,
    seed: Seed | None = None,
    output: Annotated[str, Arg("-o --output", "FILE", file="out", endings=(*WRITABLE, ".npz"), screen=True)],
) -> None:
    """Cluster a table of features many times, and write the labels.

    The result is a table with a row for each object and a column for each clustering (.csv, .tsv, .parquet, - for
    standard output), or a saved ensemble (.npz, which also keeps the weights). A cell is empty if the clustering left
    out the object.

    example:
      graphens generate data.csv -B 50 -k 10:30 --seed 0 -o labels.parquet

    Options
    -------
    output: output file for the labels
    """
    e = making.make(table, seed)
    if output.lower().endswith(".npz"):
        e.save(output)
    else:
        columns: dict[str, Any] = {}
        if e.object_names is not None:
            columns[str(e.index_name)] = e.vertex_names().column()
        for name, row in zip(e.partition_names, e.codes, strict=True):
            columns[name] = [None if code == e.absent else code for code in row.tolist()]
        write_table(columns, output, table.table.dialect)
    if output != "-":
        say(f"{output}: {e!r}")


def cluster(table: FeatureTable, *, making: Making, recipe: Recipe, answer: KeepingAnswer) -> None:
    """Cluster a table of features many times, and write the consensus of these clusterings.

    The result is a table with the cluster of each object and the confidence of the assignment. -k is the number of
    clusters in the result; without -k it is chosen automatically. --base-k is the number of clusters in the clusterings
    that are combined.

    for example:
      graphens cluster data.csv -k 3 --seed 0 -o clusters.csv
      graphens cluster data.csv --base-k 10:30 --method eac --seed 0 -o clusters.csv
    """
    r = recipe.combine(making.make(table, recipe.seed, *answer.keep), table)
    note(repr(answer.write(r, table.table.dialect, beside=answer.kept(table.table))))


def monti(
    table: FeatureTable,
    *,
    ks: Ks = (2, 3, 4, 5, 6, 7, 8),
    n_partitions: Annotated[int, Arg("-B --partitions", "B")] = 100,
    share: Annotated[float, Arg(metavar="F")] = 0.8,
    base: Name = "kmeans",
    seed: Seed | None = None,
    n_jobs: Jobs | None = None,
    checkpoint: Checkpoint | None = None,
    output: Figures | None = None,
) -> None:
    """Cluster subsamples of a table of features for every k, and show how clear the clusters are.

    pac is the share of object pairs that are neither almost always nor almost never together; smaller is clearer.
    silhouette is larger if clusters are clearer. With --checkpoint, an interrupted run can be resumed.

    example:
      graphens monti data.csv --ks 2:8 --seed 0 -o monti.csv

    Options
    -------
    ks: numbers of clusters to try (default: 2:8)
    n_partitions: number of clusterings for each k
    share: share of the objects in each subsample
    base: clustering algorithm
    """
    X, _ = table.read()
    panel = ge.monti(
        X, list(ks), n_partitions=n_partitions, share=share, base=base, seed=seed, n_jobs=n_jobs, checkpoint=checkpoint
    )
    show(panel.columns(), output, table.table.dialect)


# networks ---------------------------------------------------------------------------------------------------


def read_resolution(text: str) -> float | tuple[float, float]:
    """Read a resolution, or an interval of them."""
    try:
        ends = [as_number(part) for part in text.split(":")]
    except ValueError:
        ends = []
    if len(ends) not in (1, 2):
        raise argparse.ArgumentTypeError(f"{text} was given; expected a number such as 1, or an interval such as 0.5:2")
    return ends[0] if len(ends) == 1 else (ends[0], ends[1])


@dataclass(kw_only=True)
class NetworkMethod(Method):
    """What decides the communities of a network."""

    method: Name = "recluster"


def communities(
    network: InFile,
    *,
    base: Annotated[Sequence[str], Arg(metavar="NAME,...", read=read_names)] = ("leiden",),
    n_partitions: Annotated[int, Arg("-B --runs", "B")] | None = None,
    resolution: Annotated[Any, Arg(metavar="R|LOW:HIGH", read=read_resolution)] = 1.0,
    symmetrize: bool = False,
    weight: Annotated[str, Arg(metavar="NAME")] = "weight",
    method: NetworkMethod,
    answer: Answer,
    graph: Annotated[str, Arg(metavar="FILE", file="out", endings=tuple(NETWORK_FILES))] | None = None,
    n_jobs: Jobs | None = None,
    checkpoint: Checkpoint | None = None,
) -> None:
    r"""Find the communities of a network that many runs agree on.

    The network is a table of edges (.csv, .tsv, .txt, .parquet, - for standard input) or a .graphml, .gexf, .gml, .net
    (Pajek) or .graph (METIS) file. A table has the two ends of an edge in the columns source and target, or in its
    first two columns, and an optional weight in the column weight, or in the third. A header is optional. The weights
    of repeated edges are added. A directed file is refused unless --symmetrize is given. The result has a row for each
    vertex: its community and the confidence of the assignment. With --graph, the network is written as well: vertices
    have their cluster and confidence, and edges have the share of runs that keep their ends together.

    for example:
      graphens communities edges.csv --seed 0 -o communities.csv
      graphens communities net.graphml --base louvain --runs 100 \
          --resolution 0.5:2 --graph out.graphml

    Options
    -------
    network: network: a table of edges, or a graph file
    base: community detection algorithms; module:function is your own partitioner
    n_partitions: number of runs (default: 50, or 10 if these agree)
    resolution: larger values give more and smaller communities; with an interval, every run draws its own value
        (default: 1)
    symmetrize: ignore the directions of a directed network, adding the weights of both directions
    weight: edge attribute or column that holds the weights
    graph: write the network with its communities: .graphml, .gexf
    """
    if network == "-":
        net = read_edge_list("-", weight=weight)
    else:
        net = ge.Graph.read(network, weight=weight, symmetrize=symmetrize)
    bases = [own_or_name(one) for one in base]
    how: dict[str, Any] = {"base": bases if len(bases) > 1 else bases[0], "method": own_or_name(method.method)}
    how |= {"k": method.k, "seed": method.seed, "n_jobs": n_jobs, "checkpoint": checkpoint}
    with method.fitting():
        r = ge.communities(net, n_partitions, resolution=resolution, **how, **method.options())
    if r.ensemble is None:
        raise InputError(f"--method {method.method} does not keep the runs; expected recluster, ecg or another method.")
    r = answer.write(r, called="vertex")
    if graph is not None:
        write_network(r, graph)
    runs = r.details["runs_modularity"]
    bounds = f"{r.details['modularity']:.3f} (runs: {runs.min():.3f} to {runs.max():.3f})"
    note(f"{r!r}\n  modularity  {bounds}")
