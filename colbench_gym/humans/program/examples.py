"""Worked examples: read values out of a question and bind them to the arguments of the function."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from colbench_gym.humans.asking.lexicon import PLAIN, stem, stem_list
from colbench_gym.humans.program.claims import Parameter
from colbench_gym.humans.program.inputs import NEGATIVE, STRANGE
from colbench_gym.humans.program.laboratory import arguments_of
from colbench_gym.humans.program.reader import Knowledge
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
_CONSTANT = re.compile(r"(?:True|False|None)\b")
_BEGINS = re.compile(r"[\[({\"'`]|(?<![\w.,'\"])[-−]?\d|\b[TFN]")  # where a value may begin
_QUOTED = re.compile(r"\"([^\"\n]{0,200})\"|(?<![\w])'([^'\n]{0,200}?)'(?!\w)|`([^`\n]{0,200})`")
_BRACKETED = re.compile(r"\([^()\[\]{}]{0,60}\d\s*[-+/*×÷]\s*\d[^()\[\]{}]{0,60}\)")
_CALCULATION = re.compile(
    r"(?<![\d.])(?:\d[\d.,²]{0,20}\s?[-+/*×÷]\s?){1,20}\d[\d.,²]{0,20}(?=\s?=|\s(?:is|equals|makes|gives)\b)"
)  # "2 * 3 ="
_LABEL = re.compile(r"([A-Za-z_]\w*)(?:\s*(?:=|:)|\s(?:is|are|of|equals)\b)\s*$")
_IS = "of|is|are|equals|exactly"  # between a name and its value
_BEFORE = re.compile(rf"(?<!\w)((?:[a-z]\w* )?(?!(?:{_IS})\b)[a-z]\w*)(?: (?:{_IS})){{0,2}}[\s:=$€£]*$", re.I)
_BEHIND = re.compile(r" ([a-z]\w*)", re.I)
_PATTERNS = read_patterns(Path(__file__).with_name("patterns.toml"))
MAX_GAP = 45  # characters between an argument's name and the value that is supposed of it
AS_FAR = 15  # a name behind the value, which may be a unit, counts like one so far before it
_DENIED = re.compile(r"\b(?:no|not|without|isn't|aren't)(?: (?:an?|the|any|being|be))* ([a-z]+)")
_DENIAL = re.compile(
    r"\b(?:no|not|nor|never|none|nobody|without|except|before|former|off|false|unset|other than)\b|n['’]t\b|\bnon"
)
_EMPTY: dict[str, Any] = {"list": [], "text": "", "dictionary": {}, "set": set(), "tuple": ()}
_TYPED = {kind: (kind,) for kind in _EMPTY} | {"string": ("text",), "dict": ("dictionary",)}  # by their words


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
    """

    arguments: dict[str, Any]
    expected: tuple[Any, ...] = ()
    loose: int = 0


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
        found += [mention] if mention else []
        position = mention.end if mention else position + 1
    return tuple(found[:MAX_MENTIONS])


def _mention_at(text: str, position: int, closing: int) -> Mention | None:
    """Return the value that begins at a place; ``closing`` is where its bracket ends, 0 without."""
    char = text[position]
    value = _literal(text[position:closing]) if closing else None
    if value is not None and (char != "(" or isinstance(value[0], tuple)):
        return _mention(text, position, closing, value[0])
    if char in "\"'`" and (match := _QUOTED.match(text, position)):
        inner = next(group for group in match.groups() if group is not None)
        if value := _literal(inner) if char == "`" else (inner,):
            return _mention(text, position, match.end(), value[0])
    if match := _NUMBER.match(text, position):
        return _number(text, match)
    if (match := _CONSTANT.match(text, position)) and (position == 0 or not text[position - 1].isalnum()):
        return _mention(text, position, match.end(), {"True": True, "False": False, "None": None}[match[0]])
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
    expected = _PATTERNS["expected"].search(before) is not None
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


