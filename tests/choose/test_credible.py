"""Credible balls against a plain version, and what is told about a posterior beside it."""

import matplotlib as mpl
import numpy as np
import pytest

import graphens as ge
from graphens import measures

mpl.use("Agg")


def draws(seed: int, n: int = 10, count: int = 40) -> np.ndarray:
    """Draws around one partition, one in each row."""
    rng = np.random.default_rng(seed)
    table = np.tile(np.repeat([0, 1, 2], [4, 3, n - 7]), (count, 1))
    noise = rng.random(table.shape) < 0.15
    table[noise] = rng.integers(0, 5, np.count_nonzero(noise))
    return table


@pytest.mark.parametrize("loss", ["vi", "binder"])
@pytest.mark.parametrize("level", [0.5, 0.9, 1.0])
def test_the_ball_is_the_plain_one(loss: str, level: float) -> None:
    table = draws(1)
    weights = np.random.default_rng(2).integers(1, 4, len(table)).astype(float)
    e = ge.Ensemble.from_draws(table, weights=weights)
    r = ge.median(e, loss=loss, seed=0)
    ball = ge.credible_ball(r, e, level, loss)
    far = np.array([measures.expected_loss(r.labels, row[:, None], loss) for row in table])
    share = {radius: weights[far <= radius + 1e-9].sum() / weights.sum() for radius in far}
    radius = min(radius for radius, held in share.items() if held >= level - 1e-9)
    assert ball.radius == pytest.approx(radius)
    assert ball.share == pytest.approx(share[radius])
    assert ball.share >= level - 1e-9
    inside = [t for t in range(len(table)) if far[t] <= radius + 1e-9]
    ks = np.array([len(set(row.tolist())) for row in table])
    groups = {
        "horizontal": inside,
        "upper": [t for t in inside if ks[t] == min(ks[inside])],
        "lower": [t for t in inside if ks[t] == max(ks[inside])],
    }
    for name, among in groups.items():
        wanted = {measures_key(table[t]) for t in among if far[t] >= max(far[among]) - 1e-9}
        found = [measures_key(p.labels) for p in ball.bounds[name]]
        assert len(found) == len(set(found))
        assert set(found) == wanted, name


def measures_key(labels: np.ndarray) -> tuple[int, ...]:
    """A partition whatever its labels are called."""
    names: dict[int, int] = {}
    return tuple(names.setdefault(int(x), len(names)) for x in labels)


def test_partitions_of_the_bounds_say_what_they_are() -> None:
    e = ge.Ensemble.from_draws(draws(3))
    ball = ge.credible_ball(ge.median(e, seed=0), e)
    for p in [*ball.horizontal, *ball.upper, *ball.lower]:
        assert isinstance(p, ge.Partition)
        t = e.partition_names.index(p.partitioner)
        assert p.k == e.n_clusters[t]
        assert p.cut == pytest.approx(ge.coassociation(e).cut(p.labels))
    table = ball.table
    assert table["bound"].tolist()[0] == "estimate"
    assert table["distance"].max() == pytest.approx(ball.radius)
    assert "radius" in repr(ball)


def test_what_is_told_of_the_posterior() -> None:
    table = np.array([[0, 0, 1], [0, 0, 0], [0, 1, 1], [0, 1, 2]])
    e = ge.Ensemble.from_draws(table, weights=[1, 1, 1, 3], object_names=["a", "b", "c"])
    ball = ge.credible_ball([0, 1, 1], e)
    assert ball.posterior_k == pytest.approx({1: 1 / 6, 2: 2 / 6, 3: 3 / 6})
    assert ball.together("a", "b") == pytest.approx(2 / 6)
    assert ball.together(1, 2) == pytest.approx(2 / 6)
    with pytest.raises(ge.GraphensError, match="no object has that name"):
        ball.together("a", "z")


def test_draws_that_lack_objects_count_where_they_have_both() -> None:
    table = np.array([[0, 0, -1], [0, 1, 1], [-1, -1, -1]])
    ball = ge.credible_ball([0, 0, 1], ge.Ensemble.from_draws(table), 1.0)
    assert ball.together(0, 1) == 0.5
    assert np.isnan(ball.distances[2])
    with pytest.raises(ge.GraphensError, match="both have a label in some draw"):
        ge.credible_ball([0, 0, 1], np.array([[0, -1], [0, -1], [-1, 0]])).together(0, 2)


def test_the_estimate_and_the_number_of_draws() -> None:
    e = ge.Ensemble.from_draws(draws(4, count=64))
    ball = ge.credible_ball(ge.median(e, seed=0), e)
    table = ball.convergence(seed=0)
    assert table["draws"].tolist() == [8, 16, 32, 64]
    assert table["distance"].iloc[-1] == pytest.approx(0.0, abs=1e-12)
    assert table["expected_loss"].min() == pytest.approx(table["expected_loss"].iloc[-1])
    assert ball.convergence([64], seed=0)["k"].tolist() == [table["k"].iloc[-1]]
    with pytest.raises(ge.GraphensError, match="sizes = 65"):
        ball.convergence([65])


def test_objects_of_the_picture_have_another_color_where_a_bound_differs() -> None:
    e = ge.Ensemble.from_draws(draws(5))
    ball = ge.credible_ball(ge.median(e, seed=0), e)
    shown = ball.plot()
    assert shown.numbers.shape == (4, e.n_objects)
    assert (np.diff(shown.numbers[0]) >= 0).all()
    for row, name in enumerate(["horizontal", "upper", "lower"], 1):
        moved = ball.differs(ball.bounds[name][0])
        assert np.count_nonzero(shown.numbers[row] != shown.numbers[0]) == np.count_nonzero(moved)
    assert len(shown.ax_.get_yticklabels()) == 4


def test_mistakes_are_named() -> None:
    e = ge.Ensemble.from_draws(draws(6))
    for level in (0, 1.5):
        with pytest.raises(ge.GraphensError, match="level = "):
            ge.credible_ball(e.labels[:, 0], e, level)
    with pytest.raises(ge.GraphensError, match="loss = 'mi'"):
        ge.credible_ball(e.labels[:, 0], e, loss="mi")
    with pytest.raises(ge.GraphensError, match="3 labels"):
        ge.credible_ball([0, 1, 1], e)
