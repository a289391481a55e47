"""Questions of a message, each with the words around it and with its subject."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from colbench_gym.humans.code_reader.lexicon import PLAIN, split_words, stem

READ_CHARS = 2000  # of a message's start and of its end; what lies between is not read
MAX_QUESTIONS = 6  # per message
MAX_TAG_WORDS = 4
MAX_STATED_CHARS = 160  # of a statement that a short question is about
_FENCE = re.compile(r"```[\w+-]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?![\s)\"'”’]|$)[^.!?\n]*)*[.!?\n]*", re.DOTALL)
_SHORT_FORMS = (
    ("i.e.", "ie"),
    ("e.g.", "eg"),
    ("vs.", "vs"),
    ("etc.)", "etc)"),
    ("approx.", "approx"),
    ("incl.", "incl"),
)
_REQUEST = re.compile(
    r"\?[\s)\"'*_]*$|^\W*(?:please|kindly|tell|describe|explain|clarify|specify|confirm|let me know|could you|can you|"
    r"would you|i(?:'d| would)? (?:need|wonder|like|want) to know|i(?:'m| am) (?:wondering|unsure"
    r"|not sure)|i wonder)\b|"
    r"\b(?:please|kindly) (?:tell|describe|explain|clarify|specify|confirm|let me know|share|elaborate)",
    re.IGNORECASE,
)
_POINT = re.compile(r"(?:^\s*[-*•]|(?:^|\s)(?:•|\(?\d{1,2}[.)]|\(?[a-h]\)))\s")
_AUXILIARY = (
    "is|are|was|were|does|do|did|should|shall|may|can|could|must|will|would|have|has|am|need|in which|with which|"
    "how|what|which|when|where|who|whom|whose|why|what's|how's|for which"
)
_JOINT = re.compile(
    rf"(?:,|;|\?)\s*(?:and|also|plus|as well as|but)\s+(?:also\s+)?(?=(?:{_AUXILIARY})\b)"
    rf"|;\s*(?=(?:{_AUXILIARY})\b)|,\s*(?=(?:how|what|which|when|who|does|do|should|must|are|is"
    rf"|may|can)\b [^,?]*(?:,|\band\b))"
    rf"|\s+and\s+(?=(?:what|how|which|whether|may|should|does|do|is|are)\b (?:\w+ ){{2}})",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^\W*(?:is it|is this|is that|are they|are these|for example|for instance|eg\b|ie\b|if so"
    r"|if yes|if not|particularly|"
    r"specifically|especially|or\b|perhaps|maybe|such as|like\b|i (?:imagine|assume|guess|suppose"
    r"|would assume)|would it|"
    r"would that|should i (?:raise|return|skip|ignore|treat|use|throw|default)|do they|does it"
    r"|does that|does this|should it|should they|will it|can it|and if"
    r"|treat it|my guess|per\b|as a\b|"
    r"in other words|that is|i mean|meaning|could there|just|so would|so is|with|truncate|skip|ignore|raise|return)\b",
    re.IGNORECASE,
)
_STARTS_QUESTION = re.compile(rf"^\W*(?:\w+[,:]? )?(?:{_AUXILIARY})\b", re.IGNORECASE)
_ASKS = re.compile(rf"(?:^|[:;,—–-])\W*(?:\w+[,:]? )?(?:{_AUXILIARY})\b", re.IGNORECASE)
_POLAR = re.compile(
    r"^(?:.*[,:;—–-] ?|(?:and|so|but|also|then|or|well|if [^,]*,|when [^,]*,|for [^,]*,|in [^,]*,|with [^,]*,) ?)?"
    r"(?:is|are|was|were|does|do|did|should|shall|may|can|could|must|will|would|have|has|am|need"
    r"|don't|doesn't|isn't|aren't|shouldn't)"
    r" (?:the|there|it|its|this|that|these|those|they|we|i|you|a|an|any|all|each|every|only|both"
    r"|my|your|one|no|none|names?|\w+)\b",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    (
        r"^\W*(?:could|can|would|will|may) (?:you|i|we)(?: please| kindly| perhaps| also"
        r"| just)* (?:mind )?(?:tell|telling|explain|explaining|clarify|specify|"
        r"describe|describing|confirm|give|share|provide|walk|ask|elaborate|let|list|say|spell|know"
        r"|have|get|help|writing|know)\b"
    ),
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"\n]{0,120}\"|(?<!\w)'[^'\n]{0,120}'(?!\w)|`[^`\n]{0,120}`")
_AGREEING = re.compile(
    r"(?:(?:ok|okay|right|correct|yes|true|fine|all|alright|is|that|so|am|i|agreed|this|with|you|good|acceptable)\b\W*)+"
)
_TAG = re.compile(
    r"(?:[.,;:–—-]|(?<!\bor)(?<!\bas)\s|^)\s*(?:is that |am i |is )?(?:correct|right|true|yes|agreed|no"
    r"|(?:is|are|does|do|was|will|would|should|must|can|has|have)n't (?:it|they|that|he|she|there|we|you)"
    r"|ok(?:ay)?|all right|alright|(?:is )?(?:this|that|it|my \w+) (?:so|right|correct|true)"
    r"|do(?:es)? (?:that|you) (?:work|fit|agree))"
    r"\s*\?\s*$"
)
_TAG_ALONE = re.compile(
    r"^\W*(?:and |so )?(?:is (?:that|this|it|my \w+) (?:so|right|correct|true)|am i (?:right|correct)"
    r"|(?:is that )?right|correct|true|yes|all right|alright|do you agree|agreed)\W*$",
    re.IGNORECASE,
)
_COURTEOUS = re.compile(
    r"^\W*(?:please let me know|just (?:asking|checking|curious|wondering|want)|th(?:is|at) (?:will|would) help"
    r"|i(?:'d| would) (?:like|love|appreciate)|thank|thanks|cheers|sorry|no rush"
    r"|i (?:just )?want to (?:be|make) sure)\b",
    re.IGNORECASE,
)
_ASKS_NOTHING_MORE = re.compile(
    r"^\W*(?:so |and |but )?(?:please |kindly |do |just )*(?:let me know|tell me|advise|clarify|confirm|help|explain)"
    r"(?: (?:please|thanks|soon|what you think|your thoughts))*\W*$",
    re.IGNORECASE,
)
MAX_FRAGMENT_WORDS = 10
_THEN_WHAT = re.compile(
    r"[,;:.–—-]?\s*(?:(?:and )?(?:what|and) then|then what|now what|what now|what happens(?: then)?"
    r"|what do i do(?: then)?"
    r"|so what|->|→|=|:)\s*\?\s*$"
)
_VERBS = re.compile(
    r"\b(?:what|which|how|when|where|who|whom|whose|why|is|are|was|were|does|do|did|should|shall|may|can|could|must|will"
    r"|would|have|has|had|am|need|needs|want|i|i'd|i'll|you|we|it|just|only|always|never|then|else|also|too|please|plain"
    r"|simple|single|same|more|other|anything|so|my|your|any|or|each|all|per|in|as|like|\w+n't|what's|how's|that's)\b"
)
_ASKS_WH = re.compile(
    r"^\W*(?:and |so |but |also )?(?:up to|at|in|from|by|for|to|on|above|below|under|over|with|of|until|since)? ?"
    r"(?:what(?!'s right)|which|how|when|where|who|whose|why)\b(?! if\b| about\b)[^,;:.]*\?",
    re.IGNORECASE,
)
_WH = re.compile(r"\b(what|which|how|when|where|who|whom|whose|why)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """One question of a message.

    Attributes:
        text: as it was asked.
        context: statements of the same message before it.
        place: its number in the message, from 0.
    """

    text: str
    context: str = ""
    place: int = 0
    own: str = field(default="", compare=False)

    @cached_property
    def lower(self) -> str:
        """The question in lower case with straight quotes."""
        return plain_quotes(self.text).lower()

    @cached_property
    def bare(self) -> str:
        """Return the question in lower case without what it quotes."""
        return _QUOTED.sub("…", self.lower)

    @cached_property
    def whole(self) -> str:
        """The question with what was said before it, in lower case."""
        return plain_quotes(f"{self.context} {self.text}").strip().lower()

    @cached_property
    def raw(self) -> str:
        """The same with its letters as they are."""
        return plain_quotes(f"{self.context} {self.text}").strip()

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all its words."""
        return frozenset(map(stem, split_words(self.lower)))

    @cached_property
    def about(self) -> frozenset[str]:
        """Stems of the words that say what it is about."""
        return frozenset(s for word in split_words(self.lower) if (s := stem(word)) not in PLAIN and not word.isdigit())

    @cached_property
    def about_all(self) -> frozenset[str]:
        """The same, of what was said before it too."""
        return frozenset(s for word in split_words(self.whole) if (s := stem(word)) not in PLAIN and not word.isdigit())

    @cached_property
    def polar(self) -> bool:
        """Return whether yes or no answers it."""
        main = re.sub(r"(?<!\w)['\"`]", "", self.lower.split("?")[0].strip())
        if _ASKS_WH.match(f"{main}?"):
            return False
        if _TAG.search(self.lower):
            return True
        if _COURTESY.match(main) or self.either:
            return False
        wh = _WH.search(main)
        if re.match(r"\W*any \w+", main) or _TAG.search(self.lower):
            return True
        polar = _POLAR.match(main)
        return polar is not None and (wh is None or wh.start() > polar.end())

    @cached_property
    def either(self) -> bool:
        """Return whether it offers alternatives."""
        return re.search(r",? or (?!not\b|something\b|so\b|similar\b|more\b|less\b|anything\b)", self.lower) is not None

    @cached_property
    def fragment(self) -> bool:
        """Return whether it only names a case: "A negative factor?", "Nobody qualifies - what then?"."""
        main = _THEN_WHAT.sub("", self.lower).strip(" ?.!…-–—>=→")
        words = main.split()
        if not words or len(words) > MAX_FRAGMENT_WORDS or not self.lower.rstrip(" )\"'").endswith("?") or self.either:
            return False
        if re.search(r"[:;]\s*\w|[\w)'\"][.!]\s", main):  # a case and a guess: "An empty list: 0?"
            return False
        then = _THEN_WHAT.search(self.lower) is not None
        return then or (_VERBS.search(_QUOTED.sub("…", main)) is None and _TAG.search(self.lower) is None)

    def has(self, pattern: str) -> bool:
        """Return whether a pattern occurs in it."""
        return compiled(pattern).search(self.lower) is not None

    def said(self, pattern: str) -> bool:
        """Return whether a pattern occurs in it or in what was said before it."""
        return compiled(pattern).search(self.whole) is not None


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern compiled once."""
    return re.compile(pattern, re.IGNORECASE)


def plain_quotes(text: str) -> str:
    """Return a text with straight quotes and plain dashes."""
    return text.translate(_QUOTES)


_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "‐": "-", "‑": "-", "\u00a0": " "})


def visible(message: str) -> str:
    """The part of a message that is read: its start and its end, without fenced code."""
    if len(message) > 2 * READ_CHARS:
        message = f"{message[:READ_CHARS]}\n{message[-READ_CHARS:]}"
    return _FENCE.sub("\n", message)


def sentences(text: str) -> list[str]:
    """A text cut where sentences, lines and listed points end."""
    return [part.strip() for part in _SENTENCE.findall(text) if any(char.isalnum() for char in part)]


@lru_cache(maxsize=2048)
def questions_in(message: str) -> tuple[Question, ...]:
    """The questions and requests of a message; all of it as one when it asks for nothing."""
    text = visible(plain_quotes(message))
    for form, shorter in _SHORT_FORMS:
        text = text.replace(form, shorter).replace(form.capitalize(), shorter)
    found: list[list[str]] = []  # [context, text]
    context: list[str] = []
    for sentence in _points(text):
        if found and _ASKS_NOTHING_MORE.match(sentence):
            continue
        asks = _REQUEST.search(sentence) is not None
        if context and _TAG_ALONE.match(sentence):  # what was stated is what is asked
            sentence = f"{context.pop()} {sentence}"
        if (asks and found and not context and _LEANING.match(sentence) and len(found[-1][1]) < READ_CHARS) or (
            asks and found and not context and not _STARTS_QUESTION.match(sentence) and len(sentence) < 80
        ):
            found[-1][1] += f" {sentence}"
        elif asks:
            parts = [part.strip() for part in _JOINT.split(sentence) if part and part.strip(" ,;?")]
            while len(parts) > 1 and "?" not in parts[0] and not _asks(parts[0]):
                context.append(parts.pop(0))  # "The same item twice; does it count twice?"
            found += [[" ".join(context) if i == 0 else "", part] for i, part in enumerate(parts)]
            context = []
        elif not (found and _COURTEOUS.match(sentence)):
            context.append(sentence)
    if not found and text.strip():
        found = [["", " ".join(text.split())]]
    elif context and found:
        found[-1][1] += " " + " ".join(context) if len(" ".join(context)) < 200 else ""
    found = [["", f"{before} {text}"] if _only_agrees(before, text) else [before, text] for before, text in found]
    return tuple(Question(text, before, place) for place, (before, text) in enumerate(found[:MAX_QUESTIONS]))


def _only_agrees(before: str, text: str) -> bool:
    """Return whether a question only asks for agreement with the short statement before it: "Am I right?"."""
    asked = text.lower().partition("?")[0].strip()
    short = 0 < len(asked.split()) <= MAX_TAG_WORDS and 0 < len(before) < MAX_STATED_CHARS
    return short and _AGREEING.fullmatch(asked) is not None


def _asks(part: str) -> bool:
    return _ASKS.search(part) is not None or _REQUEST.search(part) is not None or _WH.search(part) is not None


def _points(text: str) -> list[str]:
    """Sentences, with the points of a list inside one taken apart."""
    found: list[str] = []
    for sentence in sentences(_guarded(text)):
        parts = [part.strip(" ,;") for part in _POINT.split(sentence)]
        whole = [part for part in parts if len(part) > 2]
        if len(whole) >= 3 or (len(whole) == 2 and _POINT.match(sentence)):
            asks = any("?" in part for part in whole)
            head = [whole[0]] if not _POINT.match(sentence) else []
            rest = whole[len(head) :]
            if not asks and head and not re.search(r"clear on|clarif|question|know|confirm|unclear", head[0], re.I):
                found.append(_unguarded(sentence))
                continue
            found += [_unguarded(part) for part in head]
            found += [_unguarded(part if "?" in part else f"{part}?") for part in rest]
        else:
            found.append(_unguarded(_POINT.sub(" ", sentence, count=1).strip() if _POINT.match(sentence) else sentence))
    return [part for part in found if any(char.isalnum() for char in part)]


def _guarded(text: str) -> str:
    """Keep list marks such as "1. " from ending a sentence."""
    return re.sub(r"(?m)(^\s*|[:?.!;]\s+)(\d{1,2})\.(?=\s)", r"\1\2)", text)


def _unguarded(text: str) -> str:
    return text


_EITHER_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) or (\d+(?:\.\d+)?)(?![\w.]*\w)")
_CASE = re.compile(r"\W*(?:if|when|for)\b", re.IGNORECASE)


def each_number(question: Question) -> list[Question]:
    """Return a question about the case "0 or 6" as one about each of the two numbers; other questions as they are."""
    told = question.context or (question.text if _CASE.match(question.text) else "")
    if not _EITHER_NUMBER.search(told):
        return [question]
    return [
        replace(
            question,
            text=_EITHER_NUMBER.sub(rf"\{side}", question.text),
            context=_EITHER_NUMBER.sub(rf"\{side}", question.context),
        )
        for side in (1, 2)
    ]
