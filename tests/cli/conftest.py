"""On a busy machine any work can take long enough to tell how far it is; tests that want to hear it say so."""

import pytest


@pytest.fixture(autouse=True)
def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHENS_PROGRESS", "off")
