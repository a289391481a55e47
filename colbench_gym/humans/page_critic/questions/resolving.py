"""The targets of a question: of each thing that it names, and of those that it names by their words or their place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from colbench_gym.humans.page.view import Part
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.naming import PLAIN_WORDS, named_parts, stem_of
from colbench_gym.humans.page_critic.questions.qualified import boxed, qualified
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.targets import (
    AREAS,
    KIND_OF,
    ColumnsTarget,
    Target,
    target_of,
    texts_of_kind,
)
from colbench_gym.humans.page_critic.questions.vocabulary import COLOR, Concept
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.humans.page_critic.ways import WAY_WORDS, Way, standing, way_before
from colbench_gym.rendering.layout import Rect


def resolve(question: Question, regions: Regions) -> list[Target]:
    """Return the targets of a question; texts that it quotes or spells out come instead of their kind."""
    names = named_parts(question, regions.view)
    named = tuple(names)
    if len(names) > 1 and _WAYS.search(question.text) and question.quality in (None, "place", "align", "compare"):
        ordered = sorted(names.items(), key=lambda one: (one[1], one[0] not in regions.headings))
        ordered = [one for index, one in enumerate(ordered) if index == 0 or one[1] != ordered[index - 1][1]]
        return [Target(replace(_ANY, start=start, end=start + len(part.name)), (part,)) for part, start in ordered]
    targets = [
        target_of(mention, question, regions) for mention in _without_motifs(_placed(question, regions), question)
    ]
    targets = [qualified(_called(target, names), question, regions) for target in targets]
    related = _related(question, targets, names, regions)
    if related is not None:
        return related
    if area := _around_named(question, names, regions):
        return [area]
    below = _told_of(question, names, regions) or _in_section(question, targets, regions)
    if below:
        return [Target(Mention("text", "text", 0), below)]
    if named and targets and question.form == "yesno" and _THAN.search(question.text):
        return [*targets, *(Target(replace(_ANY, start=start), (part,)) for part, start in names.items())]
    if named and not any(set(named) & set(target.parts) for target in targets):
        concepts = {mention.concept for mention in question.mentions}
        if concepts <= {"heading", "title", "text", "label", "caption", "item", "page", "card", "section", "letters"}:
            return [Target(Mention("text", "text", 0), named)]
    return [
        replace(target, parts=tuple(part for part in target.parts if part in named) or target.parts)
        for target in targets
    ]


def _called(target: Target, names: Mapping[Part, int]) -> Target:
    """Return a target as the part whose words follow its noun: "the heading Our Mission"."""
    mention = target.mention
    if mention.concept not in _WORDED or mention.plural or mention.end == 0:
        return target
    said = [part for part, start in names.items() if 0 <= start - mention.end <= _RIGHT_AFTER]
    return replace(target, parts=(said[0],)) if said else target


_WORDED: tuple[Concept, ...] = ("heading", "title", "text", "button", "link", "section", "label")
_RIGHT_AFTER = 3  # characters: a blank, a colon, a quote


def _told_of(question: Question, names: Mapping[Part, int], regions: Regions) -> tuple[Part, ...]:
    """Return the texts under a heading that is named together with them: "the About Us paragraph"."""
    for part, start in names.items():
        rest = question.text[start + len(part.name) :]
        if part in regions.headings and _ITS_TEXT.match(rest) and question.form == "wh":
            return tuple(one for one in regions.under(part) if one.block)
    return ()


def _around_named(question: Question, names: Mapping[Part, int], regions: Regions) -> Target | None:
    """Return the box around a text that is named as an area whose look is asked for: "the 'Contact us' section"."""
    if question.quality not in ("color", "border", "corners", "width", "height") and not COLOR.search(question.text):
        return None
    for part, start in names.items():
        box = regions.view.box(part)
        if box is not None and _IS_AREA.match(question.text[start + len(part.name) :]):
            return boxed(Mention("card", "area", start), [box], regions)
    return None


_IS_AREA = re.compile(r"['\"]? ?(?:area|section|block|box|card|panel|tile|part|bar|strip)\b")


def _in_section(question: Question, targets: Sequence[Target], regions: Regions) -> tuple[Part, ...]:
    """Return what stands under a heading of which a question names some words: "the text in the mission section"."""
    section = _NAMED_SECTION.search(question.text)
    first = targets[0].mention if targets else None
    if section is None or question.form != "wh" or first is None or first.end > section.start():
        return ()
    if first.concept not in ("text", "paragraph", "subtitle", "picture", "button", "link"):
        return ()
    words = [stem_of(word) for word in section[1].split() if word not in PLAIN_WORDS]
    heads = [part for part in regions.headings if any(word in part.name.lower() for word in words if len(word) > 2)]
    under = [part for head in heads[:1] for part in regions.under(head)]
    kind = KIND_OF.get(first.concept, "text")
    return tuple(part for part in under if part.kind == kind)


_WAYS = re.compile(rf"\b(?:{WAY_WORDS})\b")
_NAMED_SECTION = re.compile(
    r"\b(?:in|of|for|from|inside|within) (?:the |my |your |our )?([\w' -]{3,30}?) (?:section|area|block|part)\b"
)
_THAN = re.compile(r"\bthan\b|\bas \w+ as\b")
_ITS_TEXT = re.compile(r"['\"]?(?:'s)? (?:text|paragraph|description|copy|body)\b")


def _related(
    question: Question, targets: Sequence[Target], names: Mapping[Part, int], regions: Regions
) -> list[Target] | None:
    """Return the targets of "the text below the picture"; None where a question names nothing by its place.

    Where a question asks how two things stand to one another, nothing is named by its place.
    """
    asks_text = _ANY_TEXT.search(question.text) is not None
    asks_way = question.form != "wh" and not _THERE.search(question.text)
    if question.quality == "place" or (question.quality == "order" and "order" in question.text):
        return None
    anchors = [(target.mention.start, target, _rects(target)) for target in targets]
    anchors += [
        (start, Target(Mention("text", "", start), (part,)), [part.rect])
        for part, start in names.items()
        if not any(part in target.parts and len(target.parts) == 1 for target in targets)
    ]
    for start, anchor, rects in sorted(anchors, key=lambda one: one[0]):
        link = way_before(question.text, start)
        if link is None or not rects:
            continue
        way, begins = link
        if way == "on" and anchor.mention.concept in ("button", "link", "input", "column", "page"):
            continue
        heads = [target for target in targets if target is not anchor and target.mention.end <= begins]
        if heads and (asks_way or (heads[-1].mention.concept in _ONE_EACH and not heads[-1].is_there)):
            return None
        if not heads and question.form != "wh":
            return None
        parts = _standing_so(heads[-1].mention if heads else None, way, rects, anchor, regions)
        found = replace(heads[-1], parts=parts, region=None, boxes=()) if heads else Target(_ANY, parts)
        if not parts and (not heads or heads[-1].mention.concept in ("text", "paragraph")):
            bare = way == "below" and len(anchor.parts) == 1 and anchor.parts[0] in regions.headings
            if bare or not heads:
                return [replace(anchor, is_bare=True)] if bare and (question.form == "wh" or asks_text) else None
        rest = [target for target in targets if target.mention.start > start and target is not anchor]
        return [*heads[:-1], found, *rest]
    return None


_ONE_EACH: tuple[Concept, ...] = (
    "logo",
    "header",
    "navigation bar",
    "sidebar",
    "footer",
    "form",
    "search field",
    "icon",
)
_ANY_TEXT = re.compile(r"\b(?:any|some|a|more) (?:\w+ )?(?:text|paragraph|description|copy|sentence)s?\b")
_ANY = Mention("text", "text", 0)


_THERE = re.compile(r"\bthere\b|\b(?:need|want|add|include|have|has|put|show|insert|like)\b")


def _rects(target: Target) -> list[Rect]:
    if isinstance(target, ColumnsTarget):
        return [area.rect for area in target.areas]
    if target.region is not None:
        return [target.region.rect]
    return [part.rect for part in target.parts] or [box.rect for box in target.boxes]


def _standing_so(
    mention: Mention | None, way: Way, rects: Sequence[Rect], anchor: Target, regions: Regions
) -> tuple[Part, ...]:
    """Return the parts of a kind that stand so to an anchor; of all kinds the nearest two texts."""
    view, concept = regions.view, mention.concept if mention else "text"
    kinds: dict[Concept, Sequence[Part]] = {
        "title": regions.headings, "heading": regions.headings, "section": regions.headings, "item": regions.headings,
        "subtitle": [part for part in view.texts if part.kind in ("text", "heading")],
        "picture": regions.pictures, "icon": regions.icons, "button": texts_of_kind(view, "button"),
        "input": regions.inputs, "search field": regions.inputs, "link": texts_of_kind(view, "link"),
    }  # fmt: skip
    among = kinds.get(concept, view.texts)
    only = anchor.parts[0] if len(anchor.parts) == 1 and anchor.parts[0] in regions.headings else None
    link = anchor.parts[0] if len(anchor.parts) == 1 and anchor.parts[0] in regions.links else None
    if link is not None and way in ("below", "above"):  # "after Packages in the menu"
        row = standing(regions.links, "right" if way == "below" else "left", link.rect)
        return row[:1] if row else ()
    if way == "below" and only is not None and among is view.texts:
        return regions.under(only)
    found = [part for rect in rects[:4] for part in standing(among, way, rect) if part not in anchor.parts]
    found = list(dict.fromkeys(found))
    if mention is not None and mention.plural:
        return tuple(found)
    if concept == "text" and mention is not None:
        found = [part for part in found if part.kind == "text"] or found
    if mention is None and way in ("below", "above"):
        return tuple(sorted(found[:2], key=lambda part: part.place))
    return tuple(found) if way == "on" else tuple(found[:1])


def _placed(question: Question, regions: Regions) -> list[Mention]:
    """Return the mentions; in "how many links does the footer contain" the links are those of the footer."""
    mentions = _in_an_area(_of_items(question), question)
    areas = [mention for mention in mentions if mention.concept in AREAS]
    if (
        question.form != "wh"
        or len(areas) != 1
        or question.quality not in ("count", "wording", "contents", "color", None)
    ):
        return list(mentions)
    area = areas[0]
    if area.concept == "navigation bar" and mentions[0].concept == "item" and regions.navigation is not None:
        return [replace(mentions[0], concept="link")]
    return [
        replace(mention, where=area.concept)
        if mention.concept in (*KIND_OF, "contact", "social") and mention.where is None and mention.start < area.start
        else mention
        for mention in mentions
    ]


def _in_an_area(mentions: list[Mention], question: Question) -> list[Mention]:
    """Return the mentions; of "where in the card is the button" the button, with its place."""
    if len(mentions) < 2 or mentions[0].concept not in (*AREAS, "card", "column") or question.quality == "order":
        return mentions
    if not _IN.search(question.text[: mentions[0].start]) or mentions[0].where is not None:
        return mentions
    area, *rest = mentions
    if re.search(r"[^\w' ]", question.text[area.end : rest[0].start]) or question.quality == "contents":
        return mentions
    return [
        replace(mention, where=area.concept, where_side=area.side) if mention.where is None else mention
        for mention in rest
    ]


_IN = re.compile(r"\b(?:in|on|inside|within) (?:the |my |your |this |each |a |every )?(?:[\w-]+ )?$")


def _of_items(question: Question) -> list[Mention]:
    """Return the mentions; the title of the first product is the product's heading."""
    kept: list[Mention] = []
    for mention in question.mentions:
        before = kept[-1] if kept else None
        if (
            before is not None
            and mention.concept == "item"
            and before.concept in ("title", "heading")
            and _OF_ITEM.fullmatch(question.text[before.end : mention.start])
        ):
            kept[-1] = replace(mention, concept="heading", start=before.start)
            continue
        if before is not None and mention.concept == "picture" and before.concept in ("title", "heading", "caption"):
            between = question.text[before.end : mention.start]
            if _OF_ITEM.fullmatch(between) and mention.side in ("first", "second", "third", "last"):
                kept[-1] = replace(mention, concept="caption", start=before.start)
                continue
        kept.append(mention)
    return kept


_OF_ITEM = re.compile(r" (?:of|for|on|in) (?:[\w'-]+ ){0,3}")


def _without_motifs(mentions: Sequence[Mention], question: Question) -> list[Mention]:
    """Return mentions without what pictures should show: "pictures of the products" are pictures."""
    kept: list[Mention] = []
    for mention in mentions:
        before = kept[-1] if kept else None
        if before is not None and before.concept == "picture" and mention.concept not in AREAS:
            between = question.text[before.end : mention.start]
            if _SHOWING.match(between):
                continue
        kept.append(mention)
    return kept


_SHOWING = re.compile(r" (?:of|showing|depicting|featuring|displaying) (?:[\w'-]+ ){0,3}$")
