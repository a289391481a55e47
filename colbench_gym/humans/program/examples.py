"""Worked examples: read values out of a question and bind them to the arguments of the function."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from colbench_gym.humans.asking.lexicon import PLAIN, stem, stem_list, stems
from colbench_gym.humans.program.claims import Parameter
from colbench_gym.humans.program.forms import outcomes
from colbench_gym.humans.program.laboratory import arguments_of
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.verbalizer.wording import name_words
from colbench_gym.humans.vocabulary import read_patterns
from colbench_gym.python_code.syntax import parse_expression

MAX_DIGITS = 300  # of a whole number; longer ones are infinite
MAX_LITERAL_CHARS = 2000  # as much as is read of a message's start
MAX_UNCLOSED = 8  # brackets that nothing closes, after which the rest of a text is not searched for values
MAX_MENTIONS = 10
_NUMBER = re.compile(
    r"(?<![\w.,'\"])[-−]?(?:\d{1,3}(?:,\d{3})+"
    r"|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w]*[\"'])(?:\s?(%|percent\b|k\b|million\b))?"
)
_CONSTANT = re.compile(r"(?:[Tt]rue|[Ff]alse|None)\b")
_SET = re.compile(r"(?:\b(?:is|are)|[=:]|\w_\w+) *$")  # before "true" where it is a value
_BEGINS = re.compile(  # where one may begin; not behind a bracket and "*", in a range
    r"[\[({\"'`]|(?<![\w.,'\"])(?<![+*×/] )(?<!\]\*)(?<!\d[-–])(?!\d+[-–]\d)[-−]?\d|\b(?:[TFN]|true\b|false\b)"
)
_QUOTED = re.compile(r"\"([^\"\n]{0,200})\"|(?<![\w])'([^'\n]{0,200}?)'(?!\w)|`([^`\n]{0,200})`")
_WORKED = re.compile(
    r"\(\s?\d[\d.,²]{0,20}\s?[-+*×/]\s?\d|(?<![\d.,])\d[\d.,²]{0,20}\)?\s?"
    r"(?:[*×÷]|\+|(?:[-/]\s|(?:\w{1,20} )?(?:times|minus|plus|multiplied by)\b)"
    r"(?=[^?]{0,80}(?:=|\b(?:is|makes|gives)\b)))\s?(?:\(?\d|an? (?:quarter|half|third)\b)"
)  # "2 * 3", "2 plus 3 makes 5"
_LABEL = re.compile(r"([A-Za-z_]\w*)(?:\s*(?:=|:)|\s(?:is|are|of|equals)\b)\s*$")
_KEY = re.compile(r" (?:key|entry|field|column)\b|[*+×] ?\d")  # behind what is no value
_EXCEPT = re.compile(r"\b(?:other|rather) than $")  # and before it
_IS = "of|is|are|equals|exactly"  # between a name and its value
_BEFORE = re.compile(rf"(?<!\w)(?<!\d )((?:[a-z]\w* )?(?!(?:{_IS})\b)[a-z]\w*)(?: (?:{_IS})){{0,2}}[\s:=$€£]*$", re.I)
_FOR = re.compile(r" (?:for|as) (?:(?:the|an?) )?((?:(?!(?:and|with|is|when)\b)[a-z]\w* ?){1,4})", re.I)
_BEHIND = re.compile(r" (?:of (?:them|which|these|those) )?([a-z]\w*)", re.I)
PATTERNS = read_patterns(Path(__file__).with_name("patterns.toml"))
MAX_GAP = 45  # characters between an argument's name and the value that is supposed of it
_SHORT = 2  # letters of a value that may as well be another word
_NOT_THAT = r"(?<!than )(?<!outside )(?<!instead of )(?<!other )(?<!not )(?<!no )(?<![\w\"'`-])"
_DENIED = re.compile(
    r"\b(?:no|not|without|isn't|aren't|outside|non)(?: (?:of|an?|the|any|being|be|high|low))*[ -]([a-z]+)"
)
_DENIAL = re.compile(
    r"\b(?:no|not|nor|never|none|nobody|without|except|before|former|off|false|unset|other than)\b|n['’]t\b|\bnon"
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_COUNT = re.compile(rf"(?<!the )\b({'|'.join(_COUNTS)}) ([a-z]+)", re.I)
_EMPTY = re.compile(r"\b(?:an )?empty ([lds])(?:ist|ict(?:ionary)?|tring)(?= (?:for|as) )")  # beside other values
_GOES_ON = ("and", "or", "with", "for", "of", "in", "is", "are", "to", "at")
_NOTHING = {"flag": False, "number": 0}


@dataclass(frozen=True)
class Mention:
    """A value in a text.

    Attributes:
        value: plain data.
        start, end: where it stands.
        label: the name that it is given with, as in ``n=1`` or ``n: 1``.
        percent: a number that is followed by a percent sign, or by what else changes its value.
        expected: words before it say that it is what should come out.
    """

    value: Any
    start: int
    end: int
    label: str = ""
    percent: bool = False
    expected: bool = False


@dataclass(frozen=True)
class Example:
    """Arguments, and the value that the agent thinks they lead to.

    Attributes:
        arguments: by parameter.
        expected: values that the agent named as the outcome, at most one.
        loose: how many arguments were given their values by the order in which these stand, or by a denial or its lack.
        partial: some arguments are left open.
    """

    arguments: dict[str, Any]
    expected: tuple[Any, ...] = ()
    loose: int = 0
    partial: bool = False


@lru_cache(maxsize=1024)
def mentions(text: str) -> tuple[Mention, ...]:
    """Read the literal values of a text, in their order."""
    found: list[Mention] = []
    position = unclosed = 0
    while position < len(text) and len(found) < MAX_MENTIONS * 2 and unclosed <= MAX_UNCLOSED:
        begins = _BEGINS.search(text, position)
        if begins is None:
            break
        position = begins.start()
        end = _closing(text, position) if text[position] in "[{(" else 0
        unclosed += text[position] in "[{(" and not end
        mention = _mention_at(text, position, end)
        none = mention and (_KEY.match(text, mention.end) or _EXCEPT.search(text, max(0, position - MAX_GAP), position))
        found += [mention] if mention and not none else []
        position = mention.end if mention else max(position + 1, end * ("..." in text[position:end]))
    return tuple(found[:MAX_MENTIONS])


def _mention_at(text: str, position: int, closing: int) -> Mention | None:
    """Return the value that begins at a place; ``closing`` is where its bracket ends, 0 without."""
    char = text[position]
    value = _literal(text[position:closing]) if closing and "..." not in text[position:closing] else None
    if value is not None and (char != "(" or isinstance(value[0], tuple)):
        return _mention(text, position, closing, value[0])
    if char in "\"'`" and (match := _QUOTED.match(text, position)):
        inner = next(group for group in match.groups() if group is not None)
        if value := _literal(inner) if char == "`" else (inner,):
            return _mention(text, position, match.end(), value[0])
    if match := _NUMBER.match(text, position):
        return _number(text, match)
    match = _CONSTANT.match(text, position) if position == 0 or not text[position - 1].isalnum() else None
    if match and (char.isupper() or _SET.search(text[max(0, position - MAX_GAP) : position])):
        return _mention(text, position, match.end(), ast.literal_eval(match[0].capitalize()))
    return None


def _number(text: str, match: re.Match[str]) -> Mention:
    digits = match[0]
    unit = match[1] or ""
    digits = digits.removesuffix(unit).strip().replace(",", "").replace("−", "-")
    value: float = float(digits) if any(mark in digits for mark in ".eE") or len(digits) > MAX_DIGITS else int(digits)
    return _mention(text, match.start(), match.end(), value, percent=unit != "")


def _mention(text: str, start: int, end: int, value: Any, percent: bool = False) -> Mention:
    before = text[max(0, start - 60) : start]
    label = _LABEL.search(before)
    expected = PATTERNS["expected"].search(before) is not None
    return Mention(value, start, end, label[1] if label else "", percent, expected)


def _closing(text: str, start: int) -> int:
    """Return the place behind the bracket that closes the one at ``start``; 0 when none does."""
    depth, quote = 0, ""
    for position in range(start, min(len(text), start + MAX_LITERAL_CHARS)):
        char = text[position]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and (text[position - 1] in " [{(,:=" or char == '"'):
            quote = char
        elif char in "[{(":
            depth += 1
        elif char in "]})":
            depth -= 1
            if depth == 0:
                return position + 1
    return 0


def _literal(text: str) -> tuple[Any] | None:
    try:
        return (ast.literal_eval(parse_expression(text.strip())),)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None


def calls_in(text: str, known: Knowledge) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the arguments of each call of the function in a text that gives plain data, and where it ends."""
    begins = [match.start() for match in re.finditer(rf"\b{re.escape(known.name)}\(", text)] if known.name else []
    for begin in begins[:MAX_MENTIONS]:
        end = _closing(text, begin + len(known.name))
        given = arguments_of(text[begin:end], known.name, known.positional)
        if given is not None:
            yield given, end


