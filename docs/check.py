"""Look at a built site: links that lead nowhere, pictures without words, anything fetched from outside.

``python docs/check.py [docs/_build/html]`` prints what it finds and ends with 1 if there is anything.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
NOT_LOADED = {"canonical", "next", "prev", "search", "index", "author", "license"}  # kinds of <link> that fetch nothing


class Page(HTMLParser):
    """What one page links to, fetches and shows."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.ids, self.links, self.fetched = path, set[str](), list[str](), list[str]()
        self.wordless: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        has = {name: value or "" for name, value in attrs}
        self.ids |= {has[name] for name in ("id", "name") if name in has}
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        if tag in FETCHED and FETCHED[tag] in has and has.get("rel") not in NOT_LOADED:
            self.fetched.append(has[FETCHED[tag]])
        if tag == "img" and not has.get("alt", "").strip():
            self.wordless.append(has.get("src", "?"))


def problems(folder: Path) -> list[str]:
    """Return one line for each thing that is wrong on the pages of a folder."""
    own = (path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts)
    pages = {path.resolve(): Page(path) for path in own}
    return [f"{page.path.relative_to(folder)}: {said}" for page in pages.values() for said in _of(page, pages)]


def _of(page: Page, pages: dict[Path, Page]) -> list[str]:
    found = [f"picture without words: {src}" for src in page.wordless]
    for target in page.fetched:
        if urlsplit(target).scheme not in ("", "data") or target.startswith("//"):
            found.append(f"fetched from outside: {target}")
        elif not target.startswith("data:") and not _place(page, target).exists():
            found.append(f"no such file: {target}")
    return found + [f"leads nowhere: {link}" for link in page.links if not _leads(page, link, pages)]


def _leads(page: Page, link: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True  # elsewhere: a link, nothing fetched
    place = _place(page, link) if parts.path else page.path.resolve()
    if not parts.fragment or place not in pages:
        return place.exists()
    return unquote(parts.fragment) in pages[place].ids


def _place(page: Page, target: str) -> Path:
    return (page.path.parent / unquote(urlsplit(target).path)).resolve()


if __name__ == "__main__":
    site = Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).resolve().parent / "_build" / "html"
    lines = problems(site)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.exit(bool(lines) or not list(site.glob("*.html")))
