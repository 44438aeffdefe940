"""The site builds without a warning, links lead somewhere, and every public name has its place in the reference."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import charts
import check
import made
import pytest
from explore import chromium

import graphens as ge
from graphens.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def _filled() -> str:
    """The reference as Sphinx reads it."""
    text = []
    for page in sorted((DOCS / "reference").rglob("*.md")):
        source = [page.read_text("utf-8")]
        made.fill(None, page.stem, source)
        text += source
    return "\n".join(text)


def test_every_public_name_is_in_the_reference() -> None:
    said = set(re.findall(r":: graphens\.([\w.]+)", _filled()))
    said |= {name.partition(".")[2] for name in said}  # graphens.generators.generate is graphens.generate
    public = {name for name in ge.__all__ if not inspect.ismodule(getattr(ge, name))} - {"Labels"}  # a type alone
    assert public - said == set()


def test_every_command_and_paper_is_in_the_reference() -> None:
    text = _filled()
    assert [name for name in COMMANDS if f"\n## {name}\n" not in text] == []
    assert text.count("```bibtex") == len({p for row in ge.methods() for p in row.reference.split("; ")})
    assert "made:" not in text


def test_what_the_check_of_a_site_finds(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text('<p id="here">')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">1</a><a href="b.html#gone">2</a><a href="c.html">3</a><img src="b.html">'
        '<script src="https://cdn.example/x.js"></script><a href="https://doi.org/10.1/2">4</a>'
    )
    assert check.problems(tmp_path) == [
        "a.html: picture without words: b.html",
        "a.html: fetched from outside: https://cdn.example/x.js",
        "a.html: leads nowhere: b.html#gone",
        "a.html: leads nowhere: c.html",
    ]


def test_a_marked_table_is_a_chart_with_the_table_behind_it() -> None:
    table = "| what | s, mean | found |\n|---|---|---|\n| `a` < b | 1.5 s | 1 of 4 |\n| c |  | 4 of 4 |\n"
    page = f"x\n\n<!-- chart: s, mean | log -->\n<!-- chart: found -->\n\n{table}\ny\n\n{table}"
    text = charts.charted(page, DOCS)
    assert text.count('class="chart"') == 2
    assert re.findall(r"width: ([\d.]+)%", text)[1:] == ["25.0", "100.0"]
    assert "<span>a &lt; b</span>" in text
    assert text.count("<details>") == 1
    assert text.endswith(f"y\n\n{table}")  # no mark, no chart
    with pytest.raises(ValueError, match="not in list"):
        charts.charted(page.replace("found -->", "seconds -->"), DOCS)


def test_a_ratio_below_one_is_drawn_as_slower() -> None:
    table = "| what | times faster |\n|---|---|\n| a | 10 |\n| b | 0.1 |\n"
    text = charts.charted(f"<!-- chart: times faster | ratio -->\n{table}", DOCS)
    assert re.findall(r"bar-(\d).*?width: ([\d.]+)%.*?<b>(.*?)</b>", text) == [
        ("0", "100.0", "10"),
        ("5", "100.0", "10 × slower"),
    ]


def test_a_shaded_table_has_darker_cells_for_larger_values() -> None:
    table = "| method | x | NMI |\n|---|---|---|\n| eac | 0.75 | 1.00 |\n"
    text = charts.charted(f"<!-- chart: all | shaded -->\n{table}", DOCS)
    assert re.findall(r"--shade: (\d+)%", text) == ["40", "80"]
    assert "<details>" not in text


def test_a_table_in_a_file_is_folded_below_its_chart(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("what,s\na | b,2\nc,4\n", "utf-8")
    text = charts.charted("<!-- chart: s -->\n[Table: of `e`](rows.csv)\n\ny\n", tmp_path)
    assert re.findall(r"width: ([\d.]+)%", text) == ["50.0", "100.0"]
    assert "<summary>Table" not in text
    assert "<summary>of <code>e</code></summary>\n\n| what | s |\n| --- | --- |\n| a \\| b | 2 |\n" in text
    assert "[Table: of `e`](rows.csv)\n\n</details>" in text


def test_every_entry_of_the_gallery_is_in_one_group() -> None:
    groups = " ".join(made.GROUPS.values()).split()
    assert sorted(groups) == sorted(entry.stem.removeprefix("plot_") for entry in (ROOT / "examples").glob("*.py"))


def test_everything_that_draws_has_a_picture_beside_its_documentation() -> None:
    text = ["Draw it.", "", "More."]
    values = [name for name, thing in made.public_names().items() if inspect.isclass(thing) and hasattr(thing, "plot")]
    names = [f"plot.{name}" for name in ge.plot.__all__ if name not in ("Display", "inherited")]
    names += [f"{name}.plot" for name in values if "." not in name]
    assert [name for name in names if ".. image::" not in " ".join(made._pictured(f"graphens.{name}", text))] == []
    assert [file for file in made.PICTURES.values() if not (DOCS / "images" / file).exists()] == []


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_code_of_pages_fits_their_width(page: Path) -> None:
    code = re.findall(r"^```(?:python|sh)\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert [line for block in code for line in block.splitlines() if len(line) > 96] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without the pictures of its gallery, built in a folder of its own."""
    pytest.importorskip("sphinx_gallery", reason="the docs extra is not installed")
    pytest.importorskip("pydata_sphinx_theme", reason="the docs extra is not installed")
    folder, ignored = tmp_path_factory.mktemp("site"), shutil.ignore_patterns("_build", "gallery", "__pycache__")
    shutil.copytree(DOCS, folder / "docs", ignore=ignored)
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=ignored)
    for file in ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / file, folder)
    done = subprocess.run(
        [sys.executable, "docs/build.py", "site", "quick"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "docs" / "_build" / "html"


def _pages(site: Path) -> list[Path]:
    return [page for page in sorted(site.rglob("*.html")) if "_static" not in page.parts]


#: elements that reach beyond the window, except inside what scrolls by itself
BEYOND = """[...document.querySelectorAll(".bd-header *, .bd-article *, .bd-footer *")].filter(e => !e.closest(
    "table, pre, .math, [class*=hidden]") &&
    e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"""
#: tables and outputs that have to be scrolled sideways
SCROLLED = """[...document.querySelectorAll(".bd-article table, .bd-article pre")].filter(
    e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText.slice(0, 80))"""


@pytest.mark.slow
def test_the_site_has_links_that_lead_somewhere_typeset_formulas_and_pages_that_fit_screens(site: Path) -> None:
    """One test, so that the site is built once, whatever the number of workers."""
    assert (site / "gallery" / "index.html").exists()
    assert check.problems(site) == []
    assert _raw_formulas(site) == {}
    assert "<mfrac>" in (site / "reference" / "formulas.html").read_text("utf-8")
    if chromium.found() is None:
        pytest.skip("no browser here")
    assert _does_not_fit(site) == {}


def _raw_formulas(site: Path) -> dict[str, list[str]]:
    raw = re.compile(r"\\(?:frac|sum)|\$[^$\n]{1,80}\$")
    code = re.compile(r"<(pre|code|math|script|style|dt)\b.*?</\1>", re.DOTALL)
    texts = {page.name: re.sub(r"<[^>]*>", "", code.sub(" ", page.read_text("utf-8"))) for page in _pages(site)}
    return {name: found for name, text in texts.items() if (found := raw.findall(text))}


def _does_not_fit(site: Path) -> dict[str, object]:
    browser, wrong = chromium.Browser(), {}
    try:
        for width, script in ((400, BEYOND), (1280, SCROLLED)):
            browser.size(width, 800)
            for page in _pages(site):
                browser.open(page, ready="document.querySelectorAll('details').forEach(e => e.open = true)")
                if found := browser.run(script):
                    wrong[f"{page.name} at {width}"] = found
    finally:
        browser.close()
    return wrong
