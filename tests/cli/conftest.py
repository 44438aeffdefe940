"""What tests of commands share."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine any work can take long enough to tell how far it is; tests that want to hear it say so."""
    monkeypatch.setenv("GRAPHENS_PROGRESS", "off")


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """The example of seven objects."""
    path = tmp_path / "labels.csv"
    rows = zip("1112233", "2223311", "3322111", strict=True)
    path.write_text("cell,a,b,c\n" + "".join(f"x{i},{','.join(row)}\n" for i, row in enumerate(rows, 1)))
    return path
