"""Worked examples: read values out of a question and bind them to the arguments of the function."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from colbench_gym.humans.asking.lexicon import split_words, stem
from colbench_gym.humans.program.claims import Parameter
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.python_code.syntax import parse_expression

MAX_DIGITS = 300  # of a whole number; longer ones are infinite
MAX_LITERAL_CHARS = 2000  # as much as is read of a message's start
MAX_UNCLOSED = 8  # brackets that nothing closes, after which the rest of a text is not searched for values
MAX_MENTIONS = 10
MAX_BOUND = 5  # parameters that values are given to by the words around them
_OPENERS = {"[": "]", "{": "}", "(": ")"}
_NUMBER = re.compile(
    r"(?<![\w.,'\"])[-−]?(?:\d{1,3}(?:,\d{3})+"
    r"|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w]*[\"'])(?:\s?(%|percent\b|k\b|million\b))?"
)
_CONSTANT = re.compile(r"(?:True|False|None)\b")
_STEP = re.compile(r"\w+|.", re.DOTALL)
_QUOTED = re.compile(r"\"([^\"\n]{0,200})\"|(?<![\w])'([^'\n]{0,200}?)'(?!\w)|`([^`\n]{0,200})`")
_CALCULATION = re.compile(r"(?<![\d.])(?:\d[\d.,²]{0,20}\s?[-+/*×÷]\s?){1,20}\d[\d.,²]{0,20}(?=\s?=)")  # "2 * 3 ="
_LABEL = re.compile(r"([A-Za-z_]\w*)(?:\s*(?:=|:)|\s(?:is|of|equals)\b)\s*$")
_EXPECTED = re.compile(
    (
        r"(?:should (?:there be|be|give|yield|produce|return)|would (?:be|give|yield)|to be|is (?:it|that)|i(?:'d"
        r"| would)? (?:say|get|expect|compute|come|return)\w*|expect\w*|"
        r"result\w*|returns?|gives?|yields?|equals?|comes? to|get|=|->|→|is|be)[\s:]*(?:to |at |with "
        r"|about |approximately |exactly |roughly |a |an |the )*$"
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Mention:
    """A value in a text.

    Attributes:
        value: plain data.
        start, end: where it stands.
        label: the name that it is given with, as in ``n=1`` or ``n: 1``.
        percent: a number that is followed by a percent sign.
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
        arguments: by parameter; some may be missing.
        expected: values that the agent named as the outcome, at most one.
        complete: no required argument is missing.
    """

    arguments: dict[str, Any]
    expected: tuple[Any, ...] = ()
    complete: bool = True


@lru_cache(maxsize=1024)
def mentions(text: str) -> tuple[Mention, ...]:
    """Read the literal values of a text, in their order."""
    found: list[Mention] = []
    position = unclosed = 0
    while position < len(text) and len(found) < MAX_MENTIONS * 2 and unclosed <= MAX_UNCLOSED:
        char = text[position]
        if char in _OPENERS:
            end = _closing(text, position)
            unclosed += not end
            value = _literal(text[position:end]) if end else None
            if value is not None and not (char == "(" and not isinstance(value[0], tuple)):
                found.append(_mention(text, position, end, value[0]))
                position = end
                continue
        if char in "\"'`":
            match = _QUOTED.match(text, position)
            if match:
                inner = next(group for group in match.groups() if group is not None)
                literal = _literal(inner) if char == "`" else None
                if char != "`" or literal is not None:
                    value_of = literal[0] if literal is not None else inner
                    found.append(_mention(text, position, match.end(), value_of))
                    position = match.end()
                    continue
        match = _NUMBER.match(text, position)
        if match:
            found.append(_number(text, match))
            position = match.end()
            continue
        word = _CONSTANT.match(text, position)
        if word and (position == 0 or not text[position - 1].isalnum()):
            value_of = {"True": True, "False": False, "None": None}[word[0]]
            found.append(_mention(text, position, word.end(), value_of))
            position = word.end()
            continue
        step = _STEP.match(text, position)
        position = step.end() if step else position + 1
    return tuple(found[:MAX_MENTIONS])


def _number(text: str, match: re.Match[str]) -> Mention:
    digits = match[0]
    unit = match[1] or ""
    digits = digits.removesuffix(unit).strip().replace(",", "").replace("−", "-")
    value: float = float(digits) if any(mark in digits for mark in ".eE") or len(digits) > MAX_DIGITS else int(digits)
    if unit in ("k", "million"):
        value = value * (1000 if unit == "k" else 1_000_000)
    return _mention(text, match.start(), match.end(), value, percent=unit in ("%", "percent"))


def _mention(text: str, start: int, end: int, value: Any, percent: bool = False) -> Mention:
    before = text[max(0, start - 60) : start]
    label = _LABEL.search(before)
    return Mention(value, start, end, label[1] if label else "", percent, _EXPECTED.search(before) is not None)


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


def call_in(text: str, known: Knowledge) -> dict[str, Any] | None:
    """Read a call such as ``area(2, 3)`` with plain data; None without one."""
    place = text.find(f"{known.name}(")
    if place < 0 or not known.name:
        return None
    end = _closing(text, place + len(known.name))
    try:
        node = parse_expression(text[place:end])
        if not isinstance(node, ast.Call) or len(node.args) > len(known.positional):
            return None
        if any(keyword.arg is None for keyword in node.keywords):
            return None
        given = dict(zip(known.positional, (ast.literal_eval(part) for part in node.args), strict=False))
        return given | {k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg}
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None


@lru_cache(maxsize=512)
def example_in(text: str, known: Knowledge) -> Example | None:
    """Read an example out of a question; None when it holds none."""
    parameters = [p for p in known.parameters if not p.extra]
    required = {p.name for p in parameters if p.default is None}
    given = call_in(text, known)
    if given is not None:
        place = text.find(f"{known.name}(")
        end = _closing(text, place + len(known.name))
        rest = [m for m in mentions(text[end:]) if not m.label]
        return Example(given, tuple(m.value for m in rest[:1]), required <= given.keys())
    text = re.sub(r"\([^()\[\]{}]{0,60}\d\s*[-+/*×÷]\s*\d[^()\[\]{}]{0,60}\)", lambda m: " " * len(m[0]), text)
    text = _CALCULATION.sub(lambda m: " " * len(m[0]), text)
    found = mentions(text)
    if not found or not parameters:
        return None
    for mention in found:
        value = mention.value
        if isinstance(value, tuple) and len(value) == len(parameters) > 1 and all(map(_fits, value, parameters)):
            given = {p.name: part for p, part in zip(parameters, value, strict=True)}
            return Example(given, tuple(m.value for m in found if m.start > mention.end)[:1])
    arguments: dict[str, Any] = {}
    loose: list[Mention] = []
    for mention in found:
        named = next((p for p in parameters if mention.label and p.name.lower() == mention.label.lower()), None)
        if named is not None and named.name not in arguments:
            arguments[named.name] = mention.value
        else:
            loose.append(mention)
    in_order = _in_order(found, parameters)
    if in_order is not None:
        return in_order
    left = [p for p in parameters if p.name not in arguments]
    outcome = [m for m in loose if m.expected]
    inputs = [m for m in loose if not m.expected]
    bound = _bind(text, left, inputs)
    used = set(map(id, bound.values()))
    still = [p for p in left if p.name not in bound and p.default is None]
    if still and outcome and len(inputs) + len(outcome) >= len(left):
        bound = _bind(text, left, loose)
        used = set(map(id, bound.values()))
        outcome = [m for m in loose if id(m) not in used]
    numeric = [m for m in inputs if is_number(m.value)]
    loose_ones = {n: m for n, m in bound.items() if m in numeric and not _nearness(text, m, _named(parameters, n))}
    required_left = [p for p in left if p.default is None]
    optional = {id(m) for n, m in bound.items() if (p := _named(parameters, n)).default and _nearness(text, m, p) >= 1}
    plain = [m for m in numeric if id(m) not in optional]
    if (
        loose_ones
        and len(plain) != len([p for p in required_left if p.shape.kind in ("number", "")])
        and outcome != numeric[-1:]
    ):
        return None
    arguments |= {name: _fitting(mention, _named(parameters, name)) for name, mention in bound.items()}
    if not arguments:
        return None
    rest = [m for m in outcome if id(m) not in used] or [m for m in inputs if id(m) not in used and m.start > 0][-1:]
    return Example(arguments, tuple(m.value for m in rest[-1:]), required <= arguments.keys())


def _in_order(found: Sequence[Mention], parameters: Sequence[Parameter]) -> Example | None:
    """Return an example that gives a value for each of many required parameters, in their order."""
    required = [p for p in parameters if p.default is None]
    if len(required) <= MAX_BOUND or len(found) != len(required) or any(m.expected for m in found):
        return None
    if not all(_fits(m.value, p) for m, p in zip(found, required, strict=True)):
        return None
    return Example({p.name: _fitting(m, p) for m, p in zip(found, required, strict=True)})


def _named(parameters: Sequence[Parameter], name: str) -> Parameter:
    return next(p for p in parameters if p.name == name)


def _fitting(mention: Mention, parameter: Parameter) -> Any:
    """Return the value; 10 % becomes 0.1 where fractions are given."""
    shape = parameter.shape
    if mention.percent and _is_share(parameter):
        return mention.value / 100
    if shape.kind == "text" and not isinstance(mention.value, str) and isinstance(mention.value, (int, float)):
        return mention.value
    if shape.kind == "tuple" and isinstance(mention.value, list):
        return tuple(mention.value)
    return mention.value


def _is_share(parameter: Parameter) -> bool:
    """Return whether an argument is a fraction of one, which people give in percent."""
    shape = parameter.shape
    return shape.kind == "number" and not shape.whole and 0 < shape.high <= 1


def _fits(value: Any, parameter: Parameter) -> bool:
    kind = parameter.shape.kind
    if kind == "mixed":
        return any(_fits(value, Parameter(parameter.name, shape)) for shape in parameter.shape.alternatives)
    if value is None or not kind or kind == "none":
        return parameter.shape.optional or parameter.default is not None or kind in ("", "none")
    if isinstance(value, bool):
        return kind == "flag"
    kinds: dict[str, tuple[type, ...]] = {
        "number": (int, float),
        "text": (str,),
        "list": (list, tuple),
        "tuple": (tuple, list),
        "dictionary": (dict,),
        "set": (set, list),
        "flag": (bool,),
    }
    return isinstance(value, kinds.get(kind, ()))


def _bind(text: str, parameters: Sequence[Parameter], found: Sequence[Mention]) -> dict[str, Mention]:
    """Give mentions to parameters: by the words nearby, else in their order."""
    usable = [m for m in found if any(_fits(m.value, p) for p in parameters)][:7]
    best: tuple[float, tuple[Mention | None, ...]] = (0.0, ())
    wanted = parameters[:MAX_BOUND]
    if not usable:
        return {}
    in_percent = any(m.percent for m in usable) and any(map(_is_share, wanted))
    fits = {
        (id(m), p.name): 1.0 + _nearness(text, m, p)
        for m in usable
        for p in wanted
        if _fits(m.value, p) and not (in_percent and m.percent is not _is_share(p) and is_number(m.value))
    }
    blanks: list[Mention | None] = [None] * len(wanted)
    for choice in itertools.islice(itertools.permutations([*usable, *blanks], len(wanted)), 6000):
        score = 0.0
        for mention, parameter in zip(choice, wanted, strict=True):
            if mention is None:
                continue
            own = fits.get((id(mention), parameter.name))
            if own is None:
                score = -1.0
                break
            score += own
        in_order = [m.start for m in choice if m is not None]
        score += 0.5 * (in_order == sorted(in_order)) - 0.001 * (sum(in_order) / (len(text) + 1))
        if score > best[0]:
            best = (score, choice)
    return {p.name: m for p, m in zip(wanted, best[1], strict=False) if m is not None}


def _nearness(text: str, mention: Mention, parameter: Parameter) -> float:
    """Return up to 1.5 when the parameter's words stand right before or after a value."""
    words = {stem(word) for word in split_words(parameter.name) if len(word) > 2} or {parameter.name.lower()}
    before = [
        stem(w) for w in split_words(re.split(r"[;]|\band\b|, ", text[max(0, mention.start - 60) : mention.start])[-1])
    ]
    after = [stem(w) for w in split_words(re.split(r"[,;]|\band\b", text[mention.end : mention.end + 40])[0])]
    if mention.percent and words & set(after[:5]):
        before = []  # "phones with a 20% discount on tablets"
    near = sum(1 for word in words if word in before[-7:] or word in after[:5])
    return 1.5 * near / len(words)
