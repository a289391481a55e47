"""Pages changed at random, as an agent gets them wrong: colours, texts, order, columns, sizes, parts too many or few."""

import random
import re
from collections.abc import Callable

from bs4 import BeautifulSoup, Tag

TEXTS = ["h1", "h2", "h3", "p", "a", "button", "li", "td", "label", "span"]
BLOCKS = ["section", "div", "header", "footer", "nav", "article", "main", "form", "ul"]
COLORS = ("red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray")
WORDS = [
    "A", "page", "about", "bread,", "gardens", "and", "“other”", "things:", "come", "in,", "stay", "a", "while",
    "and", "tell", "your", "friends.", "Open", "daily",
]  # fmt: skip
_COLORED = re.compile(r"^(bg|text|border)-(\w+)-(\d+)$|^(bg|text)-(white|black)$")
_SIZED = re.compile(r"^text-(xs|sm|base|lg|xl|\d?xl)$")


def change(html: str, seed: int, changes: int) -> str:
    """The page with so many random changes."""
    rng = random.Random(seed)
    page = BeautifulSoup(html, "html.parser")
    for _ in range(changes):
        rng.choice(CHANGES)(page, rng)
    return str(page)


def _pick(page: BeautifulSoup, rng: random.Random, names: list[str]) -> Tag | None:
    found = page.find_all(names)
    return rng.choice(found) if found else None


def _words(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.choice([1, 2, 4, 12, 30])))


def _classes(page: BeautifulSoup, rng: random.Random, swap: Callable[[str], str | None]) -> None:
    """Replace one class for which ``swap`` knows another."""
    found = [(tag, at) for tag in page.find_all(class_=True) for at, one in enumerate(tag["class"]) if swap(one)]
    if found:
        tag, at = rng.choice(found)
        tag["class"][at] = swap(tag["class"][at])


def _color(page: BeautifulSoup, rng: random.Random) -> None:
    color, depth = rng.choice(COLORS), rng.choice([100, 300, 500, 700, 900])
    _classes(page, rng, lambda one: f"{one.split('-')[0]}-{color}-{depth}" if _COLORED.match(one) else None)


def _size(page: BeautifulSoup, rng: random.Random) -> None:
    size = rng.choice(["xs", "sm", "lg", "2xl", "4xl", "6xl"])
    _classes(page, rng, lambda one: f"text-{size}" if _SIZED.match(one) else None)


def _align(page: BeautifulSoup, rng: random.Random) -> None:
    tag = _pick(page, rng, [*TEXTS, *BLOCKS])
    if tag is not None:
        tag["class"] = [
            *tag.get("class", []),
            rng.choice(["text-left", "text-center", "text-right", "mx-auto", "ml-32"]),
        ]


def _shape(page: BeautifulSoup, rng: random.Random) -> None:
    tag = _pick(page, rng, [*BLOCKS, "button", "input", "img"])
    if tag is not None:
        shapes = [
            "rounded", "rounded-xl", "rounded-full", "border", "border-4 border-red-500", "bg-blue-300", "w-1/2",
            "h-40", "p-12",
        ]  # fmt: skip
        tag["class"] = [*tag.get("class", []), *rng.choice(shapes).split()]


def _weight(page: BeautifulSoup, rng: random.Random) -> None:
    tag = _pick(page, rng, TEXTS)
    if tag is not None:
        tag["class"] = [*tag.get("class", []), rng.choice(["font-bold", "font-normal"])]


def _columns(page: BeautifulSoup, rng: random.Random) -> None:
    columns = rng.choice([1, 2, 3, 4])
    _classes(
        page, rng, lambda one: f"grid-cols-{columns}" if "grid-cols-" in one else "block" if one == "flex" else None
    )


def _text(page: BeautifulSoup, rng: random.Random) -> None:
    tag = _pick(page, rng, TEXTS)
    if tag is not None and not tag.find(BLOCKS):
        tag.string = _words(rng)


def _tail(page: BeautifulSoup, rng: random.Random) -> None:
    tag = _pick(page, rng, ["p"])
    if tag is not None and tag.string:
        words = tag.string.split()
        at = rng.randrange(len(words) + 1)
        tag.string = " ".join([*words[:at], *([] if rng.random() < 0.5 else ["really", *words[at:]])])


def _remove(page: BeautifulSoup, rng: random.Random) -> None:
    tag = _pick(page, rng, [*TEXTS, "img", "input", "section", "header", "footer", "nav"])
    if tag is not None:
        tag.decompose()


def _repeat(page: BeautifulSoup, rng: random.Random) -> None:
    tag = _pick(page, rng, [*TEXTS, "img", "input"])
    if tag is not None:
        tag.insert_after(BeautifulSoup(str(tag), "html.parser"))


def _add(page: BeautifulSoup, rng: random.Random) -> None:
    tag = _pick(page, rng, [*BLOCKS, "body"])
    if tag is not None:
        extra = rng.choice([
            "<h2>{}</h2>", "<p>{}</p>", "<a href='#'>{}</a> ", "<button class='bg-green-500 p-2'>{}</button>", "<input placeholder='{}'>",
            "<input class='border'>", "<img src='https://picsum.photos/id/48/200/100'>", "<div class='bg-red-200 p-4'>{}</div>",
            "<footer class='bg-black text-white p-8'>{}</footer>",
        ])  # fmt: skip
        tag.insert(rng.randrange(len(tag.contents) + 1), BeautifulSoup(extra.format(_words(rng)), "html.parser"))


def _order(page: BeautifulSoup, rng: random.Random) -> None:
    parents = [tag for tag in page.find_all([*BLOCKS, "body"]) if len(tag.find_all(recursive=False)) > 1]
    if parents:
        children = rng.choice(parents).find_all(recursive=False)
        one = rng.choice(children)
        other = rng.choice([child for child in children if child is not one])
        one.extract()
        rng.choice([other.insert_before, other.insert_after])(one)


CHANGES = (
    _color, _color, _size, _align, _shape, _weight, _columns, _text, _text, _tail, _remove, _repeat, _add, _order,
)  # fmt: skip
