"""What is said twice about the package is said alike: versions, packages, Pythons, addresses, parts of `.ci/run`."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import graphens as ge

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = SETTINGS["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CONDA = {"igraph": "python-igraph", "matplotlib": "matplotlib-base"}  # what conda-forge calls them
PYTHONS = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: Python :: 3\.\d", each)]


def text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def loaded(path: Path) -> Any:
    return pytest.importorskip("yaml", reason="PyYAML comes with the docs extra").safe_load(path.read_text("utf-8"))


def lowest(*extras: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / ".ci" / "lowest", *extras], capture_output=True, text=True, check=False
    )


def test_every_dependency_has_a_lowest_version() -> None:
    said = lowest(*PROJECT["optional-dependencies"])
    assert said.returncode == 0, said.stderr
    listed = [re.match(r"[\w-]+==", line) for line in said.stdout.splitlines()]
    assert all(listed)
    extras = [one for extra in PROJECT["optional-dependencies"].values() for one in extra]
    asked = {re.match(r"[\w-]+", one)[0] for one in [*PROJECT["dependencies"], *extras]}  # type: ignore[index]
    assert {one[0] for one in listed if one} == {f"{name}==" for name in asked - {"graphens"}}


def test_the_lowest_versions_are_those_of_the_extras_that_were_asked_for() -> None:
    assert "numpy==2.0" in lowest().stdout.splitlines()
    assert "pandas==2.2.2" in lowest().stdout
    assert "polars" not in lowest().stdout
    assert "polars==" in lowest("frames").stdout
    assert "polars==" in lowest("all").stdout


def test_the_version_is_the_same_everywhere() -> None:
    assert loaded(ROOT / "CITATION.cff")["version"] == ge.__version__
    release = re.match(r"\d+\.\d+\.\d+", ge.__version__)  # a candidate is described by the entry of its release
    assert release
    assert f"## [{release[0]}]" in text("CHANGELOG.md")


def test_groups_take_their_lists_from_the_extras() -> None:
    for name, group in SETTINGS["dependency-groups"].items():
        assert group == [f"graphens[{name}]"]
        assert name in PROJECT["optional-dependencies"]


def test_pages_of_the_root_are_in_the_source_archive() -> None:
    included = set(SETTINGS["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
    assert {f"/{page.name}" for page in ROOT.glob("*.md")} <= included
    assert [each for each in included if not (ROOT / each[1:]).exists()] == []


def test_the_page_on_pypi_has_pictures_and_links_that_lead_somewhere() -> None:
    pytest.importorskip("hatch_fancy_pypi_readme", reason="a plug-in of the build tool")
    from hatchling.metadata.core import ProjectMetadata
    from hatchling.plugin.manager import PluginManager

    page = ProjectMetadata(str(ROOT), PluginManager()).core.readme
    home, tag = PROJECT["urls"]["Repository"], f"v{ge.__version__}"
    addresses = re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", page)
    assert len(addresses) > 20
    for picture, address in addresses:
        place = f"{home}/{'raw' if picture else 'blob'}/{tag}/"
        assert address.startswith((place, "#") if picture else (place, "#", "https://")), address
        if address.startswith(place):
            assert (ROOT / address.removeprefix(place).partition("#")[0]).exists(), address


def test_every_address_is_one_of_the_project() -> None:
    home, site = PROJECT["urls"]["Homepage"], PROJECT["urls"]["Documentation"]
    pages = [*ROOT.glob("*.md"), *(ROOT / ".github").rglob("*.*"), ROOT / "CITATION.cff"]
    for page in [*pages, ROOT / "docs" / "promises.md"]:
        found = re.findall(r"https://[\w.]*github\.(?:com|io)/[^\s)>]*graphens[^\s)>]*", page.read_text("utf-8"))
        assert [one for one in found if not one.startswith((home, site))] == [], page


def parts() -> list[str]:
    """The parts of `.ci/run`, as it names them."""
    return re.search(r'^PARTS="(.*)"$', text(".ci/run"), re.MULTILINE)[1].split()  # type: ignore[index]


def test_every_part_is_a_function() -> None:
    for part in parts():
        assert f"\n{part}() {{\n" in text(".ci/run")


@pytest.mark.skipif(sys.platform == "win32", reason="bash of the system")
def test_an_unknown_part_is_refused() -> None:
    said = subprocess.run(["bash", ROOT / ".ci" / "run", "nothing"], capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert said.stderr == f"There is no part nothing; expected some of: {' '.join(parts())}\n"


def test_workflows_call_parts_that_exist_and_leave_none_out() -> None:
    called = {}
    for path in WORKFLOWS:
        jobs = loaded(path)["jobs"].values()
        lines = [step.get("run", "") for job in jobs for step in job["steps"]]
        called[path.stem] = {part for line in lines if line.startswith("bash .ci/run") for part in line.split()[2:]}
    assert called["tests"] == set(parts())
    assert called["release"] == {"wheel"}


def test_every_supported_python_is_tested_and_named() -> None:
    matrix = loaded(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["suite"]["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert f"Python {PYTHONS[0]} to {PYTHONS[-1]}" in text("docs/promises.md")
