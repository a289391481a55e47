"""Statements about what the wanted page holds: counts, names, texts, contents and the outline."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colbench_gym.humans.page.appearance import around
from colbench_gym.humans.page.geometry import columns, in_a_row
from colbench_gym.humans.page.view import Part
from colbench_gym.humans.page_critic.columns import inside
from colbench_gym.humans.page_critic.questions.looks import TALL
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.naming import PLAIN_WORDS, stem_of
from colbench_gym.humans.page_critic.questions.positions import spot, spot_side
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.targets import ColumnsTarget, Target, area_of, paragraphs, subject_of
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.humans.page_critic.ways import standing_near
from colbench_gym.page_language.sentences import UNSEEN as NOT_SHOWN
from colbench_gym.page_language.statements import (
    MORE,
    READ_OUT_CHARS,
    READ_OUT_WORDS,
    Statement,
    Subject,
    quote,
)
from colbench_gym.page_language.subjects import anchor
from colbench_gym.rendering.layout import Rect

MAX_NAMED = 6  # things in one enumeration
MAX_LISTED = 10  # of one kind, where they are all asked for
_NOUNS = {
    "title": "heading", "subtitle": "text", "section": "heading", "caption": "text", "item": "card",
    "copyright": "text", "hero section": "heading", "label": "text", "letters": "text", "contact": "text",
    "background": "picture", "brand": "text",
}  # fmt: skip


def count_facts(target: Target, regions: Regions) -> list[Statement]:
    """Return how many there are, with their names where these are few and short."""
    noun = _NOUNS.get(target.mention.concept, target.mention.concept)
    if target.mention.concept == "item":
        number, word = number_of_cards(regions), target.mention.words.split()[-1]
        if number == 0:
            pieces = [part for part in target.parts if part in regions.headings and not _SECTION.search(part.name)]
            if pieces and pieces != [regions.title]:
                return wordings(Target(Mention("heading", "headings", 0), tuple(pieces)), regions)
            if 1 < len(target.parts) <= MAX_LISTED and all(part.kind == "text" for part in target.parts):
                items = tuple(anchor(regions.view.subject(part)) for part in target.parts)
                return [Statement("order", None, "texts", items=items)]
            if {part.kind for part in target.parts} == {"picture"}:
                return [_counted("picture", sum(part.kind == "picture" for part in regions.view.things), ())]
            return [Statement("count", None, "none") if target.parts else Statement("mention", None, word)]
        return [_counted("card", number, ())]
    if isinstance(target, ColumnsTarget):
        grouped = [said for said in arrangements(regions) if said.wanted == f"{len(target.areas)} columns"]
        return grouped[:1] or [_counted("column", max(1, len(target.areas)), ())]
    if target.mention.concept == "card":
        number = number_of_cards(regions)
        return [_counted("card", number, ())]
    if target.region is not None:
        return (
            [Statement("count", None, f"a {target.region.kind}")]
            if target.region.kind in _AREAS
            else contents(target, regions)
        )
    named = [part for part in target.parts if part.name and part.kind != "picture"]
    items = (
        tuple(anchor(regions.view.subject(part)) for part in named)
        if len(named) == len(target.parts) <= MAX_NAMED
        else ()
    )
    if noun == "paragraph":
        number = len(paragraphs(regions.view))
        return [_counted(noun, number, ())] if len(target.parts) == number else wordings(target, regions)
    kinds = {part.kind for part in target.parts}
    if len(kinds) == 1 and noun in _TEXTUAL:
        noun = next(iter(kinds))
    counted = _counted(noun, len(target.parts), items)
    return [counted] if _is_all(target, regions) else _partly(target, counted, regions)


_TEXTUAL = ("text", "heading")


def _is_all(target: Target, regions: Regions) -> bool:
    """Return whether the things of a target are all of their kind on the page."""
    kinds = {part.kind for part in target.parts}
    if not target.parts or target.mention.concept in ("icon", "logo", "search field"):
        return True
    return len(kinds) == 1 and len(target.parts) == sum(part.kind in kinds for part in regions.view.things)


def _partly(target: Target, counted: Statement, regions: Regions) -> list[Statement]:
    """Return how many an area holds, or else which they are: "there should be" is said of the whole page."""
    areas = [regions.navigation, regions.footer, regions.header, regions.sidebar]
    for area in areas:
        vague = area is None or (area.box is None and area.kind == "header")
        if area is not None and not vague and all(inside(part.rect, area.rect) for part in target.parts):
            noun = counted.wanted.split(" ", 1)[1].removesuffix("s")
            same = [part for part in regions.held(area.rect) if part.kind == noun]
            if len(same) == len(target.parts):
                return [Statement("tally", Subject(area.kind), counted.wanted, items=counted.items)]
    if target.parts[0].block is None:
        return spot(target, regions)
    if len({part.kind for part in target.parts}) > 1 and len(target.parts) > 1:
        items = tuple(anchor(regions.view.subject(part)) for part in target.parts[:MAX_NAMED])
        return [Statement("order", None, "texts", items=items)]
    return wordings(target, regions)


_SECTION = re.compile(r"s$")  # ends a heading that names a section of several things, not one of them


def number_of_cards(regions: Regions) -> int:
    """Return how many cards there are: boxes with texts, or else groups of texts side by side."""
    upright = [area.box for area in regions.columns]
    cards = [
        box for box in regions.cards if not (box in upright and box.rect.height > TALL * regions.view.layout.height)
    ]
    if cards or regions.cards:
        return len(cards)
    heads = [
        group
        for group in regions.groups
        if group[0].kind == "heading" and all(regions.under(part) for part in group if part.kind == "heading")
    ]
    return max((_in_rows([part.rect for part in group]) for group in heads), default=0)


def _in_rows(rects: Sequence[Rect]) -> int:
    """Return how many of some things stand beside another one of them."""
    return sum(any(in_a_row(rect, other) for other in rects if other is not rect) for rect in rects)


def _counted(noun: str, number: int, items: tuple[Subject, ...]) -> Statement:
    words = f"no {noun}s" if number == 0 else f"{number} {noun}{'s' * (number > 1)}"
    return Statement("count", None, words, items=items if number else ())


def absence(target: Target, regions: Regions) -> list[Statement]:
    """Return that the page has nothing of a kind; where only a part of the page lacks it, what that part holds."""
    mention = target.mention
    if mention.concept == "column":
        return contents(target, regions) if mention.side in ("left", "right") else count_facts(target, regions)
    if mention.concept == "form" and regions.form is not None:
        return [Statement("mention", None, "newsletter")]
    if mention.concept == "brand":
        return wordings(Target(mention, (regions.brand,)), regions) if regions.brand is not None else [NOT_SHOWN]
    if mention.concept == "logo" and regions.logo is not None:
        return spot(Target(mention, (regions.logo,)), regions)
    if mention.concept in ("social", "copyright", "contact", "item", "price"):
        words = re.sub(r"[^a-z -]", "", mention.words)
        words = words.split()[-1] if mention.concept == "item" else words
        said = any(words in part.block.text.lower() for part in regions.view.texts if part.block)
        if said and mention.concept == "social" and not regions.icons:
            return [Statement("count", None, "no icons")]  # words alone
        return [] if said else [Statement("mention", None, words)]
    small = {"search field": [part for part in regions.inputs if "search" in part.name.lower()], "icon": regions.icons}
    if mention.where is not None and (others := small.get(mention.concept)):
        return spot(Target(mention, tuple(others)), regions)
    noun = _NOUNS.get(mention.concept, mention.concept)
    elsewhere = tuple(part for part in regions.view.things if part.kind == noun)
    if noun == "paragraph":
        elsewhere = paragraphs(regions.view)
    if not elsewhere:
        return [Statement("count", None, f"no {noun}s" if noun in _SEVERAL else f"no {noun}")]
    if mention.where is not None and (area := area_of(mention.where, regions)) is not None:
        return contents(Target(mention, region=area), regions)
    if mention.where in _AREAS:
        return [Statement("count", None, f"no {mention.where}")]
    return count_facts(Target(Mention(mention.concept, mention.words, 0), elsewhere), regions)


_AREAS = ("header", "navigation bar", "sidebar", "footer", "form")


_SEVERAL = ("picture", "icon", "button", "link", "input", "card", "heading", "column", "text", "paragraph")


_MAX_BUT = 4  # things that "none but these" names


def none_but(target: Target, regions: Regions) -> list[Statement]:
    """Return that there is none of a kind but those few that are no such thing; nothing where these are many."""
    noun = _NOUNS.get(target.mention.concept, target.mention.concept)
    noun = "heading" if noun == "section" else noun
    others = [part for part in regions.view.things if part.kind == noun]
    if not 0 < len(others) <= _MAX_BUT or noun not in ("picture", "button", "link", "heading") or target.mention.where:
        return []
    if any(not part.name for part in others) and noun != "picture":
        return []
    return [Statement("only", None, noun, items=tuple(anchor(subject_of(part, regions)) for part in others))]


def presence(target: Target, regions: Regions) -> list[Statement]:
    """Return that the page has a thing, or that it has none of its kind."""
    concept = target.mention.concept
    if not target.is_there:
        return absence(target, regions)
    if isinstance(target, ColumnsTarget):
        return count_facts(target, regions)
    vague = target.region is not None and target.region.box is None and target.region.kind == "header"
    if target.region is not None and (vague or target.region.kind not in _AREAS):
        return contents(target, regions)
    if target.region is not None:
        return [Statement("count", None, f"a {target.region.kind}")]
    if concept in (
        "title",
        "heading",
        "subtitle",
        "text",
        "copyright",
        "contact",
        "item",
        "section",
        "social",
        "brand",
    ):
        return wordings(target, regions)[:1]
    if concept in ("logo", "search field"):
        return [Statement("count", None, f"a {concept}")]
    return count_facts(target, regions)


def wordings(target: Target, regions: Regions) -> list[Statement]:
    """Return what texts say; several of one kind are enumerated."""
    parts = [part for part in target.parts if part.block or (part.kind == "input" and part.name)]
    if target.region is not None and not parts:
        parts = [part for part in regions.held(target.region.rect) if part.block]
    kinds = {part.kind for part in parts}
    if len(parts) > 1 and len(kinds) == 1 and kinds <= {"link", "button", "heading", "input"}:
        items = tuple(anchor(regions.view.subject(part)) for part in parts[:MAX_LISTED])
        return [Statement("order", None, f"{parts[0].kind}s", items=items)]
    if len(parts) > 2 and kinds == {"text"} and not any(part.name.endswith(MORE) for part in parts):
        items = tuple(anchor(regions.view.subject(part)) for part in parts[:MAX_LISTED])
        return [Statement("order", None, "texts", items=items)]
    heading = parts[0] if len(parts) == 1 and parts[0] in regions.headings else None
    if target.mention.concept == "item" and heading is not None:
        below = regions.under(heading)
        if len(below) > 1:
            items = tuple(anchor(regions.view.subject(part)) for part in below[:MAX_LISTED])
            return [Statement("order", None, "texts", items=items)]
        parts += below
    room = 1 if len(parts) == 1 else 3
    return [Statement("wording", Subject(part.kind), _read_out(part, len(parts[:room]))) for part in parts[:room]]


def _read_out(part: Part, many: int) -> str:
    text = part.block.text if part.block else part.name
    return quote(text, READ_OUT_WORDS // many, READ_OUT_CHARS // many) if many < 3 else part.name


def contents(target: Target, regions: Regions) -> list[Statement]:
    """Return what an area holds: its headings first."""
    if target.mention.concept == "column" and target.mention.side in ("left", "right") and not target.is_there:
        at_side = [part for part in regions.view.things if spot_side(part, regions) == f"on the {target.mention.side}"]
        spots = [fact for part in at_side[:3] for fact in spot(Target(_ANY, (part,)), regions)]
        return spots or outline(regions)
    areas = list(target.areas) if isinstance(target, ColumnsTarget) else [target.region] if target.region else []
    facts: list[Statement] = []
    if target.boxes and target.parts:
        inner = [part for part in regions.held(target.boxes[0].rect) if part.name or part.kind == "picture"]
        subject = around("box around", regions.view.subject(target.parts[0]))
        return [Statement("holds", subject, items=tuple(_item(part, regions) for part in inner[:MAX_NAMED]))]
    room = MAX_NAMED if len(areas) < 2 else 3
    if not areas and target.mention.concept == "column":
        return outline(regions)
    for area in areas[:3]:
        if area.kind == "quote":
            continue
        held = regions.held(area.rect)
        if not held:
            facts.append(Statement("empty", Subject(area.kind)))
            continue
        chosen = sorted(sorted(held, key=lambda part: _RANK.get(part.kind, 5))[:room], key=lambda part: part.place)
        facts.append(Statement("holds", Subject(area.kind), items=tuple(_item(part, regions) for part in chosen)))
    return facts


_ANY = Mention("text", "text", 0)
_RANK = {"heading": 0, "picture": 1, "input": 1, "text": 2, "button": 2, "link": 3}


def _item(part: Part, regions: Regions) -> Subject:
    return anchor(subject_of(part, regions))


_FEW = 3  # parts: an outline of fewer names texts too


def outline(regions: Regions) -> list[Statement]:
    """Return the page's parts from top to bottom: bars, headings and large pictures."""
    items: list[tuple[float, Subject]] = []
    for area in (regions.header, regions.sidebar, regions.footer):
        if area is not None and area.box is not None:
            items.append((area.rect.y, Subject(area.kind)))
    bars = [area.rect for area in (regions.header, regions.footer) if area and area.box]
    for part in regions.view.things:
        free = not any(bar.y <= part.rect.y and part.rect.y + part.rect.height <= bar.y + bar.height for bar in bars)
        if free and (part.kind == "heading" or (part.kind == "picture" and part is not regions.logo)):
            items.append((part.rect.y, anchor(regions.view.subject(part))))
    if regions.form is not None:
        items.append((regions.form.rect.y, Subject("form")))
    if len(items) < _FEW:
        texts = [part for part in regions.view.texts if part.kind == "text"]
        items += [(part.rect.y, anchor(regions.view.subject(part))) for part in texts[:_FEW]]
    ordered = [subject for _, subject in sorted(items, key=lambda item: item[0])]
    if len(ordered) > MAX_NAMED:
        ordered = [*ordered[: MAX_NAMED - 1], ordered[-1]]
    return [Statement("outline", None, items=tuple(ordered))] if ordered else [Statement("empty", Subject("page"))]


