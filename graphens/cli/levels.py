r"""Group genomes that differ in at most a given number of loci, as in allele-based typing.

The table is separated by tabs and has a header and a row for each genome: its id, then its allele number at every
locus, as in chewBBACA, BIGSdb, EnteroBase, GrapeTree and pHierCC. It may be compressed with gzip. 0, -, N, LNF, NIPH,
NIPHEM, ASM, ALM, PLOT3, PLOT5, LOTSC, PAMA, negative numbers and empty cells mean that an allele is missing. An
ensemble saved as .npz also works.

At level t, two genomes are in the same cluster if they differ in at most t loci, or if a chain of such pairs connects
them (single linkage). The result has a row for each genome and a column for each level. The id of a cluster is the id
of its first genome, so ids do not change when genomes are added at the end of the table.

for example:
  graphens levels profiles.tsv --at 0,2,5,10 -o levels.csv
  graphens levels cgMLST.tsv --at 0:10 --missing count \
      --without ST,clonal_complex -o levels.parquet
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from .._arrays import LabelArray, as_int
from ..export.frames import level_columns
from ..export.table_files import write_table
from ..linkage.differing import RULES, labels_at, single_link_up_to
from ._options import OneOf, delimiter, ks_of, names
from ._screen import note
from ._tables import check_one_file, check_output, read_alleles


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("profiles", help="table of alleles, or - for standard input")
    about = "levels: maximum numbers of differing loci"
    add("--at", metavar="LOW:HIGH|T,T,...", type=ks_of, required=True, help=about)
    about = "how to count when alleles are missing: share (differing loci among those that both have, scaled up) or "
    about += "count (loci where both have an allele, and the alleles differ) (default: share)"
    add("--missing", metavar="RULE", type=OneOf(RULES), default="share", help=about)
    add(
        "--no-singletons",
        dest="singletons",
        action="store_false",
        help="give no id to a genome that is alone",
    )
    add(
        "--columns",
        metavar="A,B,...",
        type=names,
        help="columns to use as loci (default: all that look like loci)",
    )
    add("--without", metavar="A,B,...", type=names, default=[], help="columns to leave out")
    about = "additional codes for a missing allele"
    add("--also-missing", metavar="A,B,...", type=names, default=[], help=about)
    add("--id", metavar="COLUMN", help="column with the ids (default: the first)")
    add("--delimiter", metavar="C", type=delimiter, help="column separator (default: detected)")
    about = "output file: .csv, .tsv, .txt, .parquet, .xlsx, .tex, or - for standard output (default)"
    add("-o", "--output", default="-", metavar="FILE", help=about)


def run(args: argparse.Namespace) -> None:
    """Read the profiles, cluster them, and write the ids."""
    check_output(args.output, args.profiles)
    check_one_file(args.profiles)
    e = read_alleles(args, args.profiles, without=args.without, missing=args.also_missing)
    at = [as_int("at", level, 0, e.n_partitions) for level in dict.fromkeys(args.at)]
    tree = single_link_up_to(e, max(at), args.missing)
    labels = {level: labels_at(tree, level / e.n_partitions) for level in at}
    ids = level_columns(e.vertex_names(), labels, singletons=args.singletons)
    columns: dict[str, Any] = {str(e.index_name or "genome"): e.vertex_names().column()}
    write_table(columns | {str(level): column for level, column in ids.items()}, args.output)
    missing = f"{e.n_missing / e.codes.size:.2%} of the alleles missing"
    note(
        "\n".join(
            [f"{e.n_objects} genomes, {e.n_partitions} loci, {missing}", *map(_line, at, labels.values())]
        )
    )


def _line(level: int, labels: LabelArray) -> str:
    sizes = np.bincount(labels[labels >= 0])
    alone = int(np.count_nonzero(sizes == 1))
    several = len(sizes) - alone
    largest = f", the largest with {sizes.max()} genomes" if several else ""
    return f"  at {level}: {several} cluster{'s' * (several != 1)}{largest}; {alone} genome{'s' * (alone != 1)} alone"
