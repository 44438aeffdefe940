"""The same labels from threads, from any number of workers, and after whatever was killed on the way."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.errors import ClusterError, FileError, TypeMismatch
from graphens.scale import engine

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")  # which Dask needs, too


def labels_on_disk(folder: Path, n: int = 3000) -> ge.scale.Scan:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, n)
    labels = np.column_stack([(truth + (rng.random(n) < 0.2) * rng.integers(0, 4, n)) % 4 for _ in range(6)])
    np.save(folder / "labels.npy", labels.astype(np.int8))
    return ge.scale.scan(folder / "labels.npy", block_rows=n // 12)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as started:
        yield started


def same_answer(a: ge.scale.ScaledConsensus, b: ge.scale.ScaledConsensus) -> None:
    assert a.labels.tolist() == b.labels.tolist()
    assert a.confidence.tolist() == b.confidence.tolist()
    assert a.score == b.score


def test_workers_agree_with_threads(tmp_path: Path, cluster: Any) -> None:
    """One worker, two workers and threads; with the distinct rows, and with tables alone."""
    s = labels_on_disk(tmp_path)
    with distributed.Client(cluster, set_as_default=False) as client:
        one = next(iter(client.nthreads()))
        for name, options in {"rows": {}, "tables": {"distinct": False}}.items():
            expected = ge.scale.consensus(s, 4, out=tmp_path / f"{name}-0", seed=0, **options)
            both = ge.scale.consensus(s, 4, out=tmp_path / f"{name}-2", seed=0, client=client, **options)
            same_answer(both, expected)
            with dask.annotate(workers=[one]):
                assert len({client.submit(os.getpid, pure=False).result() for _ in range(4)}) == 1
                alone = ge.scale.consensus(s, 4, out=tmp_path / f"{name}-1", seed=0, client=client, **options)
            same_answer(alone, expected)
        X = np.random.default_rng(1).normal(size=(600, 2))
        made = [
            ge.scale.generate([X[:250], X[250:]], 2, base="landmarks", k=6, out=tmp_path / f"made{i}", seed=0, client=c)
            for i, c in enumerate((None, client))
        ]
        assert (made[0].ensemble().codes == made[1].ensemble().codes).all()


@pytest.mark.slow
def test_four_workers_agree_with_threads(tmp_path: Path) -> None:
    s = labels_on_disk(tmp_path)
    with (
        distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as started,
        distributed.Client(started, set_as_default=False) as client,
    ):
        for method in ("lwgp", "mcla"):
            expected = ge.scale.consensus(s, 4, method=method, out=tmp_path / method, seed=0, distinct=False)
            four = ge.scale.consensus(
                s, 4, method=method, out=tmp_path / f"{method}-4", seed=0, distinct=False, client=client
            )
            same_answer(four, expected)


@pytest.mark.slow
def test_a_killed_worker_is_survived(tmp_path: Path, cluster: Any) -> None:
    s = labels_on_disk(tmp_path)
    expected = ge.scale.consensus(s, 4, method="mcla", out=tmp_path / "a", seed=0, distinct=False)
    victims = [worker.pid for worker in cluster.workers.values()][:1]

    def strike(what: str, share: float) -> None:
        if share > 0.3 and victims:
            psutil.Process(victims.pop()).kill()

    with distributed.Client(cluster, set_as_default=False) as client, ge.progress(strike):
        r = ge.scale.consensus(s, 4, method="mcla", out=tmp_path / "b", seed=0, distinct=False, client=client)
    assert not victims
    assert r.labels.tolist() == expected.labels.tolist()


def test_errors_of_workers_arrive_as_they_are(tmp_path: Path, cluster: Any) -> None:
    s = labels_on_disk(tmp_path)
    np.save(tmp_path / "labels.npy", np.zeros((10, 6), dtype=np.int8))
    with (
        distributed.Client(cluster, set_as_default=False) as client,
        pytest.raises(FileError, match=r"labels\.npy has changed since it was scanned"),
    ):
        ge.scale.consensus(s, 4, out=tmp_path / "out", seed=0, client=client)


def test_a_scheduler_that_goes_away_leaves_a_state_to_go_on_from(tmp_path: Path) -> None:
    s = labels_on_disk(tmp_path)
    code = (
        "from distributed import LocalCluster; import time\n"
        "if __name__ == '__main__':\n"
        "    c = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None,\n"
        "                     protocol='tcp://')\n"
        "    print(c.scheduler_address, flush=True); time.sleep(120)\n"
    )
    script = tmp_path / "cluster.py"
    script.write_text(code)
    server = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()

        def strike(what: str, share: float) -> None:
            if share > 0.3:
                server.kill()

        with (
            distributed.Client(address, set_as_default=False, timeout="20s") as client,
            ge.progress(strike),
            pytest.raises(ClusterError, match="Finished work is kept"),
        ):
            ge.scale.consensus(s, 4, out=tmp_path / "out", seed=0, distinct=False, client=client)
    finally:
        server.kill()
        server.wait()
    expected = ge.scale.consensus(s, 4, out=tmp_path / "whole", seed=0, distinct=False)
    assert ge.scale.consensus(s, 4, out=tmp_path / "out", seed=0, distinct=False).labels.tolist() == (
        expected.labels.tolist()
    )


def test_passes_are_told_and_a_call_that_goes_on_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    s, heard = labels_on_disk(tmp_path), []

    def stop(what: str, share: float) -> None:
        heard.append(what)
        if what.startswith("writing") and share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ge.progress(stop):
        ge.scale.consensus(s, 4, method="mcla", out=tmp_path / "out", seed=0, distinct=False)
    numbers = [what.rpartition("(")[2] for what in heard]
    assert list(dict.fromkeys(numbers)) == ["pass 1 of 3)", "pass 2 of 3)", "pass 3 of 3)"]
    heard.clear()
    assert not caplog.messages
    for _ in range(2):  # the second time there is nothing left to do
        with ge.progress(lambda what, share: heard.append(what)):
            ge.scale.consensus(s, 4, method="mcla", out=tmp_path / "out", seed=0, distinct=False)
    assert set(heard) == {"writing clusters (pass 3 of 3)"}
    assert caplog.messages == [f"The unfinished work of an earlier call in {tmp_path / 'out'} goes on."]


#: a call that kills its process after so many steps
DYING = """
import os, signal, sys
import graphens as ge
from graphens.scale import engine
folder, distinct, steps = sys.argv[1], {"None": None, "False": False}[sys.argv[2]], [int(sys.argv[3])]
def strike(what, share):
    steps[0] -= 1
    if not steps[0]:
        os.kill(os.getpid(), signal.SIGKILL)