def heading_of(target: Target, regions: Regions) -> list[Statement]:
    """Return what the heading in an area says, or the nearest one above it."""
    rect = target.rect
    if rect is None:
        return []
    held = [part for part in regions.headings if inside(part.rect, rect)]
    over = [part for part in regions.headings if part.rect.y + part.rect.height <= rect.y + 2]
    heads = held[:1] or sorted(over, key=lambda part: -part.rect.y)[:1]
    return wordings(Target(Mention("heading", "heading", 0), tuple(heads)), regions) if heads else []


def form_facts(regions: Regions) -> list[Statement]:
    """Return the inputs of the form and what its button says."""
    told = count_facts(Target(Mention("input", "inputs", 0), regions.inputs), regions)
    buttons = [part for part in regions.view.texts if part.kind == "button"]
    near = standing_near(buttons, regions.form.rect) if regions.form is not None else ()
    return [*told, *wordings(Target(Mention("button", "button", 0), near[:1]), regions)]


def arrangement(target: Target, regions: Regions) -> list[Statement]:
    """Return in how many columns some like things stand."""
    parts = [part for part in target.parts if part.block][:MAX_NAMED]
    if target.region is not None:
        parts = [part for part in regions.held(target.region.rect) if part.kind == "link"][:MAX_NAMED]
    if len(parts) < 2 and target.mention.concept in ("navigation bar", "link"):
        return spot(target, regions) if target.is_there else absence(target, regions)
    if len(parts) < 2:
        parts = max(regions.groups, key=len, default=[])[:MAX_NAMED]
    if len(parts) < 2:
        return []
    number = columns([part.rect for part in parts])
    items = tuple(anchor(regions.view.subject(part)) for part in parts)
    return [Statement("columns", None, f"{number} column{'s' * (number > 1)}", items=items)]


