"""Formulas as MathML, which browsers draw without a network.

Pages have LaTeX between dollars; docstrings have formulas in plain characters, which read well in a terminal: S_ij =
Σ_t w_t [together in t]. Here these are found in the text and become LaTeX, and all LaTeX becomes MathML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from itertools import pairwise
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml

_SUB = r"_(?:\{[^}]*\}|[A-Za-z0-9]{1,2}(?![A-Za-z0-9_])|(?:same|apart|eff|min)\b)"
TOKEN = re.compile(
    rf"(?P<space>\s+)"
    rf"|(?P<bracket>\[[^\[\]]{{1,60}}\])"
    rf"|(?P<name>(?:arg(?:max|min)|(?:max|min)(?!_k)|[A-Za-zα-ωΑ-Ωñĉ](?![A-Za-z])|[A-Za-zα-ωñ](?=_)|[ΣΠ])′?(?:{_SUB})?)(?![A-Za-z]{{2}})"
    rf"|(?P<function>\b(?:log₂?|exp|ln|min|max|argmax|argmin)(?!\w)|\b[A-Z]{{2,4}}(?=\())"
    rf"|(?P<number>\d+(?:[.,]\d+)*|½)"
    rf"|(?P<operator>[=+−×·/<>≤≥≠∩∪∈∝^|()√²³⌊⌋…!])"
    rf"|(?P<comma>,)"
    rf"|(?P<word>\w+|.)"
)
STRONG = re.compile(rf"{_SUB}|[ΣΠ√∩∪∈∝^]")
TEX = {
    "Σ": r"\sum ", "Π": r"\prod ", "∩": r"\cap ", "∪": r"\cup ", "∈": r"\in ", "×": r"\times ", "·": r"\cdot ",
    "−": "-", "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "∝": r"\propto ", "½": r"\frac{1}{2}", "²": "^2", "³": "^3",
    "⌊": r"\lfloor ", "⌋": r"\rfloor ", "…": r"\ldots ", "′": "'", "ñ": r"\tilde{n}", "ĉ": r"\hat{c}",
}  # fmt: skip
PHRASE = re.compile(r"\\text\{(\s?\w+(?: \w+){2,} ?)\}")  # words within a formula
BREAKS = re.compile(r"[{}]|[=+/]|(?<![\\^_])-|\\(?:times|cdot|le|ge|propto|in)\b")
LOOSE = "=+×·/<>≤≥≠∩∪∈∝^,…"
SKIPPED = (
    nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw, nodes.comment, nodes.title,
    nodes.term, nodes.strong, nodes.reference, nodes.image, nodes.FixedTextElement,
)  # fmt: skip


def formulas(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where formulas in plain characters begin and end in a text, and their LaTeX."""
    run: list[re.Match[str]] = []
    for token in [*TOKEN.finditer(text), None]:
        depth = sum(each[0] == "(" for each in run) - sum(each[0] == ")" for each in run)
        kind = token.lastgroup if token else "word"
        if token and kind != "word" and (kind != "comma" or depth > 0) and not (kind == "space" and not run):
            run.append(token)
            continue
        yield from _settled(run)
        run = []


