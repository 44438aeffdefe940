"""One statement of a paper, and what comes out here."""

from __future__ import annotations

from typing import TypedDict


class Claim(TypedDict):
    """One statement of a paper, and ours."""

    what: str
    published: str
    ours: str
    holds: bool


def claim(what: str, published: str, ours: str, holds: object) -> Claim:
    """Return a claim, its truth as a plain bool."""
    return {"what": what, "published": published, "ours": ours, "holds": bool(holds)}