@lru_cache(maxsize=512)
def example_in(text: str, known: Knowledge) -> Example | None:
    """Read an example out of a question; None when it holds none, or values that are not understood."""
    parameters = [p for p in known.parameters if not p.extra]
    required = {p.name for p in parameters if p.default is None}
    for given, end in calls_in(text, known):
        rest = [m.value for m in mentions(text[end:]) if not m.label]
        return Example(given, tuple(rest[:1])) if required <= given.keys() else None
    heard = stems(p.name for p in parameters)
    text = _COUNT.sub(lambda m: m[0] if stem(m[2]) not in heard else f"{_COUNTS[m[1].lower()]} {m[2]}", text)
    text = _EMPTY.sub(lambda m: {"l": "[]", "d": "{}", "s": '""'}[m[1]], text) if mentions(text) else text
    head = before_calculation(text)
    found, outcome = mentions(head), [m.value for m in mentions(text[len(head) :])][-1:]
    if not found:
        return None
    for mention in found:
        value = mention.value
        whole = isinstance(value, tuple) and len(required) <= len(value) <= len(parameters) > 1
        if whole and all(map(fits, value, parameters)):
            given = {p.name: part for p, part in zip(parameters, value, strict=False)}
            return Example(given, tuple(m.value for m in found if m.start > mention.end)[:1], len(given))
    labelled = _named(head, parameters, found)
    texts = any(isinstance(mention.value, str) and not mention.expected for mention in found)
    unquoted = {} if texts else {mention.label: mention for mention in _unquoted(head, known)}
    labelled |= unquoted
    percent = [mention for name, mention in labelled.items() if "percent" in name]
    if any(mention.percent and mention not in percent for mention in found):
        return None  # 10 % may be 10 or 0.1
    arguments = {name: mention.value for name, mention in labelled.items()}
    unsaid = [p for p in parameters if p.name not in arguments]
    flags = {} if any(isinstance(mention.value, bool) for mention in found) else _flags(head, unsaid)
    arguments |= flags
    loose = [m for m in found if m not in labelled.values()]
    asked = frozenset(stem_list(text))
    every = not labelled and len(found) == len(parameters)  # one value after the other
    left = [p for p in unsaid if p.name not in flags and (p.default is None or every or asked & {*stem_list(p.name)})]
    results = [part for claim in known.returns if claim.value for part in outcomes(claim.value)]
    ends = {one.value for one in results if isinstance(one, ast.Constant)}.difference(*known.choices.values())
    bound = _bound(left, [m for m in loose if not (m.expected or (isinstance(m.value, str) and m.value in ends))])
    rest = [m for m in loose if m not in bound.values()]
    chosen = arguments | {name: mention.value for name, mention in bound.items()}
    names = stems([*(p.name for p in parameters), "number"])  # "the number of words 3" is no result
    before = [(m, stem_list("".join(_BEFORE.findall(head[: m.start][-60:])))) for m in rest if m.start > 0]
    last = [m.value for m, words in before if names.isdisjoint(words)]  # "the rush fee 40" is none
    told = [m.value for m in rest if m.expected] or outcome or last
    arguments = {p.name: chosen[p.name] for p in parameters if p.name in chosen}
    partial = not required <= arguments.keys()
    if not (labelled or bound) or (partial and rest):
        return None
    return Example(arguments, tuple(told[-1:]), len(bound) + len(flags) + len(unquoted), partial)


