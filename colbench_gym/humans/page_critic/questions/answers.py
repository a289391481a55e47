"""Answers to questions about the wanted page, as statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from colbench_gym.humans.page_critic.questions import facts
from colbench_gym.humans.page_critic.questions.proposals import asks_presence, judge, judge_plan, with_verdict
from colbench_gym.humans.page_critic.questions.reading import Mention, Question
from colbench_gym.humans.page_critic.questions.targets import Target, resolve
from colbench_gym.humans.page_critic.questions.vocabulary import (
    ALIGNED,
    COLOR,
    DEPICTED,
    SIDE_WORDS,
    TONE,
    UNSEEN,
    Quality,
)
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.page_language.sentences import ENOUGH, INDIFFERENT, TOPICS, UNKNOWN, UNSEEN as NOT_SHOWN
from colbench_gym.page_language.statements import Statement

MAX_STATEMENTS = 3  # in answer to one question
_EITHER = re.compile(r"\bor\b|\bversus\b|\bvs\b|\brather than\b|\binverse\b|\bopposed to\b")
_PICTURE_WORDS = re.compile(r"\b(?:pictures?|images?|photos?|photographs?|illustrations?|background|backdrop|graphics?|logo)\b")
_LETTER_COLOR = re.compile(r"\b(?:text|letter\w*|font|writing|links?)[ -]colou?r|\bcolou?r (?:of|for|should) (?:the )?(?:\w+ )?(?:text|letters|links?|"
                           r"font|writing)\b|\blettering\b")  # fmt: skip
_KIND_WORDS = re.compile(r"^\W*(?:and |so )?(?:which|what (?:kind|sort|type) of|what) (\w+)")


def answer(question: Question, regions: Regions) -> list[Statement]:
    """Return the statements that answer one question; the first says it."""
    statements = _answer(question, regions)
    return statements[:MAX_STATEMENTS] if statements else [UNKNOWN]


def _answer(question: Question, regions: Regions) -> list[Statement]:
    if question.form == "open":
        return facts.outline(regions)
    if question.form == "proposal":
        return judge_plan(question, regions)
    if _asks_for_a_motif(question):
        return [INDIFFERENT]
    targets = resolve(question, regions)
    if UNSEEN.search(question.text):
        return [NOT_SHOWN]
    if question.form == "yesno" and not _EITHER.search(_after_aux(question.text)):
        return judge(question, targets, regions) if targets else []
    quality = question.quality or _quality_of_options(question, targets)
    if _EITHER.search(question.text) and question.form == "yesno" and quality in (None, "contents", "presence", "wording"):
        return judge(question, targets, regions) if asks_presence(question) or quality == "wording" else []
    return _told(question, quality, targets, regions)


def _after_aux(text: str) -> str:
    return text


def _asks_for_a_motif(question: Question) -> bool:
    """Return whether it asks what a picture shows, which nobody can know of a placeholder."""
    text = question.text
    if not _PICTURE_WORDS.search(text) or question.quality in ("color", "count", "place", "width", "height", "align", "compare"):
        return False
    kind = _KIND_WORDS.search(text)
    head = question.mentions[0] if question.mentions else None
    if kind and head is not None and head.start > text.index(kind[1]) and head.concept in ("picture", "logo", "background"):
        return kind[1] not in ("picture", "image", "photo", "is", "are", "does", "do", "should", "texts", "text", "caption")
    subject = re.search(rf"{_PICTURE_WORDS.pattern}(?: \w+){{0,4}} (?:to )?(?:show|depict|display|feature|portray|be of|represent)\b", text)
    return bool(subject) or bool(DEPICTED.search(text) and re.search(r"\b(?:what|which)\b", text) and question.quality is None)


def _quality_of_options(question: Question, targets: Sequence[Target]) -> Quality | None:
    text = question.text
    if COLOR.search(text) or TONE.search(text):
        return "color"
    if any(re.search(pattern, text) for pattern in SIDE_WORDS.values()) or "justif" in text:
        return "align" if any(target.parts and target.parts[0].block for target in targets) else "place"
    if re.search(r"\b(?:top|bottom|above|below)\b", text):
        return "place"
    return None


def _told(question: Question, quality: Quality | None, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    text = question.text
    if quality == "color":
        return _colors(question, targets, regions)
    if quality == "order":
        return facts.outline(regions)
    if not targets:
        return _without_target(question, quality, regions)
    target = _main(targets, quality)
    if quality in ("place", "align"):
        others = [other for other in targets if other is not target and other.is_there]
        relative = re.search(r"\brelative to\b|\bcompared\b|\babove\b|\bbelow\b|\bon top of\b|\bbeside\b|\bnext to\b|\bunder\b", text)
        if not target.is_there:
            return facts.presence(target, regions)
        if quality == "align":
            return [fact for each in targets[:2] if each.is_there for fact in facts.alignment(each, regions)[:1]]
        return facts.places(target, others[0] if others and relative else None, regions)
    if not target.is_there and quality != "gap":
        return _nothing(target, quality, regions)
    return _of_quality(question, quality, target, targets, regions)


def _of_quality(
    question: Question, quality: Quality | None, target: Target, targets: Sequence[Target], regions: Regions
) -> list[Statement]:
    if quality == "count":
        return facts.count_facts(target, regions)
    if quality in ("width", "compare"):
        told = [fact for each in targets[:2] if each.is_there for fact in facts.sizes(each, regions, high=quality == "width")]
        return told[:3]
    if quality == "height":
        return facts.sizes(target, regions, wide=False)
    if quality in ("corners", "border"):
        return facts.shapes(target, regions, quality)
    if quality == "bold":
        return facts.boldness(target, regions)
    if quality == "letters":
        return facts.letter_sizes(target, regions)
    if quality == "gap":
        return facts.gaps(targets, regions)
    return _texts_or_contents(question, quality, target, targets, regions)


def _texts_or_contents(
    question: Question, quality: Quality | None, target: Target, targets: Sequence[Target], regions: Regions
) -> list[Statement]:
    concept = target.mention.concept
    sides = re.search(r"\bleft\b.*\bright\b", question.text)
    if concept in ("header", "navigation bar") and sides and target.region is not None:
        held = [regions.logo] if regions.logo else []
        told = [fact for part in held for fact in facts.spot(Target(Mention("logo", "logo", 0), (part,)), regions)]
        if regions.navigation:
            told += facts.spot(Target(Mention("navigation bar", "menu", 0), region=regions.navigation), regions)
        return told
    if concept == "navigation bar":
        links = tuple(part for part in regions.links if part.kind == "link") or regions.links
        return facts.wordings(Target(target.mention, links), regions) if links else facts.contents(target, regions)
    if concept in ("header", "footer", "sidebar", "column", "hero section", "form", "card") and (target.region or concept == "column"):
        if concept == "form":
            inputs = Target(Mention("input", "inputs", 0), regions.inputs)
            return facts.count_facts(inputs, regions)
        return facts.contents(target, regions)
    if concept == "page":
        return facts.outline(regions)
    if concept in ("picture", "logo", "icon"):
        captions = facts_of_captions(question, regions)
        return captions or [*facts.count_facts(target, regions), *facts.spot(target, regions)[:1]]
    if concept == "input":
        return facts.count_facts(target, regions)
    told = []
    for each in targets[:2]:
        if each.parts or each is target:
            told += facts.wordings(each, regions)
    if re.search(r"\bunder\b|\bbelow\b|\bbeneath\b", question.text) and len(target.parts) == 1 and target.parts[0].kind == "heading":
        told = _below(target, regions) or told
    return told


def facts_of_captions(question: Question, regions: Regions) -> list[Statement]:
    """Return the captions of pictures where a question asks how these are labelled."""
    from colbench_gym.humans.page_critic.questions.targets import captions

    if not re.search(r"\blabel|\bcaption|\bcalled|\btitled|\bnamed", question.text):
        return []
    parts = captions(regions)
    return facts.wordings(Target(Mention("caption", "captions", 0), parts), regions) if parts else []


def _below(target: Target, regions: Regions) -> list[Statement]:
    """Return the text right below a heading."""
    heading = target.parts[0]
    low = [
        part
        for part in regions.view.texts
        if part.rect.y >= heading.rect.y + heading.rect.height - 2 and abs(part.rect.x - heading.rect.x) < 40
    ]
    return facts.wordings(Target(Mention("text", "text", 0), tuple(low[:1])), regions)


def _nothing(target: Target, quality: Quality | None, regions: Regions) -> list[Statement]:
    if quality == "count":
        return facts.count_facts(target, regions)
    return with_verdict(facts.presence(target, regions), False)[:1] if quality == "presence" else facts.presence(target, regions)


def _main(targets: Sequence[Target], quality: Quality | None) -> Target:
    """Return the target that a question is about: the first, unless it is only the page or a plain text."""
    if quality in ("wording", "contents", None):
        named = [target for target in targets if target.mention.concept not in ("page", "text", "caption", "label", "letters")]
        present = [target for target in named if target.is_there]
        return (present or named or list(targets))[0]
    concrete = [target for target in targets if target.mention.concept not in ("page", "letters", "text")]
    return (concrete or list(targets))[0]


def _colors(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    text = question.text
    letters, ground = bool(_LETTER_COLOR.search(text)), bool(re.search(r"\bbackgrounds?\b|\bbehind\b", text))
    concrete = [target for target in targets if target.mention.concept != "letters"]
    if not concrete or (len(concrete) == 1 and concrete[0].mention.concept == "page" and re.search(r"\bcolou?rs\b|\bpalette\b", text)):
        if letters and regions.view.texts and not concrete:
            return facts.color_facts(Target(Mention("text", "text", 0), regions.view.texts[:1]), regions)
        return facts.palette(regions, grounds=ground)
    told: list[Statement] = []
    for target in concrete[:3]:
        if target.is_there:
            told += facts.color_facts(target, regions, ground=ground, letters=letters)
    if "wording" in _also(text) and concrete[0].parts:
        told = [*facts.wordings(concrete[0], regions)[:1], *told]
    return told or facts.presence(concrete[0], regions)


def _also(text: str) -> tuple[str, ...]:
    return ("wording",) if re.search(r"\b(?:say|text (?:does|goes)|wording)\b", text) else ()


def hint(said: Sequence[str], regions: Regions) -> Statement:
    """Return a topic that was not yet talked about, or that nothing more comes to mind."""
    there = {
        "the navigation bar": regions.navigation is not None,
        "the heading": regions.title is not None,
        "the pictures": bool(regions.pictures),
        "the buttons": any(part.kind == "button" for part in regions.view.texts),
        "the columns": len(regions.columns) > 1,
        "the form": regions.form is not None,
        "the footer": regions.footer is not None,
        "the colours": True,
    }
    spoken = " ".join(said).lower()
    asked = "you could ask me about" in spoken
    for topic in TOPICS:
        word = topic.removeprefix("the ").removesuffix("s")
        heard = word in spoken or (topic == "the colours" and "should be" in spoken)
        if there[topic] and not heard and not asked:
            return Statement("hint", None, topic)
    return ENOUGH


def without_verdict(statement: Statement) -> Statement:
    """Return a statement as it would be said without being asked yes or no."""
    return replace(statement, verdict="")


def _without_target(question: Question, quality: Quality | None, regions: Regions) -> list[Statement]:
    text = question.text
    if quality == "align" or any(re.search(pattern, text) for pattern in ALIGNED.values()):
        parts = tuple(part for part in (regions.title, regions.subtitle) if part)
        return [fact for part in parts for fact in facts.alignment(Target(Mention("text", "text", 0), (part,)), regions)]
    if quality in ("letters", "bold") and regions.title:
        title = Target(Mention("title", "heading", 0), (regions.title,))
        return facts.letter_sizes(title, regions) if quality == "letters" else facts.boldness(title, regions)
    return []
