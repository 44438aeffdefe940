"""The papers behind the methods, as BibTeX entries in references.bib; DOIs only if they were looked up."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from types import MappingProxyType

_ENTRY = re.compile(r"^% (.+)\n(@(?:.|\n)*?^\})", re.MULTILINE)
_TEX = {"\N{COMBINING DIAERESIS}": '\\"', "\N{COMBINING ACUTE ACCENT}": "\\'", "\N{COMBINING CEDILLA}": "\\c "}


@cache
def references() -> MappingProxyType[str, str]:
    """Return the BibTeX entries by the words that registry rows use."""
    text = Path(__file__).with_name("references.bib").read_text("utf-8")
    return MappingProxyType(dict(_ENTRY.findall(text)))


def field(entry: str, name: str) -> str:
    """Return one field of a BibTeX entry without braces, "" if it has none."""
    value = re.search(rf"^  {name} *= (.*),$", entry, re.MULTILINE)
    return re.sub(r"[{}]", "", value[1]) if value else ""


def bibtex(reference: str) -> str:
    """Return the BibTeX of a registry row's reference, such as "Fred and Jain 2005; Yang and Chen 2011".

    A reference that is not listed becomes a note with its text.

    Examples
    --------
    >>> print(bibtex("Fern and Brodley 2004"))
    @inproceedings{fern2004solving,
      author    = {Fern, Xiaoli Zhang and Brodley, Carla E.},
      title     = {{Solving cluster ensemble problems by bipartite graph partitioning}},
      booktitle = {Proceedings of the 21st International Conference on Machine Learning},
      year      = {2004},
      doi       = {10.1145/1015330.1015414},
    }
    """
    return "\n\n".join(references().get(paper) or _note(paper) for paper in reference.split("; "))


def in_words(reference: str) -> str:
    """Return the papers of a registry row with their titles.

    >>> in_words("Fern and Brodley 2004")
    'Fern and Brodley, Solving cluster ensemble problems by bipartite graph partitioning, 2004.'
    """
    titles = {paper: field(references().get(paper, ""), "title") for paper in reference.split("; ")}
    return " ".join(f"{f', {title}, '.join(paper.rsplit(' ', 1))}." for paper, title in titles.items() if title)


def doi(reference: str) -> tuple[str, ...]:
    """Return the DOIs of a registry row's reference, as far as they are known."""
    numbers = (field(references().get(paper, ""), "doi") for paper in reference.split("; "))
    return tuple(number for number in numbers if number)


def _note(reference: str) -> str:
    plain = unicodedata.normalize("NFKD", reference).encode("ascii", "ignore").decode()
    key = re.sub(r"[^a-z0-9]", "", plain.lower()) or "unnamed"
    parts = [unicodedata.normalize("NFD", letter) for letter in reference]
    text = "".join(f"{{{_TEX[part[1]]}{part[0]}}}" if part[1:] in _TEX else part for part in parts)
    return f"@misc{{{key},\n  note = {{{text}}},\n}}"
