"""Yes/no questions whether the wanted page, or an area of it, has something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from colbench_gym.humans.page.view import Part
from colbench_gym.humans.page_critic.columns import inside
from colbench_gym.humans.page_critic.questions import facts, looks, positions
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.naming import PLAIN_WORDS
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.targets import ColumnsTarget, Target
from colbench_gym.humans.page_critic.questions.vocabulary import Quality
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.page_language.statements import Statement, Verdict

_CONTAINS = re.compile(r"\b(?:contain|include|hold|have|has|feature|come with|show|display|list|with)\w*\b")
_STOP = frozenset(
    """
    the a an and or of in on at to for with as is are be it its this that there should do does you want need
    have your my described such each any some all would like include contain show display also other mentioned
    kind page whole please section
    """.split()  # noqa: SIM905
)


def with_verdict(statements: Sequence[Statement], yes: bool) -> list[Statement]:
    """Return statements of which the first carries the verdict."""
    verdict: Verdict = "yes" if yes else "no"
    return [replace(statement, verdict=verdict if index == 0 else "") for index, statement in enumerate(statements)]


def judge_contents(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge whether an area holds what is named after it: "Does the footer contain …?"."""
    holder = next((t for t in targets if t.mention.concept in _HOLDERS), None)
    noun = asked_noun(question)
    if noun is not None and NO_TEXT.search(noun[0]):
        return []
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
    if any(NO_TEXT.search(word) for word in words):
        return []
    inner = [part for rect in rects for part in regions.held(rect)]
    held = " ".join(part.block.text.lower() if part.block else part.name.lower() for part in inner)
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


_LOOKS: tuple[Quality, ...] = (
    "compare", "gap", "color", "align", "place", "width", "height",
    "corners", "border", "bold", "letters", "order",
)  # fmt: skip
_IN_THE = re.compile(r"\b(?:in|on|at|inside|within|into) (?:the |my |your |its )?(?:\w+ )?$")