def _settled(run: list[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    """Formulas in a run of tokens: all of it, or the parts around a parenthesis that stays open."""
    alone = _unmatched(run)
    if alone is not None:
        yield from _settled(run[:alone])
        yield from _settled(run[alone + 1 :])
        return
    run = _trimmed(run)
    said = "".join(token[0] for token in run)
    if STRONG.search(re.sub(r"\[.*?\]", "", said)):
        tex = _tex(run)
        with suppress(MathError):  # what cannot be set stays as it is
            tex2mathml(tex)
            yield run[0].start(), run[-1].end(), tex


def _unmatched(run: list[re.Match[str]]) -> int | None:
    """Return the place of the first parenthesis without its other half."""
    opened: list[int] = []
    for at, token in enumerate(run):
        if token[0] == "(":
            opened.append(at)
        elif token[0] == ")":
            if not opened:
                return at
            opened.pop()
    return opened[0] if opened else None


def _trimmed(run: list[re.Match[str]]) -> list[re.Match[str]]:
    """Leave out spaces and signs at both ends, and the article "a" before a name."""
    while run and (run[-1].lastgroup == "space" or run[-1][0] in LOOSE + "−"):
        run = run[:-1]
    while run and (
        run[0].lastgroup in ("space", "bracket")
        or run[0][0] in LOOSE
        or (run[0][0] == "a" and run[2:] and run[1].lastgroup == "space" and run[2][0][0] not in "Σ=+−")
    ):
        run = run[1:]
    bars = re.sub(r" \| ", "", "".join(token[0] for token in run)).count("|")  # p(a | b) needs one alone
    return [] if bars % 2 else run


def _tex(run: list[re.Match[str]]) -> str:
    parts: list[str] = []
    for token in run:
        said = token[0]
        if token.lastgroup == "bracket":
            parts.append(rf"[{_worded(said[1:-1])}]")
        elif token.lastgroup == "function" or said.split("_")[0] in ("argmax", "argmin", "max", "min"):
            name, _, below = said.partition("_")
            name, below = (name[:-1], "2") if name.endswith("₂") else (name, below)
            parts.append(
                rf"\operatorname{{{name}}}" + (f"_{{{_plain(below.strip('{}'))}}}" if below else " ")
            )
        else:
            parts.append(_plain(said))
    tex = "".join(parts)
    tex = re.sub(r"√\s*(\\tilde\{n\}|\w|\([^)]*\))", r"\\sqrt{\1}", tex)
    tex = re.sub(r"\^\s*\(([^()]*)\)", r"^{\1}", tex)
    return re.sub(r"\^\s*(\w_\{?\w+\}?)", r"^{\1}", tex)


def _plain(said: str) -> str:
    """One token, or what stands below it, in LaTeX."""
    base, bar, below = said.partition("_")
    tex = "".join(TEX.get(sign, sign) for sign in base)
    if not bar:
        return tex
    inner = below.strip("{}")
    words = (
        rf"\text{{{inner}}}" if re.fullmatch("[a-z]{3,}", inner) else "".join(TEX.get(s, s) for s in inner)
    )
    return rf"{tex.rstrip()}_{{{words}}}"


def _worded(said: str) -> str:
    """What stands in brackets: formulas, and words between them."""
    done, tex = 0, ""
    for part in re.finditer(r"[A-Za-z]_\w+(?:\(\w\))?|\b[A-Za-z]\b|[=≤≥<>+−]", said):
        tex += (
            rf"\text{{{said[done : part.start()]}}}" if said[done : part.start()].strip() else " "
        ) + _plain(part[0])
        done = part.end()
    return tex + (rf"\text{{{said[done:]}}}" if said[done:].strip() else "")


def typeset(app: Any, doctree: nodes.document) -> None:
    """Exchange formulas in the running text of a page for formulas that are set."""
    for text in list(doctree.findall(nodes.Text)):
        parent, inside = text.parent, text
        while inside is not None and not isinstance(inside, SKIPPED):
            inside = inside.parent  # type: ignore[assignment]
        if inside is not None or "desc_sig" in type(parent).__name__ or "desc_" in type(parent).__name__:
            continue
        said, done, parts = text.astext(), 0, []
        for start, end, tex in formulas(said):
            parts += [nodes.Text(said[done:start]), nodes.math("", tex)]
            done = end
        if parts:
            parent.replace(text, [*parts, nodes.Text(said[done:])])


def inline(self: Any, node: nodes.math) -> None:
    """Write a formula in a line, which may break after its operators where it is long, and in words."""
    for part in parts(node.astext()):
        words = PHRASE.fullmatch(part)
        formulas = (_mathml(piece, block=False) for piece in pieces(part) if piece.strip())
        self.body.append(escape(words[1]) if words else " ".join(formulas))
    raise nodes.SkipNode


def parts(tex: str) -> list[str]:
    """Return the phrases of a formula that are outside of all braces, and what stands between them."""
    ends = [0]
    for phrase in PHRASE.finditer(tex):
        before = tex[: phrase.start()]
        if before.count("{") == before.count("}"):
            ends += phrase.span()
    return [part for i, j in pairwise([*ends, len(tex)]) if (part := tex[i:j])]


def pieces(tex: str, short: int = 24) -> list[str]:
    """Return the parts of a formula that end with an operator outside of all braces; a short one is one part."""
    found, depth, start = [], 0, 0
    for sign in BREAKS.finditer(tex) if len(tex) > short else ():
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if sign[0] not in "{}" and depth == 0 and tex[start : sign.start()].strip():
            found.append(tex[start : sign.end()])
            start = sign.end()
    return [*found, tex[start:]]


def block(self: Any, node: nodes.math_block) -> None:
    """Write a formula of its own."""
    self.body.append(f'<div class="math">{_mathml(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def _mathml(tex: str, *, block: bool) -> str:
    text = re.sub(r">\s+<", "><", tex2mathml(tex, as_block=block)).replace("&ApplyFunction;", "\u2061")
    return re.sub(r"<mo[^>]*>/</mo>", '<mo lspace="0.1em" rspace="0.1em">/</mo>', text)
