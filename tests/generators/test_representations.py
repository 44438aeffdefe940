"""Representations of time series against slow definitions."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

import graphens as ge
from graphens.errors import InputError, TypeMismatch
from graphens.generators import dcf, pcf, pdwt, pls
from graphens.generators.representations import _SCALING, wavelet_transform

RNG = np.random.default_rng(0)
SERIES = RNG.normal(size=(12, 32)).cumsum(axis=1)


@pytest.mark.parametrize("length", [2, 4, 6, 8, 12, 32])  # powers of two end in pieces shorter than the filter
@pytest.mark.parametrize("wavelet", list(_SCALING))
def test_the_wavelet_transform_is_orthonormal(length, wavelet):
    matrix = wavelet_transform(np.eye(length), _SCALING[wavelet])
    assert not np.allclose(matrix, np.eye(length))
    assert np.allclose(matrix @ matrix.T, np.eye(length), atol=1e-12)


def test_daubechies_wavelets_do_not_see_straight_lines():
    line = np.arange(16.0)[None]
    finest = wavelet_transform(line, _SCALING["db2"])[0, 8:]
    assert np.allclose(finest[:-1], 0, atol=1e-12)  # the last one sees the jump of the period


def test_whole_transforms_keep_distances():
    for made in (
        pdwt(SERIES, 4, coefficients=None),
        pdwt(SERIES, 1, coefficients=None, wavelet="db2"),
        dcf(SERIES, 17),
    ):
        assert np.allclose(pdist(made), pdist(SERIES))
    assert np.allclose(pdist(dcf(SERIES[:, :31], 17)), pdist(SERIES[:, :31]))


@pytest.mark.parametrize("length", [15, 20, 32])  # per window: odd, even, a power of two
def test_the_first_wavelet_coefficient_of_a_window_is_its_mean(length):
    steps = np.repeat([[1.0, -2.0, 0.5, 3.0], [0.0, 1.0, 1.0, -1.0]], length, axis=1)
    made = pdwt(steps, 4, coefficients=4).reshape(2, 4, 4)
    assert np.allclose(made[:, :, 0], steps[:, ::length] * np.sqrt(length))
    assert np.allclose(made[:, :, 1:], 0)
    noise = np.random.default_rng(0).normal(size=(200, 4 * length))
    means = noise.reshape(200, 4, length).mean(axis=2)
    coarse = pdwt(noise, 4, coefficients=1)
    assert all(np.corrcoef(means[:, w], coarse[:, w])[0, 1] > 0.95 for w in range(4))


def test_polynomials_come_back():
    time = np.linspace(-1, 1, 50)
    curve = np.polynomial.legendre.legval(time, [1.0, -2.0, 0.5])
    assert np.allclose(pcf(curve[None], degree=4), [[1.0, -2.0, 0.5, 0, 0]])
    slow = np.polynomial.legendre.legfit(np.linspace(-1, 1, 32), SERIES.T, 3).T
    assert np.allclose(pcf(SERIES, degree=3), slow)


def test_fourier_coefficients_are_those_of_the_definition():
    t = np.arange(32)
    for f in (0, 1, 5):
        wave = (SERIES * np.exp(-2j * np.pi * f * t / 32)).sum(axis=1) / np.sqrt(32) * (1 if f == 0 else np.sqrt(2))
        assert np.allclose(dcf(SERIES, 8)[:, 2 * f : 2 * f + 2], np.stack([wave.real, wave.imag], axis=1))


def test_local_statistics_of_uneven_windows():
    made = pls(SERIES[:, :10], windows=3)
    cuts = [SERIES[:, 0:4], SERIES[:, 4:7], SERIES[:, 7:10]]
    assert np.allclose(made, np.stack([f(c, axis=1) for c in cuts for f in (np.mean, np.std)], axis=1))


@pytest.mark.parametrize("represent", [pcf, dcf, pls, pdwt])
def test_channels_are_put_side_by_side(represent):
    both = np.stack([SERIES, SERIES[:, ::-1]], axis=2)
    assert np.allclose(represent(both), np.hstack([represent(SERIES), represent(SERIES[:, ::-1])]))


def test_an_ensemble_over_four_representations():
    e = ge.generate(SERIES, 8, k=(2, 4), representations=["pcf", "dcf", "pls", "pdwt"], seed=0)
    assert [name.split()[0] for name in e.partition_names] == ["pcf", "dcf", "pls", "pdwt"] * 2
    one = ge.generate(pcf(SERIES), 1, k=(2, 4), seed=0)
    assert np.array_equal(e.codes[0], one.codes[0])


def test_metrics_as_representations():
    from sklearn.decomposition import PCA

    given = ["raw", "standard", "cosine", "correlation", PCA(2), np.abs]
    e = ge.generate(SERIES, 6, k=2, representations=given, seed=0)
    assert [name.split()[0] for name in e.partition_names][-2:] == ["PCA", "absolute"]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: pcf(SERIES, degree=32), InputError),
        (lambda: pcf(SERIES[0]), InputError),
        (lambda: pls([[1, 2], [1]]), TypeMismatch),
        (lambda: pls(SERIES, windows=0), InputError),
        (lambda: pdwt(SERIES, wavelet="db9"), InputError),
        (lambda: ge.generate(SERIES, representations=[3]), TypeMismatch),
        (lambda: ge.generate(SERIES, representations=[lambda X: X[:2]]), InputError),
    ],
)
def test_bad_series_are_refused(call, kind):
    with pytest.raises(kind):
        call()