def judge_presence(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge whether the page has what a question names, whatever noun that is."""
    concrete = [target for target in targets if target.mention.concept != "page"]
    unnamed = _judge_unnamed(question, concrete, regions)
    if unnamed is not None or not concrete:
        return unnamed or []
    is_there = all(target.is_there for target in concrete)
    if _SHOWN_AS.search(question.text) and concrete[0].mention.concept == "item":
        return []
    if (is_there and question.quality in _LOOKS) or re.search(r"\b(?:some|any)thing\b", question.text):
        return []
    first = concrete[0]
    if first.mention.concept == "brand" and regions.brand is regions.title:
        return []  # the title may hold it or not
    if is_there and first.mention.concept in _HOLDERS and _IN_THE.search(question.text[: first.mention.start]):
        return facts.contents(first, regions)[:1]  # "is the name in the header": whoever asks can see for himself
    if held := _each_has(question, concrete, regions):
        return held
    negated = bool(_WITHOUT.search(question.text))
    is_section = first.mention.concept == "item" and question.text[: first.mention.end].endswith(_SECTIONS)
    if is_there and is_section and all(part.kind in ("link", "button") for part in first.parts):
        return with_verdict(facts.none_but(_HEADINGS, regions), False)
    if bare := next((target for target in concrete if target.is_bare), None):
        return with_verdict([Statement("bare", regions.view.subject(bare.parts[0]))], negated)
    lost = next((target for target in concrete if not target.is_there), None)
    if lost is not None:
        return with_verdict(_why_not(lost, regions), negated)[:1]
    if question.form == "yesno" and not asks_presence(question):
        return []
    if first.mention.concept == "picture" and first.parts and (only := _only_other_pictures(first, question, regions)):
        return with_verdict(only, negated)
    told = facts.presence(first, regions)[:1]
    only_one = first.mention.plural and len(first.parts) == 1
    certain = first.mention.concept == "picture" and _SHOWS.match(question.text[first.mention.end :])
    if only_one and (certain or _SEVERAL.search(question.text[: first.mention.start])):
        return told  # "three dishes", "pictures of the rooms": one is no more than one
    if first.mention.concept == "caption" and any(part.kind != "text" for part in first.parts[:1]):
        return told  # a heading below a picture may be meant for it or not
    return with_verdict(told, not negated)


_SECTIONS = (" section", " sections", " area", " block")
_WITHOUT = re.compile(r"\bno\b|\bwithout\b|\bleave (?:\w+ )?(?:\w+ )?out\b|\bomit\b|\bskip\b|\bdrop\b|\bdo without\b")
_SEVERAL = re.compile(r"\b(?:two|three|four|five|six|\d+|several|many|multiple) (?:[\w-]+ )?$")
_SHOWN_AS = re.compile(r"\b(?:shown|displayed|presented|listed|arranged) (?:as|in)\b")
_EACH = re.compile(r"\b(?:each|every|both|all)\b")
_WHOLES = ("section", "column", "card", "item", "heading", "picture")


def _each_has(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge whether each of several things has one of another kind: "Does each section have a picture?"."""
    if len(targets) < 2:
        return []
    whole, inner = targets[:2]
    has = whole.mention.plural and _CONTAINS.search(question.text[whole.mention.end : inner.mention.start])
    if not (has or _EACH.search(question.text[: whole.mention.start])):
        return []
    areas = [area.rect for area in whole.areas] if isinstance(whole, ColumnsTarget) else [b.rect for b in whole.boxes]
    if whole.mention.concept not in _WHOLES or not inner.is_there or not inner.parts:
        return []
    held = [any(inside(part.rect, rect) for part in inner.parts) for rect in areas]
    if not areas:
        heads = [part for part in whole.parts if part in regions.headings]
        heads = [part for part in heads if part is not regions.title] or heads
        held = [any(part in inner.parts for part in _below(head, regions)) for head in heads]
    told = facts.count_facts(inner, regions) if any(held) else positions.spot(inner, regions)
    return with_verdict(told[:1], all(held)) if held and told else []


def _below(heading: Part, regions: Regions) -> tuple[Part, ...]:
    """Return all things, pictures too, below a heading, up to the next one."""
    low = heading.rect.y + heading.rect.height
    heads = [head.rect.y for head in regions.headings if head.rect.y >= low]
    end = min(heads, default=regions.view.layout.height)
    return tuple(part for part in regions.view.things if low - 2 <= part.rect.y < end)


def _only_other_pictures(target: Target, question: Question, regions: Regions) -> list[Statement]:
    """Return what the pictures are where certain ones are asked for, and there is only a logo or a backdrop."""
    kind = re.search(r"([a-z-]+) $", question.text[: target.mention.start])
    certain = _SHOWS.match(question.text[target.mention.end :]) or (kind and kind[1] not in PLAIN_WORDS)
    others = [part for part in target.parts if part is not regions.logo and part is not regions.backdrop]
    if not certain or others:
        return []
    if told := facts.none_but(replace(target, mention=replace(target.mention, where=None)), regions):
        return told
    counted = facts.count_facts(Target(Mention("picture", "pictures", 0), regions.pictures), regions)
    if regions.backdrop is not None:
        return [*counted, *looks.color_facts(Target(Mention("page", "page", 0)), regions)]
    return [*counted, *positions.spot(Target(Mention("logo", "logo", 0), target.parts[:1]), regions)]


_SHOWS = re.compile(r" (?:of|showing|depicting|featuring|with|apart from|besides|except|other than) ")


def _judge_unnamed(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement] | None:
    """Judge whether the page has something for which there is no word of its parts: by the texts that mention it.

    None where the question asks for no such thing; nothing where a text would not tell.
    """
    noun = asked_noun(question)
    if noun is None or any(t.mention.start <= noun[1] < max(t.mention.end, t.mention.start + 1) for t in targets):
        return None
    word = noun[0]
    if NO_TEXT.search(word) or word in _STOP:
        return [] if NO_TEXT.search(word) else None
    stem = _stem(word)
    telling = [part for part in regions.view.texts if part.block and stem in part.block.text.lower()]
    if any(part in target.parts for target in targets for part in telling):
        return None
    if not telling:
        return with_verdict([Statement("mention", None, word)], False)
    headed = [part for part in telling if part in regions.headings]
    if (
        not headed
        and _A_SECTION.search(question.text[noun[1] :])
        and all(p.kind in ("link", "button") for p in telling)
    ):
        return with_verdict(facts.none_but(_HEADINGS, regions), False)
    headed = headed or telling
    return with_verdict(facts.wordings(Target(Mention("text", "text", 0), tuple(headed[:1])), regions), True)


NO_TEXT = re.compile(  # what a page shows without words
    r"^(?:shadows?|gradients?|lines?|dividers?|separators?|overlays?|underlin\w+|textures?|patterns?|opacity|"
    r"transparen\w+|spac\w+|room|padding|margins?|gaps?|whitespace|effects?|borders?|frames?|outlines?|colou?rs?|"
    r"shapes?|"
    r"corners?|edges?|animations?|depth|tints?|filters?|style|look|design|theme|layout|fonts?|weight|alignment)$"
)
_ASKS_FOR = re.compile(
    r"\b(?:there(?: (?:also )?(?:be|to be))?|(?:do|does|would|did|should|shall|will|can|could|must|might) "
    r"(?:i|you|we|it|they|(?:the|each|every|your|this|my|our) \w+(?: \w+)?)(?: also| then| really| actually)? "
    r"(?:want|need|(?<!do you )like|have|add|include|put(?: in)?|show|insert|expect|"
    r"require|create|build|use|contain|feature|display|provide|list|mention)(?: me to (?:add|include|show|put))?"
    r"(?: to (?:have|see|include|add|show))?) ((?:(?:also|an?|any|some|the|no|another|my|your|more|all) )*)"
)
_NOUN_ENDS = re.compile(
    r"[^a-z' -]|\b(?:in|into|onto|on|at|of|for|from|with|without|to|that|which|who|where|below|above|under|over|next|"
    r"beside|"
    r"behind|between|inside|apart|besides|except|other|across|along|around|near|as|like|such|and|or|is|are|be|so|instead|here|"
    r"there|too|also|"
    r"yet|already|anywhere|somewhere|listed|shown|displayed|visible|required|needed|called|named|saying|labell?ed|"
    r"containing|showing|featuring|depicting|rather|by|about|per|(?:un)?than|then|at all)\b"
)


def asked_noun(question: Question) -> tuple[str, int] | None:
    """Return the noun that a question asks the presence of, the last word before what describes it, and its place."""
    found = _ASKS_FOR.search(question.text)
    shown = _SHALL_BE.search(question.text) if found is None else None
    if shown is not None:
        return (shown[1], shown.end(1) - 1) if not shown[1].endswith("ly") else None
    if found is None:
        return None
    end = _NOUN_ENDS.search(question.text, found.end())
    words = question.text[found.end() : end.start() if end else len(question.text)].rstrip(" -'")
    if len(words.split()) > 1 and _CONTAINER.search(words):
        words = words.rsplit(" ", 1)[0]  # "a testimonials section": what is in it tells it
    noun = words.split()[-1] if words.split() else ""
    return (
        (noun, found.end() + len(words) - 1)
        if len(noun) > 2 and noun not in _NO_NOUN and not noun.endswith("ly")
        else None
    )


_NO_NOUN = frozenset(
    """
    anything something nothing everything one ones left right more other others all some any
    """.split()  # noqa: SIM905
)


_CONTAINER = re.compile(r"\b(?:sections?|areas?|blocks?|parts?|boxes|box|panels?|lists?|elements?|pages?|bars?)$")
_HEADINGS = Target(Mention("heading", "headings", 0, plural=True))
_A_SECTION = re.compile(r"^\w* (?:sections?|area|block|part)\b")
_SHALL_BE = re.compile(
    r"\b(?:should|must|will|shall|do|are|is) (?:(?:the|any|some|all|your|my) )?(?:\w+ ){0,2}?(\w{3,}) (?:also )?"
    r"(?:need to |have to )?(?:be )?"
    r"(?:displayed|listed|shown|included|added|present|visible|mentioned|required|needed)\b"
)


def _why_not(target: Target, regions: Regions) -> list[Statement]:
    """Return that there is none; where a page has smaller or other pictures, what these are."""
    if told := facts.none_but(target, regions):
        return told
    if target.mention.concept == "picture" and regions.pictures:
        return facts.count_facts(Target(Mention("picture", "pictures", 0), regions.pictures), regions)
    if target.mention.concept == "column":
        return facts.arrangement(target, regions) or facts.outline(regions)
    return facts.absence(target, regions)


_PRESENCE_VERBS = re.compile(
    r"^\W*any\b|\b(?:there (?:be )?(?:an?|any|no|some)?|include|add|need|want|have|has|put|use|build|create|show|"
    r"insert|"
    r"contain|like|feature|come with|"
    r"stand|sit|belong|part of|supposed to|expect|required?|necessary|listed|shown|displayed|appear|present|"
    r"visible|mention|leave|omit|skip|drop|do without)\b"
)


_IS_IN = re.compile(
    r"^\W*(?:is|are) .*\b(?:in|on|inside|within) (?:the |my |your |each |every |a )?(?:footer|header|nav\w*|menu|"
    r"sidebar|form|cards?|columns?|hero)\b"
)


def asks_presence(question: Question) -> bool:
    """Return whether a yes/no question asks if something is there."""
    return bool(_PRESENCE_VERBS.search(question.text) or _IS_IN.search(question.text)) or question.quality == "presence"
