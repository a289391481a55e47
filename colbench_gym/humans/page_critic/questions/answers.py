"""Answers to questions about the wanted page, as statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from colbench_gym.humans.page_critic.questions import facts, looks, positions
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.naming import stem_of
from colbench_gym.humans.page_critic.questions.reading import Question, asks_for_a_motif
from colbench_gym.humans.page_critic.questions.resolving import resolve
from colbench_gym.humans.page_critic.questions.survey import sequence, survey
from colbench_gym.humans.page_critic.questions.targets import ColumnsTarget, Target, subject_of
from colbench_gym.humans.page_critic.questions.verdicts import judge, judge_plan
from colbench_gym.humans.page_critic.questions.verdicts.presence import NO_TEXT, asked_noun, asks_presence
from colbench_gym.humans.page_critic.questions.verdicts.proposals import FULL_WIDTH
from colbench_gym.humans.page_critic.questions.verdicts.scrolling import scrolling
from colbench_gym.humans.page_critic.questions.vocabulary import (
    ALIGNED,
    COLOR,
    OF_THE_THING,
    SIDE_WORDS,
    TONE,
    UNSEEN,
    Concept,
    Quality,
)
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.humans.page_critic.ways import WAY_WORDS, way_before
from colbench_gym.page_language.sentences import INDIFFERENT, UNKNOWN
from colbench_gym.page_language.sentences import UNSEEN as NOT_SHOWN
from colbench_gym.page_language.statements import Statement, Subject
from colbench_gym.rendering.layout import Rect

MAX_STATEMENTS = 3  # in answer to one question
_EITHER = re.compile(r"\bor\b|\bversus\b|\bvs\b|\brather than\b|\binverse\b|\bopposed to\b")
_ARRANGED = re.compile(
    r"\bgrid\b|\bstacked\b|\bside by side\b|\bin (?:a|one) row\b|\bone column\b|\bbelow (?:each other|"
    r"one another|the other)\b|"
    r"\bhorizontal|\bvertically\b(?! (?:cent|align|in the middle))|"
    r"\bunder (?:each other|one another)\b|\bnext to each other\b"
)
_HOW_ARRANGED = re.compile(
    r"\bhow\b.*\b(?:arranged|laid out|organi[sz]ed|displayed|presented|grouped|distributed|lined up|set out)\b"
)
_ABREAST = re.compile(r"\bside by side\b|\bnext to (?:each other|one another)\b|\bper row\b|\bin (?:a|one|each) row\b")
_ON_PICTURE = re.compile(r"\bon (?:top of )?(?:the|a) (?:\w+ )?(?:picture|photo|image|background)")
_COMPARED = re.compile(
    r"\b(?:which|what|who) .*\b(?:wider|widest|broader|larger|largest|bigger|biggest|smaller|narrower|narrowest|higher|"
    r"highest|taller|tallest|one is)\b"
)
_HIGHER = re.compile(r"\b(?:higher|highest|taller|tallest)\b")
_SAYS_ABOUT = re.compile(
    r"\b(?:what|which)\b.*\b(?:say|says|said|tell|tells|told|write|written|state|stated)\b (?:\w+ )?about "
    r"(?:the |your |our )?([\w-]+)"
)
_CORNER = re.compile(r"\b(top|upper|bottom|lower)[- ](left|right)\b")
_NUMBERS = re.compile(r"\b(?:two|three|four|five|six|\d)\b")
_GROUND = re.compile(r"\bbackgrounds?\b(?! (?:picture|photo|image))|\bbehind\b")
_LETTER_COLOR = re.compile(r"\b(?:text|letter\w*|font|writing|links?)[ -]colou?r|\bcolou?r (?:of|for|"
                           r"should) (?:the )?(?:\w+ )?(?:text|letters|links?|"
                           r"font|writing)\b|\blettering\b")  # fmt: skip


def answer(question: Question, regions: Regions) -> list[Statement]:
    """Return the statements that answer one question; the first says it."""
    statements = list(dict.fromkeys(_answer(question, regions)))
    return statements[:MAX_STATEMENTS] if statements else [UNKNOWN]


def _answer(question: Question, regions: Regions) -> list[Statement]:
    if question.form == "open":
        return facts.outline(regions)
    if question.form == "proposal":
        return judge_plan(question, regions)
    if asks_for_a_motif(question):
        return [INDIFFERENT]
    targets = resolve(question, regions)
    is_unseen = UNSEEN.search(question.text) is not None
    either = _EITHER.search(question.text) is not None
    if told := scrolling(question, targets, regions):
        return told
    if surveyed := survey(question, targets, regions):
        return surveyed
    if question.form == "yesno" and not either:
        asks = asks_presence(question)
        asks = asks or asked_noun(question) is not None
        told = judge(question, targets, regions) if asks or (targets and not is_unseen) else []
        if is_unseen and not (told and told[0].verdict == "no"):
            return [NOT_SHOWN]
        noun = asked_noun(question)
        if not told and noun is not None and NO_TEXT.search(noun[0]):
            return []
        return told or (_told(question, question.quality, targets, regions) if question.quality else [])
    if is_unseen:
        return [NOT_SHOWN]
    if (
        either
        and question.quoted
        and question.quality in _SAYS
        and len({target.mention.start for target in targets}) < 2
        and (said := facts.worded_so(question, targets, regions))
    ):
        return said
    quality = question.quality or _quality_of_options(question, targets)
    if either and quality == "gap" and FULL_WIDTH.search(question.text):
        quality = "width"
    if either and targets and _ARRANGED.search(question.text):
        return facts.arrangement(targets[0], regions) or facts.count_facts(targets[0], regions)
    if either and question.form == "yesno" and quality in (None, "contents", "presence", "wording"):
        return _one_of_options(question, targets, regions)
    for each in (quality, *question.also):
        if told := _told(question, each, targets, regions):
            return told
    return facts.relevant(question, regions)


_SAYS: tuple[Quality | None, ...] = ("wording", "presence", "contents", None)


def _one_of_options(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return what is so of "a grid or a list", "two or three columns", "a logo or a name"."""
    if not targets:
        return []
    if targets[0].mention.concept == "logo" and (_WRITTEN.search(question.text) or len(targets) > 1):
        logo, brand = regions.logo, regions.brand
        if logo is not None:
            return [Statement("role", Subject("logo"), "picture")]
        named = Target(Mention("brand", "name", 0), (brand,)) if brand is not None else None
        return [*facts.absence(targets[0], regions)[:1], *(facts.wordings(named, regions) if named else [])]
    if _NUMBERS.search(question.text):
        return facts.count_facts(targets[0], regions)
    there = [t for t in targets if t.is_there and t.mention.concept not in ("hero section", "page")]
    if there and not targets[0].is_there and len(targets) > 1:
        return [*facts.absence(targets[0], regions)[:1], *positions.spot(there[0], regions)[:1]]
    if asks_presence(question) or question.quality == "wording":
        return judge(question, targets, regions)
    present = [target for target in targets if target.is_there]
    return facts.presence(present[0] if present and targets[0].is_there else targets[0], regions)[:1]


