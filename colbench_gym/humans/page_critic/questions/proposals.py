"""Yes/no questions about the wanted page: a verdict and the statement that is its reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from colbench_gym.humans.page_critic.columns import inside
from colbench_gym.humans.page_critic.questions import facts, looks, positions
from colbench_gym.humans.page_critic.questions.meant_colors import is_like, proposed_colors
from colbench_gym.humans.page_critic.questions.reading import Mention, Question, read_mentions
from colbench_gym.humans.page_critic.questions.targets import ColumnsTarget, Target, resolve
from colbench_gym.humans.page_critic.questions.vocabulary import (
    ALIGNED,
    NUMBERS,
    ROW_WORDS,
    SIDE_WORDS,
    TONE,
    UNSEEN,
)
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.page_language.color_names import oklab, rgb_of
from colbench_gym.page_language.sentences import AGREED
from colbench_gym.page_language.statements import SHARES, SIDES, Statement, Subject, Verdict

_EQUAL_WIDTH_PX = 24.0  # columns that differ by less look equally wide
_DARK, _LIGHT = 0.55, 0.72  # lightness in OKLab: what is called dark at most, and light at least
_FULL, _LARGE = 0.9, 0.5  # of the page's width: what "full-width" and "large" ask for at least
_NUMBER = re.compile(
    rf"\b(\d{{1,2}}|{'|'.join(word for word in NUMBERS if word not in ('no', 'one', 'single'))})\b[\w -]{{0,24}}$"
)
_FULL_WIDTH = re.compile(
    r"\bfull[- ](?:width|bleed|screen)\b|\bedge to edge\b|\bspan\w*\b|\bentire width\b|\bwhole width\b"
)
_HALF = re.compile(r"\bhalf\b|\bthird\b|\bquarter\b")
_CONTAINS = re.compile(r"\b(?:contain|include|hold|have|has|feature|come with|show|display|list|with)\w*\b")
_WITH_LETTERS = re.compile(r"\b(?:with|and) (?:\w+ ){0,2}(?:text|letters|lettering|writing|font)\b")
_NEGATED = re.compile(r"\b(?:no|not|without|never|n't|isn't|shouldn't)\b")
_STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "and",
        "or",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "with",
        "as",
        "is",
        "are",
        "be",
        "it",
        "its",
        "this",
        "that",
        "there",
        "should",
        "do",
        "does",
        "you",
        "want",
        "need",
        "have",
        "your",
        "my",
        "described",
        "such",
        "each",
        "any",
        "some",
        "all",
        "would",
        "like",
        "include",
        "contain",
        "show",
        "display",
        "also",
        "other",
        "described",
        "mentioned",
        "kind",
        "page",
        "whole",
        "please",
        "section",
    ]
)


def judge(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return the verdict on what a question proposes; nothing where it cannot be told."""
    for decide in (_of_color, _of_count, _of_width, _of_wording, _of_shape, _of_place, _of_contents, _of_presence):
        statements = decide(question, targets, regions)
        if statements:
            return statements
    return []


def judge_plan(question: Question, regions: Regions) -> list[Statement]:
    """Return the first thing of a plan that is not so on the wanted page, or that it matches."""
    pieces = re.split(r"[,:;.]| and | with | followed by | then ", question.original)
    verified, open_pieces = False, False
    for piece in pieces:
        lower = piece.lower()
        single = Question(lower, "proposal", None, read_mentions(lower), (), piece)
        if not single.mentions or UNSEEN.search(lower):
            continue
        statements = judge(single, resolve(single, regions), regions)
        if statements and statements[0].verdict == "no":
            return statements
        verified = verified or bool(statements)
        open_pieces = open_pieces or not statements or bool(_RELATIVE.search(lower))
    return [AGREED] if verified and not open_pieces else facts.outline(regions)


_RELATIVE = re.compile(r"\b(?:below|above|under|beneath|next to|beside|between|behind)\b")


def with_verdict(statements: Sequence[Statement], yes: bool) -> list[Statement]:
    """Return statements of which the first carries the verdict."""
    verdict: Verdict = "yes" if yes else "no"
    return [replace(statement, verdict=verdict if index == 0 else "") for index, statement in enumerate(statements)]


def _color_of(target: Target, question: Question, regions: Regions) -> list[Statement]:
    text = question.text
    return looks.color_facts(
        target,
        regions,
        ground="background" in text,
        letters=bool(re.search(r"\b(?:text|letter\w*|font|writing|links?) ?colou?r|\bletter|\bfont", text)),
    )


