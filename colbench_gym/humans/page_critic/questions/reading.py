"""Messages as questions: what is asked of which thing, and in which form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from colbench_gym.action import extract_page
from colbench_gym.humans.page_critic.questions.mentions import PLACES, Mention, read_mentions
from colbench_gym.humans.page_critic.questions.vocabulary import (
    ALL_DIFFERENCES,
    COLOR,
    COMPARES,
    DEPICTED,
    ELSE,
    OF_THE_THING,
    OPEN,
    PROPOSES,
    QUALITIES,
    Concept,
    Quality,
)
from colbench_gym.humans.page_critic.ways import WAY_WORDS
from colbench_gym.humans.refusals import is_manipulation

MAX_READ_CHARS = 4000  # of a message without its page: its start and its end; what lies between is not read
MAX_QUESTIONS = 8  # of one message that are looked at
MAX_SENTENCE_CHARS = 600
Form = Literal["wh", "yesno", "proposal", "open", "else", "compare"]

_PAGE_START = re.compile(r"<(?:!doctype|html|body)\b", re.IGNORECASE)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_TAG = re.compile(r"<[a-z/!][^<>]*>", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n;]*(?:\.(?=\w)[^.!?\n;]*)*[.!?\n;]*")
_POINT = re.compile(r"^[\s>]*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-h]\))\s+")
_CODE = re.compile(
    r"\b(?:print|show|paste|reveal|dump|output|give|send|share|copy|quote|repeat|write|provide|tell|what)\b.*"
    r"\b(?:html|css|mark-?up|source|class names?|tailwind|code|reference|prompt|instructions)\b",
    re.IGNORECASE,
)
_WH = r"(?:what|which|where|how|who|whose|why|when)(?:'s|'re)?"
_AUX = (
    r"(?:is|are|was|does|do|did|should|shall|will|would|may|might|can|could|must|has|have|am|isn't|aren't|doesn't|don't|"
    r"shouldn't|won't|wouldn't)"
)
_TELL = (
    r"(?:tell|give|describe|share|specify|name|list|provide|confirm|clarify|let me know|explain|say|state|"
    r"indicate|detail|"
    r"remind)"
)
_ASKED = re.compile(
    rf"\?\W*$|^\W*(?:and |also |please |then |kindly )*(?:(?:can|could|would|will) you (?:please |kindly )*)?{_TELL}\b|"
    rf"\bi(?:'d| would)? (?:also )?(?:like|love|need|want|wonder|have) (?:to (?:know|ask|hear)|if|whether)\b|"
    rf"\bi wonder\b|\bi(?:'d| would) like (?:to have |to get )?(?:a|the) (?:\w+ )?list of\b",
    re.IGNORECASE,
)
_POLITE = re.compile(
    rf"^\W*(?:(?:and|also|so|ok(?:ay)?|then|please|well|thanks?|first|next|finally|hi|hello|now|just|"
    rf"besides [\w ]{{1,30}}),? )*"
    rf"(?:(?:can|could|would|will) you (?:please |kindly |just )*{_TELL}(?: me| us)?(?: about)?|"
    rf"(?:do|would) you have (?:a |an |any )?(?:\w+ )?(?:preferences?|ideas?|thoughts|requirements?|"
    rf"wish(?:es)?)(?: (?:for|on|about|"
    rf"regarding|as to))?|(?:is|are) there (?:a |an |any )(?:specific|particular|preferred|"
    rf"certain)(?= (?:\w+ )?(?:colou?rs?|fonts?|"
    rf"texts?|wording|sizes?|layout|order|position))|(?:do you (?:want|have|need)|would you like) (?:a |an |"
    rf"any )(?:specific|particular|"
    rf"certain)|{_TELL}(?: me| us)?(?: about)?|i(?:'d| would)? (?:also )?(?:like|love|need|want|"
    rf"wonder) (?:to (?:know|ask|hear))?|"
    rf"(?:may|can|could) i (?:please )?(?:have|get|ask for|ask|know)|do you know|i wonder|please)\b[ ,:]*"
)
_STARTS_YESNO = re.compile(
    rf"^\W*(?:(?:and|also|so|but|or|then|whether|if|besides [\w ]{{1,30}}),? )*"
    rf"(?:whether|if|any(?! (?:other|more|further|preferen\w*|specific|particular|idea))|{_AUX})\b"
)
_HAS_WH = re.compile(rf"\b{_WH}(?= |\b)")
_LATE_AUX = re.compile(rf"[,:]\s(?:\w+ )?{_AUX} (?:i|you|it|they|there|we|this|that|the|each|every|all|any)\b")
_JOINT = re.compile(
    rf",? and (?=(?:in |on |at |for |roughly |about |approximately )?(?:{_WH}|whether|does|do|is|are|should) )|"
    rf", (?=(?:{_WH}) (?!is |are )\w+ )"
)
_FRAGMENT = re.compile(rf"^\W*(?!(?:and|also|what|how) (?:the|about|its?)\b)(?!.*\b(?:{_WH}|{_AUX})\b)", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“']([^\"”']{2,80})[\"”'](?!\w)")
_PICTURE_VERB = re.compile(r"\b(?:do you|you|to) picture\b")
_GOES_ON = re.compile(
    r"^\W*(?:and )?(?:what|how)? ?(?:about|for)\b|^\W*(?:what|which) for\b|^\W*(?:and )?how (?:the|its)\b"
)
_IS_SO = re.compile(  # "Menu links centred?"
    rf"^(?!.*(?:\bor\b|\b{_WH}\b|:|,))[^?]*\b(?:cent(?:er|re)d|(?:left|right)[- ]aligned|justified|bold|rounded|needed|"
    r"required|wanted|necessary|included|full[- ]width)\W*\?\W*$"
)
_TAG_QUESTION = re.compile(
    r"[,;:\u2013-]+\s*(?:(?:is that )?(?:right|correct|true|ok(?:ay)?)|yes|no|agreed|"
    r"(?:is|are|does|do|should|would|will|wo|was|has|have)(?:n't)? (?:it|they|there|he|you|that|i))\s*\?\W*$"
)
_RELATED_TO_IT = re.compile(rf"\b(?:{WAY_WORDS}) (it|them|that|this|those|these)\b")
_QUALITIES_ONLY: tuple[Concept, ...] = ("background", "letters", "text", "caption", "label", "page")
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|that|this|these|those|one|each)\b")


@dataclass(frozen=True)
class Question:
    """One question of a message.

    Attributes:
        text: in lower case.
        form: what kind of answer it wants.
        quality: what it asks of the things; None where it does not say.
        mentions: the things that it names, in order.
        quoted: texts in quotes.
        original: as it was written.
        also: other qualities that it names, in the order of their words.
    """

    text: str
    form: Form
    quality: Quality | None
    mentions: tuple[Mention, ...]
    quoted: tuple[str, ...] = ()
    original: str = ""
    also: tuple[Quality, ...] = ()


@dataclass(frozen=True)
class Message:
    """A message as it is understood.

    Attributes:
        questions: in their order.
        tricks: whether it tries to get at code.
        compares: whether it asks how the draft compares with the wanted page.
        wants_all: whether it asks for all differences.
        shows_page: whether a page is in it.
    """

    questions: tuple[Question, ...]
    tricks: bool = False
    compares: bool = False
    wants_all: bool = False
    shows_page: bool = False


@lru_cache(maxsize=256)
def read_message(message: str) -> Message:
    """Return what a message asks, its page left out."""
    said = _sentences(_words_of(message))
    tricks = any(is_manipulation(sentence) or _CODE.search(sentence) for sentence in said)
    said = [sentence for sentence in said if not (is_manipulation(sentence) or _CODE.search(sentence))]
    questions: list[Question] = []
    plan: list[str] = []
    for sentence in _with_fragments(said):
        if not _ASKED.search(sentence):
            plan.append(sentence)
            continue
        for clause in _clauses(sentence):
            questions.append(_understood(clause, questions[-1] if questions else None, " ".join(plan)))
        plan = []
    questions = questions[:MAX_QUESTIONS]
    lower = " ".join(said).lower()
    return Message(
        tuple(question for question in questions if question.form != "compare"),
        tricks,
        any(question.form == "compare" for question in questions),
        bool(ALL_DIFFERENCES.search(lower)),
        extract_page(message) is not None,
    )


def _words_of(message: str) -> str:
    """Return a message without pages, code and tags, its quotes straight; its start and its end where it is long."""
    opening = _PAGE_START.search(message)
    if opening:
        closing = max(message.rfind("</html"), message.rfind("</body"), opening.start())
        end = message.find(">", closing + 2)
        message = f"{message[: opening.start()]}\n{message[end + 1 :] if end >= 0 else ''}"
    text = _FENCE.sub("\n", message)
    if len(text) > MAX_READ_CHARS:
        text = f"{text[: MAX_READ_CHARS // 2]}\n{text[-MAX_READ_CHARS // 2 :]}"
    text = _TAG.sub(" ", text)
    return text.translate({ord("’"): "'", ord("‘"): "'", ord("“"): '"', ord("”"): '"', ord("`"): '"'})


def _sentences(text: str) -> list[str]:
    parts = (_POINT.sub("", part.strip()) for part in _SENTENCE.findall(text))
    return [" ".join(part.split())[:MAX_SENTENCE_CHARS] for part in parts if any(char.isalnum() for char in part)]


def _with_fragments(said: Iterable[str]) -> list[str]:
    """Join "Light or dark?" to the question before it."""
    joined: list[str] = []
    for sentence in said:
        if joined and joined[-1].endswith("?") and sentence.endswith("?") and _FRAGMENT.search(sentence):
            joined[-1] = f"{joined[-1][:-1]}: {sentence}"
        else:
            joined.append(sentence)
    return joined


def _clauses(sentence: str) -> list[str]:
    """Cut "What does it say and where is it?" in two."""
    parts = [part for part in _JOINT.split(sentence) if part and len(part.split()) > 1]
    if len(parts) < 2 or not any(char.isalpha() for char in parts[0]):
        return [sentence]
    if not (_HAS_WH.search(parts[0].lower()) or _STARTS_YESNO.search(parts[0].lower()) or _ASKED.search(parts[0])):
        return [sentence]
    return parts


def _understood(clause: str, before: Question | None, plan: str) -> Question:
    lower = _PICTURE_VERB.sub(" imagine ", clause.lower())
    tag = None if _STARTS_YESNO.search(lower) or _HAS_WH.match(lower) else _TAG_QUESTION.search(lower)
    if tag and len(lower[: tag.start()].split()) > 1:
        lower = f"{lower[: tag.start()]}?"
    mentions = _with_pronoun(read_mentions(lower), lower, before)
    quoted = tuple(_QUOTED.findall(clause))
    core = _CASE.sub("", _POLITE.sub("", lower))
    form: Form = "yesno" if tag or _is_yesno(core) else "wh"
    if (
        PROPOSES.search(lower)
        and all(mention.concept == "page" for mention in mentions)
        and plan
        and (read_mentions(plan.lower()) or _QUOTED.search(plan))
    ):
        return Question(plan.lower(), "proposal", None, read_mentions(plan.lower()), tuple(_QUOTED.findall(plan)), plan)
    qualities = _qualities(core, form)
    if (
        COLOR.search(OF_THE_THING.sub(" ", core))
        and not _HAS_WH.search(core)
        and form == "wh"
        and not _ASKED_TO_TELL.search(lower)
    ):
        qualities = ("color", *(quality for quality in qualities if quality != "color"))  # "White text for the name?"
    quality = qualities[0] if qualities else None
    concrete = [mention for mention in mentions if mention.concept not in ("page", "text")]
    if not concrete and quality in (None, "wording", "contents") and ELSE.search(lower) and not quoted:
        form = "else"
    elif not concrete and COMPARES.search(lower) and not (before and _PRONOUN.search(lower) and quality):
        form = "compare"
    elif not concrete and quality in (None, "wording", "order", "width", "contents") and OPEN.search(lower):
        form = "open"
    told = read_mentions(plan.lower()) if plan else ()
    if (
        told
        and form == "yesno"
        and _ONE.search(lower)
        and mentions
        and all(_is_place(each, lower) for each in mentions)
    ):
        mentions = (replace(told[-1], where=mentions[0].concept),)
    bare = all(mention.concept in _QUALITIES_ONLY and mention.where is None for mention in mentions)
    if bare and form in ("wh", "yesno") and (_PRONOUN.search(lower) or not mentions):
        if told:
            mentions, quoted = told[-1:], quoted or tuple(_QUOTED.findall(plan))
        elif before and (_PRONOUN.search(lower) or len(lower.split()) < 5):
            mentions = _meant_by_it(before.mentions, lower)
        if COMPARES.search(lower) and quality is None and not mentions:
            form = "compare"
    if before and quality is None and form == "wh" and _GOES_ON.search(lower):
        quality = before.quality
    return Question(lower, form, quality, mentions, quoted, clause, qualities[1:])


def _qualities(core: str, form: Form) -> tuple[Quality, ...]:
    """Return what a clause asks of things: first what follows its question word; as listed where it has none."""
    starts = {quality: found.start() for quality, pattern in QUALITIES if (found := re.search(pattern, core))}
    asked = _HAS_WH.search(core)
    if form != "wh" or asked is None:
        return tuple(starts)
    return tuple(sorted(starts, key=lambda quality: (starts[quality] < asked.start(), starts[quality])))


def _with_pronoun(mentions: tuple[Mention, ...], lower: str, before: Question | None) -> tuple[Mention, ...]:
    """Return the mentions, and for "below it" what the question before was about."""
    pronoun = _RELATED_TO_IT.search(lower)
    if pronoun is None or before is None or not before.mentions:
        return mentions
    meant = replace(before.mentions[0], start=pronoun.start(1), end=pronoun.end(1))
    return tuple(sorted((*mentions, meant), key=lambda mention: mention.start))


_ASKED_TO_TELL = re.compile(_TELL)


def _is_place(mention: Mention, lower: str) -> bool:
    """Return whether a mention only says where: "one in the footer"."""
    return mention.concept in PLACES and _IN_THE.search(lower[: mention.start]) is not None


_ONE = re.compile(r"\b(?:one|it|them|they|that|those|these)\b")
_IN_THE = re.compile(r"\b(?:in|on|at|inside|within|into) (?:the |my |your |its )?(?:\w+ )?$")


def _meant_by_it(mentions: tuple[Mention, ...], lower: str) -> tuple[Mention, ...]:
    """Return what a pronoun stands for: after "the links in the sidebar", "it" is the sidebar."""
    if mentions and mentions[0].where and mentions[0].plural and re.search(r"\bits?\b", lower):
        return (Mention(mentions[0].where, mentions[0].where, 0, None, mentions[0].where_side),)
    if len(mentions) > 1 and re.search(r"\bits?\b", lower) and not re.search(r"\b(?:they|them|their)\b", lower):
        return mentions[:1]
    return mentions


def _is_yesno(core: str) -> bool:
    if _STARTS_YESNO.search(core) or _IS_SO.search(core):
        return True
    wh, late = _HAS_WH.search(core), _LATE_AUX.search(core)
    return bool(re.search(r"\b(?:whether|if) (?:it|they|the|there|you|i)\b", core)) or (late is not None and wh is None)


_CASE = re.compile(rf"^\W*(?:when|while|once|as soon as|if) [^,?]{{1,60}}, (?={_AUX}\b)")  # "When one scrolls, does"
_PICTURE_WORDS = re.compile(
    r"\b(?:pictures?|images?|photos?|photographs?|illustrations?|background|backdrop|graphics?|logo)\b"
)
_MOTIF = re.compile(
    rf"{_PICTURE_WORDS.pattern}(?: \w+){{0,4}} (?:to )?(?:show|depict|display|feature|portray|be of|represent)\b"
)
_NO_MOTIF = frozenset(
    """
    hue hues tones tint tints pattern name word words sentence line element thing content item items part message
    slogan entries links link elements
    picture image photo is are does do should texts text caption background shade colour color size width height
    kind tone side pictures images photos would heading headings title button label
    """.split()  # noqa: SIM905
)
_HAPPENS = re.compile(  # "what comes after the picture"
    r"^(?:comes?|goes|stands?|sits?|lies|follows?|appears?|belongs?|fits|happens|exactly|else|precedes|surrounds|was|will|"
    r"has|have|can|could|must|might|may|do|you|i|we|it|about|kind|sort|type|ones?|of|in|on|at|to)$"
)
_KIND_WORDS = re.compile(r"^\W*(?:and |so )?(?:(?:which|what) (?:kinds?|sorts?|types?) of|which|what) (\w+)")


def asks_for_a_motif(question: Question) -> bool:
    """Return whether it asks what a picture shows, which nobody can know of a placeholder."""
    text = question.text
    if not _PICTURE_WORDS.search(text) or re.search(r"\bcolou?rs?\b", text):
        return False
    if _MOTIF.search(text):
        return True
    if question.quality in ("count", "place", "width", "height", "align", "compare"):
        return False
    kind = _KIND_WORDS.search(text)
    head = question.mentions[0] if question.mentions else None
    if (
        kind
        and head is not None
        and head.start > text.index(kind[1])
        and head.concept in ("picture", "logo", "background")
    ):
        return kind[1] not in _NO_MOTIF and not _HAPPENS.search(kind[1])
    return bool(DEPICTED.search(text) and re.search(r"\b(?:what|which)\b", text) and question.quality is None)
