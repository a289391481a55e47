"""Check the built site: each link and picture leads somewhere, and no page loads anything from elsewhere.

    python docs/site/check_site.py build/site

Links to other sites are not followed. Exit status 1: something is broken.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
LOADING_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "manifest"}
ELSEWHERE = ("http:", "https:", "//")


class Page(HTMLParser):
    """Names, links and loaded files of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element."""
        values = {name: value or "" for name, value in attrs}
        self.names |= {values[name] for name in ("id", "name") if name in values}
        if tag in LOADED and LOADED[tag] in values:
            self.loaded.append(values[LOADED[tag]])
        if tag == "link" and LOADING_LINKS & set(values.get("rel", "").split()):
            self.loaded.append(values.get("href", ""))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])


def problems(site: Path) -> Iterator[str]:
    """Yield one line for each thing that is broken."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        where = path.relative_to(site)
        for address in page.loaded:
            if address.startswith(ELSEWHERE):
                yield f"{where}: loads {address}"
        for address in (*page.links, *page.loaded):
            if path.name != "404.html" and not urlsplit(address).scheme and not address.startswith("//"):
                yield from (f"{where}: {text}" for text in _broken(address, path, pages))
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        if "url(http" in text or "url(//" in text or "@import" in text:
            yield f"{style.relative_to(site)}: loads from elsewhere"


def _broken(address: str, path: Path, pages: dict[Path, Page]) -> Iterator[str]:
    parts = urlsplit(address)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    file = target / "index.html" if target.is_dir() else target
    if not file.exists():
        yield f"{address} leads nowhere"
    elif parts.fragment and file.suffix == ".html":
        page = next((page for known, page in pages.items() if known.resolve() == file), None)
        if page is None or unquote(parts.fragment) not in page.names:
            yield f"{address}: no such place on that page"


def main() -> int:
    """Check the site in the folder given."""
    site = Path(sys.argv[1])
    found = list(problems(site))
    sys.stdout.write("".join(f"{line}\n" for line in found))
    sys.stdout.write(f"{len(list(site.rglob('*.html')))} pages checked, {len(found)} problems\n")
    return int(bool(found) or not any(site.rglob("*.html")))


if __name__ == "__main__":
    sys.exit(main())