def _of_color(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    present = [target for target in targets if target.is_there]
    if not targets or not targets[0].is_there:
        return []
    text = question.text
    if targets[0].mention.concept not in ("text", "letters", "title", "heading", "link"):
        text = _WITH_LETTERS.sub(" ", text)  # "dark with white text": the bar is meant to be dark
    colors, tone = proposed_colors(text), TONE.search(text)
    if len(present) > 1 and re.search(r"\bsame (?:background )?colou?r\b", question.text):
        both = [
            fact for target in present[:2] for fact in _color_of(target, question, regions)[:1] if fact.kind == "color"
        ]
        return with_verdict(both, len({fact.wanted for fact in both}) == 1) if len(both) == 2 else []
    if not present or not (colors or (tone and question.quality in ("color", None))):
        return []
    stated = [fact for fact in _color_of(present[0], question, regions) if fact.kind in ("color", "face")][:1]
    if not stated:
        return []
    name = stated[0].wanted.split(" with ")[0]
    if colors:
        return with_verdict(stated, any(is_like(name, *color) for color in colors))
    lightness = oklab(rgb_of(name))[0]
    return with_verdict(stated, lightness < _DARK if tone is not None and tone[1] == "dark" else lightness > _LIGHT)


def _of_count(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    for target in targets:
        before = question.text[: target.mention.start]
        number = _NUMBER.search(before)
        only = re.search(r"\b(?:one|single)\b[\w -]{0,12}$", before) and re.search(
            r"\b(?:only|just|single)\b", question.text
        )
        if (number is None and not only) or not (target.mention.plural or only or target.mention.concept == "column"):
            continue
        if question.quality == "compare":
            continue
        wanted = 1 if number is None else int(number[1]) if number[1].isdigit() else NUMBERS[number[1]]
        counted = facts.count_facts(target, regions)
        words = counted[0].wanted.split()[0] if counted and counted[0].wanted else ""
        actual = 0 if words in ("no", "none") else 1 if words == "a" else int(words) if words.isdigit() else None
        if actual is None:
            continue
        if actual != wanted or question.form == "yesno":
            return with_verdict(counted, actual == wanted)
    return []


def _of_width(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    present = [target for target in targets if target.is_there]
    if question.quality == "compare":
        rects = [area.rect for target in present if isinstance(target, ColumnsTarget) for area in target.areas]
        stated = [fact for target in present for fact in positions.sizes(target, regions, high=False)]
        if len(rects) < 2:
            rects = [target.rect for target in present[:2] if target.rect]
        if len(rects) < 2 and present and len(present[0].parts) > 1:
            rects, several = [part.rect for part in present[0].parts], present[0].parts[:2]
            stated = [
                fact
                for part in several
                for fact in positions.sizes(replace(present[0], parts=(part,)), regions, high=False)
            ]
        if len(rects) < 2 or not stated:
            return []
        widths = [rect.width for rect in rects]
        return with_verdict(stated[:2], max(widths) - min(widths) <= _EQUAL_WIDTH_PX)
    if not (_FULL_WIDTH.search(question.text) or _HALF.search(question.text)) or not present:
        return []
    stated = positions.sizes(present[0], regions, high=False)[:1]
    if not stated or stated[0].kind != "width":
        return []
    share = SHARES[stated[0].wanted]
    if _FULL_WIDTH.search(question.text):
        return with_verdict(stated, share >= _FULL)
    named = {"half": 0.5, "third": 1 / 3, "quarter": 0.25}
    said = next(value for word, value in named.items() if word in question.text)
    said *= 2 if "two thirds" in question.text else 3 if "three quarters" in question.text else 1
    return with_verdict(stated, abs(share - said) < 0.06)


def _of_wording(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    if not question.quoted or question.quality not in ("wording", "presence", None, "contents"):
        return []
    said = {" ".join(words.lower().split()).strip(" .,") for words in question.quoted}
    texts = [part for target in targets for part in target.parts if part.block]
    stated = [fact for target in targets for fact in facts.wordings(target, regions) if fact.kind == "wording"]
    if not texts:
        held = [part for part in regions.view.texts if part.name.lower() in said]
        return with_verdict([Statement("wording", Subject(held[0].kind), held[0].name)], True) if held else []
    yes = any(part.block and " ".join(part.block.text.lower().split()).strip(" .,") in said for part in texts[:3])
    return with_verdict(stated[:1], yes) if stated else []


def _of_shape(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    present = [target for target in targets if target.is_there]
    if question.quality not in ("corners", "border", "bold", "letters") or not present:
        return []
    text, negated = question.text, bool(_NEGATED.search(question.text))
    if question.quality == "bold":
        stated = looks.boldness(present[0], regions)[:1]
        heavy = bool(re.search(r"\bbold\b|\bheavy\b", text)) != negated
        return with_verdict(stated, (stated[0].wanted == "bold") == heavy) if stated else []
    if question.quality == "letters":
        stated = looks.letter_sizes(present[0], regions)[:1]
        large = bool(re.search(r"\blarge|\bbig", text))
        return with_verdict(stated, ("large" in stated[0].wanted) == large) if stated else []
    stated = looks.shapes(present[0], regions, question.quality)[:1]
    if not stated:
        return []
    if question.quality == "border":
        return with_verdict(stated, (stated[0].wanted != "no border") != negated)
    square = bool(re.search(r"\bsquare|\bsharp", text)) != negated
    return with_verdict(stated, (stated[0].wanted == "square") == square)


def _of_place(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    present = [target for target in targets if target.is_there and target.mention.concept != "page"]
    absent = [target for target in targets if not target.is_there]
    sides = [side for side, pattern in SIDE_WORDS.items() if re.search(pattern, question.text)]
    rows = [row for row, pattern in ROW_WORDS.items() if re.search(pattern, question.text)]
    justified = "justif" in question.text
    if absent or not present or not (sides or rows or justified) or any(target.mention.side for target in targets):
        return []
    stated = (
        positions.alignment(present[0], regions) if question.quality == "align" else positions.spot(present[0], regions)
    )
    if not stated:
        return []
    actual = stated[0].wanted
    if stated[0].kind == "align":
        wanted = [words for words, pattern in ALIGNED.items() if re.search(pattern, question.text)]
        return with_verdict(stated[:1], actual in wanted)
    fits = (not sides or any(side in actual for side in sides) or not any(side in actual for side in SIDES)) and (
        not rows or any(row in actual for row in rows)
    )
    return with_verdict(stated[:1], fits and not justified)


def _of_contents(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge whether an area holds what is named after it: "Does the footer contain …?"."""
    holder = next((t for t in targets if t.mention.concept in _HOLDERS), None)
    if holder is None or not holder.is_there or holder is not targets[0]:
        return []
    verb = _CONTAINS.search(question.text, holder.mention.start)
    if verb is None:
        return []
    rects = (
        [area.rect for area in holder.areas]
        if isinstance(holder, ColumnsTarget)
        else [box.rect for box in holder.boxes]
    )
    rects = rects or ([holder.region.rect] if holder.region else [])
    stated = facts.contents(holder, regions)
    if not stated or not rects:
        return []
    others = [target for target in targets[1:] if target.mention.concept not in ("page", "text")]
    lost = [t for t in others if not _any_inside(t, rects)]
    if others and lost:
        return with_verdict(stated[:1], False)
    words = _content_words(question.text[verb.end() :], targets)
    if {"name", "company", "business", "brand"} & set(words):
        return stated[:1]
    held = " ".join(part.block.text.lower() for rect in rects for part in regions.held(rect) if part.block)
    if words:
        return with_verdict(stated[:1], all(_stem(word) in held for word in words))
    return with_verdict(stated[:1], True) if others else []


_HOLDERS = ("footer", "header", "sidebar", "column", "card", "navigation bar", "hero section", "form")


def _any_inside(target: Target, rects: Iterable[object]) -> bool:
    areas = [part.rect for part in target.parts] + ([target.region.rect] if target.region else [])
    return any(inside(area, rect) for area in areas for rect in rects)  # type: ignore[arg-type]


def _content_words(text: str, others: Sequence[Target]) -> list[str]:
    known = " ".join(f"{target.mention.words} {target.mention.concept}" for target in others)
    words = re.findall(r"[a-z]{4,}", text)
    return [word for word in words if word not in _STOP and word not in known]


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|ed|ing)$", "", word)


_LOOKS = (
    "compare",
    "gap",
    "color",
    "align",
    "place",
    "width",
    "height",
    "corners",
    "border",
    "bold",
    "letters",
    "order",
)
_IN_THE = re.compile(r"\b(?:in|on|at|inside|within|into) (?:the |my |your |its )?(?:\w+ )?$")


def _of_presence(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    concrete = [target for target in targets if target.mention.concept != "page"]
    if not concrete:
        return []
    is_there = all(target.is_there for target in concrete)
    if (is_there and question.quality in _LOOKS) or re.search(r"\b(?:some|any)thing\b", question.text):
        return []
    first = concrete[0]
    if is_there and first.mention.concept in _HOLDERS and _IN_THE.search(question.text[: first.mention.start]):
        return facts.contents(first, regions)[:1]  # "is the name in the header": whoever asks can see for himself
    negated = bool(re.search(r"\bno\b|\bwithout\b|\bleave out\b|\bomit\b", question.text))
    lost = next((target for target in concrete if not target.is_there), None)
    if lost is not None:
        return with_verdict(_why_not(lost, regions), negated)[:1]
    if question.form == "yesno" and not asks_presence(question):
        return []
    return with_verdict(facts.presence(concrete[0], regions)[:1], not negated)


def _why_not(target: Target, regions: Regions) -> list[Statement]:
    """Return that there is none; where a page has smaller or other pictures, what these are."""
    if target.mention.concept == "picture" and regions.pictures:
        only = regions.pictures[0]
        if len(regions.pictures) == 1:
            return positions.sizes(Target(Mention("picture", "picture", 0), (only,)), regions, high=False)
        return facts.count_facts(Target(Mention("picture", "pictures", 0), regions.pictures), regions)
    return facts.absence(target, regions)


_PRESENCE_VERBS = re.compile(
    r"\b(?:there (?:be )?(?:an?|any|no|some)?|include|add|need|want|have|has|put|use|build|create|show|insert|"
    r"contain|like|feature|come with|"
    r"stand|sit|belong|part of|supposed to|expect|required?|necessary|listed|shown|displayed|appear|present|"
    r"visible|mention)\b"
)


def asks_presence(question: Question) -> bool:
    """Return whether a yes/no question asks if something is there."""
    return bool(_PRESENCE_VERBS.search(question.text)) or question.quality == "presence"
