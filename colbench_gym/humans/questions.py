"""What a message asks: its single questions, the kinds of thing they want, and what they are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.humans.facts import Kind, split_words, stem

READ_CHARS = 2000  # of a message's start and of its end; what lies between is not read
_MOST_QUESTIONS = 12  # per message
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?![\s)\"'”’]|$)[^.!?\n]*)*[.!?\n]*", re.DOTALL)
_REQUEST = re.compile(
    r"\?[\s)\"'*_]*$|^[\s>]*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-h]\))\s|"
    r"^\W*(?:\w+, )?(?:please|tell|describe|explain|clarify|specify|confirm|let me know|could|can|would|"
    r"i(?:'d| would)? (?:need|wonder|like|want))\b",
    re.IGNORECASE,
)
_PHRASES: dict[Kind, re.Pattern[str]] = {
    "edges": re.compile(r"\b(edge|corner|special|boundary|unusual|exceptional)[- ]?cases?\b"),
    "case": re.compile(
        r"\b(upper|lower|letter)[- ]?case|\bcase[- ](in)?sensitiv\w*|\bignor\w+ case\b|\bcapitali[sz]\w*"
    ),
    "types": re.compile(r"\bdata ?types?\b|\btype of (input|output|argument|parameter|value)s?\b"),
    "ties": re.compile(r"\btie[- ]?break\w*|\bties?\b|\bequal scores?\b"),
    "returns": re.compile(r"\bgive[sn]? back\b"),
}
_KIND_WORDS: dict[Kind, str] = {
    "arguments": "argument parameter param input inputs accept",
    "types": "type datatype",
    "returns": "return output result outcome produce yield",
    "edges": "edge corner special invalid empty missing none null negative zero unexpected unknown exception guard "
    "validation validate malformed blank absent exceptional unusual",
    "errors": "error exception raise fail failure crash",
    "conditions": "condition rule criteria criterion logic branch decide determine classify check depend if "
    "requirement scenario policy when",
    "constants": "constant threshold number weight cutoff fixed magic percentage factor ratio multiplier limit "
    "coefficient rate hardcoded literal numeric predefined bound boundary",
    "formula": "formula calculate calculation compute computation equation math mathematical arithmetic sum average "
    "algorithm expression combine weighting scoring",
    "format": "format structure shape string text wording label layout representation display phrasing message",
    "order": "order sort sequence rank ascending descending priority sorting ordering arrange",
    "ties": "tie tiebreak tiebreaker",
    "rounding": "round rounding decimal precision integer whole float truncate floor ceil digit ceiling truncation",
    "case": "casing capitalization capitalisation lowercase uppercase capital",
    "defaults": "default optional omit omitted fallback",
    "keys": "key field attribute column dictionary dict mapping lookup table schema",
    "loops": "loop iterate filter include exclude iteration traverse filtering",
    "imports": "import library package module dependency helper",
}
_KIND_OF: dict[str, set[Kind]] = {}
for _kind, _words in _KIND_WORDS.items():
    for _word in _words.split():
        _KIND_OF.setdefault(stem(_word), set()).add(_kind)
_MORE = re.compile(
    r"\b(?:anything|something|what|who|nothing|any|some) (?:\w+ )?(?:else|more|further|additional|other|missing)\b|"
    r"\b(?:other|further|additional|more|remaining) (?:things?|details?|information|requirements?|considerations?|"
    r"rules|points?|notes?)\b|\belse\b|\bleft out\b|\bmissed\b"
)
_QUALIFIERS: dict[Kind, frozenset[Kind]] = {  # what only says which side of the other is meant
    "types": frozenset({"arguments", "returns", "keys"}),
    "format": frozenset({"arguments", "returns"}),
}
PLAIN = frozenset(
    stem(word)
    for word in [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "they",
        "them",
        "their",
        "there",
        "here",
        "i",
        "you",
        "we",
        "he",
        "she",
        "me",
        "my",
        "your",
        "our",
        "us",
        "one",
        "ones",
        "and",
        "or",
        "but",
        "so",
        "because",
        "as",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "from",
        "by",
        "with",
        "without",
        "into",
        "onto",
        "over",
        "under",
        "about",
        "than",
        "then",
        "per",
        "via",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "do",
        "does",
        "did",
        "done",
        "doing",
        "have",
        "has",
        "had",
        "having",
        "can",
        "could",
        "should",
        "would",
        "will",
        "shall",
        "may",
        "might",
        "must",
        "need",
        "needs",
        "needed",
        "want",
        "wants",
        "wanted",
        "like",
        "prefer",
        "please",
        "thanks",
        "thank",
        "okay",
        "ok",
        "sure",
        "great",
        "hi",
        "hello",
        "not",
        "no",
        "yes",
        "also",
        "just",
        "only",
        "any",
        "some",
        "all",
        "each",
        "every",
        "both",
        "either",
        "neither",
        "same",
        "different",
        "such",
        "own",
        "more",
        "most",
        "less",
        "least",
        "very",
        "too",
        "much",
        "many",
        "few",
        "several",
        "how",
        "what",
        "which",
        "who",
        "whom",
        "whose",
        "where",
        "why",
        "when",
        "if",
        "else",
        "whether",
        "while",
        "during",
        "function",
        "functions",
        "code",
        "python",
        "program",
        "script",
        "method",
        "implementation",
        "implement",
        "write",
        "writing",
        "create",
        "build",
        "make",
        "made",
        "get",
        "gets",
        "got",
        "give",
        "gives",
        "given",
        "take",
        "takes",
        "taken",
        "use",
        "used",
        "using",
        "work",
        "works",
        "handle",
        "handled",
        "handling",
        "happen",
        "happens",
        "behave",
        "behaviour",
        "behavior",
        "treat",
        "treated",
        "treating",
        "consider",
        "considered",
        "expect",
        "expected",
        "exactly",
        "exact",
        "specific",
        "specifically",
        "particular",
        "certain",
        "kind",
        "kinds",
        "sort",
        "sorts",
        "way",
        "ways",
        "thing",
        "things",
        "detail",
        "details",
        "information",
        "info",
        "know",
        "knowing",
        "tell",
        "clarify",
        "clarification",
        "explain",
        "describe",
        "provide",
        "let",
        "help",
        "understand",
        "share",
        "question",
        "questions",
        "answer",
        "first",
        "second",
        "next",
        "last",
        "before",
        "after",
        "start",
        "begin",
        "finally",
        "final",
        "possible",
        "possibly",
        "value",
        "values",
        "item",
        "items",
        "element",
        "elements",
        "data",
        "list",
        "lists",
        "lists'",
        "tuple",
        "variable",
        "variables",
        "name",
        "named",
        "names",
        "call",
        "called",
        "look",
        "looks",
        "come",
        "comes",
        "go",
        "goes",
        "put",
        "set",
        "should've",
        "example",
        "examples",
        "instance",
        "e.g",
        "i.e",
        "etc",
        "otherwise",
        "still",
        "main",
        "general",
        "overall",
        "basic",
        "right",
        "correct",
        "correctly",
        "properly",
        "actual",
        "actually",
        "really",
        "currently",
        "case",
        "cases",
        "mean",
        "means",
        "meant",
        "say",
        "says",
        "said",
        "there's",
        "what's",
        "it's",
        "i'm",
        "i'd",
        "don't",
        "doesn't",
        "user",
        "human",
        "person",
        "task",
        "problem",
        "involved",
        "applied",
        "apply",
        "applies",
        "apply",
        "apply",
        "relevant",
        "important",
        "assume",
        "assumption",
        "assumptions",
        "based",
        "between",
        "up",
        "down",
        "out",
        "off",
        "again",
        "ever",
        "even",
        "around",
        "across",
        "within",
        "against",
        "worth",
        "aware",
        "care",
        "matter",
        "matters",
        "mind",
        "appear",
        "occur",
        "exist",
        "exists",
        "existing",
        "contain",
        "contains",
        "become",
        "affect",
        "affects",
        "regard",
        "regarding",
        "regards",
        "concerning",
        "two",
        "three",
        "four",
        "five",
        "ten",
        "zero-based",
        "pass",
        "passed",
        "passing",
        "receive",
        "received",
        "supply",
        "supplied",
        "support",
        "supported",
        "something",
        "nothing",
        "everything",
        "anything",
        "someone",
        "step",
        "steps",
        "follow",
        "following",
        "follows",
        "precise",
        "precisely",
    ]
)


@dataclass(frozen=True)
class Question:
    """One question of a message.

    Attributes:
        text: as it was asked.
        kinds: the kinds of thing it wants.
        words: stems of what it is about, beyond the words of every question.
        more: it asks for anything else.
        direct: it ends in a question mark, is a request or is a point of a list.
    """

    text: str
    kinds: frozenset[Kind]
    words: frozenset[str]
    more: bool = False
    direct: bool = True


def visible(message: str) -> str:
    """The part of a message that is read: its start and its end, without fenced code."""
    if len(message) > 2 * READ_CHARS:
        message = f"{message[:READ_CHARS]}\n{message[-READ_CHARS:]}"
    return _FENCE.sub("\n", message)


def sentences(text: str) -> list[str]:
    """A text cut where sentences, lines and listed points end."""
    return [part.strip() for part in _SENTENCE.findall(text) if any(char.isalnum() for char in part)]


@lru_cache(maxsize=2048)
def understand(sentence: str) -> Question:
    """Classify one sentence."""
    lower = sentence.lower().replace("’", "'")
    kinds: set[Kind] = set()
    for kind, pattern in _PHRASES.items():
        lower, count = pattern.subn(" ", lower)
        if count:
            kinds.add(kind)
    words: set[str] = set()
    more = _MORE.search(lower) is not None
    for word in split_words(lower):
        root = stem(word)
        if root in _KIND_OF:
            kinds |= _KIND_OF[root]
            words.add(root)
        elif root not in PLAIN and not (word.isdigit() and len(word) < 2):
            words.add(root)
    for kind, others in _QUALIFIERS.items():
        if kinds & others:
            kinds.discard(kind)
    return Question(sentence, frozenset(kinds), frozenset(words), more, _REQUEST.search(sentence) is not None)


def questions_in(message: str) -> list[Question]:
    """The questions, requests and listed points of a message; all of its sentences when those ask for nothing."""
    return asking([understand(sentence) for sentence in sentences(visible(message))])


def asking(found: Sequence[Question]) -> list[Question]:
    """Those that ask for something; all when none does."""
    direct = [question for question in found if question.direct and (question.words or question.kinds or question.more)]
    return (direct or list(found))[:_MOST_QUESTIONS]


def kind_words(words: frozenset[str]) -> frozenset[str]:
    """Those words that only name a kind of thing: "threshold", "format"."""
    return frozenset(word for word in words if word in _KIND_OF)
