"""Tables of alleles as the programs of the field write them."""

import gzip
import io
import subprocess
import sys
import tracemalloc
import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import graphens as ge

Read = ge.Ensemble.from_profiles


def written(folder: Path, text: str, name: str = "profiles.tsv") -> Path:
    path = folder / name
    path.write_bytes(text.replace(" ", "\t").encode())
    return path


TABLES = {
    "chewBBACA": "FILE abcZ.fasta adk.fasta\n007 1 INF-12\nB LNF 12\nC 1 PLOT3\n",
    "GrapeTree": "#Strain abcZ adk #Country\n007 1 12 FR\nB - 12 DE\nC 1 0 DE\n\n\n",
    "EnteroBase": "\ufeffUberstrain abcZ adk\r\n007 1 12\r\nB -3 12\r\nC 1 0\r\n",
    "quoted": '"id" "abcZ" "adk"\n"007" "1" "12"\n"B" "" "12"\n"C" "1" "NA"\n',
    "stars": "#ST_id abcZ adk\n007 1 *12\nB NIPHEM INF-12\nC 01 ASM\n",
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_program_says_the_same(kind: str, tmp_path: Path) -> None:
    e = Read(written(tmp_path, TABLES[kind]))
    assert e.labels.tolist() == [[0, 0], [-1, 0], [0, -1]]
    assert [labels.tolist() for labels in e.categories] == [[1], [12]]
    assert e.vertex_names().texts() == ["007", "B", "C"]  # ids stay text
    assert [name.removesuffix(".fasta") for name in e.partition_names] == ["abcZ", "adk"]


def test_a_table_of_bigsdb_leaves_out_what_is_not_a_locus_and_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, "id isolate ST abcZ clonal_complex adk\n1 M1 11 4 ST-11 N\n2 M2 8 4 ST-8 3\n")
    with pytest.warns(ge.errors.GraphensWarning, match="isolate, ST, clonal_complex"):
        e = Read(path)
    assert (e.partition_names, e.index_name) == (("abcZ", "adk"), "id")
    said = Read(path, id_column="isolate", without=["id", "ST", "clonal_complex"])  # no warning: an error in tests
    assert said.vertex_names().texts() == ["M1", "M2"]
    np.testing.assert_array_equal(said.labels, e.labels)


def test_unknown_text_is_refused_with_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, "FILE abcZ adk\nA 1 2\nB 1 2;3\n")
    with pytest.raises(ge.errors.FileError, match=r"profiles.tsv, line 3, column 'adk': '2;3' is not an allele"):
        Read(path)
    assert Read(path, missing=["2;3"]).labels.tolist() == [[0, 0], [0, -1]]
    for cell in ("1.5", "1_0", "x", "INF-", "٣", "9" * 19, "--1"):
        with pytest.raises(ge.errors.FileError, match="line 2, column 'abcZ'"):
            Read(written(tmp_path, f"FILE abcZ\nA {cell}\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "begins with ''"),
        ("FILE|abcZ\nA|1\n", "separator as delimiter="),
        ("FILE abcZ\n", "no row below its header"),
        ("FILE abcZ adk\nA 1\n", "line 2: 2 cells; expected 3"),
        ("FILE abcZ abcZ\nA 1 1\n", "2 columns called 'abcZ'"),
        ("FILE #note\nA x\n", "no column of alleles"),
    ],
)
def test_odd_tables_are_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ge.GraphensError, match=said):
        Read(written(tmp_path, text))


def test_odd_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ge.errors.FileError, match="No such file"):
        Read(tmp_path / "absent.tsv")
    (tmp_path / "latin.tsv").write_bytes("FILE\tadk\nMüller\t1\n".encode("latin-1"))
    with pytest.raises(ge.errors.FileError, match="line 2: not UTF-8"):
        Read(tmp_path / "latin.tsv")
    whole = gzip.compress(b"FILE\tadk\n" + b"A\t1\n" * 1000)
    for broken in (whole[:-20], whole[:20] + b"\x86" * 20, whole[:11]):
        (tmp_path / "broken.gz").write_bytes(broken)
        with pytest.raises(ge.errors.FileError, match="cannot be read"):
            Read(tmp_path / "broken.gz")
    with pytest.raises(
        ge.errors.InputError, match=r"no column 'adc'; expected one of FILE, adk, x. Did you mean adk\?"
    ):
        Read(written(tmp_path, "FILE adk x\nA 1 1\n"), without=["adc"])


def test_packed_files_commas_and_standard_input(tmp_path: Path) -> None:
    plain = Read(written(tmp_path, TABLES["chewBBACA"]))
    packed = tmp_path / "profiles.tsv.gz"
    packed.write_bytes(gzip.compress((tmp_path / "profiles.tsv").read_bytes()))
    assert Read(packed) == plain
    assert Read(written(tmp_path, TABLES["chewBBACA"].replace(" ", ",")), delimiter=",") == plain
    for sign in ",;":
        assert Read(written(tmp_path, TABLES["chewBBACA"].replace(" ", sign))) == plain
    code = "import graphens as ge; print(ge.Ensemble.from_profiles('-'))"
    done = subprocess.run([sys.executable, "-c", code], input=packed.read_bytes(), capture_output=True, check=True)
    assert done.stdout.decode().strip() == repr(plain)


