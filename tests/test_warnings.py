"""Warnings point at the user's line, and threads that collect them leave the process as it was."""

import ast
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import get_ident

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

import graphens as ge
from graphens._lib.threads import map_threads, n_threads
from graphens.errors import DegenerateWarning, SizeError, collect_warnings, unheard, warn

HERE = Path(__file__)
PACKAGE = Path(ge.__file__).parent
TWO = np.repeat([[0, 0], [1, 1]], 10, axis=0)


def _fewer() -> list[object]:
    """Calls that warn, each from another depth of the package."""
    return [
        lambda: ge.Ensemble(np.zeros((2, 30), dtype=int)),
        lambda: ge.mcla(np.zeros((4, 50), dtype=int), 2, seed=0),
        lambda: ge.aggregate(TWO, 4, algorithm="balls"),
        lambda: ge.exact_median(TWO, 2),
        lambda: ge.vote(TWO, 4),
        lambda: ge.consensus(TWO, 4, method="vote"),
        lambda: ge.hne([[0, 0], [0, 0], [1, 1], [2, 2]], 2, theta=0.3),
        lambda: make_pipeline(ge.ConsensusClustering(4, method="vote", base=lambda X, seed: X[:, 0] > 9)).fit(
            np.arange(20.0)[:, None]
        ),
    ]


@pytest.mark.parametrize("call", _fewer(), ids=range(len(_fewer())))
def test_a_warning_points_at_the_users_line(call) -> None:
    with pytest.warns(ge.GraphensWarning) as caught:
        call()
    first = call.__code__.co_firstlineno
    for warning in caught:
        assert Path(warning.filename) == HERE
        assert first <= warning.lineno <= first + 2


def test_the_same_line_warns_once_under_the_default_filter() -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("default")
        for _ in range(3):
            warn("again")
    assert [str(w.message) for w in heard] == ["again"]


def test_notes_are_collected_in_this_thread_only() -> None:
    with ThreadPoolExecutor(1) as pool, collect_warnings() as heard:
        warn("mine", DegenerateWarning)
        with pytest.warns(ge.GraphensWarning, match="theirs"):
            pool.submit(warn, "theirs").result()
    assert heard == [("mine", DegenerateWarning)]


def test_our_own_threads_share_the_callers_context() -> None:
    with collect_warnings() as heard, ge.memory_budget("10 B"):
        refused = map_threads(lambda i: warn(str(i)) or _refuses(), range(40))
    assert sorted(int(note.message) for note in heard) == list(range(40))
    assert all(refused)


def test_little_work_stays_in_the_callers_thread() -> None:
    assert set(map_threads(lambda _: get_ident(), range(40), each=100)) == {get_ident()}
    assert get_ident() not in map_threads(lambda _: get_ident(), range(40), each=1e9) or n_threads() == 1


def _refuses() -> bool:
    try:
        ge.coassociation(TWO).to_scipy()
    except SizeError:
        return True
    return False


THREADS = """
import threading, warnings, numpy as np, graphens as ge
before = list(warnings.filters), warnings.showwarning, warnings._showwarnmsg_impl
E = ge.Ensemble(np.random.default_rng(0).integers(0, 3, (30, 6)))
T = [threading.Thread(target=lambda: [ge.consensus(E, 3, seed=1) for _ in range(3)]) for _ in range(8)]
[t.start() for t in T]; [t.join() for t in T]
ours = [f for f in warnings.filters if f not in before[0]]
print([f for f in ours if f[0] == "ignore" and "(?:" in str(f[1])])
print(before[1:] == (warnings.showwarning, warnings._showwarnmsg_impl))
warnings.warn("is this seen?")
"""


def test_threads_leave_the_warnings_of_the_process_alone() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, timeout=240, check=True)
    assert "is this seen?" in done.stderr
    assert done.stdout.split() == ["[]", "True"]


def test_what_others_say_is_ignored_only_inside() -> None:
    before = list(warnings.filters)
    with unheard(UserWarning, "not so"):
        with unheard(UserWarning, "not so"):
            warnings.warn("not so important", stacklevel=1)
        warnings.warn("not so important", stacklevel=1)
        with pytest.warns(UserWarning, match="important"):
            warnings.warn("important", stacklevel=1)
    assert list(warnings.filters) == before
    with pytest.warns(UserWarning, match="not so"):
        warnings.warn("not so important", stacklevel=1)


def test_nobody_else_warns_or_catches_warnings() -> None:
    """Only errors.py touches Python's warnings, and the command line, which is a process of its own."""
    found = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "warnings"
    ]
    assert set(found) <= {"errors.py", "cli/__init__.py"}
