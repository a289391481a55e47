"""Situations that a question supposes, such as an empty list or a missing key, as arguments to run the reference on."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from colbench_gym.humans.code_reader.claims import Parameter
from colbench_gym.humans.code_reader.lexicon import related, split_words, stem, stems
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.shapes import Shape

Arguments = dict[str, Any]  # Any: plain data
Made = Iterator[Arguments]
MAX_TRIED = 12  # inputs of one situation: as many as there are realistic arguments, or a rare branch is missed


@dataclass(frozen=True)
class Situation:
    """Something out of the ordinary, and arguments that bring it about.

    Attributes:
        kind: empty, zero, negative, none, missing, unknown, duplicate, unequal.
        parameter: the argument that it is about; empty when several are.
        arguments: inputs on which it holds, each complete.
        usual: the inputs that they were made of.
    """

    kind: str
    parameter: str
    arguments: tuple[dict[str, Any], ...]
    usual: tuple[dict[str, Any], ...] = ()


_UNEQUAL = (
    r"\b(?:unequal|different|differing|mismatch\w*|not (?:of )?(?:the )?same|unlike|longer|shorter)\b"
    r".{0,30}\b(?:length|size|long|number)s?\b|\blengths? (?:differ|mismatch|don't match|do not match)"
    r"|\b(?:number|count|length|size)s?\b.{0,60}\b(?:don't|do not|doesn't) match"
    r"|\b(?:fewer|more|less) \w+ than (?:there (?:are|is) )?\w+|\bsame length\b|\bequal(?:ly)? (?:length|long)"
)
_MISSING = (
    r"\b(?:missing|absent|lack\w*|without|not (?:present|contain\w*|have|found|in)|isn't (?:in|present|there)"
    r"|doesn't (?:have|exist|contain|occur)|no such|left out|omit\w*|not listed|not exist)\b"
)
_EMPTY = (
    r"(?<!non-)(?<!non )\bempty\b|\bblank string\b|\bno (?:\w+ )?(?:at all|are given|is given"
    r"|given|supplied|provided|passed|exist"
    r"|remain|items|entries|elements|data|words|input)\b|\bnothing (?:is )?(?:in|passed|given|provided)\b"
    r"|\bzero[- ]length\b|\b(?:no|without any|zero) (?:\w+s)\b"
)
_NONE = (
    r"\bnone\b(?! of)|\bnull\b|\b(?:isn't|not|aren't|without being) (?:supplied|provided|given|passed|specified|set)\b"
    r"|\bomitted\b|\bleft out\b|\bno (?:value|argument) (?:is )?(?:given|passed)"
)
_ZERO = (
    r"(?:\b(?:is|are|be|equals?|of|to be|with|if|becomes?|an?|or|when|all|both)|=)\s*(?:all |both |exactly )?"
    r"(?:zero|0)\b(?![.,]\d|\s?%|\s*[-–]\s*\d|\s+(?:and|to|or)\s+\d)"
)
_UNKNOWN = (
    r"\b(?:i|you) (?:don't|do not) know\b|\b(?:isn't|aren't|not) (?:in|on|part of|among|one of)\b"
    r"|\b(?:is|are|isn't|not) (?:unknown|unrecogni[sz]ed|unsupported|invalid|not listed|listed)\b"
    r"|\b(?:unknown|unrecogni[sz]ed|unsupported|unexpected|invalid|undefined|unlisted|other than|another|different)"
    r" \w+|\boutside\b|\bany other\b|\bnot (?:one of|among|in the (?:list|table|dictionary)|recogni[sz]ed|supported"
    r"|known)|\bdoesn't match\b|\bnone of (?:the|these|those)\b"
)
_KINDS: tuple[tuple[str, str], ...] = (
    ("unequal", _UNEQUAL),
    ("missing", _MISSING),
    ("empty", _EMPTY),
    ("none", _NONE),
    ("zero", _ZERO),
    ("negative", r"\bnegative\b|\bbelow (?:zero|0)\b|\bless than (?:zero|0)\b"),
    ("unknown", _UNKNOWN),
    ("duplicate", r"\bduplicat\w*|\btwice\b|\brepeat\w*|\bmore than once\b|\bseveral times\b|\boccurs? multiple times"),
)
_SUPPOSING = re.compile(
    r"\b(?:if|when|suppose|supposing|say|what about|how about|in case|for an?|with|could|might"
    r"|given|happens?|behaviour|behavior|behave|handle\w*|"
    r"treat\w*|deal\w*|dealt|should|shall|for|do you want|does|do|must|can|may|is|are|be|would|will|how)\b",
    re.IGNORECASE,
)


_OF_RESULT = r"\b(?:result|outcome|output|answer|difference) (?:be|become|ever be) (?:negative|zero|empty|none)\b"


_OPTION = (
    r"\b(?:return\w*|give|yield|produce|raise|get|mean|by|treat\w* (?:it |them |this |that )?as|as|want|use)"
    r" (?:just |simply |only )?(?:an? |the )?(?:empty \w+|none\b|null\b|0\b|zero\b|error)"
)


def _without_options(question: Question) -> str:
    """Return the question without what it offers as an answer: "return 0", ": an empty list or None"."""
    text = question.whole
    if question.either:
        pieces = re.split(r"(?<=[:;?—–])\s|,\s(?=(?:an?|or|none|0|zero|return|raise|should|do)\b)", text)
        kept = [p for i, p in enumerate(pieces) if i == 0 or re.search(r"\b(?:if|when|what|how|suppose|case)\b", p)]
        text = " ".join(kept)
    return re.sub(_OPTION, " ", text)


def _without_names(text: str, known: Knowledge) -> str:
    """Return a text without the names of arguments, which are no situations: "lowest_absent", "empty slots"."""
    for parameter in known.parameters:
        words = parameter.name.lower().split("_")
        if len(words) > 1:
            text = re.sub(rf"\b{'[_ ]'.join(map(re.escape, words))}\b", "it", text)
    return text


def situations_in(question: Question, known: Knowledge) -> Iterator[Situation]:
    """Yield the situations that a question supposes, with inputs for each."""
    text = _without_names(_without_options(question), known)
    if not known.parameters or not _SUPPOSING.search(text) or re.search(_OF_RESULT, text):
        return
    bases = _bases(known)
    if not bases:
        return
    for kind, pattern in _KINDS:
        match = re.search(pattern, text)
        if not match:
            continue
        numeric = [p for p in known.parameters if p.shape.kind == "number"]
        if kind == "zero" and len(numeric) > 1 and re.search(r"\b(?:both|all|each|everything)\b", text):
            yield Situation("zero", "", tuple({**base, **{p.name: 0 for p in numeric}} for base in bases[:1]))
            continue
        for parameter in _targets(question, known, kind, match):
            pairs = [(made, base) for base in bases for made in _MAKERS[kind](base, parameter, question, known)][
                :MAX_TRIED
            ]
            if pairs:
                yield Situation(kind, parameter.name, tuple(m for m, _ in pairs), tuple(base for _, base in pairs))


def _bases(known: Knowledge) -> list[dict[str, Any]]:
    """Return realistic arguments to start from, the richest first."""
    required = {p.name for p in known.parameters if p.default is None and not p.extra}
    full = [dict(seed) for seed in known.seeds if required <= seed.keys()]
    full.sort(key=lambda seed: -min(len(repr(seed)), 400))
    if full:
        return full
    made = {p.name: sample(p.shape, p.name) for p in known.parameters if p.default is None and not p.extra}
    return [made] if None not in made.values() else []


def sample(shape: Shape, name: str = "") -> Any:
    """Return a plain value of a shape; None when it is unknown."""
    if shape.kind == "number":
        return 5
    if shape.kind == "flag":
        return True
    if shape.kind == "text":
        return shape.example or "abc"
    if shape.kind in ("list", "tuple", "set"):
        inner = sample(shape.item) if shape.item else 2
        items = [inner, inner] if inner is not None else []
        return tuple(items) if shape.kind == "tuple" else items
    if shape.kind == "dictionary":
        if shape.fields:
            return {key: sample(inner) if inner.kind else 5 for key, inner in shape.fields}
        return {"a": sample(shape.item) if shape.item else 5}
    if shape.kind == "mixed":
        return sample(shape.alternatives[0], name)
    return None


@lru_cache(maxsize=1024)
def mentioned(question: Question, known: Knowledge) -> tuple[Parameter, ...]:
    """Return the parameters that a question speaks of, the surest first."""
    scored = []
    words = question.stems
    near = related(words)
    for place, parameter in enumerate(known.parameters):
        own = [stem(word) for word in split_words(parameter.name)]
        if (
            re.search(rf"(?<![\w]){re.escape(parameter.name.lower())}(?![\w])", question.lower)
            and len(parameter.name) > 1
        ):
            score = 10.0 + len(own)
        else:
            hits = sum(1.0 if w in words else 0.5 if w in near else 0.0 for w in own if len(w) > 1)
            last = own[-1] in words or (own[-1] in near)
            score = hits / len(own) + (0.2 if last else 0.0)
            if len(parameter.name) == 1 and re.search(
                rf"(?<![\w']){re.escape(parameter.name.lower())}(?![\w'])", question.lower
            ):
                score = 5.0 if parameter.name not in ("a", "i") else 0.0
        if score > 0.55:
            scored.append((-score, place, parameter))
    scored.sort(key=lambda entry: entry[:2])
    if scored:
        return tuple(parameter for _, _, parameter in scored)
    shared = [p for p in known.parameters if {stem(w) for w in split_words(p.name) if len(w) > 2} & words]
    return tuple(shared) if len(shared) > 1 else ()


_NOTHING = (
    r"\bif (?:none|no|nothing)\b|\bno (?:\w+ ){1,3}(?:match\w*|pass\w*|make\w*|meet\w*|qualif\w*"
    r"|satisf\w*|exceed\w*|reach\w*|found|fit\w*|over|above|after|before)\b"
    r"|\bnone of (?:the|them|my|a)\b|\bnothing (?:match|fit|is found|pass)\w*|\bno match\w*"
    r"|\bno results?\b|\bthere (?:are|is) no\b"
)


def without_matches(question: Question, known: Knowledge) -> list[dict[str, Any]]:
    """Return inputs on which a filter lets nothing through, as far as extreme values bring that about."""
    if not re.search(_NOTHING, question.whole):
        return []
    made: list[dict[str, Any]] = []
    for base in _bases(known)[:1]:
        for p in known.parameters:
            value = base.get(p.name)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                made += [{**base, p.name: 10**9}, {**base, p.name: -(10**9)}]
            elif isinstance(value, str):
                made.append({**base, p.name: "9999-12-31" if re.fullmatch(r"\d{4}-\d\d-\d\d", value) else "qqqq"})
            elif isinstance(value, tuple) and len(value) == 2:
                made.append({**base, p.name: (10**9, 10**9 + 1)})
    return made


_CONTAINERS = ("list", "dictionary", "text", "tuple", "set")


def _targets(question: Question, known: Knowledge, kind: str, match: re.Match[str]) -> list[Parameter]:
    """Return the parameters that the situation can be about, at most two."""
    wanted: Callable[[Parameter], bool] = {
        "empty": lambda p: p.shape.kind in _CONTAINERS,
        "zero": lambda p: p.shape.kind in ("number", ""),
        "negative": lambda p: p.shape.kind in ("number", ""),
        "missing": lambda p: p.shape.kind in ("list", "dictionary", "tuple"),
        "unknown": lambda p: p.shape.kind in ("text", "number", "list", "dictionary", "mixed"),
        "duplicate": lambda p: p.shape.kind in ("list", "tuple", "text"),
        "unequal": lambda p: p.shape.kind in ("list", "tuple", "text"),
        "none": lambda p: True,
    }.get(kind, lambda p: True)
    fitting = [p for p in known.parameters if wanted(p) and not p.extra]
    named = [p for p in mentioned(question, known) if p in fitting]
    if kind == "none" and not named:
        named = [p for p in fitting if p.default is not None]
    if kind == "empty" and re.search(r"\binner\b", question.whole):
        named = [p for p in fitting if p.shape.item is not None and p.shape.item.kind in _CONTAINERS]
    if kind == "unknown" and not named:
        named = [p for p in fitting if p.shape.kind == "text" and stems([p.name]) & question.about][:1]
    if named:
        return named[:1] if kind == "unequal" else named[:2]
    window = question.whole[max(0, match.start() - 25) : match.end() + 25]
    for word, shape in (
        ("list", "list"),
        ("string", "text"),
        ("text", "text"),
        ("dict", "dictionary"),
        ("array", "list"),
    ):
        typed = [p for p in fitting if p.shape.kind == shape]
        if word in window and typed:
            return typed[:1]
    if kind in ("zero", "negative") and any(p.shape.kind != "number" for p in known.parameters) and not fitting:
        return []
    return fitting[:1] if kind in ("empty", "missing", "unequal", "duplicate") or len(fitting) == 1 else []


def _make_empty(base: Arguments, p: Parameter, question: Question, known: Knowledge) -> Made:  # noqa: ARG001
    empty: dict[str, Any] = {"list": [], "dictionary": {}, "text": "", "tuple": (), "set": set()}
    value = base.get(p.name)
    inner = p.shape.item is not None and p.shape.item.kind in _CONTAINERS
    if (
        inner
        and isinstance(value, list)
        and value
        and re.search(r"\binner\b|\ban? \w+ (?:without|with no)\b", question.whole)
    ):
        yield {**base, p.name: [type(value[0])(), *value[1:]]}
    elif p.name in base or p.default is not None:
        yield {**base, p.name: empty[p.shape.kind]}


def _make_zero(base: Arguments, p: Parameter, question: Question, known: Knowledge) -> Made:  # noqa: ARG001
    yield {**base, p.name: 0}


def _make_negative(base: Arguments, p: Parameter, question: Question, known: Knowledge) -> Made:  # noqa: ARG001
    value = base.get(p.name)
    size = abs(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and value else 1
    yield {**base, p.name: -size}


def _make_none(base: Arguments, p: Parameter, question: Question, known: Knowledge) -> Made:  # noqa: ARG001
    if p.default is not None and not re.search(r"\bnone\b|\bnull\b", question.whole):
        yield {name: value for name, value in base.items() if name != p.name}
    else:
        yield {**base, p.name: None}


def _make_missing(base: Arguments, p: Parameter, question: Question, known: Knowledge) -> Made:
    """Take one entry out of the first dictionary that has it."""
    value = copy.deepcopy(base.get(p.name))
    for owner in _dictionaries(value):
        keys = [k for k in owner if isinstance(k, str)]
        named = [k for k in keys if stems([k]) & question.about]
        needed = [k for k in keys if k in known.strings]
        for key in [*named, *needed, *keys][:1]:
            del owner[key]
            yield {**base, p.name: value}
        return


def _dictionaries(value: Any) -> Iterator[dict[Any, Any]]:
    if isinstance(value, dict):
        inner = [v for v in value.values() if isinstance(v, dict)]
        yield from inner
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _dictionaries(item)


def _make_unknown(base: Arguments, p: Parameter, question: Question, known: Knowledge) -> Made:
    quoted = [a or b for a, b in re.findall(r"\"([^\"]{1,60})\"|'([^']{1,60})'", question.raw)]
    if p.shape.kind == "text":
        fresh = [text for text in quoted if text not in known.strings]
        fresh += re.findall(r"(?<!\w)[&#@$%][\w#]+;?", question.raw)
        yield {**base, p.name: fresh[0] if fresh else "something else"}
    elif isinstance(base.get(p.name), (list, tuple)) and p.shape.item is not None and p.shape.item.kind == "text":
        fresh = [text for text in quoted if text not in known.strings]
        value = base[p.name]
        yield {**base, p.name: type(value)([*value, fresh[0] if fresh else "something else"])}


def _make_duplicate(base: Arguments, p: Parameter, question: Question, known: Knowledge) -> Made:  # noqa: ARG001
    value = base.get(p.name)
    if isinstance(value, (list, tuple)) and value:
        yield {**base, p.name: type(value)([*value, value[0]])}


def _make_unequal(base: Arguments, p: Parameter, question: Question, known: Knowledge) -> Made:  # noqa: ARG001
    value = base.get(p.name)
    if not (isinstance(value, (list, tuple, str)) and len(value) > 1):
        return
    more = re.search(r"\b(more|longer|fewer|less|shorter)\b(?P<what>.{1,40}?)\bthan\b", question.whole)
    own = stems([p.name])
    named = more is None or bool(own & stems([more["what"]])) or more[1] in ("longer", "shorter")
    longer = more is not None and more[1] in ("more", "longer")
    if not named:
        longer = not longer
    sliced: Any = value  # Any: a list, tuple or text, all of which add and cut alike
    yield {**base, p.name: sliced + sliced[-1:] if longer else sliced[:-1]}


_MAKERS: dict[str, Callable[[dict[str, Any], Parameter, Question, Knowledge], Iterator[dict[str, Any]]]] = {
    "empty": _make_empty,
    "zero": _make_zero,
    "negative": _make_negative,
    "none": _make_none,
    "missing": _make_missing,
    "unknown": _make_unknown,
    "duplicate": _make_duplicate,
    "unequal": _make_unequal,
}


def raises_on_purpose(known: Knowledge, error: str) -> bool:
    """Whether the reference has a raise statement for an error of that name."""
    for node in ast.walk(known.tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(raised, ast.Name) and raised.id == error:
                return True
    return False


def guards(known: Knowledge) -> Sequence[ast.expr]:
    """Return the tests for something out of the ordinary."""
    from colbench_gym.humans.code_reader.reader import is_edge

    return [n.test for n in known.nodes if isinstance(n, (ast.If, ast.IfExp)) and is_edge(n.test)]