def arrangements(regions: Regions) -> list[Statement]:
    """Return the like texts that stand side by side, and in how many columns."""
    told = []
    for group in regions.groups:
        number = columns([part.rect for part in group])
        if number > 1:
            items = tuple(anchor(regions.view.subject(part)) for part in group[:MAX_NAMED])
            told.append(
                Statement("columns", None, f"{columns([part.rect for part in group[:MAX_NAMED]])} columns", items=items)
            )
    return told


def relevant(question: Question, regions: Regions) -> list[Statement]:
    """Return the texts that have most of a question's own words; nothing where none has any."""
    if question.form != "wh" or question.quality not in ("wording", "contents"):
        return []
    words = {stem_of(word) for word in _OWN_WORD.findall(question.text) if word not in PLAIN_WORDS}
    shared = {part: sum(word in part.name.lower() for word in words) for part in regions.view.texts}
    most = max(shared.values(), default=0)
    best = tuple(part for part, many in shared.items() if many == most)[:1] if most else ()
    return wordings(Target(Mention("item", "text", 0), best), regions) if best else []


_OWN_WORD = re.compile(r"\b[a-z]{5,}\b")


def worded_so(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return what a text says where a question offers its words: "'Donate' or 'Donate now' on the button"."""
    quoted = {words.lower().strip(" .,!?") for words in question.quoted}
    parts = tuple(part for target in targets for part in target.parts if part.block)
    said = tuple(part for part in parts or regions.view.texts if part.name.lower() in quoted)
    texts = said or tuple(part for part in regions.view.texts if part.name.lower() in quoted) or parts
    return wordings(Target(Mention("text", "text", 0), texts[:1]), regions) if texts else []
