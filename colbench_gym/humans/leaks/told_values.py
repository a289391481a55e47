"""Values of hidden tests that replies told: what the reference gives for inputs that the dialogue named."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.dialogue import Turn
from colbench_gym.errors import TaskError
from colbench_gym.python_code.syntax import parse_expression
from colbench_gym.sandboxes import CallOutcome
from colbench_gym.tasks import BackendTask

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
_WORD = re.compile(r"\w+")
_EMPTY = "empty"  # how a list, text or dictionary without anything in it is called
_NOTHING = ("[]", "{}", '""', "''")

Values = tuple[frozenset[float], frozenset[str]]  # numbers, and texts in small letters


@dataclass(frozen=True)
class _Said:
    """A text with what it names."""

    lower: str
    numbers: frozenset[float]
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Said:
        lower = text.lower()
        numbers = frozenset(float(number.replace(",", "")) for number in _NUMBER.findall(lower))
        empty = [_EMPTY] if any(nothing in lower for nothing in _NOTHING) else []
        return cls(lower, numbers, frozenset([*_WORD.findall(lower), *empty]))

    def names(self, values: Values) -> bool:
        """Return whether all values stand in the text."""
        numbers, texts = values
        return numbers <= self.numbers and all(
            text in self.words if _WORD.fullmatch(text) else text in self.lower for text in texts
        )


def tests_told(task: BackendTask, turns: Sequence[Turn], wanted: Callable[[], Sequence[CallOutcome]]) -> int:
    """Return how many more hidden tests' values are known after the last reply than before it.

    A test's value is told where its inputs stand in a question or the reply to it, in any notation, and the value
    stands in that reply, unless the request or the agent had said it.

    Args:
        task: whose tests are hidden.
        turns: of the dialogue, the human's reply last.
        wanted: returns how each test ends with the reference; asked only where the inputs of one were named.
    """
    named = _named(task, turns)
    if not named:
        return 0
    try:
        outcomes = wanted()
    except TaskError:  # such a task cannot be graded, so no value helps
        return 0
    told = {place for place in named if _is_told(task, turns, outcomes[place])}
    for end in range(3, len(turns), 2) if told else ():
        told -= {place for place in _named(task, turns[:end]) & told if _is_told(task, turns[:end], outcomes[place])}
    return len(told)


def _named(task: BackendTask, turns: Sequence[Turn]) -> set[int]:
    """Return which tests' inputs stand in the last question or the reply to it."""
    said = _Said.of(" ".join(turn.content for turn in turns[-2:]))
    return {place for place, inputs in enumerate(map(_inputs, task.calls)) if inputs is not None and said.names(inputs)}


def _is_told(task: BackendTask, turns: Sequence[Turn], outcome: CallOutcome) -> bool:
    value = _values(outcome.value) if outcome.status == "returned" else None
    if value is None:
        return False
    given = " ".join([task.description, *(turn.content for turn in turns if turn.seat == "agent")])
    return _Said.of(turns[-1].content).names(value) and not _Said.of(given).names(value)


@lru_cache(maxsize=8192)
def _inputs(call: str) -> Values | None:
    """Return what a call is made with; None for one with more than plain data."""
    try:
        node = parse_expression(call.strip())
        if isinstance(node, ast.Call):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            values = [ast.literal_eval(part) for part in given]
            return _values([value for value in values if not isinstance(value, bool) and value is not None])
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        pass
    return None


def _values(value: object) -> Values | None:
    """Return what a value is made of; None where a part is no plain data, or a number too long to be said."""
    try:
        leaves = list(_leaves(value))
    except (TypeError, ValueError, RecursionError):
        return None
    numbers = frozenset(float(leaf) for leaf in leaves if not isinstance(leaf, str))
    return numbers, frozenset(leaf.lower().strip() or _EMPTY for leaf in leaves if isinstance(leaf, str))


def _leaves(value: object) -> Iterator[float | str]:
    if isinstance(value, (bool, type(None), str)):
        yield str(value)
    elif isinstance(value, (int, float)):
        yield value if abs(value) < 1e300 else str(value)
    elif isinstance(value, dict):
        yield from _leaves([*value.keys(), *value.values()])
    elif isinstance(value, (list, tuple, set, frozenset)):
        for part in value or ("",):
            yield from _leaves(part)
    else:
        raise TypeError(f"got a value of type {type(value).__name__}, expected plain data")