@lru_cache(maxsize=512)
def example_in(text: str, known: Knowledge) -> Example | None:
    """Read an example out of a question; None when it holds none, or values that are not understood."""
    parameters = [p for p in known.parameters if not p.extra]
    required = {p.name for p in parameters if p.default is None}
    place = text.find(f"{known.name}(") if known.name else -1
    end = _closing(text, place + len(known.name))
    given = arguments_of(text[place:end], known.name, known.positional) if place >= 0 else None
    if given is not None:
        rest = [m.value for m in mentions(text[end:]) if not m.label]
        return Example(given, tuple(rest[:1])) if required <= given.keys() else None
    text = without_calculations(text)
    found = mentions(text)
    if not parameters or any(mention.percent for mention in found):
        return None  # 10 % may be 10 or 0.1
    for mention in found:
        value = mention.value
        whole = isinstance(value, tuple) and len(required) <= len(value) <= len(parameters) > 1
        if whole and all(map(fits, value, parameters)):
            given = {p.name: part for p, part in zip(parameters, value, strict=False)}
            return Example(given, tuple(m.value for m in found if m.start > mention.end)[:1], len(given))
    labelled = _named(text, parameters, found)
    arguments = {name: mention.value for name, mention in labelled.items()}
    unsaid = [p for p in parameters if p.shape.kind == "flag" and p.name not in arguments]
    flags = {} if any(isinstance(mention.value, bool) for mention in found) else _flags(text, unsaid)
    arguments |= flags
    loose = [m for m in found if m not in labelled.values()]
    asked = frozenset(stem_list(text))
    every = not labelled and len(found) == len(parameters)  # one value after the other
    wanted = (p for p in parameters if p.default is None or every or asked & {*stem_list(p.name)})
    left = [p for p in wanted if p.name not in arguments]
    bound = _bound(left, [m for m in loose if not m.expected])
    if bound is None or not (labelled or bound):
        return None
    rest = [m for m in loose if m not in bound.values()]
    chosen = arguments | {name: mention.value for name, mention in bound.items()}
    told = [m.value for m in rest if m.expected] or [m.value for m in rest if m.start > 0]
    arguments = {p.name: chosen[p.name] for p in parameters if p.name in chosen}
    return Example(arguments, tuple(told[-1:]), len(bound) + len(flags))


def without_calculations(text: str) -> str:
    """Return a text with blanks in place of what is worked out in it."""
    for calculation in (_BRACKETED, _CALCULATION):
        text = calculation.sub(lambda match: " " * len(match[0]), text)
    return text


def _named(text: str, parameters: Sequence[Parameter], found: Sequence[Mention]) -> dict[str, Mention]:
    """Give parameters the values beside which their names stand, or more words of these than of others."""
    named: dict[str, Mention] = {}
    for side in (_BEFORE, _BEHIND):
        for mention in [m for m in found if m not in named.values()]:
            match = side.search(text[: mention.start][-60:]) if side is _BEFORE else side.match(text, mention.end)
            words = match[1].split() if match else [""]
            near = stem(words[-1]) if mention.label or not mention.expected else ""
            shared = {
                p.name: (p.name == words[-1], len(frozenset(stem_list(match[1])).intersection(stem_list(p.name))))
                for p in parameters
                if match and fits(mention.value, p) and (words[-1] == p.name or near in stem_list(p.name))
            }
            meant = [name for name, one in shared.items() if one == max(shared.values())]
            if len(meant) == 1:
                named.setdefault(meant[0], mention)
    return named


def _flags(text: str, parameters: Sequence[Parameter]) -> dict[str, bool]:
    """Return which yes-or-no arguments a text says to hold or not, by their names: "without a deposit"."""
    own = {p.name: frozenset(stem_list(p.name)) - PLAIN for p in parameters}
    found: dict[str, bool] = {}
    rest = text.lower()
    for match in _DENIED.finditer(rest):
        if names := [name for name, words in own.items() if stem(match[1]) in words]:
            found |= dict.fromkeys(names, False)
            rest = rest.replace(match[0], " ")
    if not _DENIAL.search(rest):  # else it is unsure what is denied
        heard = frozenset(stem_list(rest))
        found |= {name: True for name, words in own.items() if words & heard and name not in found}
    return found


def _bound(parameters: Sequence[Parameter], found: Sequence[Mention]) -> dict[str, Mention] | None:
    """Give each parameter the first value left that fits; None where there is none for one that is required."""
    left = list(found)
    bound: dict[str, Mention] = {}
    for parameter in parameters:
        mention = next((m for m in left if fits(m.value, parameter)), None)
        if mention is not None:
            left.remove(mention)
            bound[parameter.name] = mention
        elif parameter.default is None:
            return None
    return bound


