"""Calls of the standard library in words: regular expressions, dates, text without accents."""

from __future__ import annotations

import ast
import re
from typing import Protocol

from colbench_gym.humans.program.verbalizer.regexes import pattern_words
from colbench_gym.humans.program.verbalizer.syntax import ATOM, number_in

_DIRECTIVES = {
    "%d": "day",
    "%m": "month",
    "%Y": "year",
    "%y": "two-digit year",
    "%H": "hour",
    "%I": "hour (of 12)",
    "%M": "minute",
    "%S": "second",
    "%B": "name of the month",
    "%b": "short name of the month",
    "%A": "name of the weekday",
    "%a": "short name of the weekday",
    "%p": "AM or PM",
    "%j": "day of the year",
}
_REGEX = {"search": "contains", "match": "starts with", "fullmatch": "is just"}
_STARTS = {"defaultdict": "an empty dictionary", "OrderedDict": "an empty dictionary", "deque": "an empty list"}


class Speaker(Protocol):
    """Protocol of what puts expressions into words (see ``expressions.py``).

    Attributes:
        source: the reference.
    """

    source: str

    def say(self, node: ast.expr, level: int = 0) -> str:
        """The expression as a noun phrase, in parentheses where it binds looser than the level."""

    def condition(self, node: ast.expr, negated: bool = False) -> str:
        """The expression as a clause that holds or not."""

    def each(self, generators: list[ast.comprehension]) -> str:
        """The loops and filters of a comprehension."""


def say_library(speaker: Speaker, node: ast.Call) -> str | None:
    """Return a call of the standard library as a noun phrase; None for other calls."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    module = owner.id if isinstance(owner, ast.Name) else ""
    if f"def {name}(" in speaker.source:
        return None  # the reference's own
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return _columns(speaker, name, node)
    if module == "re":
        return _regex(speaker, name, node)
    if name == "decode" and owner is not None:
        return _without_accents(speaker, owner)
    if name == "groupby" and (owner is None or module == "itertools") and len(node.args) == 1 and not node.keywords:
        return f"the runs of equal neighbours in {speaker.say(node.args[0], ATOM)}"
    if name == "most_common" and owner is not None and len(node.args) == 1:
        return f"the {speaker.say(node.args[0], ATOM)} most common of {speaker.say(owner, ATOM)}"
    if name in _STARTS and len(node.args) < 2 and not node.keywords:
        filled = [argument for argument in node.args if name != "defaultdict"]
        return _STARTS[name] if not filled else speaker.say(filled[0], ATOM)
    return _date(speaker, name, owner, node)


def _columns(speaker: Speaker, name: str, node: ast.Call) -> str | None:
    if name == "zip" and len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
        return f"the columns of {speaker.say(node.args[0].value, ATOM)}"
    return None


def _regex(speaker: Speaker, name: str, node: ast.Call) -> str | None:
    pattern = node.args[0] if node.args else None
    if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str):
        return None
    if node.keywords or len(node.args) != (3 if name == "sub" else 2):
        return None  # flags and counts make it something else
    what = pattern_words(pattern.value) or f"text of the form {speaker.say(pattern, ATOM)}"
    if name == "sub":
        subject = speaker.say(node.args[2], ATOM)
        by = node.args[1]
        if isinstance(by, ast.Constant) and by.value == "":
            return f"{subject} with {what} removed, wherever it occurs"
        again = isinstance(by, ast.Constant) and re.fullmatch(r"\\1|\\g<1>", str(by.value))
        put = "its first part" if again else speaker.say(by, ATOM)
        return f"{subject} with {what} replaced by {put}, wherever it occurs"
    subject = speaker.say(node.args[1], ATOM)
    if name in _REGEX:
        return f"whether {subject} {_REGEX[name]} {what}"
    if name in ("findall", "finditer"):
        return f"every occurrence in {subject} of {what}"
    return f"{subject} split at {what}" if name == "split" else None


def _without_accents(speaker: Speaker, owner: ast.expr) -> str | None:
    """Return what is left of a text that is turned into ASCII; None for other texts made of bytes."""
    if not (isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute) and owner.func.attr == "encode"):
        return None
    if [getattr(argument, "value", None) for argument in owner.args] != ["ascii", "ignore"]:
        return None
    inner = owner.func.value
    if isinstance(inner, ast.Call) and getattr(inner.func, "attr", "") == "normalize" and len(inner.args) == 2:
        if getattr(inner.args[0], "value", "") not in ("NFKD", "NFD"):
            return None
        return f"{speaker.say(inner.args[1], ATOM)} without accents and without what is then left outside ASCII"
    return f"{speaker.say(inner, ATOM)} without characters outside ASCII"


def _date(speaker: Speaker, name: str, owner: ast.expr | None, node: ast.Call) -> str | None:
    arguments = node.args
    if name == "timedelta" and node.keywords and not arguments and all(keyword.arg for keyword in node.keywords):
        return " and ".join(f"{speaker.say(k.value, ATOM)} {_unit(k)}" for k in node.keywords)
    if node.keywords or owner is None:
        return None
    if name == "strptime" and len(arguments) == 2:
        return f"the date read from {speaker.say(arguments[0], ATOM)} {_form(speaker, arguments[1])}"
    if name == "strftime" and len(arguments) == 1:
        return f"{speaker.say(owner, ATOM)} as text {_form(speaker, arguments[0])}"
    if name == "fromisoformat" and len(arguments) == 1:
        day = isinstance(owner, ast.Name) and owner.id == "date"
        read, form = ("the date", "the form year-month-day") if day else ("the moment", "ISO form")
        return f"{read} read from {speaker.say(arguments[0], ATOM)} in {form}"
    if name == "isoformat" and not arguments:
        return f"{speaker.say(owner, ATOM)} as text in ISO form"
    if name == "weekday" and not arguments:
        return f"the weekday of {speaker.say(owner, ATOM)} (0 is Monday)"
    if name == "isoweekday" and not arguments:
        return f"the weekday of {speaker.say(owner, ATOM)} (1 is Monday)"
    return None


def _unit(keyword: ast.keyword) -> str:
    one = isinstance(keyword.value, ast.Constant) and keyword.value.value == 1
    return str(keyword.arg).removesuffix("s" if one else "")


def _form(speaker: Speaker, form: ast.expr) -> str:
    if not isinstance(form, ast.Constant) or not isinstance(form.value, str):
        return f"in the format {speaker.say(form, ATOM)}"
    told = re.sub("%.", lambda match: _DIRECTIVES.get(match[0], match[0]), form.value)
    return f"in the format {speaker.say(form, ATOM)}" if "%" in told else f"in the form {told}"


def weekend(call: ast.expr, operator: ast.cmpop, other: ast.expr, source: str) -> tuple[ast.expr, bool] | None:
    """Return the date that a comparison looks for on a weekend, and whether it shall be on one; None for others."""
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return None
    if call.func.attr not in ("weekday", "isoweekday") or call.args or f"def {call.func.attr}(" in source:
        return None
    saturday = 5 if call.func.attr == "weekday" else 6
    days = list(map(number_in, other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else [other]))
    on = {ast.GtE: [saturday], ast.Gt: [saturday - 1], ast.In: [saturday, saturday + 1]}
    off = {ast.Lt: [saturday], ast.LtE: [saturday - 1], ast.NotIn: [saturday, saturday + 1]}
    if days == on.get(type(operator)):
        return call.func.value, True
    return (call.func.value, False) if days == off.get(type(operator)) else None