engine._SECONDS = 0
s = ge.scale.scan(folder + "/labels.npy", block_rows=250)
with ge.progress(strike):
    ge.scale.consensus(s, 4, out=folder + "/out", seed=0, distinct=distinct)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("distinct", "kills"), [(None, ["5"]), (False, ["5", "16"])])
def test_killed_at_any_point_and_called_again(tmp_path: Path, distinct: Any, kills: list[str]) -> None:
    s = labels_on_disk(tmp_path)
    for steps in kills:
        done = subprocess.run(
            [sys.executable, "-c", DYING, str(tmp_path), str(distinct), steps],
            env=os.environ | {"PYTHONPATH": str(Path(ge.__file__).parents[1])},
            check=False,
        )
        assert done.returncode == -signal.SIGKILL
    expected = ge.scale.consensus(s, 4, out=tmp_path / "whole", seed=0, distinct=distinct)
    found = ge.scale.consensus(s, 4, out=tmp_path / "out", seed=0, distinct=distinct)
    assert found.labels.tolist() == expected.labels.tolist()
    assert found.confidence.tolist() == expected.confidence.tolist()
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {path.name for path in (tmp_path / "whole").iterdir()}


class Late:
    """A future as a loaded cluster has it: done after a while, and asked with a time limit it breaks."""

    def add_done_callback(self, call: Any) -> None:
        threading.Timer(0.05, call, [self]).start()

    def result(self, timeout: float | None = None) -> str:
        assert timeout is None
        return "here"


def test_a_result_that_takes_its_time_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PATIENCE", 0.01)
    running = SimpleNamespace(status="running", scheduler_comm=SimpleNamespace(comm=SimpleNamespace(closed=bool)))
    assert engine.DaskWorkers(running).result(Late()) == "here"
    with pytest.raises(ClusterError, match="no answer"):
        engine.DaskWorkers(SimpleNamespace(status="closed")).result(Late())


def test_a_client_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeMismatch, match=r"expected a dask\.distributed\.Client"):
        ge.scale.consensus(labels_on_disk(tmp_path), 4, out=tmp_path / "out", client="tcp://here")
    assert not (tmp_path / "out").exists()
