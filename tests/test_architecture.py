"""Layers, import cycles, what `import graphens` loads, and names that must stay functions.

Tools that draw import graphs count imports inside functions too; here those are how things stay lazy,
so the few lines that read module-level imports are our own.
"""

import ast
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import graphens as ge

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(ge.__file__).parent  # the source, or what is installed
LAYERS = [  # a module imports from rows above its own, or its own row
    "_lib errors",
    "kernels",
    "labels",
    "graphs",
    "trees",
    "cutting",
    "measures",
    "result",
    "families",
    "generators",
    "choose",
    "datasets export",
    "networks scale",
    "plot",
    "report",
    "explore",
    "environment",
    "estimator cli sc testing __main__",
]
SHARED = {  # of families: not a family themselves
    "contract",
    "registry",
    "method",
    "trials",
    "docstrings",
    "references",
    "outcome",
    "rows",
    "policy",
    "standard_form",
    "metaclusters",
    "move_counts",
    "vote_tables",
    "__init__",
}
ROW = {name: row for row, names in enumerate(LAYERS) for name in names.split()}
HEAVY = {"sklearn", "networkx", "igraph", "matplotlib", "pymetis", "numba", "pandas", "polars", "pyarrow", "narwhals"}
Check = Callable[[Path], Iterable[str]]
Imports = dict[str, dict[str, int]]  # module -> imported module of the package -> line


def modules(package: Path) -> dict[str, Path]:
    """Dotted name of every module of the package."""
    names = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file; several tests ask for all of them."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def on_import(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements that run when the module is imported."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
            yield from on_import(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for field in ("body", "orelse", "finalbody"):
                yield from on_import(getattr(node, field, []))
            for part in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
                yield from on_import(part.body)


def targets(node: ast.Import | ast.ImportFrom, module: str, *, is_package: bool) -> list[str]:
    """Dotted names an import statement may load."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        parents = module.split(".") if is_package else module.split(".")[:-1]
        parents = parents[: len(parents) - node.level + 1]
        base = ".".join([*parents, base] if base else parents)
    return [f"{base}.{alias.name}" for alias in node.names]


def imports(package: Path) -> Imports:
    """For every module, the modules of the same package that importing it runs first."""
    known = modules(package)
    found: Imports = {name: {} for name in known}
    for name, path in known.items():
        tree = parsed(path)
        for node in on_import(tree.body):
            for target in targets(node, name, is_package=path.name == "__init__.py"):
                if target.split(".")[0] != package.name:
                    continue
                named = target if target in known else target.rpartition(".")[0]
                wanted = [named]
                # `import a.b.c` also runs a and a.b, unless we are inside them and they are running already
                while (parent := wanted[-1].rpartition(".")[0]) and not f"{name}.".startswith(f"{parent}."):
                    wanted.append(parent)
                for module in wanted:
                    if module != name:
                        found[name].setdefault(module, node.lineno)
    return found


def layer_violations(package: Path) -> list[str]:
    def row(module: str) -> tuple[int | None, str]:
        """Row number and how to say it; the package's own __init__ stands just above the last row."""
        top = module.split(".")[1] if "." in module else ""
        if not top:
            return len(LAYERS) - 1, f"{package.name}/__init__.py"
        number = ROW.get(top)
        return number, "in no row of LAYERS" if number is None else f"row {number}: {LAYERS[number]}"

    problems = []
    for module, wanted in imports(package).items():
        mine, my_row = row(module)
        if mine is None:
            problems.append(f"{module} stands in no row of LAYERS; add it to the one it belongs to")
        elif module != package.name:  # the package's __init__ gathers names from every row
            for target, line in wanted.items():
                theirs, their_row = row(target)
                if theirs is None or theirs > mine:
                    problems.append(
                        f"{module}, line {line} ({my_row}) imports {target} ({their_row}): "
                        "move what both need to a row above, or import inside the function that uses it"
                    )
    return problems


def family_ties(package: Path, shared: set[str]) -> list[str]:
    """Families that import another family: what two of them need has a file of its own."""
    head = f"{package.name}.families."
    return [
        f"{module}, line {line} imports {target}: move what both need to a file of its own"
        for module, wanted in imports(package).items()
        for target, line in wanted.items()
        if module.startswith(head) and target.startswith(head)
        if module.removeprefix(head) not in shared and target.removeprefix(head) not in shared
    ]


def private_names(package: Path) -> list[str]:
    """Underscored functions, classes and variables that another module imports.

    Underscored attributes of values are another matter: they are internal to the package, not to a module.
    """
    trees = {module: parsed(path) for module, path in modules(package).items()}
    ours = set().union(*map(private_definitions, trees.values()))
    return [
        f"{module}, line {node.lineno}: {alias.name} is private to another module; give it a plain name"
        for module, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in ours
    ]


def private_definitions(tree: ast.Module) -> set[str]:
    """Private functions, classes and variables that a module defines."""
    found = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)} | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return {name for name in found if name.startswith("_") and not name.endswith("__") and name != "_"}