@lru_cache(maxsize=512)
def situation_in(text: str, known: Knowledge, offers: bool = False) -> dict[str, Any]:
    """Return what a question supposes of one argument, by its name; empty where it is unsure what is meant.

    A question that ``offers`` alternatives supposes nothing where they stand behind its verb.
    """
    text = without_calculations(text)
    parameters = [p for p in known.parameters if not p.extra]
    found, verb = mentions(text), _PATTERNS["asks"].search(text)
    listed = any(_PATTERNS["goes_on"].fullmatch(text[one.end : two.start]) for one, two in pairwise(found))
    spots = [
        Mention(value, match.start(), match.end(), "".join(_LABEL.findall(text[: match.start()][-MAX_GAP:])))
        for name, value in (("negative", NEGATIVE), ("zero", 0), ("empty", ...))
        for match in _PATTERNS[name].finditer(text)
    ]
    spots = [spot for spot in (*found, *spots) if not _comes_out(text, spot)]
    spots = spots or [Mention(..., match.start(), match.end(), "no") for match in _PATTERNS["none"].finditer(text)]
    if len(spots) != 1 or listed or any(m.percent for m in found):
        return {}
    spot = spots[0]
    if offers and verb and verb.start() < spot.start:
        return {}
    if isinstance(spot.value, str) and _PATTERNS["other_than"].search(text[: spot.start][-60:]):
        spot = replace(spot, value=STRANGE)
    empty = _TYPED.get(text[spot.start : spot.end].rpartition(" ")[2], tuple(_EMPTY))  # "an empty text"
    fitting = [p for p in parameters if (p.shape.kind in empty if spot.value is ... else fits(spot.value, p))]
    meant = _meant(text, spot, [p for p in fitting if p.shape.kind not in ("", "none")], parameters)
    return {p.name: _EMPTY[p.shape.kind] if spot.value is ... else spot.value for p in meant}


def _comes_out(text: str, spot: Mention) -> bool:
    """Return whether words around a value say that it is an outcome."""
    before, behind = text[max(0, spot.start - 60) : spot.start], text[spot.end : spot.end + 20]
    if spot.label and re.search(r"(?:[=:]|\b(?:is|are|of|equals)) *$", before[-12:]):
        return False
    fixed = spot.expected or spot.value is None or isinstance(spot.value, bool)
    return fixed or _PATTERNS["comes_out"].search(before) is not None or _PATTERNS["instead"].match(behind) is not None


def _meant(text: str, spot: Mention, fitting: list[Parameter], parameters: list[Parameter]) -> list[Parameter]:
    """Return the argument that a value is meant for, of those that it fits; none where it is unsure."""
    before = text[max(0, spot.start - 40) : spot.start]
    labelled = [p for p in fitting if spot.label.lower() == p.name.lower()]
    if labelled or before.endswith("="):
        return labelled
    led = spot.value is ... or _PATTERNS["supposes"].search(before) is not None
    if isinstance(spot.value, str) and (not led or _PATTERNS["inside"].match(text[spot.end : spot.end + 30])):
        return []
    owners = {p.name: {*stem_list(p.name), stem(p.name)} for p in parameters}
    gaps = []
    for match in re.finditer(r"[A-Za-z]\w*", text[: spot.end + 20]):
        heard = frozenset(stem_list(match[0]))
        own = [match[0]] if match[0] in owners else [name for name, words in owners.items() if words & heard]
        near = spot.start - match.end() <= MAX_GAP and (spot.label != "no" or match.start() >= spot.end)
        if own and near and (match.start() < spot.end or _PATTERNS["next"].fullmatch(text[spot.end : match.start()])):
            gaps.append((spot.start - match.end() if match.start() < spot.start else AS_FAR, own))
    if gaps:
        name, *others = min(gaps)[1]
        return [p for p in fitting if p.name == name and not others]
    only = [p for p in fitting if p.used] or fitting
    several = spot.value is ... and _PATTERNS["several"].search(before) is not None
    return only if led and (several or len(only) == 1) and spot.label != "no" else []


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
    "list": (list, tuple),
    "tuple": (tuple, list),
    "dictionary": (dict,),
    "set": (set, list),
}
