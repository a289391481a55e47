"""Judges replies about a function by running it: examples, proposals, limits, numbers, comparisons and properties."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from inspect import signature
from typing import Any

from random_references import Drawn

from colbench_gym.humans.program.verbalizer.values import say_value

Check = Callable[[str], str]  # takes a reply; returns why it is untrue, or nothing
Arguments = dict[str, Any]
Outcome = tuple[str, Any]  # whether it returned or raised, and what

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w|\.\d)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_COMPARED = re.compile(
    r"(?P<words>not more than|no more than|not less than|no less than|more than|less than|fewer than|greater than|"
    r"smaller than|larger than|at least|at most|above|below|under|over|up to|beyond) "
    r"(?P<number>-?\d+(?:\.\d+)?)(?![\w%])"
)
_CASE = re.compile(r"\bwith -?[^.]*? for [^.]*?, (?=the result|an? \w+Error|it |there is)", re.I)
_OR_MORE = re.compile(r"(?P<number>-?\d+(?:\.\d+)?) or (?P<words>more|less|fewer|above|below|higher|lower)")
_OPERATORS = {
    **dict.fromkeys(("more than", "greater than", "larger than", "above", "over", "beyond", "not at most"), ">"),
    **dict.fromkeys(("less than", "fewer than", "smaller than", "below", "under"), "<"),
    **dict.fromkeys(("at least", "not less than", "no less than", "more", "above or", "higher"), ">="),
    **dict.fromkeys(("at most", "not more than", "no more than", "up to", "less", "fewer", "lower"), "<="),
}
_AST_OPERATORS = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!="}
_NEGATED = {">": "<=", "<=": ">", "<": ">=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "==": "==", "!=": "!="}
_BY_DEFAULT = re.compile(r" if [\w, ]+ (?:is|are) not given\b")
_RESULT = re.compile(
    r"the result is (?!\(|the |just |(?:multiplied|divided|increased|reduced) by |"  # of a variable with that name
    r"an? (?:string|number|list|float|integer|whole|dictionary)\b)(.*?)\.?$",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Probe:
    """One question and what is checked of its reply."""

    question: str
    check: Check


class Judge:
    """Runs one function, which is our own text, and knows its syntax tree.

    Args:
        drawn: the function.
    """

    def __init__(self, drawn: Drawn) -> None:
        self.drawn = drawn
        self._space: dict[str, Any] = {}
        exec(drawn.source, self._space)  # our own text
        self._tree = ast.parse(drawn.source)
        self._nodes = list(ast.walk(self._tree))
        self._in_names = " ".join(re.findall(r"_(\d+)\b", drawn.source))  # listeners_2
        self._called = {
            getattr(n.func, "attr", getattr(n.func, "id", "")) for n in self._nodes if isinstance(n, ast.Call)
        }
        self._inputs = [self._arguments(call) for call in drawn.calls]
        # Of a supposed case a person thinks with everything else as usual: nothing empty, zero or below.
        self._usual = [given for given in self._inputs if all(map(_is_usual, given.values()))] or self._inputs
        required = [p.name for p in signature(self._space[drawn.name]).parameters.values() if p.default is p.empty]
        self._bare = [{name: given[name] for name in required if name in given} for given in self._usual]

    def probes(self) -> Iterator[Probe]:
        """Yield questions about examples, proposals, limits, edges and properties."""
        yield from self._examples()
        yield from self._limits()
        yield from self._edges()
        yield from self._properties()

    def general(self, question: str, reply: str) -> str:
        """Return why a reply is untrue whatever was asked: a number or comparison that the function has not."""
        plain = re.sub("(?i)the under 18", "the flag", _CASE.sub(" ", _QUOTED.sub(" ", reply)))  # name of an argument
        numbers = {abs(float(n)) for n in _NUMBER.findall(plain)}
        strange = numbers - self._known_numbers(question)
        if strange and "result is" not in plain and "code gives" not in plain:
            return f"no such number: {sorted(strange)}"
        compared = [(m["words"], float(m["number"])) for m in (*_COMPARED.finditer(plain), *_OR_MORE.finditer(plain))]
        for words, number in compared:
            if (_OPERATORS[words], number) not in self._comparisons():
                return f"no such comparison: {words} {number:g}"
        return ""

    def _run(self, arguments: Arguments) -> Outcome:
        try:
            return "returned", self._space[self.drawn.name](**deepcopy(arguments))
        except Exception as error:  # noqa: BLE001  # that it fails is what is looked for
            return "raised", type(error).__name__

    def _arguments(self, call: str) -> Arguments:
        node = ast.parse(call, mode="eval").body
        assert isinstance(node, ast.Call)
        names = [name for name, _ in self.drawn.parameters]
        return dict(zip(names, (ast.literal_eval(part) for part in node.args), strict=True))

    def _known_numbers(self, question: str) -> set[float]:
        own = {abs(float(n.value)) for n in self._nodes if isinstance(n, ast.Constant) and _is_number(n.value)}
        specs = [n.format_spec for n in self._nodes if isinstance(n, ast.FormattedValue) and n.format_spec is not None]
        own |= {float(digits) for spec in specs for digits in re.findall(r"\d+", ast.unparse(spec))}
        derived = {round(100 * n, 6) for n in own if n < 1} | {round(abs(1 - n) * 100, 6) for n in own if n < 2}
        return own | derived | {abs(float(n)) for n in _NUMBER.findall(f"{question} {self._in_names}")} | {0.0, 1.0}

    def _comparisons(self) -> set[tuple[str, float]]:
        known: set[tuple[str, float]] = set()
        for node in self._nodes:
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
                    sign = _AST_OPERATORS.get(type(operator), "")
                    for side, way in ((right, sign), (left, _MIRRORED.get(sign, ""))):
                        for number in self._numbers_of(side) if way else ():
                            known |= {(way, number), (_NEGATED[way], number)}
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("min", "max"):
                for number in filter(None, map(_constant, node.args)):
                    known |= {("<=", number), ("<", number), (">", number), (">=", number)}
            if isinstance(node, ast.Slice):
                for number in filter(None, map(_constant, (node.lower, node.upper))):
                    known |= {("<=", number)}
        return known

    def _numbers_of(self, node: ast.expr) -> set[float]:
        """Return the numbers that an expression stands for: a constant, or what a loop takes from written-out rows."""
        number = _constant(node)
        if number is not None:
            return {number}
        loops = [n for n in self._nodes if isinstance(n, (ast.For, ast.comprehension))]
        rows = [
            row
            for loop in loops
            if isinstance(node, ast.Name)
            and node.id in {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
            for row in ast.walk(loop.iter)
        ]
        return {number for row in rows if isinstance(row, ast.expr) and (number := _constant(row)) is not None}

    def _case(self, name: str, value: object) -> tuple[list[Outcome], list[Outcome]]:
        """Return all outcomes where one argument is that, with the other ones as usual and with those required only."""
        usual, bare = ([self._run({**given, name: value}) for given in some] for some in (self._usual, self._bare))
        return usual, bare

    def _examples(self) -> Iterator[Probe]:
        for call, arguments in list(zip(self.drawn.calls, self._inputs, strict=True))[:4]:
            status, value = self._run(arguments)
            yield Probe(f"What do you expect for {call}?", lambda reply, s=status, v=value: _told(reply, s, v))
            told = ", ".join(f"{name} = {given!r}" for name, given in arguments.items())
            yield Probe(f"What is the result for {told}?", lambda reply, s=status, v=value: _told(reply, s, v))
        others = [value for status, value in map(self._run, self._inputs) if status == "returned"]
        for call, arguments, other in list(zip(self.drawn.calls, self._inputs, reversed(others), strict=False))[:4]:
            status, value = self._run(arguments)
            right = status == "returned" and same(value, other)
            yield Probe(f"Should {call} give {other!r}?", lambda reply, r=right: _agrees(reply, r))

    def _limits(self) -> Iterator[Probe]:
        for name, limit in self.drawn.limits:
            outcomes, bare = self._case(name, _whole(limit))
            spoken = name.replace("_", " ")
            for question in (
                f"If {spoken} is exactly {limit:g}, what is the result?",
                f"What happens when {name} equals {limit:g}?",
            ):
                yield Probe(question, lambda reply, o=outcomes, b=bare: _told_of_all(reply, o, b))
            for proposal in {say for status, say in outcomes if status == "returned" and isinstance(say, str)}:
                right = [outcome == ("returned", proposal) for outcome in outcomes]
                question = f"With {spoken} of exactly {limit:g}, is it {proposal!r}?"
                yield Probe(question, lambda reply, r=right: _agrees_where_sure(reply, r))
            yield Probe(f"What is the threshold for {spoken}?", lambda _: "")
            yield Probe(f"Is the limit for {spoken} inclusive?", lambda _: "")

    def _edges(self) -> Iterator[Probe]:
        for name, sort in self.drawn.parameters:
            spoken = name.replace("_", " ")
            edges: dict[str, Any] = {"numbers": ("empty", []), "pairs": ("empty", []), "number": ("zero", 0)}
            if sort not in edges:
                continue
            word, value = edges[sort]
            outcomes, bare = self._case(name, value)
            for question in (f"What happens if {spoken} is {word}?", f"What should I return when {name} is {word}?"):
                yield Probe(question, lambda reply, o=outcomes, b=bare: _told_of_all(reply, o, b))
            for proposal in (0, -1, None, "nothing", []):
                right = [outcome[0] == "returned" and same(outcome[1], proposal) for outcome in outcomes]
                question = f"If {spoken} is {word}, should I return {proposal!r}?"
                yield Probe(question, lambda reply, r=right: _agrees_where_sure(reply, r))
            if sort == "number":
                below, bare = self._case(name, -5)
                question = f"What if {spoken} is negative, say -5?"
                yield Probe(question, lambda reply, o=below, b=bare: _told_of_all(reply, o, b))

    def _properties(self) -> Iterator[Probe]:
        rounds = bool(self._called & {"round", "floor", "ceil"}) or any(
            isinstance(n, ast.BinOp) and isinstance(n.op, ast.FloorDiv) for n in self._nodes
        )
        sorts = bool(self._called & {"sorted", "sort"})
        raises = any(isinstance(n, ast.Raise) for n in self._nodes)
        cases = bool(self._called & {"lower", "upper", "casefold"})
        down = "reverse=True" in self.drawn.source or re.search(r"lambda \w+: \(?-", self.drawn.source) is not None
        yield Probe("Is the result rounded?", lambda r: "" if "int" in self._called else _agrees(r, rounds))
        yield Probe("How is the result rounded?", lambda r: _mentions(r, "nothing is rounded", not rounds))
        yield Probe("Should I raise an error for invalid input?", lambda r: "" if raises else _agrees(r, False))
        yield Probe("Are errors raised, and which?", lambda r: "" if raises else _agrees(r, False))
        yield Probe("Is upper and lower case treated alike?", lambda r: "" if cases else _agrees(r, False))
        yield Probe("In which order is the result?", lambda r: _ordered(r, sorts, down))
        yield Probe(
            "Is it sorted descending?",
            lambda r: _agrees(r, False) if not (sorts and down) else _ordered(r, sorts, down),
        )
        yield Probe("How are ties broken?", self._tied)
        yield Probe("If two are equal, which one wins?", self._tied)
        yield Probe("What if a name comes twice?", self._twice)
        for question in (
            "How is the result calculated?",
            "Which conditions are there?",
            "What are the exact thresholds and constants?",
            "What is returned, and in which form?",
            "Which texts can be returned, word for word?",
            "What happens in all other cases?",
            "Are there any special cases?",
            "Which formula is used, with which numbers?",
            *(f"What does {name.replace('_', ' ')} change?" for name, _ in self.drawn.parameters),
            *(f"What type is {name}, and which values can it take?" for name, _ in self.drawn.parameters),
        ):
            yield Probe(question, lambda _: "")

    def _tied(self, reply: str) -> str:
        if self.drawn.ties and "first in the input" in reply and self.drawn.ties != "first":
            return "on a tie the last one wins"
        if self.drawn.ties and re.search(r"\blast\b.*\bwins\b|\bwins\b.*\blast\b", reply) and self.drawn.ties != "last":
            return "on a tie the first one wins"
        return ""

    def _twice(self, reply: str) -> str:
        once = "seen" in self.drawn.source
        if re.search(r"only once|counts? once|duplicates are removed", reply, re.I) and not once:
            return "both are used"
        return ""


def same(one: object, other: object) -> bool:
    """Return whether two values are equal and, but for numbers, of one type."""
    if isinstance(one, bool) is not isinstance(other, bool):
        return False
    return one == other if _is_number(one) and _is_number(other) else type(one) is type(other) and one == other


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


def _is_usual(value: object) -> bool:
    return value is False or (bool(value) and not (_is_number(value) and value < 0))


def _constant(node: ast.AST | None) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _constant(node.operand)
        return None if inner is None else -inner
    return float(node.value) if isinstance(node, ast.Constant) and _is_number(node.value) else None


def _told(reply: str, status: str, value: object) -> str:
    """Return why the reply to an example is untrue, a condition left out that says what was not given in it."""
    match = _RESULT.search(_BY_DEFAULT.sub("", reply))
    if "For example" in reply or " if " in reply:  # another input, said aloud, or one case of several
        return ""
    if match and (status != "returned" or not _says(match[1], value)):
        return f"it {status} {value!r}"
    if re.search(r"\b(?:fails?|would fail|is raised|an error)\b", reply) and status == "returned":
        return f"it returned {value!r}"
    return ""


def _says(told: str, value: object) -> bool:
    """Return whether a reply tells a value, whatever it says after that in other sentences."""
    said = say_value(value).rstrip(".")
    return told.rstrip(".").removesuffix(" (nothing is returned)") == said or told.startswith(f"{said}. ")


def _told_of_all(reply: str, outcomes: Sequence[Outcome], bare: Sequence[Outcome]) -> str:
    """Return why what a reply tells of a case is untrue: it does not hold of all the outcomes in that case.

    Args:
        bare: outcomes with the required arguments only.
    """
    if _BY_DEFAULT.search(reply):
        return _told_of_all(_BY_DEFAULT.sub("", reply), bare, ())
    if "for example" in reply.lower() or "for instance" in reply.lower():
        return ""
    if re.search(r"\bif\b|\bunless\b|\bfor each\b|\bwhen\b", reply.lower().partition("the result is")[2]):
        return ""  # the result depends on more, and the reply says so
    match = re.match(
        r"(?:Yes, |No, )?(?:then |it |in that case )*the result is (?!\(|the )(.*?)\.?$", reply, re.IGNORECASE
    )
    if match and " the " not in match[1]:  # else a formula in words, not a value
        wrong = [v for s, v in outcomes if s != "returned" or not _says(match[1], v)]
        return f"it gives {wrong[0]!r}" if wrong else ""
    if "would fail with" in reply:
        return "" if all(status == "raised" and value in reply for status, value in outcomes) else "it does not fail"
    return ""


def _agrees(reply: str, right: bool) -> str:
    if reply.startswith("Yes") and not right:
        return "the answer is no"
    if reply.startswith("No,") and right:
        return "the answer is yes"
    return ""


def _agrees_where_sure(reply: str, right: Sequence[bool]) -> str:
    """Return why a yes or no is untrue of all outcomes; where they differ, neither is."""
    return "" if len(set(right)) > 1 else _agrees(reply, all(right))


def _mentions(reply: str, text: str, allowed: bool) -> str:
    return f"it says {text!r}" if text in reply and not allowed else ""


def _ordered(reply: str, sorts: bool, down: bool) -> str:
    lower = reply.lower()
    if "the order stays that of" in lower and sorts:
        return "it is sorted"
    if "sorted" in lower and not sorts:
        return "it is not sorted"
    if "descending" in lower and "not descending" not in lower and sorts and not down:
        return "it is sorted ascending"
    return ""
