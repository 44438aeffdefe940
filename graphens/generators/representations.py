"""Representations of time series, and of rows in general, as plain functions of the data.

Yang and Chen 2011 cluster series through four of them: polynomial and Fourier coefficients of the whole series,
statistics and wavelet coefficients of its pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, as_int, one_of
from ..errors import InputError, TypeMismatch, quote

#: a name, a function of the data, or a scikit-learn transformer
Representation: TypeAlias = "str | Callable[[Any], Any] | Any"
#: learn what there is to learn from the data, and return the function that represents data
Fit: TypeAlias = Callable[[Any], Callable[[Any], Any]]


def pcf(series: ArrayLike, degree: int = 4) -> FloatArray:
    """Polynomial curve fit of the whole series: the degree + 1 least-squares coefficients of each channel.

    The coefficients belong to Legendre polynomials over time scaled to [−1, 1]: they are nearly uncorrelated and of
    comparable size, so distances between them are meaningful, unlike those between coefficients of powers.

    Parameters
    ----------
    series
        n series of equal length T: n × T, or n × T × channels. One row of features per series is returned.
    degree
        Degree of the polynomial, below T.

    Notes
    -----
    O(nT·degree).

    Examples
    --------
    >>> import numpy as np
    >>> from graphens.generators import pcf
    >>> np.round(pcf([[0, 1, 2, 3, 4], [1, 3, 5, 7, 9]], degree=1), 6).tolist()
    [[2.0, 2.0], [5.0, 4.0]]

    References
    ----------
    Yang and Chen, Temporal data clustering via weighted clustering ensemble with different representations, 2011.
    """
    channels = _series(series)
    length = channels.shape[-1]
    degree = as_int("degree", degree, 0, length - 1)
    basis = np.polynomial.legendre.legvander(np.linspace(-1.0, 1.0, length), degree)
    return _join(channels @ np.linalg.pinv(basis).T)


def dcf(series: ArrayLike, coefficients: int = 8) -> FloatArray:
    """Leading discrete Fourier coefficients of the whole series: real and imaginary parts, lowest frequencies first.

    Parameters
    ----------
    series
        n series of equal length T: n × T, or n × T × channels.
    coefficients
        Number of complex coefficients to keep, at most T // 2 + 1; all of them if T is too short.

    Notes
    -----
    Divided by √T, and by another √½ for all but the constant (and the last one of an even T), so that distances equal
    those of the series if all coefficients are kept. O(nT log T).

    Examples
    --------
    >>> import numpy as np
    >>> from graphens.generators import dcf
    >>> np.round(
    ...     dcf([[1.0, 1.0, 1.0, 1.0], [1.0, 0.0, -1.0, 0.0]], coefficients=2), 3
    ... ).tolist()
    [[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.414, 0.0]]

    References
    ----------
    Yang and Chen 2011, see `pcf`.
    """
    channels = _series(series)
    length = channels.shape[-1]
    leading = min(as_int("coefficients", coefficients, 1), length // 2 + 1)
    spectrum = np.fft.rfft(channels, norm="ortho")
    spectrum[..., 1 : (length + 1) // 2] *= np.sqrt(2.0)  # their mirror images are not stored
    spectrum = spectrum[..., :leading]
    return _join(np.stack([spectrum.real, spectrum.imag], axis=-1).reshape(*spectrum.shape[:-1], 2 * leading))


def pls(series: ArrayLike, windows: int = 8) -> FloatArray:
    """Piecewise local statistics: mean and standard deviation of every window.

    Parameters
    ----------
    series
        n series of equal length T: n × T, or n × T × channels.
    windows
        Number of windows of (nearly) equal length; one per point if T is smaller.

    Notes
    -----
    O(nT).

    Examples
    --------
    >>> from graphens.generators import pls
    >>> pls([[0, 2, 5, 5]], windows=2).tolist()
    [[1.0, 1.0, 5.0, 0.0]]

    References
    ----------
    Yang and Chen 2011, see `pcf`.
    """
    pieces = _pieces(_series(series), windows)
    return _join(np.concatenate([np.stack([p.mean(-1), p.std(-1)], axis=-1) for p in pieces], axis=-1))


# Scaling coefficients of Daubechies' orthonormal wavelets; PyWavelets would be a dependency for these lines.
_ROOT3 = np.sqrt(3.0)
_SCALING = {
    "haar": np.array([1.0, 1.0]) / np.sqrt(2.0),
    "db2": np.array([1 + _ROOT3, 3 + _ROOT3, 3 - _ROOT3, 1 - _ROOT3]) / (4 * np.sqrt(2.0)),
}


def pdwt(series: ArrayLike, windows: int = 4, *, coefficients: int | None = 4, wavelet: str = "haar") -> FloatArray:
    """Piecewise discrete wavelet transform: the coarsest wavelet coefficients of every window.

    Parameters
    ----------
    series
        n series of equal length T: n × T, or n × T × channels.
    windows
        Number of windows of (nearly) equal length; one per point if T is smaller.
    coefficients
        Coefficients kept per window, from coarse to fine; None keeps all.
    wavelet
        "haar" or "db2" (Daubechies, four taps).

    Notes
    -----
    Windows whose length is not a power of two are stretched to the next one, since only these can be halved down to one
    coefficient. If none is stretched, the transform (of periodic windows) is orthonormal, and distances equal those of
    the series if all coefficients are kept. O(nT) in that case, O(nT²) otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> from graphens.generators import pdwt
    >>> np.round(pdwt([[4.0, 2.0, 5.0, 5.0]], windows=1, coefficients=None), 3).tolist()
    [[8.0, -2.0, 1.414, 0.0]]

    References
    ----------
    Yang and Chen 2011, see `pcf`. Daubechies, Ten Lectures on Wavelets, 1992.
    """
    one_of("wavelet", wavelet, _SCALING)
    leading = None if coefficients is None else as_int("coefficients", coefficients, 1)
    pieces = _stretch(_pieces(_series(series), windows))
    transformed = [wavelet_transform(p, _SCALING[wavelet]) for p in pieces]
    return _join(np.concatenate([t[..., :leading] for t in transformed], axis=-1))


def wavelet_transform(values: FloatArray, scaling: FloatArray) -> FloatArray:
    """Periodic orthonormal wavelet transform along the last axis, coarse to fine, down to an odd length."""
    taps = np.arange(scaling.size)
    detail_filter = scaling[::-1] * (-1.0) ** taps
    smooth, details = values, []
    while smooth.shape[-1] % 2 == 0:
        at = (np.arange(0, smooth.shape[-1], 2)[:, None] + taps) % smooth.shape[-1]
        window = smooth[..., at]
        details.append(window @ detail_filter)
        smooth = window @ scaling
    return np.concatenate([smooth, *details[::-1]], axis=-1)


def _stretch(pieces: list[FloatArray]) -> list[FloatArray]:
    """The windows, linearly interpolated to a length that is a power of two, with their original energy."""
    length = 1 << (max(p.shape[-1] for p in pieces) - 1).bit_length()
    for i, piece in enumerate(pieces):
        if (have := piece.shape[-1]) < length:
            at = np.linspace(0, have - 1, length)
            between = np.stack([np.interp(at, np.arange(have), unit) for unit in np.eye(have)])
            pieces[i] = piece @ (np.sqrt(have / length) * between)
    return pieces


def _series(series: ArrayLike) -> FloatArray:
    """Channels before time: n × channels × T."""
    try:
        values = np.asarray(series, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeMismatch(
            "The series are not numbers, or have different lengths; expected n × T, or n × T × channels. "
            "Resample them first."
        ) from None
    if values.ndim not in (2, 3) or 0 in values.shape:
        raise InputError(f"Series of shape {values.shape} were given; expected n × T, or n × T × channels.")
    return values[:, None, :] if values.ndim == 2 else np.moveaxis(values, 2, 1)


def _pieces(given: FloatArray, windows: int) -> list[FloatArray]:
    return np.array_split(given, min(as_int("windows", windows, 1), given.shape[-1]), axis=-1)


def _join(features: AnyArray) -> FloatArray:
    """The features of all channels side by side."""
    return np.ascontiguousarray(features.reshape(len(features), -1))


# other metrics, as representations in which the Euclidean distance is that metric ----------------------------


def same(X: Any) -> Any:
    """The data, unchanged."""
    return X


def unit(X: Any) -> Any:
    """Rows of length 1: Euclidean distance becomes cosine distance."""
    from sklearn.preprocessing import normalize

    return normalize(X)


def centered(X: Any) -> Any:
    """Rows of mean 0 and length 1: Euclidean distance becomes correlation distance."""
    values = np.asarray(X, dtype=np.float64)
    return unit(values - values.mean(axis=1, keepdims=True))


def _standard(X: Any) -> Callable[[Any], Any]:
    from scipy import sparse
    from sklearn.preprocessing import StandardScaler

    fitted = StandardScaler(with_mean=not sparse.issparse(X)).fit(X)
    return fitted.transform


def _plain(function: Callable[[Any], Any]) -> Fit:
    return lambda X: function


REPRESENTATIONS: dict[str, Fit] = {
    "raw": _plain(same), "pcf": _plain(pcf), "dcf": _plain(dcf), "pls": _plain(pls), "pdwt": _plain(pdwt),
    "standard": _standard, "cosine": _plain(unit), "correlation": _plain(centered),
}  # fmt: skip


def find_representation(given: Representation) -> tuple[str, Fit]:
    """Return the name of a representation and how to fit it."""
    if isinstance(given, str):
        if given not in REPRESENTATIONS:
            raise InputError(
                f"The representation {quote(given)} is not known; expected one of {', '.join(REPRESENTATIONS)}, "
                "a function of the data, or a scikit-learn transformer."
            )
        return given, REPRESENTATIONS[given]
    if hasattr(given, "fit") and hasattr(given, "transform"):
        from sklearn.base import clone

        return type(given).__name__, lambda X: clone(given).fit(X).transform
    if callable(given):
        return getattr(given, "__name__", type(given).__name__), _plain(given)
    raise TypeMismatch(
        f"A representation of type {type(given).__name__} was given; expected a name, a function or a transformer."
    )
