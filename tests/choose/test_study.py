"""Methods over several ensembles or seeds: means, ranks, the test, and the table for a paper."""

import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import friedmanchisquare

import graphens as ge
from graphens.choose.study import Benchmark
from graphens.cli import main


def noisy(seed: int, noise: float = 0.45, n: int = 40) -> tuple[ge.Ensemble, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    labels = np.where(rng.random((n, 6)) < noise, rng.integers(0, 3, (n, 6)), truth[:, None])
    return ge.Ensemble(labels), truth


def of_values(values: dict[str, list[float | None]]) -> Benchmark:
    """A benchmark with one ensemble for each value."""
    rows = [(f"e{i}", name, value) for name, column in values.items() for i, value in enumerate(column)]
    where, names, score = (list(column) for column in zip(*rows, strict=True))
    size = len(rows)
    figures = {"ensemble": where, "seed": [0] * size, "method": names, "score": score, "seconds": [0.1] * size}
    return Benchmark(figures | {"note": [""] * size, "answer": [f"{v}" for v in score]}, "score")


def test_tables_of_labels_in_a_dict_are_ensembles() -> None:
    table = [[0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 1, 0]]
    b = ge.benchmark({"a": np.array(table), "b": pd.DataFrame(table)}, 2, methods=["vote"], seeds=1)
    assert b.ensembles == ("a", "b")
    one = ge.benchmark({"a": [0, 0, 1], "b": [0, 1, 1]}, 2, methods=["vote"], seeds=1)  # two partitions
    assert one.ensembles == ("ensemble",)


def test_ranks_and_the_test_are_those_of_the_textbook() -> None:
    rng = np.random.default_rng(0)
    table = {name: rng.random(12).tolist() for name in ("eac", "mcla", "vote", "lwgp", "hbgf")}
    found = of_values(table).rank()
    ranks = np.mean(
        [pd.Series(row).rank(ascending=False).to_numpy() for row in np.array(list(table.values())).T], axis=0
    )
    assert list(found.ranks.values()) == pytest.approx(ranks.tolist())
    assert (found.statistic, found.p) == pytest.approx(tuple(friedmanchisquare(*table.values())))
    assert found.critical_difference == pytest.approx(2.728 * np.sqrt(5 * 6 / (6 * 12)), abs=1e-3)  # Demšar, table 5
    assert found.best()[0] == min(found.ranks, key=lambda name: found.ranks[name])


@pytest.mark.parametrize(("count", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (7, 2.949), (10, 3.164)])
def test_critical_values_are_the_published_ones(count: int, q: float) -> None:
    found = of_values({f"m{j}": [0.1 * j, 0.2] for j in range(count)}).rank()
    assert found.critical_difference == pytest.approx(q * np.sqrt(count * (count + 1) / 12), abs=2e-3)


def test_equal_values_share_a_rank_and_failures_come_last() -> None:
    found = of_values({"a": [0.5, 0.5], "b": [0.5, 0.6], "c": [None, 0.1], "d": [0.1, 0.7]}).rank()
    assert found.ranks == {"a": 2.25, "b": 1.75, "c": 4.0, "d": 2.0}
    assert of_values({"a": [0.5, 0.5], "b": [0.5, 0.5], "c": [0.5, 0.5]}).rank().p == 1.0
    single = of_values({"a": [0.5], "b": [0.6], "c": [0.7]}).rank()
    assert np.isnan(single.p)
    assert single.critical_difference == np.inf


def test_smaller_errors_are_better() -> None:
    e, truth = noisy(0)
    b = ge.benchmark(e, 3, methods=["hbgf", "vote", "hgpa"], truth=truth, seeds=3)
    ari, wrong = b.values("ari"), b.values("error_rate")
    assert b.measure == "ari"
    best = b.rank("error_rate").best()[0]
    assert wrong[best].mean() == min(column.mean() for column in wrong.values())
    assert ari.keys() == wrong.keys()


def test_figures_are_those_of_compare() -> None:
    made = [noisy(seed) for seed in range(3)]
    several = {f"set {i}": e for i, (e, _) in enumerate(made)}
    truths = {f"set {i}": truth for i, (_, truth) in enumerate(made)}
    methods = ["hbgf", "vote", "eac"]
    b = ge.benchmark(several, 3, methods=methods, truth=truths, seeds=[4, 7])
    assert b.ensembles == tuple(several)
    assert len(b.runs) == 3 * 2 * 3
    for (name, e), seed in zip(several.items(), [4, 7, 4], strict=True):
        one = ge.compare(e, 3, methods=methods, truth=truths[name], seed=seed).table.set_index("method")
        mine = b.runs.query("ensemble == @name and seed == @seed").set_index("method")
        assert mine["ari"].to_dict() == one["ari"].to_dict()
    table = b.table.set_index("method")
    assert table.loc["vote", "ari"] == pytest.approx(b.runs.query("method == 'vote'")["ari"].mean())
    assert table.loc["vote", "ari_sd"] == pytest.approx(b.runs.query("method == 'vote'")["ari"].std())
    assert table["rank"].is_monotonic_increasing
    listed = ge.benchmark(list(several.values()), [3, 3, 3], methods=methods, truth=list(truths.values()), seeds=[4, 7])
    assert listed.table["ari"].tolist() == b.table["ari"].tolist()


def test_the_same_method_twice_is_marked_and_a_failure_is_a_row() -> None:
    e, _ = noisy(1, noise=0.05)
    wide = ge.Ensemble(np.column_stack([e.labels, np.arange(40) // 2]))
    b = ge.benchmark([e, wide], 4, methods=["dspa", "eac", "cumulative"], seeds=2)
    table = b.table.set_index("method")
    assert table.loc["cumulative", "failed"] == 2  # the first ensemble has three clusters at most
    assert "clusters" in table.loc["cumulative", "note"]
    twins = ge.benchmark(e, 3, methods=["dspa", "lwea", "vote"], seeds=2).table.set_index("method")["same_as"]
    assert (twins != "").sum() == 2


def test_a_function_gives_every_seed_an_ensemble_of_its_own() -> None:
    def draw(seed: int) -> ge.Ensemble:
        return noisy(seed)[0]

    b = ge.benchmark({"a": draw, "b": draw}, {"b": 3, "a": 2}, methods=["vote", "eac"], seeds=3)
    assert [len(set(b.values("score", name)["eac"])) for name in ("a", "b")] == [3, 3]
    assert b.runs.query("seed == 2 and ensemble == 'a' and method == 'vote'")["score"].item() == pytest.approx(
        ge.compare(draw(2), 2, methods=["vote"], seed=2)["score"].item()
    )
    with pytest.raises(ge.GraphensError, match="The function of ensemble raised ZeroDivisionError"):
        ge.benchmark(lambda seed: 1 // seed, 3, methods=["vote"], seeds=2)


def test_variants_are_names_functions_partials_and_pairs() -> None:
    def own(ensemble: ge.Ensemble, k: int) -> object:
        return ensemble.labels[:, 0] % k

    e, truth = noisy(3)
    some = ["auto", "vote", own, ge.mcla, partial(ge.lwgp, entropy_scale=0.2), ("eac", {"linkage": "average"})]
    names = ["auto", "vote", "own", "mcla", "lwgp(entropy_scale=0.2)", "eac(linkage='average')"]
    found = ge.compare(e, 3, methods=some, truth=truth, seed=0)
    assert sorted(found["method"]) == sorted(names)
    assert found.answers["eac(linkage='average')"].options["linkage"] == "average"
    assert found.answers["auto"].why == ge.consensus(e, 3, seed=0).why
    named = dict(zip("abcdef", some, strict=True))
    b = ge.benchmark([e, e], 3, methods=named, truth=[truth, truth], seeds=2)
    assert sorted(b.methods) == list("abcdef")
    ari = dict(zip(found["method"], found["ari"], strict=True))
    assert {name: b.runs.query("method == @name and seed == 0")["ari"].iloc[0] for name in "abcdef"} == {
        letter: ari[name] for letter, name in zip("abcdef", names, strict=True)
    }
    with pytest.raises(ge.GraphensError, match="Two methods called 'vote'"):
        ge.compare(e, 3, methods=["vote", "vote"])
    with pytest.raises(ge.GraphensError, match="vote has no option n_init"):
        ge.compare(e, 3, methods={"mine": ("vote", {"n_init": 3})})


def test_the_table_for_a_paper_is_latex() -> None:
    e, truth = noisy(2)
    b = ge.benchmark({"a_1 & b": e, "100 %": e}, 3, methods=["vote", "hbgf"], truth=[truth, truth], seeds=3)
    lines = b.to_latex(digits=2).splitlines()
    assert re.fullmatch(r"% Ranks by ari over 2 ensembles; critical difference \(Nemenyi, 0.05\): \d\.\d+", lines[0])
    assert lines[3] == r"method & a\_1 \& b & 100 \% & rank & seconds \\"
    cell = r"(\\textbf\{\d\.\d\d\}|\d\.\d\d) \$\\pm\$ \d\.\d\d"
    assert all(re.match(rf"\w+ & {cell} & {cell} & ", line) for line in lines[5:7])
    best = max(b.values("ari", "100 %"), key=lambda name: b.values("ari", "100 %")[name].mean())
    assert next(line for line in lines if line.startswith(best)).split(" & ")[2].startswith(r"\textbf{")
    one = ge.benchmark(e, 3, methods=["vote", "hbgf"], seeds=1)
    assert one.rank().said == "Ranks by score over 1 seed"
    assert "method & score & silhouette & rank & seconds" in one.to_latex()
    assert ge.compare(e, 3, methods=["vote", "hbgf"], seed=0).to_latex().startswith(r"\begin{tabular}{lr")
    crossed = ge.compare([[0], [0], [1], [1]], 2, methods=["vote"], truth=[0, 1, 0, 1], seed=0)
    assert r"$-$0.50" in crossed.to_latex(digits=2)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_the_table_compiles(tmp_path: Path) -> None:
    e, truth = noisy(2)
    odd = r"a\b{c}_d^e~f&g%h$i#j<k>l|m ± × θ … −"
    b = ge.benchmark({odd: e, "b": e}, 3, methods=["vote", "hbgf"], truth=[truth, truth], seeds=2)
    page = rf"\documentclass{{article}}\begin{{document}}{chr(10)}{b.to_latex()}{chr(10)}\end{{document}}"
    (tmp_path / "t.tex").write_text(page, "utf-8")
    done = subprocess.run(["pdflatex", "-halt-on-error", "t.tex"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seeds": 0}, "seeds = 0 was given"),
        ({"seeds": []}, "No seeds were given; expected 1 to 10000"),
        ({"seeds": range(10**9)}, "1000000000 seeds were given; expected 1 to 10000"),
        ({"seeds": 900_000_000_000}, "seeds = 900000000000 was given.*between 1 and 10000"),
        ({"k": [3]}, "k has 1 entries for 2 ensembles"),
        ({"k": {"ensemble 0": 3}}, "k has no entry for 'ensemble 1'"),
        ({"truth": [[0] * 40]}, "truth has 1 entries for 2 ensembles"),
        ({"k": 99}, "k = 99 was given"),
        ({"methods": ["no_such"]}, "no_such"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict, message: str) -> None:
    e, _ = noisy(0)
    with pytest.raises(ge.GraphensError, match=message):
        ge.benchmark([e, e], **({"k": 3, "methods": ["vote"], "seeds": 1} | options))
    for wrong in ({"measure": "beauty"}, {"alpha": 0}):
        with pytest.raises(ge.GraphensError, match="was given"):
            of_values({"a": [0.1, 0.2], "b": [0.3, 0.4]}).rank(**wrong)


def test_the_command_line_compares_over_tables_and_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for i in range(3):
        e, truth = noisy(i)
        pd.DataFrame(e.labels).assign(kind=truth).to_csv(tmp_path / f"t{i}.csv", index=False)
    paths = [str(tmp_path / f"t{i}.csv") for i in range(3)]
    asked = ["-k", "3", "--methods", "vote,hbgf,eac", "--truth", "kind", "--seeds", "2"]
    assert main(["compare", *paths, *asked]) == 0
    shown = capsys.readouterr().out
    assert "Ranks by ari over 3 ensembles; Friedman" in shown
    assert main(["compare", *paths, *asked, "-o", str(tmp_path / "t.tex")]) == 0
    assert r"method & t0 & t1 & t2 & rank & seconds" in (tmp_path / "t.tex").read_text("utf-8")
    assert main(["compare", *paths, *asked, "-o", str(tmp_path / "t.csv")]) == 0
    assert pd.read_csv(tmp_path / "t.csv")["rank"].is_monotonic_increasing
    assert main(["compare", paths[0], *asked, "--seed", "1"]) == 2
    assert main(["compare", paths[0], paths[0], *asked]) == 2


def test_the_picture_joins_methods_that_do_not_differ() -> None:
    rng = np.random.default_rng(0)
    level = {"a": 0.9, "b": 0.88, "c": 0.5, "d": 0.49, "e": 0.1}
    b = of_values({name: list(rng.normal(mean, 0.02, 12)) for name, mean in level.items()})
    found, shown = b.rank(), b.plot()
    assert shown.methods == sorted(found.ranks, key=found.ranks.get)
    for i in range(5):
        for j in range(i + 1, 5):
            alike = shown.ranks[j] - shown.ranks[i] <= found.critical_difference
            assert alike == any(first <= i and j <= last for first, last in shown.bars)
    assert not any(p != q and q[0] <= p[0] and p[1] <= q[1] for p in shown.bars for q in shown.bars)
    words = " ".join(text.get_text() for text in shown.ax_.texts)
    assert all(name in words for name in level)
    assert f"critical difference {found.critical_difference:.2f}" in words


def test_a_single_block_joins_all_methods() -> None:
    shown = of_values({"a": [0.1], "b": [0.2], "c": [0.3]}).plot()
    assert shown.bars == [(0, 2)]
