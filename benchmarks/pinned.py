"""ClusterEnsembles as its authors ran it: in an environment of its own, with the SciPy of its time, in the same run.

The environment is made once, in the cache folder of the user, from a Python 3.10 that is installed here.
"""

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .measuring import Measured
from .parts import LeftOut

PYTHON = "3.10"
#: what the package needs, and the package itself, whose own requirements name versions that are gone
NEEDED = ("numpy==1.23.5", "scipy==1.10.1", "scikit-learn==1.2.2", "pymetis")
PACKAGES = ("ensembleclustering==1.0.2", "kahypar")
VERSION = "1.0.2 with SciPy 1.10.1"
FOLDER = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "graphens-benchmarks" / "ClusterEnsembles"
#: runs there: reads tables of labels, solves a small one and then the large one, and writes what that took
CALL = """
import json, sys, time
import ensembleclustering as ce, numpy as np
path, solver, k = sys.argv[1], sys.argv[2], int(sys.argv[3])
tables = np.load(path)
def solve(name):
    return ce.cluster_ensembles(tables[name].astype(float), k, solver=solver, random_state=0)
def resident(field):
    lines = open("/proc/self/status").read().splitlines()
    return next(float(line.split()[1]) * 1024 for line in lines if line.startswith(field))
solve("small")
open("/proc/self/clear_refs", "w").write("5")
before, start = resident("VmRSS"), time.process_time()
labels = solve("large")
seconds = time.process_time() - start
print(json.dumps([seconds, max(resident("VmHWM") - before, 1e6), np.asarray(labels).astype(int).tolist()]))
"""


@dataclass(frozen=True)
class Solver:
    """One of its methods, measured in a process of that environment."""

    name: str
    k: int

    def measured(self, large: Any, small: Any, repeats: int = 2) -> Measured:
        """The better of some runs."""
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            np.savez(file, large=large.ensemble.labels.T, small=small.ensemble.labels.T)
            file.flush()
            command = [str(environment()), "-c", CALL, file.name, self.name, str(self.k)]
            runs = [json.loads(_output(command).splitlines()[-1]) for _ in range(repeats)]
        seconds, peak, labels = min(runs)
        return Measured(seconds, peak, np.array(labels))


@cache
def environment() -> Path:
    """Return the Python of the environment, which is made if it is not there."""
    python = FOLDER / "bin" / "python"
    if python.exists():
        return python
    try:
        _output([_old_python(), "-m", "venv", str(FOLDER)])
        _output([str(python), "-m", "pip", "install", "-q", *NEEDED])
        _output([str(python), "-m", "pip", "install", "-q", "--no-deps", *PACKAGES])
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(FOLDER, ignore_errors=True)
        raise LeftOut(f"no environment for ClusterEnsembles could be made: {error}") from None
    return python


def _old_python() -> str:
    installed = sorted((Path.home() / ".pyenv" / "versions").glob(f"{PYTHON}.*/bin/python"))
    if path := next(map(str, installed), None) or shutil.which(f"python{PYTHON}"):  # pyenv's own command may refuse
        return path
    raise LeftOut(f"Python {PYTHON} is not installed")


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
