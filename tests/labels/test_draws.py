"""Ways in for draws: arrays, chains, frames, files, xarray and ArviZ."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.cli import main

CHAINS = np.random.default_rng(0).integers(0, 3, size=(2, 5, 4))


def test_where_the_draws_are_is_said_and_never_guessed() -> None:
    table = CHAINS[0]
    rows, columns = ge.Ensemble.from_draws(table), ge.Ensemble.from_draws(table.T, axis=1)
    assert rows == columns
    assert (rows.n_objects, rows.n_partitions) == (4, 5)
    assert ge.Ensemble.from_draws(table[:, :1]).n_objects == 1  # many draws of one object are what was said
    assert ge.Ensemble.from_draws(table.tolist(), axis=-2) == rows


def test_chains_keep_their_names() -> None:
    e = ge.Ensemble.from_draws(CHAINS, axis=(0, 1))
    np.testing.assert_array_equal(e.labels.T, ge.Ensemble.from_draws(CHAINS.reshape(10, 4)).labels.T)
    assert e.partition_names[6] == "chain 1 draw 1"
    assert e.chains.tolist() == [0] * 5 + [1] * 5
    assert e.take(partitions=slice(3, None, 2)).chains.tolist() == [0, 1, 1, 1]
    assert ge.Ensemble.from_draws(CHAINS[0]).chains is None
    turned = ge.Ensemble.from_draws(np.moveaxis(CHAINS, 2, 0), axis=(1, 2))
    assert turned == e


def test_burn_in_and_thinning_are_slices() -> None:
    e = ge.Ensemble.from_draws(np.arange(12)[:, None] % 5 + np.zeros((1, 3), dtype=int))
    kept = e.take(partitions=slice(4, None, 3))
    assert kept.partition_names == ("P4", "P7", "P10")
    assert kept == e.take(partitions=[4, 7, 10])
    with pytest.raises(ge.GraphensError, match="positions"):
        e.take(partitions=slice(20, None))


def test_files_and_frames(tmp_path: Path) -> None:
    frame = pd.DataFrame(CHAINS[0] + 1, columns=["a", "b", "c", "d"])
    e = ge.Ensemble.from_draws(frame)
    assert e.object_names.tolist() == ["a", "b", "c", "d"]
    path = tmp_path / "draws.csv"
    lines = ['"","a","b","c","d"', *(f'"{i + 1}",{",".join(map(str, row))}' for i, row in enumerate(CHAINS[0] + 1))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")  # as write.csv of R does
    assert ge.Ensemble.from_draws(path) == e
    assert ge.Ensemble.from_draws(str(path), axis=1).n_objects == 5


@pytest.mark.parametrize(
    ("draws", "axis", "message"),
    [
        (CHAINS, 0, "use axis"),
        (CHAINS[0], 2, "axis = 2"),
        (CHAINS[0], (0, 1), "two different axes"),
        (CHAINS, (1, 1), "two different axes"),
        (CHAINS, (0, 5), "two different axes"),
        (CHAINS[0, 0], 0, "draws × objects"),
    ],
)
def test_mistakes_are_named(draws: Any, axis: Any, message: str) -> None:
    with pytest.raises(ge.GraphensError, match=message):
        ge.Ensemble.from_draws(draws, axis=axis)


def test_arrays_whose_dimensions_have_names() -> None:
    xr = pytest.importorskip("xarray")
    named = xr.DataArray(CHAINS, dims=("chain", "draw", "galaxy"), coords={"galaxy": list("abcd")})
    e = ge.Ensemble.from_draws(named.transpose("galaxy", "draw", "chain"))
    assert e.object_names.tolist() == list("abcd")
    assert e.partition_names[6] == "chain 1 draw 1"
    np.testing.assert_array_equal(e.codes, ge.Ensemble.from_draws(CHAINS, axis=(0, 1)).codes)
    late = ge.Ensemble.from_draws(named.assign_coords(draw=range(10, 15)).sel(draw=slice(12, None)))
    assert late.partition_names[0] == "chain 0 draw 12"
    one = ge.Ensemble.from_draws(named.isel(chain=0))
    assert one.n_partitions == 5
    both = xr.Dataset({"z": named, "other": named + 1, "mu": named.mean("galaxy")})
    assert ge.Ensemble.from_draws(both, variable="z") == e
    assert ge.Ensemble.from_draws(xr.Dataset({"weight": named / 7, "z": named})) == e  # the only whole numbers
    with pytest.raises(ge.GraphensError, match="among z, other"):
        ge.Ensemble.from_draws(both)
    with pytest.raises(ge.GraphensError, match="Did you mean other"):
        ge.Ensemble.from_draws(both, variable="othr")
    with pytest.raises(ge.GraphensError, match="expected draw"):
        ge.Ensemble.from_draws(named.rename(draw="sample"))


def test_samples_by_name_are_not_one_variable() -> None:
    with pytest.raises(ge.GraphensError, match=r"A dict of z, mu was given; .* such as draws\['z'\]"):
        ge.Ensemble.from_draws({"z": CHAINS, "mu": CHAINS.mean(axis=2)}, axis=(0, 1))


@pytest.mark.filterwarnings("ignore")
def test_inference_data() -> None:
    az = pytest.importorskip("arviz")
    groups = {"posterior": {"z": CHAINS, "mu": CHAINS.mean(axis=2)}}
    data = az.from_dict(**groups) if az.__version__.startswith("0.") else az.from_dict(groups)
    e = ge.Ensemble.from_draws(data)
    np.testing.assert_array_equal(e.codes, ge.Ensemble.from_draws(CHAINS, axis=(0, 1)).codes)


def test_what_samplers_write_about_the_draws_is_no_object(tmp_path: Path) -> None:
    own = {".chain": 1, ".iteration": [1, 2, 3, 4, 5], ".draw": [1, 2, 3, 4, 5]}
    frame = pd.DataFrame(CHAINS[0], columns=[f"z[{i}]" for i in range(1, 5)])
    e = ge.Ensemble.from_draws(frame)
    with pytest.warns(ge.GraphensWarning, match=r"left out: \.chain, \.iteration, \.draw\."):
        assert ge.Ensemble.from_draws(pd.DataFrame(own).join(frame)) == e
    of_two = pd.DataFrame(own | {".chain": [1, 1, 2, 2, 2]}).join(frame)
    chains = ge.Ensemble.from_draws(of_two, variable="z")
    assert chains.chains.tolist() == [0, 0, 1, 1, 1]
    assert chains.partition_names[-1] == "chain 2 draw 5"
    path = tmp_path / "chains.csv"
    of_two.to_csv(path, index=False)
    assert ge.Ensemble.from_draws(path, variable="z") == chains
    path = tmp_path / "draws.csv"
    pd.DataFrame(own).join(frame).to_csv(path, index=False)
    with pytest.warns(ge.GraphensWarning, match="left out"):
        assert ge.Ensemble.from_draws(path) == e


def test_one_variable_of_what_stan_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"-3.1,0.9,0.25,{','.join(map(str, row))}" for row in CHAINS[0].tolist()]
    lines = ["# model = m", "lp__,accept_stat__,mu.1,z.1,z.2,z.3,z.4", "# Step size = 0.8", "# 0.3, 0.4", *rows]
    path = tmp_path / "stan.csv"
    path.write_text("\n".join([*lines, "", "#  Elapsed Time: 1 seconds", ""]))
    e = ge.Ensemble.from_draws(path, variable="z")
    assert e.labels.tolist() == ge.Ensemble.from_draws(CHAINS[0]).labels.tolist()
    assert e.object_names.tolist() == ["z.1", "z.2", "z.3", "z.4"]
    with pytest.raises(ge.GraphensError, match=r"variable = 'Z' was given; expected one of .* Did you mean z\?"):
        ge.Ensemble.from_draws(path, variable="Z")
    with pytest.warns(ge.GraphensWarning), pytest.raises(ge.GraphensError, match=r'value 0.25.*variable="z"'):
        ge.Ensemble.from_draws(path)
    several = ge.Ensemble.from_draws([path, str(path)], variable="z")
    assert (several.n_partitions, several.partition_names[5]) == (10, "chain 1 draw 0")
    assert several.object_names.tolist() == e.object_names.tolist()
    other = tmp_path / "other.csv"
    other.write_text("z.1,z.2\n1,2\n")
    with pytest.raises(ge.GraphensError, match=r"draws of \[4, 2\] objects"):
        ge.Ensemble.from_draws([path, other], variable="z")
    assert main(["median", str(path), "--variable", "z", "--starts", "1", "--seed", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("z.1,0,")
    assert main(["median", str(path), "--variable", "z", "--draws", "columns"]) == 2
