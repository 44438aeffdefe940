"""The long description on PyPI: the README, whose relative addresses would lead nowhere there, made absolute."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<picture>!?)(?P<text>\[[^\]]*\])\((?![a-z]+:|#)(?P<path>[^)\s]+)\)")


def absolute(markdown: str, home: str, tag: str) -> str:
    """Return the page with every picture and link leading to the repository as it was at the tag."""

    def replaced(found: re.Match[str]) -> str:
        place = "raw" if found["picture"] else "blob"
        return f"{found['picture']}{found['text']}({home}/{place}/{tag}/{found['path']})"

    return LINK.sub(replaced, markdown)


class LongDescription(MetadataHookInterface):
    """Called by the build for the fields that pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the readme."""
        page = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(page, metadata["urls"]["Repository"], f"v{metadata['version']}"),
        }
