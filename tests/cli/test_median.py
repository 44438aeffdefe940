"""`graphens median`: draws in rows as R writes them, or in columns."""

from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.cli import main

DRAWS = np.array([[1, 1, 2, 2, 2], [1, 1, 2, 2, 3], [1, 1, 1, 2, 2], [1, 1, 2, 2, 2], [2, 1, 1, 1, 1]])


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    lines = ['"","a","b","c","d","e"', *(f'"{i}",{",".join(map(str, row))}' for i, row in enumerate(DRAWS))]
    path = tmp_path / "draws.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("loss", ["vi", "binder", "nid"])
def test_the_answer_is_that_of_the_library(
    rows: Path, tmp_path: Path, loss: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    assert main(["median", str(rows), "--loss", loss.upper(), "--seed", "0", "-o", str(out)]) == 0
    wanted = ge.median(ge.Ensemble.from_draws(DRAWS), loss=loss, seed=0)
    table = [line.split(",") for line in out.read_text("utf-8").splitlines()]
    assert table[0][:2] == ["object", "cluster"]
    assert [line[0] for line in table[1:]] == list("abcde")
    assert [int(line[1]) for line in table[1:]] == wanted.labels.tolist()
    said = capsys.readouterr().err
    assert said.count(" expected (") == 1
    assert f"{wanted.details['expected_loss']:.3f} expected ({loss})" in said
    assert "Credible ball of" in said


def test_draws_in_columns_burn_in_and_thinning(rows: Path, tmp_path: Path) -> None:
    turned, out = tmp_path / "turned.csv", tmp_path / "out.csv"
    lines = ["id,p,q,r,s,t", *(f"{name},{','.join(map(str, x))}" for name, x in zip("abcde", DRAWS.T, strict=True))]
    turned.write_text("\n".join(lines) + "\n", encoding="utf-8")
    line = ["--skip", "1", "--every", "2", "--seed", "0", "-o", str(out)]
    assert main(["median", str(turned), "--draws", "columns", "--id", "id", *line]) == 0
    columns = out.read_text("utf-8").replace("id,", "object,", 1)
    assert main(["median", str(rows), *line]) == 0
    assert out.read_text("utf-8") == columns
    labels = ge.median(ge.Ensemble.from_draws(DRAWS[1::2]), seed=0).labels.tolist()
    assert [int(row.split(",")[1]) for row in columns.splitlines()[1:]] == labels


def test_burn_in_is_dropped_from_every_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = np.column_stack([np.repeat([3, 4], 5), np.tile(np.arange(1, 6), 2)])
    table = np.column_stack([own, np.tile(DRAWS, (2, 1))])
    path, out, wanted = tmp_path / "draws.csv", tmp_path / "out.npz", np.tile(DRAWS[2:], (2, 1))
    np.savetxt(path, table, "%d", ",", header=".chain,.iteration,a,b,c,d,e", comments="")
    assert main(["median", str(path), "--skip", "2", "--save", str(out), "-o", str(tmp_path / "out.csv")]) == 0
    e = ge.load(out).ensemble
    assert e.partition_names == ("chain 3 draw 3", "chain 3 draw 4", "chain 3 draw 5", *e.partition_names[3:])
    assert e == ge.Ensemble.from_draws(wanted, object_names=list("abcde"))._replace(partition_names=e.partition_names)
    assert "between chains" in capsys.readouterr().err
    assert main(["median", str(path), "--skip", "5"]) == 2
    assert "--skip 5 was given for 5 draws of a chain" in capsys.readouterr().err
