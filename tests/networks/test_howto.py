"""The Python blocks of docs/networks.md run, in order, and print what stands below them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "networks.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def test_the_page_runs_and_prints_what_it_says() -> None:
    pytest.importorskip("matplotlib")
    namespace: dict[str, object] = {}
    found = BLOCK.findall(PAGE.read_text("utf-8"))
    assert len(found) == 5
    for code, expected in found:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, namespace)
        assert out.getvalue() == expected
