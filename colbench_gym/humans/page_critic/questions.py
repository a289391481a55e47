"""What the agent asks about the wanted page, and the statements that answer it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from colbench_gym.humans.code_reader.questions import sentences, visible
from colbench_gym.humans.page_critic.appearance import around, border_words
from colbench_gym.humans.page_critic.geometry import columns, groups_of_one_look, place_of
from colbench_gym.humans.page_critic.view import Part, View
from colbench_gym.humans.refusals import is_manipulation
from colbench_gym.page_language.color_names import name_of
from colbench_gym.page_language.sentences import anchor
from colbench_gym.page_language.statements import (
    ALIGNS,
    Statement,
    Subject,
    SubjectKind,
    corner_words,
    pixel_words,
    share_words,
)

MOST_STATEMENTS = 4  # in answer to one question
MOST_QUESTIONS = 4  # of one message that are answered
_MOST_NAMED = 8  # things in one enumeration
_PAGE = re.compile(r"<(html|body)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[a-z/!][^>]*>", re.IGNORECASE)
_ASKS = re.compile(
    r"\?|^\W*(?:please |can you |could you )*(?:tell|describe|explain|specify|list|name|let me know|say)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:print|show|paste|reveal|dump|output|give|send|share|copy|quote|repeat|write|provide|tell|what)\b.*"
    r"\b(?:html|css|mark-?up|source|class(?:es| names?)?|tailwind|code|reference|prompt|instructions)\b",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"©|\bcopyright\b|\brights reserved\b|\bprivacy\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“']([^\"”']{2,80})[\"”']")


def questions(message: str) -> tuple[list[str], bool]:
    """The questions of a message without its page, and whether it tries to get at the page's code."""
    text = _TAG.sub(" ", visible(_PAGE.sub("\n", message)))
    said = sentences(text)
    tricks = {sentence for sentence in said if is_manipulation(sentence) or _CODE.search(sentence)}
    asked = [sentence for sentence in said if _ASKS.search(sentence) and sentence not in tricks]
    return asked[:MOST_QUESTIONS], bool(tricks)


def answers(asked: Iterable[str], wanted: View) -> list[Statement]:
    """The statements about the wanted page that answer questions; none of them twice."""
    found: dict[Statement, None] = {}
    for question in asked:
        for statement in _answer(question.lower(), question, wanted)[:MOST_STATEMENTS]:
            found.setdefault(statement)
    return list(found)


def _answer(lower: str, question: str, wanted: View) -> list[Statement]:
    found: list[Statement] = []
    for pattern, tell in _TOPICS:
        if re.search(pattern, lower):
            found += tell(_meant(lower, question, wanted), lower, wanted)
            break
    return found


def _meant(lower: str, question: str, wanted: View) -> list[Part]:
    """The things that a question is about: quoted ones, else those of the kind that it names."""
    quoted = {words.lower() for words in _QUOTED.findall(question)}
    named = [part for part in wanted.things if part.name and part.name.lower() in quoted]
    if named:
        return named
    kinds = [kind for pattern, kind in _KINDS if re.search(pattern, lower)]
    return [part for part in wanted.things if part.kind in kinds]


def _tell_colors(meant: list[Part], lower: str, wanted: View) -> list[Statement]:
    bars = [(Subject("header"), wanted.header), (Subject("footer"), wanted.footer)]
    named = [Statement("color", subject, name_of(bar.color)) for subject, bar in bars if bar and subject.kind in lower]
    if named:
        return named
    if meant:
        return [one for part in meant[:MOST_STATEMENTS] for one in _colors_of(part, wanted)]
    page = Statement("color", Subject("page"), name_of(wanted.layout.background))
    if re.search(r"\b(?:page|body)\b", lower) and not re.search(r"\bcolou?rs\b|\bpalette\b", lower):
        return [page]
    told = [Statement("color", subject, name_of(bar.color)) for subject, bar in bars if bar]
    first = [one for part in wanted.texts[:1] for one in _colors_of(part, wanted)]
    return [page, *told, *first]


