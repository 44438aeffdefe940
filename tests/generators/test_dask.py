"""joblib's Dask backend with real worker processes: the data travel once to each, not with every partition."""

from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest
from scipy import sparse

import graphens as ge

distributed = pytest.importorskip("distributed")
TCP = pytest.importorskip("distributed.comm.tcp").TCP


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as made,
    ):
        yield made


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Bytes of every message that leaves this process, where the client and the scheduler live."""
    sizes: list[int] = []
    original = TCP.write

    async def counting(self: Any, *args: Any, **options: Any) -> int:
        size = await original(self, *args, **options)
        sizes.append(size)
        return int(size)

    monkeypatch.setattr(TCP, "write", counting)
    return sizes


@pytest.mark.slow
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_the_data_travel_once_per_worker(client: Any, sent: list[int], form: str) -> None:
    dense = np.random.default_rng(0).normal(size=(20_000, 10))
    X = {"dense": dense, "sparse": sparse.csr_array(dense)}[form]
    call = {"n_partitions": 12, "k": 3, "base": "minibatch", "seed": 0}
    with joblib.parallel_backend("dask"):
        e = ge.generate(X, **call)
    # once from the client to the scheduler and once on to each worker; 12 times when it goes with every task
    size = dense.nbytes * (1.5 if form == "sparse" else 1)
    assert size < sum(sent) < 4 * size
    assert e == ge.generate(X, **call)
