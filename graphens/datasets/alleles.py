"""Made-up allele profiles whose lineages are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .._lib.arrays import AnyArray, LabelArray, Seed, as_int, freeze, generator, number
from .._lib.memory import require
from ..errors import InputError
from ..labels.ensemble import Ensemble
from ..labels.names import Names, as_names


def allele_profiles(
    n_genomes: int = 300,
    n_loci: int = 500,
    n_lineages: int = 8,
    *,
    between: float = 0.6,
    changes: float = 2.0,
    missing: float = 0.01,
    seed: Seed = 0,
    path: str | Path | None = None,
) -> tuple[Ensemble, LabelArray]:
    """Return simulated allele profiles, as in core genome MLST, and the lineage of every genome.

    The founder of each lineage has new alleles at a share of the loci of a common ancestor. Every other genome descends
    from a random earlier genome of its lineage and has new alleles at about `changes` loci. Single linkage at a few
    differing loci therefore finds the lineages, although genomes of one lineage may differ at many loci.

    Parameters
    ----------
    n_genomes, n_loci, n_lineages
        Number of genomes, loci and lineages. Lineages have unequal sizes, and the first ones are larger.
    between
        Share of the loci at which a founder differs from the ancestor.
    changes
        Mean number of loci at which a genome differs from its parent (Poisson).
    missing
        Share of the alleles that are missing, at random.
    seed
        The same seed gives the same profiles.
    path
        File for the table, in the tab-separated format of chewBBACA, as read by `Ensemble.from_profiles`.

    Returns
    -------
    ensemble
        Genomes × loci with names; alleles are numbered from 1 at every locus.
    lineages
        The lineage of every genome, 0 … n_lineages − 1.

    Examples
    --------
    >>> import graphens as ge
    >>> e, lineages = ge.datasets.allele_profiles(60, 100, 3, seed=0)
    >>> e.n_objects, e.n_partitions, len(set(lineages.tolist())), e.object_names[0]
    (60, 100, 3, 'genome00000')
    """
    n, b = as_int("n_genomes", n_genomes, 1), as_int("n_loci", n_loci, 1)
    k = as_int("n_lineages", n_lineages, 1, n)
    for name, share in (("between", between), ("missing", missing)):
        if not 0 <= number(name, share) <= 1:
            raise InputError.about(name, share, "a share from 0 to 1")
    if not 0 <= number("changes", changes) <= 1e9:
        raise InputError.about("changes", changes, "a number of loci from 0 to a billion")
    require(9.0 * n * b, f"A table of {n} genomes × {b} loci", "Use fewer of them")
    rng = generator(seed)
    order = 1.0 / np.arange(1, k + 1)
    lineages = np.concatenate([np.arange(k), rng.choice(k, n - k, p=order / order.sum())])
    alleles = _descended(rng, lineages, b, between, changes)
    alleles[rng.random(alleles.shape) < missing] = -1
    e = Ensemble.from_partitions(
        list(alleles.T),
        partition_names=[f"locus{t:04d}" for t in range(b)],
        object_names=Names(as_names([f"genome{i:05d}" for i in range(n)]), title="FILE"),
    )._replace(_loci=True)
    if path is not None:
        from ..export.profile_files import write_profiles

        write_profiles(e, path)
    return e, freeze(lineages.astype(np.int32))


def _descended(rng: np.random.Generator, lineages: AnyArray, n_loci: int, between: float, changes: float) -> AnyArray:
    """Genomes × loci: founders first, then genomes that descend from an earlier one of the same lineage."""
    alleles = np.ones((len(lineages), n_loci), dtype=np.int32)
    newest = np.ones(n_loci, dtype=np.int32)
    members: dict[int, list[int]] = {}
    for i, lineage in enumerate(lineages.tolist()):
        earlier = members.setdefault(lineage, [])
        if earlier:
            alleles[i] = alleles[earlier[rng.integers(len(earlier))]]
        changed = (
            rng.choice(n_loci, min(rng.poisson(changes), n_loci), replace=False)
            if earlier
            else rng.random(n_loci) < between
        )
        newest[changed] += 1
        alleles[i, changed] = newest[changed]
        earlier.append(i)
    return alleles