def _colors_of(part: Part, wanted: View) -> Iterable[Statement]:
    subject = wanted.subject(part)
    if part.block is None:
        if part.element and part.kind != "picture":
            yield Statement("color", subject, name_of(part.element.color))
        return
    if part.kind == "button":
        yield Statement("color", subject, name_of(part.block.background))
        yield Statement("color", around("writing on", subject), name_of(part.block.color))
        return
    if part.block.background != wanted.layout.background:
        yield Statement("color", around("background behind", subject), name_of(part.block.background))
    yield Statement("color", subject, name_of(part.block.color))


def _enumerate(noun: str, kind: SubjectKind, wanted: View) -> list[Statement]:
    parts = [part for part in wanted.things if part.kind == kind and part.name]
    if parts:
        items = tuple(wanted.subject(part) for part in parts[:_MOST_NAMED])
        return [Statement("order", None, noun, items=tuple(Subject("quote", one.text, one.ordinal) for one in items))]
    return _count(noun, kind, wanted)


def _count(noun: str, kind: SubjectKind, wanted: View) -> list[Statement]:
    number = sum(part.kind == kind for part in wanted.things)
    words = f"no {noun}" if not number else f"{number} {noun.removesuffix('s') if number == 1 else noun}"
    return [Statement("count", None, words)]


def _tell_pictures(meant: list[Part], lower: str, wanted: View) -> list[Statement]:  # noqa: ARG001  one signature
    found = _count("pictures", "picture", wanted)
    for part in meant:
        found += _place(part, wanted)
    return found


def _place(part: Part, wanted: View) -> list[Statement]:
    place = place_of(part, wanted)
    if place.anchor is None:
        return []
    return [Statement("place", wanted.subject(part), place.relation, other=anchor(wanted.subject(place.anchor)))]


def _tell_wording(meant: list[Part], lower: str, wanted: View) -> list[Statement]:  # noqa: ARG001  one signature
    parts = [part for part in meant if part.name] or [part for part in wanted.texts if part.kind == "heading"][:1]
    return [Statement("wording", Subject(part.kind), part.name) for part in parts or wanted.texts[:1]]


def _tell_columns(meant: list[Part], lower: str, wanted: View) -> list[Statement]:  # noqa: ARG001  one signature
    found = []
    for parts in groups_of_one_look(wanted.texts):
        number = columns([part.rect for part in parts])
        if number > 1:
            items = tuple(anchor(wanted.subject(part)) for part in parts)
            found.append(Statement("columns", None, f"{number} columns", items=items))
    return found


def _tell_alignment(meant: list[Part], lower: str, wanted: View) -> list[Statement]:  # noqa: ARG001  one signature
    parts = [part for part in meant if part.block] or list(wanted.texts[:2])
    return [
        Statement("align", wanted.subject(part), ALIGNS[part.block.align]) for part in parts if part.block is not None
    ]


def _tell_shape(meant: list[Part], lower: str, wanted: View) -> list[Statement]:
    found: list[Statement] = []
    shaped = [(wanted.subject(part), part.element or wanted.button(part)) for part in meant]
    for part in wanted.texts:
        box = wanted.box(part)
        if box is not None and wanted.label(box) is part:
            shaped.append((around("box around", wanted.subject(part)), box))
    for subject, element in shaped:
        if element is not None and "border" in lower and element.kind != "picture":
            found.append(Statement("border", subject, border_words(element.border)))
        elif element is not None and "border" not in lower:
            words = corner_words(element.radius_px, element.rect.height)
            found.append(Statement("corners", subject, words))
    return found