def cycle(package: Path) -> list[str]:
    """The modules of one import cycle, or nothing."""
    try:
        TopologicalSorter(imports(package)).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def long_functions(package: Path, most: int) -> list[str]:
    """Functions outside the kernels with more lines than that between their first statement and their end."""
    found = []
    for module, path in modules(package).items():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef) and not module.startswith(f"{package.name}.kernels."):
                first = node.body[ast.get_docstring(node) is not None :] or node.body
                if (node.end_lineno or 0) - first[0].lineno >= most:
                    found.append(f"{module}.{node.name}")
    return found


def repeated_basenames(package: Path) -> dict[str, list[str]]:
    """Files of the same name in several folders: a reader who is told one word should find one file."""
    places: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        if not any(part.startswith("_") for part in path.relative_to(package).with_suffix("").parts):
            places.setdefault(path.stem, []).append(path.relative_to(package).as_posix())
    return {name: found for name, found in places.items() if len(found) > 1}


def private_functions(package: Path) -> dict[str, int]:
    """Private functions of modules without a decorator (which may register them), and how often each is named."""
    counts = {}
    for module, path in modules(package).items():
        parts = [
            part for node in parsed(path).body for part in (node.body if isinstance(node, ast.ClassDef) else [node])
        ]
        own = {
            node.name
            for node in parsed(path).body
            if isinstance(node, ast.FunctionDef) and not node.decorator_list
            if node.name.startswith("_") and not node.name.endswith("__")
        }
        named = [
            node.id
            for part in parts
            for node in ast.walk(part)
            if isinstance(node, ast.Name) and node.id in own and node.id != getattr(part, "name", None)
        ]
        counts.update({f"{module}.{name}": named.count(name) for name in own})
    return counts


def files_of_a_call(setup: str, call: str) -> list[str]:
    """The files of the package that one call walks through, once everything is loaded."""
    code = f"""
import json, os, sys, warnings
warnings.simplefilter("ignore")
{setup}
{call}
here, seen = os.path.dirname(ge.__file__) + os.sep, set()
def note(frame, event, argument):
    if event == "call":
        seen.add(frame.f_code.co_filename)
sys.setprofile(note)
{call}
sys.setprofile(None)
print(json.dumps(sorted(name.removeprefix(here) for name in seen if name.startswith(here))))
"""
    return in_fresh_python(code)  # type: ignore[return-value]


def missing_files(root: Path, package: Path) -> list[str]:
    """Files and modules of the package that a text names though they are gone."""
    rooms = "|".join(sorted({path.name for path in package.iterdir() if path.is_dir() and path.name[0] != "_"}))
    named = re.compile(rf"(?<!tests/)\b((?:{rooms})/\w+\.py)\b|`(?:{package.name}\.)?((?:{rooms})\.\w+)`")
    texts = [*package.rglob("*.py"), *root.glob("docs/**/*.md"), *root.glob("benchmarks/**/*.py")]
    texts += [page for page in root.glob("*.md") if page.stem != "CHANGELOG"]  # which tells what was
    gone = []
    for text in texts:
        for file, module in named.findall(text.read_text(encoding="utf-8")):
            name = file or f"{module.replace('.', '/')}.py"
            room, word = name.removesuffix(".py").split("/")
            if not (package / name).exists() and not (module and re.search(rf"\b{word}\b", exported(package / room))):
                gone.append(f"{text.relative_to(root)} names {file or module}")
    return gone


def exported(room: Path) -> str:
    """What a room says at its door."""
    return (room / "__init__.py").read_text(encoding="utf-8")


def in_fresh_python(code: str) -> object:
    """What the code prints as JSON, in an interpreter that has loaded nothing yet."""
    env = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{code}\nfailed with\n{done.stderr}"
    return json.loads(done.stdout.splitlines()[-1])


#: what `import graphens` loads beyond NumPy and SciPy, and the type of every public name before and after a walk
#: through all modules
IMPORTED = f"""
import importlib, json, pkgutil, sys
import numpy, scipy.sparse
before = set(sys.modules)
import graphens as ge
tops = {{m.split(".")[0] for m in set(sys.modules) - before}} | ({HEAVY!r} & set(sys.modules))
loaded = sorted(tops - sys.stdlib_module_names - {{"numpy", "scipy", "graphens"}})
def kinds():
    return {{name: type(getattr(ge, name)).__name__ for name in ge.__all__}}
def fail(module): raise
first = kinds()
for found in pkgutil.walk_packages(ge.__path__, "graphens.", onerror=fail):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
print(json.dumps([loaded, first, kinds()]))
"""


def test_modules_import_only_from_rows_above() -> None:
    problems = layer_violations(PACKAGE)
    assert not problems, "\n" + "\n".join(problems)


