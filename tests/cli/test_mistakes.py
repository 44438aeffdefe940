"""Typing errors are answered with what was meant, and nothing ends in a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphens.cli import main

ROOT = Path(__file__).resolve().parents[2]
LABELS = "cell,a,b\n" + "".join(f"c{i},{i % 3},{i % 2}\n" for i in range(12))
FEATURES = "x,y\n" + "".join(f"{i % 3 * 9 + i / 9},{i % 2}\n" for i in range(30))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "data.csv").write_text(FEATURES)
    (tmp_path / "comma.csv").write_text("x;y\n1,5;2.5\n2;3.5\n")
    (tmp_path / "one.csv").write_text("x,y\n1,2\n")
    (tmp_path / "gaps.csv").write_text("x,y\n1,2\n3,\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("consenus labels.csv", "Did you mean consensus?"),
        ("consensus labels.csv --metod eac", "Did you mean --method?"),
        ("consensus labels.csv --metod=eac", "Did you mean --method?"),
        ("compare labels.csv --truth t.csv", "labels.csv has no column 't.csv'"),
        ("explain labels.csv c0 --id cell --trut=t.csv", "--trut is an unknown option of graphens explain."),
        ("consensus la*.csv", "a pattern that matches 1 file; expected the name of one file"),
        ("report 'labels/*.parquet'", "a pattern that matches 0 files"),
        ("generate *.csv -o o.csv", "expected the name of one file"),
        ("generate comma.csv -o o.csv", "use --decimal"),
        ("consensus labels.parquet", "labels.parquet cannot be read: No such file or directory."),
        ("explain labels.csv --id cell", "arguments are required: object"),
        ("consensus labels.csv --id cell --method lwpg", "--method 'lwpg' was given;"),
        ("consensus labels.csv --id cell --method lwpg", "Did you mean lwgp?"),
        ("report labels.csv --id cell --method lwpg", "--method 'lwpg' was given;"),
        ("explain labels.csv c1 --id cell --clusters 99", "--clusters 99 was given"),
        ("monti data.csv --share 2", "--share 2.0 was given"),
        ("monti data.csv --base kmean", "--base 'kmean' was given"),
        ("choose labels.csv --id cell --seed -1", "--seed -1 was given"),
        ("export labels.csv --id cell --graph metagraph --neighbors 0 -o m.gml", "--neighbors 0 was given"),
        ("methods lwpg", "Did you mean lwgp?"),
        ("consensus labels.csv --id cell -k 3 --method cspa --partitioner mettis", "Did you mean metis?"),
        ("consensus labels.csv --id cell --method eac --set linkage=averge", "--set linkage 'averge' was given"),
        ("consensus labels.csv --id cell --method eac --set linkag=average", "Did you mean linkage?"),
        ("consensus labels.csv --id cel", "Did you mean cell?"),
        ("consensus labels.csv --id cell -k 99", "-k 99 was given, but labels.csv has 12 rows; expected at most 12."),
        ("consensus labels.csv --id cell -k 0", "-k 0 was given; expected a whole number between 1 and 12."),
        ("compare labels.csv --id cell --methods lwpg", "--methods 'lwpg' was given;"),
        ("consensus labels.csv --sheet Data", "--sheet Data was given, but labels.csv is no Excel file"),
        ("consensus labels.csv --decimal ;", "; was given; expected '.' or ','."),
        ("assign saved.npz labels.csv --names 0=a", "--names is an unknown option of graphens assign. It takes --id"),
        ("consensus labels.csv --id cell -k 2:4", "one number"),
        ("cluster data.csv -k 10:30", "--base-k 10:30"),
        ("cluster data.csv -k 3 --base-k 400", "--base-k 400 was given"),
        ("generate data.csv -k 400 -o out.csv", "-k 400 was given"),
        ("generate data.csv --base kmean -o out.csv", "Did you mean kmeans?"),
        ("generate data.csv --columns x,yy -o out.csv", "Did you mean y?"),
        ("generate data.csv -B 0 -o out.csv", "-B 0 was given"),
        ("export labels.csv --graph metagraph -o m.gml --delimiter tabs", "expected one character"),
        ("export labels.csv --graph metagraph -o - --format nope", "expected a file ending in"),
        ("consensus labels.csv --id cell --columns a,z", "no column 'z'"),
        ("consensus labels.csv --id cell --weights 1,x", "--weights"),
        ("consensus labels.csv --id cell --weights 1,1,1", "3 weights were given for 2 partitions"),
        ("consensus labels.csv --id cell --set linkage", "--set"),
        ("consensus labels.csv --id cell --method eac --set no_such_option=1", "no_such_option"),
        ("consensus labels.csv --id cell --rule lifetimes", "Did you mean lifetime?"),
        ("consensus labels.csv --id cell -o out.doc", "expected a file ending in"),
        ("consensus labels.csv --id cell -o no/such/folder/out.csv", "no directory"),
        ("consensus labels.csv --save answer.csv", "--save answer.csv was given; expected a file ending in .npz"),
        ("consensus labels.csv --save no/where.npz", "there is no directory"),
        ("consensus no/*.parquet --out-of-core -o out --method vote", "needs the number of clusters"),
        ("consensus no/*.parquet --out-of-core -k 2", "expected -o FOLDER"),
        ("consensus no/*.parquet --out-of-core -k 2 -o out --membership", "cannot be used with --out-of-core"),
        ("consensus no/*.parquet --out-of-core -k 2 -o out", "does not match any file"),
        ("export labels.csv --graph metagraph -o m.xyz", "expected a file ending in .graphml"),
        ("export labels.csv --graph hypergraph -o m.graphml", "hypergraph; expected a file ending in .hgr"),
        ("export labels.csv --graph metagraph -o no/such/place/m.gml", "no directory"),
        ("export labels.csv --graph metagraph -o m.gml --columns a,nope", "no column 'nope'"),
        ("export labels.csv --graph metagraph -o m.gml --columns=", "no column ''"),
        ("export labels.csv --graph bipartite -o m.gml --similarity dice", "--similarity"),
        ("export labels.csv --graph hypergraph -o m.hgr --threshold 0.5", "--threshold"),
        ("export labels.csv --graph metagraph -o m.gml --similarity dise", "Did you mean dice?"),
        ("export labels.csv --graph coassociation -o m.gml --threshold nan", "finite"),
        ("export labels.csv --graph coassociation -o m.gml --threshold x", "expected a number"),
        ("export labels.csv --graph metagrap -o m.gml", "Did you mean metagraph?"),
        ("export labels.csv --graph metagraph", "required: -o"),
        ("generate data.csv -k few -o out.csv", "expected 10, 10:30 or 5,10,20"),
        ("generate data.csv --columns x --without x -o out.csv", "has no column left without 'x'"),
        ("generate data.csv -o labels.doc", "expected a file ending in"),
        ("generate data.csv -o nowhere/labels.csv", "no directory"),
        ("generate gaps.csv -k 1 -o out.csv", "object 1: y is missing"),
        ("choose labels.csv --ks=5:2", "expected 2:12"),
        ("choose labels.csv --ks=two", "expected 2:12"),
        ("choose labels.csv --ks=", "expected 2:12"),
        ("levels labels.csv --id cell --at 91", "--at 91 was given; expected a whole number between 0 and 2"),
        ("levels labels.csv --id cell --at x", "x was given"),
        ("levels labels.csv --id cell", "--at"),
        ("levels labels.csv --id cell --at 0 --rule none", "expected share or count"),
        ("levels labels.csv --id cell --at 0 -o x.doc", "expected a file ending in"),
        ("levels labels.csv --id cell --at 0 --without locus", "has no column 'locus'"),
        ("median labels.csv --id a", "use them with --draws columns"),
        ("median one.csv --skip 1", "--skip 1 was given for 1 draw"),
        ("median one.csv --every 0", "--every 0 was given"),
        ("median one.csv --loss mi", "mi"),
        ("median one.csv -a 2", "-a 2.0 was given; expected a number above 0 and below 2"),
        ("median one.csv --max-k 0", "--max-k 0 was given; expected a whole number of at least 1"),
        ("median one.csv --starts 0", "--starts 0 was given"),
        ("median one.csv -j 0", "-j 0 was given"),
        ("plot labels.csv --id cell -k 3 --kind pie", "pie was given; expected one of"),
        ("plot labels.csv --id cell -k 3 -o x.doc", "expected a file ending in .png"),
        ("plot labels.csv --id cell -k 3 --dpi 0", "--dpi 0 was given"),
        ("plot labels.csv --id cell -k 3 --kind scatter", "but none were given; expected --features."),
        ("report labels.csv --id cell -k 3 --classes kin", "has no column 'kin'"),
        ("modes labels.csv --id cell -k 3 --answers x.doc", "--answers x.doc was given"),
    ],
)
def test_what_was_meant(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(Path().iterdir())
    assert main(line.split()) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    told = [line for line in shown.err.splitlines() if not line.startswith(("graphens: note: ", "graphens: warning: "))]
    assert (shown.out, len(told)) == ("", 1)
    assert told[0].startswith("graphens: ")
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize(
    "line",
    [
        "consensus labels.csv --id cell --method exact_median --set time_limit=abc",
        "consensus labels.csv --id cell -k 2 --method mixture --set n_init=[]",
        "generate one.csv --base ward -B 2 -k 1 -o out.csv",
        "consensus labels.csv --id cell --method eac --set linkage=" + "(" * 5000,
        "consensus labels.csv --id cell --method eac --set linkage=" + "-" * 100_000 + "1",
        "consensus " + "x" * 100_000 + ".csv",
        "consensus labels.csv --id cell --method " + "x" * 100_000,
    ],
)
def test_no_traceback_and_no_flood(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    said = capsys.readouterr().err
    assert said.startswith("graphens: ")
    assert said.count("\n") == 1
    assert len(said) < 1200


@pytest.mark.skipif(os.name == "nt", reason="POSIX shells close streams")
@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("consensus - <&-", 2, "Standard input is closed"),
        ("consensus labels.csv --id cell --method eac >&-", 2, "Standard output is closed"),
        ("consensus labels.csv --id cell --method eac -o out.csv >&-", 0, "Consensus by eac"),
        ("methods 2>&-", 0, ""),
    ],
)
def test_closed_streams(line: str, code: int, said: str) -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = f"{sys.executable} -m graphens {line}"
    done = subprocess.run(
        command, shell=True, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=False
    )
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_defect_of_ours_is_one_line_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(argv: list[str]) -> None:
        raise KeyError("no such thing")

    monkeypatch.setattr("graphens.cli._run", broken)
    assert main([]) == 1
    assert "unexpected KeyError" in capsys.readouterr().err
    monkeypatch.setenv("GRAPHENS_TRACEBACK", "1")
    with pytest.raises(KeyError):
        main([])


@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("t.txt", LABELS.replace(",", "  "), []),
        ("t.txt", LABELS.replace(",", "\t"), []),
        ("t.txt", LABELS, []),
        ("t.csv", LABELS.replace(",", "|"), ["--delimiter", "|"]),
        ("t.csv", LABELS.replace(",", " \t"), ["--delimiter", "space"]),
    ],
)
def test_delimiters(name: str, text: str, more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(name).write_text(text)
    assert main(["export", name, "--id", "cell", "--graph", "bipartite", "-o", "b.csv", *more]) == 0
    assert capsys.readouterr().out == "b.csv: Graph(bipartite, 17 vertices, 24 edges)\n"


def test_a_text_table_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consensus", "labels.csv", "--id", "cell", "--method", "eac", "-o", "out.txt"]) == 0
    assert Path("out.txt").read_text().startswith("cell\tcluster\tconfidence\n")


def test_a_graph_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["export", "labels.csv", "--id", "cell", "--graph", "metagraph", "-o", "-"]
    assert main(command) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("source,target,weight,")
    assert shown.err == "Graph(metagraph, 5 vertices, 6 edges)\n"
    for ending, start in ((".graphml", "<?xml"), ("gml", "graph [")):
        assert main([*command, "--format", ending]) == 0
        assert start in capsys.readouterr().out[:100]


def test_the_reason_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consensus", "labels.csv", "--id", "cell", "-k", "3", "--seed", "0"]) == 0
    said = capsys.readouterr().err
    assert "  why         3 clusters were requested. " in said
    assert max(map(len, said.splitlines())) <= 100


def test_k_is_the_number_in_the_answer() -> None:
    for flag in ("-k", "--clusters"):
        line = f"cluster data.csv {flag} 3 --base-k 4:8 -B 8 --seed 0 --method lwgp -o out.csv"
        assert main(line.split()) == 0
        clusters = {row.split(",")[1] for row in Path("out.csv").read_text().splitlines()[1:]}
        assert clusters == {"0", "1", "2"}
    for flag in ("-k", "--base-k"):
        assert main(f"generate data.csv {flag} 4 -B 2 --seed 0 -o out.csv".split()) == 0
        assert {row[0] for row in Path("out.csv").read_text().splitlines()[1:]} == set("0123")


PATHS = [
    "consensus {}",
    "consensus {} --out-of-core -k 2 -o out",
    "consensus labels.csv --id cell -k 2 -o {}",
    "generate {} -o out.csv",
    "generate data.csv -B 2 -k 2 -o {}",
    "generate data.csv -B 2 -k 2 -o out.csv --checkpoint {}",
    "cluster {} -k 2",
    "cluster data.csv -B 2 -k 2 -o {}",
    "communities {}",
    "communities data.csv -B 2 --graph {}",
    "communities data.csv -B 2 --checkpoint {}",
    "choose {}",
    "choose labels.csv --id cell --ks 2:3 -o {}",
    "compare {}",
    "explain {} 0",
    "monti {}",
    "monti data.csv --ks 2:2 -B 2 --checkpoint {}",
    "report {}",
    "report labels.csv -k 2 -o {}",
    "export {} --graph metagraph -o m.gml",
    "export labels.csv --id cell --graph metagraph -o {}",
    "export labels.csv --id cell --graph metagraph -o m.gml --clusters {}",
    "demo -o {}",
]


@pytest.mark.parametrize("line", PATHS)
def test_names_that_no_file_can_have(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a\x00b.csv", "a\x00b.html", "lone\ud800.csv", "a\x00b.parquet"):
        assert main([word.format(name) for word in line.split()]) == 2
        said = capsys.readouterr().err
        assert "was given" in said
        assert said.count("\n") == 1


def test_a_table_whose_name_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consensus", "bytes\udcff.parquet"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_an_object_is_named_before_or_behind_options(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for line in ("c7 --id cell -k 3 --seed 0", "--id cell -k 3 c7 --seed 0", "--id cell -k 3 --seed 0 c7"):
        assert main(["explain", "labels.csv", *line.split()]) == 0
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 1
    assert shown[0].startswith("c7 is in cluster ")


def test_a_partition_without_the_object_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("gaps.csv").write_text(LABELS.replace("c7,1,1", "c7,1,"))
    assert main(["explain", "gaps.csv", "c7", "--id", "cell", "-k", "3", "--seed", "0", "-o", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "b,,,"


OVERWRITING = [
    "consensus labels.csv --id cell -o labels.csv",
    "consensus labels.csv --id cell --must-link pairs.csv -o pairs.csv",
    "consensus labels.csv --id cell -o out.csv --save answer.npz --cannot-link out.csv",
    "export labels.csv --id cell --clusters clusters.csv -o clusters.csv",
    "match labels.csv clusters.csv -o clusters.csv",
    "match labels.csv clusters.csv --relabel clusters.csv",
    "match labels.csv clusters.csv --relabel out.csv -o ./out.csv",
    "compare labels.csv clusters.csv -k 2 -o clusters.csv",
    "compare labels.csv -k 2 --truth clusters.csv -o clusters.csv",
    "modes labels.csv --answers out.csv -o out.csv",
    "generate data.csv -o out.npz --checkpoint out.npz",
    "generate data.csv -o out.csv --checkpoint data.csv",
    "plot labels.csv --features data.csv -o data.csv",
    "update answer.npz labels.csv -o new.csv --changes new.csv",
]


@pytest.mark.parametrize("line", OVERWRITING)
def test_a_file_that_is_read_is_never_written(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("pairs.csv").write_text("c0,c3\n")
    Path("clusters.csv").write_text("cell,cluster\n" + "".join(f"c{i},{i % 3}\n" for i in range(12)))
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    assert main(line.split()) == 2
    said = capsys.readouterr().err
    assert "would be overwritten" in said or "expected a file ending in" in said
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_options_that_are_repeated_add_up_or_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    table = "export labels.csv --id cell --graph bipartite -o - --columns a"
    assert main([*table.split(), "--columns", "b"]) == 0
    both = capsys.readouterr().out
    assert "a:0" in both
    assert "b:0" in both
    assert main(["choose", "labels.csv", "--id", "cell", "--ks", "2:3", "--ks", "5", "--seed", "0", "-o", "-"]) == 0
    assert [row.split(",")[0] for row in capsys.readouterr().out.splitlines()] == ["k", "2", "3", "5"]
    assert main(["consensus", "labels.csv", "--id", "cell", "-k", "2", "-k", "3"]) == 2
    assert "was given twice" in capsys.readouterr().err
    for twice in ("--method eac --set linkage=single --set linkage=average", "--names 0=a --names 0=b"):
        assert main(["consensus", "labels.csv", "--id", "cell", "-k", "2", *twice.split()]) == 2
        assert "expected it once" in (said := capsys.readouterr().err) or "two names for one" in said


def test_numbers_that_would_fill_the_memory_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("choose labels.csv --ks 2:900000000", "levels labels.csv --at 0:900000000"):
        assert main(line.split()) == 2
        assert "expected at most 100000 numbers" in capsys.readouterr().err
    assert main(["explain", "labels.csv", "²", "--id", "cell"]) == 2
    assert "no object has that name" in capsys.readouterr().err


def test_pictures_as_jpg(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL")
    assert main(["plot", "labels.csv", "--id", "cell", "-k", "3", "--seed", "0", "-o", "p.jpg"]) == 0
    assert Path("p.jpg").read_bytes()[:2] == b"\xff\xd8"