def _tell_size(meant: list[Part], lower: str, wanted: View) -> list[Statement]:
    found: list[Statement] = []
    for part in meant:
        element = part.element or wanted.button(part)
        if element is not None and not re.search(r"\b(?:font|letters)\b", lower):
            share = element.rect.width / max(1.0, wanted.layout.width)
            found.append(Statement("width", wanted.subject(part), share_words(share)))
            found.append(Statement("height", wanted.subject(part), pixel_words(element.rect.height)))
    if not meant and re.search(r"\bpage\b", lower):
        found.append(Statement("height", Subject("page"), pixel_words(wanted.layout.height)))
    return found


def _tell_bar(meant: list[Part], lower: str, wanted: View) -> list[Statement]:  # noqa: ARG001  one signature
    """The colour of a header or footer; where no bar is set off, what stands first, and what ends the page."""
    found: list[Statement] = []
    header, footer = (Subject("header"), wanted.header), (Subject("footer"), wanted.footer)
    for (subject, bar), ends in ((header, wanted.texts[:1]), (footer, wanted.texts[-1:])):
        if subject.kind not in lower:
            continue
        if bar is not None:
            found.append(Statement("color", subject, name_of(bar.color)))
        elif subject.kind == "header" or any(part.block and _CLOSING.search(part.block.text) for part in ends):
            found += [Statement("wording", Subject(part.kind), part.name) for part in ends]
        else:
            found.append(Statement("count", None, "no footer"))
    return found


def _tell_place(meant: list[Part], lower: str, wanted: View) -> list[Statement]:  # noqa: ARG001  one signature
    return [one for part in meant for one in _place(part, wanted)]


_Tell = Callable[[list[Part], str, View], list[Statement]]
_KINDS: tuple[tuple[str, SubjectKind], ...] = (
    (r"\b(?:head(?:ing|line|er)s?|titles?)\b", "heading"),
    (r"\bbuttons?\b|\bcall[- ]to[- ]action\b|\bcta\b", "button"),
    (r"\b(?:links?|menu|nav\w*)\b", "link"),
    (r"\b(?:pictures?|images?|photos?|logo|illustrations?)\b", "picture"),
    (r"\b(?:inputs?|fields?|forms?)\b", "input"),
    (r"\b(?:texts?|paragraphs?)\b", "text"),
)
_TOPICS: tuple[tuple[str, _Tell], ...] = (
    (r"\bcolou?r|\bbackground|\bpalette|\bshade|\bdark\b|\blight\b", _tell_colors),
    (r"\bcolumns?\b|\bgrid\b|\bside by side\b|\bcards?\b", _tell_columns),
    (r"\balign|\bcent(?:er|re)", _tell_alignment),
    (r"\bcorners?\b|\bround|\bborder", _tell_shape),
    (r"\bhow (?:wide|high|tall|big|large|long)\b|\bwidth|\bheight|\bsizes?\b", _tell_size),
    (r"\bwhere\b|\bposition|\bplaced?\b", _tell_place),
    (r"\b(?:links?|menu|nav\w*)\b", lambda meant, lower, wanted: _enumerate("links", "link", wanted)),
    (
        r"\bbuttons?\b|\bcall[- ]to[- ]action\b|\bcta\b",
        lambda meant, lower, wanted: _enumerate("buttons", "button", wanted),
    ),
    (r"\b(?:inputs?|fields?|forms?)\b", lambda meant, lower, wanted: _enumerate("inputs", "input", wanted)),
    (r"\b(?:pictures?|images?|photos?|logo|illustrations?)\b", _tell_pictures),
    (
        r"\bsections?\b|\bstructure|\border\b|\bparts\b|\bheadings\b|\btitles\b",
        lambda meant, lower, wanted: _enumerate("headings", "heading", wanted),
    ),
    (r"\bsays?\b|\bwording|\breads?\b|\btexts?\b|\bhead(?:ing|line)\b|\btitle\b|\bwritten\b|\bcontent", _tell_wording),
    (r"\bheader\b|\bfooter\b", _tell_bar),
)
