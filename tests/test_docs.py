"""What pages take from the registry and from measured tables is current, links lead somewhere, and the code runs."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import build
import matplotlib.pyplot as plt
import pytest

from graphens.families.method import ROWS
from tests.test_readme import blocks, differences, run

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
MADE = {DOCS / "_build", DOCS / "gallery"}  # by building the site
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in DOCS.rglob("*.md") if not MADE & set(page.parents)),
]


@pytest.mark.parametrize("page", build.PAGES, ids=lambda page: page.name)
def test_what_pages_take_from_elsewhere_is_as_it_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text == build.renewed(text), "run python docs/build.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8"))
    here = [link for link in links if "://" not in link and not link.endswith("gallery/index.rst")]
    broken = [link for link in here if not (page.parent / link).exists()]
    assert not broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_on_a_page_exist(page: Path) -> None:
    """Also those in tables and sentences, which no test runs."""
    import graphens as ge

    unknown = []
    for name in sorted(set(re.findall(r"\bge\.([A-Za-z_][\w.]*\w)", page.read_text("utf-8")))):
        try:
            attrgetter(name)(ge)
        except AttributeError:
            unknown.append(name)
    assert not unknown


# The blocks of the pages run in order, as a reader's session does, and begin with nothing.


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """A session in a folder of its own, after which figures are closed and methods of the reader's own forgotten."""
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")  # a reader has a copy of graphens
    known = dict(ROWS)
    yield {"__name__": "docs"}
    for name in set(ROWS) - set(known):
        del ROWS[name]
    plt.close("all")


SHORTER = [  # the page says what pays, the test only needs it to run
    ("n_jobs=-1", "n_jobs=1"),
    ("320, k=(4, 20)", "8, k=(4, 6)"),
    ("generate(X, 1000)", "generate(X, 10)"),
    ("snn_prototypes(X, 200", "snn_prototypes(X, 20"),
    ("generate(points, 50", "generate(points, 5"),
    ("range(50)", "range(5)"),
    ("len(X), 50)", "len(X), 5)"),
    ("choose_k(X=X, ks=range(2, 6), n_partitions=20", "choose_k(X=X, ks=range(3, 5), n_partitions=10, n_references=5"),
    ("X=X, classes=truth, ks=range(2, 6)", "X=X, classes=truth, ks=range(3, 5)"),
    ("n = 1_000_000", "n = 40_000"),
    ("1000000 objects", "40000 objects"),
]
KNOWN = {"python", "sh", "js", "text", "bibtex", ""}
LONG = {"choosing.md", "anndata.md", "command_line.md", "imputation.md", "own.md", "report.md"}  # run with -m slow
WITH_CODE = [page for page in PAGES[1:] if re.search("```(python|sh)", page.read_text("utf-8"))]


def test_shorter_code_is_still_in_the_pages() -> None:
    text = "".join(page.read_text("utf-8") for page in WITH_CODE)
    assert [long for long, _ in SHORTER if long not in text] == []


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if page.name in LONG else ()) for page in WITH_CODE],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_code_runs_and_prints_what_the_page_says(page: Path, reader: dict[str, object]) -> None:
    text = page.read_text("utf-8")
    for long, short in SHORTER:
        text = text.replace(long, short)
    found = [block for block in blocks(text) if not block.language.startswith("{")]
    assert {block.language for block in found} <= KNOWN
    with cluster() if SCHEDULER in text else nullcontext(SCHEDULER) as address:
        found = [replace(block, text=block.text.replace(SCHEDULER, address)) for block in found]
        assert not (wrong := differences(found, run(found, reader, page))), "\n\n".join(wrong)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_calls_for_those_who_come_from_elsewhere(reader: dict[str, object]) -> None:
    rows = [line.split(" | ") for line in (DOCS / "coming" / "index.md").read_text("utf-8").splitlines()]
    calls = [
        call for row in rows if len(row) == 3 for call in re.findall(r"`(ge\.[^`]*)`", row[1]) if "..." not in call
    ]
    assert len(calls) > 40
    exec(
        "import numpy as np, graphens as ge\n"
        "X = np.repeat([[0.0, 0, 0], [9, 9, 0], [9, 0, 9], [0, 9, 9]], 15, axis=0)\n"
        "X = X_new = X + np.random.default_rng(0).normal(size=X.shape)\n"
        "e = ge.generate(X, 6, k=4, seed=0); k = 4; a = b = labels = estimate = e.labels[:, 0]\n"
        "m = ge.monti(X, [3, 4], n_partitions=4, seed=0); r = ge.eac(e, 3); cluster_runs = e.labels.T",
        reader,
    )
    for call in calls:
        table = call.replace("labels.T", "e").replace(", 50, methods", ", 4, methods")
        assert eval(table, reader) is not None or call.endswith(".p"), call


SCHEDULER = "tcp://127.0.0.1:8786"  # where the page says that one is


@contextmanager
def cluster() -> Iterator[str]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=":0"
    ) as started:
        yield started.scheduler_address