_WRITTEN = re.compile(r"\b(?:text|name|words?|written|lettering|wordmark|picture|image|icon|graphic)\b")


def _quality_of_options(question: Question, targets: Sequence[Target]) -> Quality | None:
    text = OF_THE_THING.sub(" ", question.text)
    if COLOR.search(text) or TONE.search(text):
        return "color"
    if not _EITHER.search(text):
        return None
    if FULL_WIDTH.search(text):
        return "width"
    if re.search(r"\b(?:left|right) (?:or (?:the )?(?:left|right) )?of\b", text):
        return "place"
    if any(re.search(pattern, text) for pattern in SIDE_WORDS.values()) or "justif" in text:
        return "align" if any(target.parts and target.parts[0].block for target in targets) else "place"
    if re.search(rf"\b(?:top|bottom|first|{WAY_WORDS})\b", text):
        return "place"
    return None


def _told(question: Question, quality: Quality | None, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    text = question.text
    if question.form == "wh" and _HOW_ARRANGED.search(text) and targets and targets[0].is_there:
        several = next((each for each in targets if len(each.parts) > 1), targets[0])
        if told := facts.arrangement(several, regions):
            return told
    if question.form == "wh" and _ABREAST.search(text):
        return facts.arrangements(regions) or facts.count_facts(
            Target(Mention("card", "cards", 0), boxes=regions.cards), regions
        )
    corner = _CORNER.search(text)
    named = any(target.parts for target in targets if target.mention.concept not in ("page", "text", "column"))
    if corner and question.form == "wh" and quality in ("place", "corners", "contents", None) and not named:
        return positions.in_corner(corner[1], corner[2], regions)
    if about := _SAYS_ABOUT.search(text):
        word = stem_of(about[1])
        said = [part for part in regions.view.texts if part.kind == "text" and part.block]
        telling = [part for part in said if word in part.block.text.lower()]  # type: ignore[union-attr]
        if telling and len(word) > 2:
            return facts.wordings(Target(Mention("text", "text", 0), tuple(telling[:1])), regions)
    if quality == "color":
        return _colors(question, targets, regions)
    if quality == "order" and targets and targets[0].mention.concept in ("section", "heading") and targets[0].is_there:
        return facts.wordings(targets[0], regions)
    if quality == "order" and (ordered := sequence(targets, regions)):
        return ordered
    if quality == "order" or (re.search(r"\bbetween\b", text) and len(targets) > 1 and quality != "gap"):
        return facts.outline(regions)
    if re.search(r"\bbehind\b", text) and targets and targets[0].is_there:
        return looks.grounds(targets[0], regions)
    if _COMPARED.search(text) and (told := positions.comparison(targets, regions, high=bool(_HIGHER.search(text)))):
        return told
    if not targets:
        return _without_target(question, quality, regions)
    if bare := next((target for target in targets if target.is_bare), None):
        return [Statement("bare", subject_of(bare.parts[0], regions))]
    target = _main(targets, quality)
    if quality in ("place", "align"):
        if quality == "align" and re.search(r"\bvertical|\btop\b|\bbottom\b", text):
            quality = "place"
        target, others = _pair(targets, target, text)
        relative = re.search(rf"\brelati(?:ve|on) to\b|\bcompared\b|\b(?:{WAY_WORDS})\b", text)
        if not target.is_there:
            there = [each for each in others if each.mention.concept != "page"] if _EITHER.search(text) else []
            spots = [fact for each in there[:1] for fact in positions.spot(each, regions)[:1]]
            return [*facts.presence(target, regions)[: 1 if spots else None], *spots]
        if _ON_PICTURE.search(text) and regions.behind(target.rect or Rect(0.0, 0.0, 0.0, 0.0)) is not None:
            return looks.grounds(target, regions)
        if quality == "align":
            return [fact for each in targets[:2] if each.is_there for fact in positions.alignment(each, regions)[:1]]
        return positions.places(target, positions.nearest(others[0], target) if others and relative else None, regions)
    if not target.is_there and quality != "gap":
        return _nothing(target, quality, regions)
    return _of_quality(question, quality, target, targets, regions)


def _pair(targets: Sequence[Target], target: Target, text: str) -> tuple[Target, list[Target]]:
    """Return the thing whose place is asked for, and the others: the two around "above" where there are such."""
    for index, other in enumerate(targets):
        link = way_before(text, other.mention.start)
        before = [each for each in targets[:index] if link is not None and each.mention.end <= link[1]]
        if before and before[-1].is_there and other.is_there:
            return before[-1], [other]
    return target, [other for other in targets if other is not target and other.is_there]


def _of_quality(
    question: Question, quality: Quality | None, target: Target, targets: Sequence[Target], regions: Regions
) -> list[Statement]:
    if quality == "count":
        return facts.count_facts(target, regions)
    texts = target.parts and target.parts[0].block is not None and not target.boxes
    if quality == "width" and texts and re.search(r"\b(?:text|label|letters|writing)$", target.mention.words):
        return looks.letter_sizes(target, regions)
    if quality == "width" and texts and FULL_WIDTH.search(question.text):
        return positions.widths(target, regions)
    if quality in ("width", "compare"):
        told = [
            fact
            for each in targets[:2]
            if each.is_there
            for fact in positions.sizes(each, regions, high=quality == "width")
        ]
        return told[:3]
    if quality == "height":
        return positions.sizes(target, regions, wide=False)
    if quality in ("corners", "border"):
        return looks.shapes(target, regions, quality)
    if quality == "bold":
        return looks.boldness(target, regions)
    if quality == "letters":
        return looks.letter_sizes(target, regions)
    if quality == "gap":
        others = [each for each in targets if each is not target and each.is_there]
        return positions.gaps(targets, regions) or positions.places(target, others[0] if others else None, regions)[:1]
    return _texts_or_contents(question, target, targets, regions)


def _texts_or_contents(
    question: Question, target: Target, targets: Sequence[Target], regions: Regions
) -> list[Statement]:
    concept = target.mention.concept
    sides = re.search(r"\bleft\b.*\bright\b", question.text)
    if concept in ("header", "navigation bar") and sides and target.region is not None:
        held = [regions.logo] if regions.logo else []
        told = [fact for part in held for fact in positions.spot(Target(Mention("logo", "logo", 0), (part,)), regions)]
        if regions.navigation:
            told += positions.spot(Target(Mention("navigation bar", "menu", 0), region=regions.navigation), regions)
        return told
    if concept == "navigation bar":
        links = tuple(part for part in regions.links if part.kind == "link") or regions.links
        return facts.wordings(Target(target.mention, links), regions) if links else facts.contents(target, regions)
    if concept in ("header", "footer", "sidebar", "column", "hero section", "form", "card") and (
        target.region or target.boxes or concept == "column"
    ):
        if _HEADED.search(question.text) and (head := facts.heading_of(target, regions)):
            return head
        if concept == "form":
            return facts.form_facts(regions)
        return facts.contents(target, regions)
    if concept == "page":
        return facts.outline(regions)
    if concept in ("picture", "logo", "icon"):
        captions = facts_of_captions(question, regions)
        return captions or [*facts.count_facts(target, regions), *positions.spot(target, regions)[:1]]
    if concept == "input":
        return facts.count_facts(target, regions)
    told = []
    concrete = [each for each in targets if each is target or each.mention.concept not in _GENERIC]
    for each in concrete[:2]:
        if each.parts or each is target:
            told += facts.wordings(each, regions)
    return told


_HEADED = re.compile(r"\b(?:headed|titled|entitled|called|named|heading|title)\b")
_GENERIC: tuple[Concept, ...] = ("page", "text", "caption", "label", "letters", "background", "item")


def facts_of_captions(question: Question, regions: Regions) -> list[Statement]:
    """Return the captions of pictures where a question asks how these are labelled."""
    from colbench_gym.humans.page_critic.questions.targets import captions

    if not re.search(r"\blabel|\bcaption|\bcalled|\btitled|\bnamed", question.text):
        return []
    parts = captions(regions)
    return facts.wordings(Target(Mention("caption", "captions", 0), parts), regions) if parts else []


def _nothing(target: Target, quality: Quality | None, regions: Regions) -> list[Statement]:
    if quality == "count" and target.mention.where is None:
        return facts.count_facts(target, regions)
    return facts.absence(target, regions)


def _main(targets: Sequence[Target], quality: Quality | None) -> Target:
    """Return the target that a question is about: the first, unless it is only the page or a plain text."""
    if quality == "contents" and targets[0].is_there and (targets[0].region or isinstance(targets[0], ColumnsTarget)):
        return targets[0]
    if quality in ("wording", "contents", None):
        named = [
            target
            for target in targets
            if target.mention.concept not in ("page", "text", "caption", "label", "letters")
        ]
        present = [target for target in named if target.is_there]
        return (present or named or list(targets))[0]
    concrete = [target for target in targets if target.mention.concept not in ("page", "letters", "text")]
    return (concrete or list(targets))[0]


def _colors(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    text = question.text
    letters = bool(_LETTER_COLOR.search(text))
    ground = bool(_GROUND.search(text)) and not letters
    concrete = _joined([target for target in targets if target.mention.concept != "letters"], text)
    if not concrete or (
        len(concrete) == 1 and concrete[0].mention.concept == "page" and re.search(r"\bcolou?rs\b|\bpalette\b", text)
    ):
        if letters and regions.view.texts and not concrete:
            return looks.color_facts(Target(Mention("text", "text", 0), regions.view.texts[:1]), regions)
        return looks.palette(regions, grounds=ground)
    if re.search(r"\bbehind\b", text) and concrete[0].is_there and (behind := looks.grounds(concrete[0], regions)):
        return behind
    told: list[Statement] = []
    for index, target in enumerate(concrete[:3]):
        if target.is_there:
            of_text = index > 0 and target.mention.concept in ("text", "title", "heading", "link")
            facts_of_one = looks.color_facts(target, regions, ground=ground and not of_text, letters=letters)
            told += facts_of_one[:1] if of_text else facts_of_one
    if len(concrete) == 1 and concrete[0].region is not None and _SEVERAL_COLORS.search(text) and not letters:
        told += looks.color_facts(concrete[0], regions, letters=True)[:1]
    if "wording" in _also(text) and concrete[0].parts:
        told = [*facts.wordings(concrete[0], regions)[:1], *told]
    return told or facts.presence(concrete[0], regions)


_SEVERAL_COLORS = re.compile(r"\bcolou?rs\b")


def _joined(targets: Sequence[Target], text: str) -> list[Target]:
    """Return the first target and those named beside it: "the page and the header", "the bar versus the page"."""
    if len(targets) > 1 and targets[0].mention.words.startswith("background"):
        targets = targets[1:]  # "which background for the page and the header"
    kept = list(targets[:1])
    for before, target in pairwise(targets):
        between = text[before.mention.end : target.mention.start]
        if not re.search(r"\band\b|&|\bversus\b|\bvs\b|,|\bor\b|\bas\b", between) or re.search(
            r"\b(?:holds?|contains?)\b", between
        ):
            break
        kept.append(target)
    return kept


def _also(text: str) -> tuple[str, ...]:
    return ("wording",) if re.search(r"\b(?:say|text (?:does|goes)|wording)\b", text) else ()


def without_verdict(statement: Statement) -> Statement:
    """Return a statement as it would be said without being asked yes or no."""
    return replace(statement, verdict="")


def _without_target(question: Question, quality: Quality | None, regions: Regions) -> list[Statement]:
    text = question.text
    if quality == "align" or any(re.search(pattern, text) for pattern in ALIGNED.values()):
        parts = tuple(part for part in (regions.title, regions.subtitle) if part)
        return [
            fact for part in parts for fact in positions.alignment(Target(Mention("text", "text", 0), (part,)), regions)
        ]
    if quality in ("letters", "bold") and regions.title:
        title = Target(Mention("title", "heading", 0), (regions.title,))
        return looks.letter_sizes(title, regions) if quality == "letters" else looks.boldness(title, regions)
    return []