def test_no_import_cycles() -> None:
    found = cycle(PACKAGE)
    assert not found, " -> ".join(found)


def test_no_family_imports_a_family() -> None:
    assert family_ties(PACKAGE, SHARED) == []


def test_no_private_name_crosses_a_module() -> None:
    assert private_names(PACKAGE) == []


def test_no_two_files_have_one_name() -> None:
    assert repeated_basenames(PACKAGE) == {}


def test_functions_fit_on_a_screen() -> None:
    """Kernels aside, which are one loop nest each; a docstring does not count."""
    assert long_functions(PACKAGE, 60) == []


def test_files_that_are_named_exist() -> None:
    assert missing_files(ROOT, PACKAGE) == []


def test_the_method_that_contributing_follows_goes_that_way() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(\w+/\w+\.py)`", text.partition("## What happens in a call")[2].partition("\n## ")[0]))
    setup = "import numpy as np, graphens as ge\nlabels = np.random.default_rng(0).integers(0, 4, (300, 6))"
    assert told <= set(files_of_a_call(setup, "ge.mcla(labels, 3, seed=0)"))
    assert 5 <= len(told) <= 8


def test_no_private_function_is_unused() -> None:
    assert [name for name, count in private_functions(PACKAGE).items() if count == 0] == []


def test_import_loads_only_numpy_and_scipy_and_public_functions_stay_functions() -> None:
    loaded, before, after = in_fresh_python(IMPORTED)  # type: ignore[misc]
    assert loaded == []
    assert "function" in before.values()
    assert after == before  # importing a module would hide a function of its name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["datasets", "generators", "measures", "networks", "plot", "sc", "scale", "testing"])
def test_a_module_shows_what_it_offers_and_nothing_else(name: str) -> None:
    module = importlib.import_module(f"graphens.{name}")
    assert dir(module) == sorted(module.__all__)


# The checks themselves, on small packages that break one rule each.


def make_package(folder: Path, **files: str) -> Path:
    """A package `toy` with the given files; `graphs__graph` stands for graphs/graph.py."""
    package = folder / "toy"
    for name, text in {"__init__": "", **files}.items():
        path = package / (name.replace("__init__", "@").replace("__", "/").replace("@", "__init__") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text, encoding="utf-8")
    return package


@pytest.mark.parametrize(
    "line",
    [
        "from toy.sc import f",
        "import toy.families.bipartite",
        "from ..families import bipartite",
        "try:\n    import toy.sc\nexcept ImportError:\n    pass",
        "class A:\n    from toy.sc import f",
        "import toy",
    ],
)
def test_an_import_from_below_is_reported(tmp_path: Path, line: str) -> None:
    package = make_package(tmp_path, sc="f = 1", families__bipartite="", graphs__graph=line)
    problems = layer_violations(package)
    assert problems
    assert all(problem.startswith("toy.graphs.graph, line ") and "(row 3: graphs)" in problem for problem in problems)


@pytest.mark.parametrize(
    ("check", "files", "problem"),
    [
        (layer_violations, {"helpers": ""}, "toy.helpers stands in no row"),
        (
            lambda package: family_ties(package, {"contract"}),
            {
                "families__walks": "from .votes import f",
                "families__votes": "from .contract import row",
                "families__contract": "from . import votes",
            },
            "toy.families.walks, line 1 imports toy.families.votes",
        ),
        (
            private_names,
            {"graphs__labels": "_x = 1", "graphs__graph": "from toy.graphs.labels import _x as x"},
            "toy.graphs.graph, line 1: _x is private",
        ),
        (repeated_basenames, {"graphs__graph": "", "plot__graph": "", "graphs___x": "", "plot___x": ""}, "graph"),
        (
            lambda package: long_functions(package, 4),
            {"graphs__a": f'def f():\n    """{"doc" + chr(10) * 9}"""\n    x = 1\ndef g():' + "\n    x = 1" * 5},
            "toy.graphs.a.g",
        ),
    ],
)
def test_what_breaks_a_rule_is_reported(tmp_path: Path, check: Check, files: dict[str, str], problem: str) -> None:
    (found,) = check(make_package(tmp_path, **files))
    assert found.startswith(problem)


@pytest.mark.parametrize(
    "files",
    [
        {"graphs__a": "from toy.graphs.b import x", "graphs__b": "import toy.graphs.a"},
        {"graphs____init__": "from toy.graphs.a import x", "graphs__a": "from toy.graphs import y"},
        {"trees__a": "import toy.cutting.b", "cutting__b": "from toy.trees import a"},
        {"__init__": "from toy.cli import f", "cli": "from toy import version"},
    ],
)
def test_a_cycle_is_reported(tmp_path: Path, files: dict[str, str]) -> None:
    assert len(cycle(make_package(tmp_path, **files))) >= 3