def test_large_numbers_and_a_locus_that_nobody_has(tmp_path: Path) -> None:
    e = Read(written(tmp_path, "FILE a b c\nA 4294967295 0 1\nB 4294967294 0 300\nC 4294967295 0 70000\n"))
    assert e.labels.tolist() == [[1, -1, 0], [0, -1, 1], [1, -1, 2]]
    assert e.categories[0].tolist() == [4294967294, 4294967295]


def test_reading_takes_memory_for_the_numbers_only(tmp_path: Path) -> None:
    ge.datasets.allele_profiles(3000, 700, 5, seed=0, path=tmp_path / "p.tsv")
    Read(tmp_path / "p.tsv")
    tracemalloc.start()
    e = Read(tmp_path / "p.tsv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * e.codes.size + 3e7  # text would take 50 bytes a cell


def test_many_blocks_are_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    e, _ = ge.datasets.allele_profiles(40, 30, 3, seed=2, path=tmp_path / "p.tsv")
    monkeypatch.setattr("graphens.export.profile_files._CELLS", 90)
    monkeypatch.setattr("graphens.export.profile_files._TEXTS", 14)
    assert Read(tmp_path / "p.tsv") == e


def test_new_genomes_are_assigned_by_locus_and_allele(tmp_path: Path) -> None:
    e, lineages = ge.datasets.allele_profiles(90, 120, 3, seed=4, path=tmp_path / "all.tsv")
    header, *rows = (tmp_path / "all.tsv").read_text().splitlines()
    turned = [*header.split("\t")[:1], *header.split("\t")[:0:-1]]  # loci in another order
    known, new = rows[:80], [line.split("\t") for line in rows[80:]]
    (tmp_path / "known.tsv").write_text("\n".join([header, *known]) + "\n")
    lines = ["\t".join(turned), *("\t".join([row[0], *row[:0:-1]]) for row in new)]
    (tmp_path / "new.tsv").write_text("\n".join(lines) + "\n")
    with pytest.warns(ge.errors.DoubtWarning, match="same label"):
        r = ge.eac(Read(tmp_path / "known.tsv"), 3)
    a = r.assign(Read(tmp_path / "new.tsv"))
    assert ge.measures.ari(lineages, np.concatenate([r.labels, a.labels])) == 1
    assert e.n_objects == 90


def test_trees_and_graphs_of_profiles_go_out_with_names(tmp_path: Path) -> None:
    e, _ = ge.datasets.allele_profiles(30, 80, 2, seed=1)
    g = ge.coassociation(e)
    d = ge.link(g, "single")
    ge.export.write(d, tmp_path / "tree.nwk")
    assert (tmp_path / "tree.nwk").read_text().count("genome") == 30
    near = g.threshold(0.9)
    near.write(tmp_path / "near.graphml")
    back = ge.Graph.read(tmp_path / "near.graphml")
    assert (back.n_edges, list(back.names)) == (near.n_edges, list(near.names))


def test_exports_count_differing_loci(tmp_path: Path) -> None:
    e = Read(written(tmp_path, "id l1 l2 l3 l4\na 1 1 1 1\nb 1 1 1 2\nc 1 1 5 9\n"))
    tree = ge.link(ge.coassociation(e), "single")
    assert tree.to_newick() == "(c:2,(a:1,b:1):1);"
    assert tree.to_networkx().nodes[4]["height"] == 2
    g = ge.coassociation(e).spanning_forest()
    for ending in ("graphml", "gexf", "csv", "gml"):
        g.write(tmp_path / f"mst.{ending}")
        assert ge.Graph.read(tmp_path / f"mst.{ending}").n_edges == 2
    made = g.to_networkx()
    assert sorted(loci for *_, loci in made.edges(data="differing_loci")) == [1, 2]
    assert sorted(g.to_igraph().es["differing_loci"]) == [1, 2]
    read = nx.read_graphml(tmp_path / "mst.graphml")
    assert sorted(loci for *_, loci in read.edges(data="differing_loci")) == [1, 2]
    assert "differing_loci" in (tmp_path / "mst.csv").read_text()
    assert "differing_loci" not in str(ge.coassociation(e.labels).to_networkx().edges(data=True))


def test_incomplete_genomes_that_join_others_are_said(tmp_path: Path) -> None:
    whole = "id l1 l2 l3\na 1 1 1\nb 1 1 2\nc 7 8 9\n"
    e = Read(written(tmp_path, whole + "part 1 ? ?\n"))
    with pytest.warns(ge.GraphensWarning, match=r"1 object has fewer than half of the labels.* part \(1 of 3\)"):
        ge.link(ge.coassociation(e), "single").levels([1])
    e = Read(written(tmp_path, whole + "part 1 ? ?\nless ? ? 2\n"))
    with pytest.warns(ge.GraphensWarning, match=r"2 objects .* such as part \(1 of 3\), less \(1 of 3\), can be close"):
        ge.link(ge.coassociation(e), "single").levels([1])
    e = Read(written(tmp_path, whole + "part 1 1 ?\n"))
    with pytest.warns(ge.GraphensWarning, match=r"3 objects are in 1 cluster at level 0 .* part \(2 of 3\)"):
        levels = ge.link(ge.coassociation(e), "single").levels([0])
    assert levels[0].nunique() == 2
    e = Read(written(tmp_path, whole + "part 7 8 ?\n"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ge.link(ge.coassociation(e), "single").levels([0])[0].nunique() == 3


def test_standard_input_may_be_empty_or_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(ge.errors.FileError, match="begins with ''"):
        Read("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ge.errors.FileError, match="closed"):
        Read("-")
