"""Every method's papers are in the bibliography, and the bibliography is BibTeX."""

import re

import pytest

import graphens as ge
from graphens.cli import main
from graphens.families.references import bibtex, doi, field, references
from graphens.families.registry import adopted

ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ *= \{.*\},\n)+)\}")


@pytest.mark.parametrize("row", ge.methods(), ids=lambda row: row.name)
def test_every_method_can_be_cited(row: object) -> None:
    missing = [paper for paper in row.reference.split("; ") if paper not in references()]  # type: ignore[attr-defined]
    assert not missing, "add them to graphens/families/references.bib"
    assert "author" in row.cite()  # type: ignore[attr-defined]


def test_every_entry_is_bibtex_in_ascii_with_its_own_key() -> None:
    keys = []
    for words, entry in references().items():
        found = ENTRY.fullmatch(entry)
        assert found is not None, entry
        assert entry.isascii()
        assert entry.count("{") == entry.count("}")
        assert words.endswith(field(entry, "year"))
        assert field(entry, "doi") == "" or re.fullmatch(r"10\.\d{4,5}/[\w./-]+", field(entry, "doi"))
        keys.append(found[2])
    assert len(set(keys)) == len(keys)
    assert 'Gr{\\"o}tschel' in bibtex("Grötschel and Wakabayashi 1989")


def test_a_paper_that_is_not_listed_keeps_its_words() -> None:
    assert bibtex("Somebody, Prépublication 2030") == (
        "@misc{somebodyprepublication2030,\n  note = {Somebody, Pr{\\'e}publication 2030},\n}"
    )
    assert doi("Somebody 2030") == ()


def test_the_command_prints_each_paper_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "--bibtex"]) == 0
    shown = capsys.readouterr().out
    assert len(ENTRY.findall(shown)) == len({p for row in ge.methods() for p in row.reference.split("; ")})
    assert main(["methods", "eac", "--bibtex"]) == 0
    assert capsys.readouterr().out == ge.families.registry.find_method("eac").cite() + "\n"
    assert main(["methods", "lwgp"]) == 0
    assert "10.1109/TCYB.2017.2702343" in capsys.readouterr().out


def test_a_method_without_a_paper_gives_a_comment() -> None:
    row = adopted("mine", lambda ensemble: ensemble.labels[:, 0])
    assert row.cite().startswith("% The method mine has no reference")
    assert "@" not in row.cite()
    assert "note = {Smith 2020}" in adopted("mine", lambda e: e.labels[:, 0], reference="Smith 2020").cite()