def before_calculation(text: str) -> str:
    """Return what stands before the first thing that is worked out in a text."""
    worked = _WORKED.search(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), text))
    return text[: worked.start()] if worked else text


def _named(text: str, parameters: Sequence[Parameter], found: Sequence[Mention]) -> dict[str, Mention]:
    """Give parameters the values beside which their names stand, or more words of these than of others."""
    named: dict[str, Mention] = {}
    for side in (_FOR, _BEFORE, _BEHIND):
        for mention in [m for m in found if m not in named.values()]:
            match = side.search(text[: mention.start][-60:]) if side is _BEFORE else side.match(text, mention.end)
            words = match[1].split() if match else [""]
            heard = stems(words)
            near = heard if side is _FOR else {stem(words[-1])} if mention.label or not mention.expected else {""}
            shared = {
                p.name: (p.name == words[-1], len(heard.intersection(stem_list(name_words(p.name)))))
                for p in parameters
                if match
                and (fits(mention.value, p) or (mention.value is None and side is _BEFORE))
                and (words[-1] == p.name or not near.isdisjoint(stem_list(p.name)))
            }
            meant = [name for name, one in shared.items() if one == max(shared.values())]
            if len(meant) == 1:
                named.setdefault(meant[0], mention)
    return named


def _unquoted(text: str, known: Knowledge) -> Iterator[Mention]:
    """Yield values that an argument is compared with where a text names one without quotation marks."""
    for parameter in known.parameters:
        every = [value for value in known.choices.get(parameter.name, ()) if isinstance(value, str)]
        words = [value for value in every if len(value) > _SHORT and value not in PLAIN]
        pairs = [(word, re.search(rf"{_NOT_THAT}{re.escape(word)}(?![\w\"'`-])", text, re.I)) for word in words]
        spots = [(word, match) for word, match in pairs if match]
        if parameter.shape.kind == "text" and len(spots) == 1:
            yield Mention(spots[0][0], *spots[0][1].span(), parameter.name)


