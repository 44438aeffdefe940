"""One statement of a paper, and what comes out here."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Claim(TypedDict):
    """One statement of a paper, and ours."""

    what: str
    published: str
    ours: str
    holds: bool | None  # None: no verdict, the figures stand for themselves
    selected: NotRequired[str]  # how the setting was chosen after seeing what comes out


def claim(what: str, published: str, ours: str, holds: object, selected: str = "") -> Claim:
    """Return a claim, its truth as a plain bool or None."""
    truth = None if holds is None else bool(holds)
    found: Claim = {"what": what, "published": published, "ours": ours, "holds": truth}
    return {**found, "selected": selected} if selected else found


def stands(one: Claim) -> str:
    """Return the verdict in a word."""
    if one["published"] == "-" or one["holds"] is None:
        return "no verdict"
    return "holds" if one["holds"] else "differs"
