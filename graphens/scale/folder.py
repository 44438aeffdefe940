"""The output folder: finished blocks in front, everything else under `_work`, and whose work it is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import AnyArray
from ..errors import FileError, InputError
from ..export._atomic import atomic
from .sources import pyarrow

VERSION = 1


class Folder:
    """What is written to `out`: part-000000.parquet, … in the input's order; the names of all else begin with _.

    Files appear whole or not at all: they are written inside `_work` and then moved.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.abspath(path))
        self.work = self.path / "_work"

    def begin(self, asked: Mapping[str, Any], **own: Any) -> dict[str, Any]:
        """Make the folder for a call, or find the state of the same call in it; another call's folder is refused."""
        if self.path.exists() and not self.path.is_dir():
            raise FileError(f"{self.path} is a file; expected an empty or a new folder.")
        state = self.told("state")
        if state is None:
            foreign = sorted(p.name for p in self.path.iterdir()) if self.path.is_dir() else []
            if [name for name in foreign if name != "_work"]:
                raise InputError(
                    f"{self.path} holds {foreign[0]} already; expected an empty or a new folder."
                )
            try:
                self.work.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise FileError(f"{self.path} cannot be made: {error.strerror or error}.") from None
            state = {"version": VERSION, "asked": dict(asked), **own}
            self.tell("state", state)
        other = [
            name for name, value in asked.items() if state["asked"].get(name) != json.loads(json.dumps(value))
        ]
        if other or state["version"] != VERSION:
            name = (other or ["version"])[0]
            said = f"{name} is {state['asked'].get(name)!r} there and {asked.get(name)!r} here"
            if name == "files":
                said = "its files, their times, columns or blocks are others"
            raise InputError(
                f"{self.path} holds the work of another call: {said}. Name another folder, or delete this one."
            )
        return state

    # small things in words, tables as arrays ---------------------------------------------------------------

    def tell(self, name: str, value: Mapping[str, Any]) -> None:
        """Keep something that can be said in words."""
        self._put(self.work / f"{name}.json", json.dumps(value, indent=1).encode())

    def told(self, name: str) -> dict[str, Any] | None:
        """Return what was kept, or None."""
        try:
            found: dict[str, Any] = json.loads((self.work / f"{name}.json").read_bytes())
        except FileNotFoundError:
            return None
        return found

    def keep(self, name: str, arrays: Mapping[str, AnyArray]) -> str:
        """Keep arrays; return the file, which a worker can read."""
        buffer = BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        self._put(self.work / f"{name}.npz", buffer.getbuffer())
        return str(self.work / f"{name}.npz")

    def kept(self, name: str) -> dict[str, AnyArray] | None:
        """Return arrays that were kept, or None."""
        path = self.work / f"{name}.npz"
        return read_arrays(str(path)) if path.exists() else None

    def drop(self, name: str) -> None:
        """Forget arrays."""
        (self.work / f"{name}.npz").unlink(missing_ok=True)

    # blocks --------------------------------------------------------------------------------------------------

    def part(self, number: int) -> Path:
        """Where the answer of one block is."""
        return self.path / f"part-{number:06d}.parquet"

    def parts(self) -> list[Path]:
        """Return the finished blocks in the input's order."""
        return sorted(self.path.glob("part-*.parquet"))

    def write_part(self, number: int, columns: Mapping[str, AnyArray]) -> None:
        """Write the answer of one block."""
        import pyarrow as pa

        buffer = BytesIO()
        whole = [name for name, column in columns.items() if column.dtype.kind in "iu"]  # what repeats
        pyarrow("parquet").write_table(pa.table(dict(columns)), buffer, use_dictionary=whole)
        self._put(self.part(number), buffer.getbuffer())

    def _put(self, target: Path, content: Any) -> None:
        temporary = self.work / f"{target.name}.new-{os.getpid()}"
        with atomic(temporary) as file:
            file.write(content)
        os.replace(temporary, target)


def read_arrays(path: str) -> dict[str, AnyArray]:
    """Read arrays that a folder keeps."""
    with np.load(path, allow_pickle=False) as found:
        return {name: found[name] for name in found.files}