def _flags(text: str, parameters: Sequence[Parameter]) -> dict[str, float]:
    """Return which arguments a text says to hold or not, by their names: "without a deposit", "no pieces"."""
    kinds = {p.name: p.shape.kind for p in parameters if p.shape.kind == "flag" or not p.default}
    own = {p.name: frozenset(stem_list(p.name)) - PLAIN for p in parameters if kinds.get(p.name) in _NOTHING}
    found: dict[str, float] = {}
    rest = text.lower()
    for match in _DENIED.finditer(rest):
        if names := [name for name, words in own.items() if stem(match[1]) in words]:
            behind = re.match(r" ([a-z]+)", rest[match.end() :])  # "no price changes" is no price of 0
            further = stem(behind[1]) if behind else ""
            whole = further in ("", *_GOES_ON) or any(further in own[name] for name in names)
            found |= {name: _NOTHING[kinds[name]] for name in names if whole or kinds[name] == "flag"}
            rest = rest.replace(match[0], " ")
    if not _DENIAL.search(rest):  # else it is unsure what is denied
        heard = frozenset(stem_list(rest))
        flags = (name for name in own if kinds[name] == "flag" and name not in found)
        found |= {name: True for name in flags if own[name] & heard}
    return found


def _bound(parameters: Sequence[Parameter], found: Sequence[Mention]) -> dict[str, Mention]:
    """Give each parameter the first value left that fits; of one left open none, where more than one value could."""
    left = list(found)
    bound: dict[str, Mention] = {}
    for parameter in parameters:
        fitting = [m for m in left if fits(m.value, parameter)]
        needed = [p for p in parameters if p.default is None and p.name not in bound]
        others = [p for p in needed if any(fits(m.value, p) for m in fitting)]
        if fitting and (len(fitting) >= len(others) or parameter.default is not None):
            left.remove(fitting[0])
            bound[parameter.name] = fitting[0]
    return bound


def fits(value: Any, parameter: Parameter) -> bool:
    """Return whether a value has the shape of an argument."""
    shape = parameter.shape
    if shape.kind == "mixed":
        return any(fits(value, Parameter(parameter.name, part)) for part in shape.alternatives)
    if value is None or shape.kind in ("", "none"):
        return shape.optional or parameter.default is not None or shape.kind in ("", "none")
    if isinstance(value, bool):
        return shape.kind == "flag"
    return isinstance(value, _TYPES.get(shape.kind, ()))


_TYPES: dict[str, tuple[type, ...]] = {
    "number": (int, float),
    "text": (str,),
    "list": (list,),
    "tuple": (tuple, list),
    "dictionary": (dict,),
    "set": (set, list),
}
