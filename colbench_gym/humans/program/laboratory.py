"""Run the reference in the sandbox: some calls at once, each outcome remembered."""

from __future__ import annotations

import ast
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import isclose
from typing import Any, Literal

from colbench_gym.errors import SandboxError, SandboxUnavailableError
from colbench_gym.python_code.syntax import nodes_of, parse_expression
from colbench_gym.sandboxes import Limits, Program, Sandbox, open_sandbox

MAX_REMEMBERED = 4096  # outcomes, each of one call in one program
MAX_CALL_CHARS = 4000
MAX_RESULT_BYTES = 8192  # a value that is told in words is small
_LIMITS = Limits(cpu_s_per_call=0.2, wall_s_per_call=0.5, total_wall_s=2.0, max_result_bytes=MAX_RESULT_BYTES)
_PROBE = """

def _observe(function, /, *given, **named):
    try:
        value = function(*given, **named)
    except Exception as error:
        return ["raised", type(error).__name__, str(error)[:200]]
    return ["returned", value, ""]
"""

Arguments = Mapping[str, Any]  # Any: plain data


@dataclass(frozen=True)
class Outcome:
    """Ending of one call of the reference.

    Attributes:
        status: ``unknown`` when it could not be run or its value is no plain data.
        value: what was returned.
        error: name of the exception's class.
        message: text of the exception.
    """

    status: Literal["returned", "raised", "unknown"]
    value: object = None
    error: str = ""
    message: str = ""


UNKNOWN = Outcome("unknown")
_CONTAINERS = (list, tuple, dict)


def equal(one: Outcome, other: Outcome) -> bool:
    """Return whether two runs ended alike; the texts of accidental errors do not matter."""
    if one.status != other.status:
        return False
    if one.status == "raised":
        return one.error == other.error
    if type(one.value) is not type(other.value) or one.value != other.value:
        return False
    # within a container, 0 is not 0.0
    return not isinstance(one.value, _CONTAINERS) or sorted(repr(one.value)) == sorted(repr(other.value))


def same(one: object, other: object, *, exact: bool = False) -> bool:
    """Return whether two values are equal: as people say numbers, or exactly but for the last digits of floats."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        if one == other or (one != one and other != other):
            return True
        try:
            if exact:
                return isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
            return isclose(one, other, rel_tol=1e-6, abs_tol=5e-3 if abs(float(one)) > 1 else 1e-6)
        except OverflowError:
            return False
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(same(a, b, exact=exact) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key], exact=exact) for key, value in one.items())
    return one == other


class Laboratory:
    """Runs references and remembers what came out. Thread-safe; opens its sandbox at the first experiment."""

    def __init__(self, sandbox: str | Sandbox = "process") -> None:
        self._spec = sandbox
        self._sandbox: Sandbox | None = None
        self._usable = True
        self._lock = threading.Lock()
        self._remembered: OrderedDict[tuple[str, str], Outcome] = OrderedDict()

    def observe(self, source: str, calls: Sequence[str]) -> list[Outcome]:
        """Evaluate calls such as ``area(2, 3)`` in a reference; errors are outcomes."""
        probes = ["_observe(" + call.replace("(", ", ", 1) for call in calls]
        return self._run(source + _PROBE, probes, "reference", _observed)

    def answer(self, source: str, calls: Sequence[str]) -> list[Outcome]:
        """Evaluate calls in an untrusted program; what ends without data has raised, unknown is what was not run."""
        return self._run(source, list(calls), "answer", lambda value: Outcome("returned", value))

    def _run(self, source: str, calls: list[str], role: Literal["answer", "reference"], read: Any) -> list[Outcome]:
        with self._lock:
            known = {call: self._remembered.get((source, call)) for call in calls}
        missing = [call for call, outcome in known.items() if outcome is None and len(call) <= MAX_CALL_CHARS]
        if missing:
            fresh = self._evaluate(Program(source, tuple(missing), role=role, limits=_LIMITS), read)
            if fresh is not None:
                known.update(zip(missing, fresh, strict=True))
                with self._lock:
                    for call, outcome in zip(missing, fresh, strict=True):
                        if outcome != UNKNOWN:  # a machine that was busy may be idle the next time
                            self._remembered[source, call] = outcome
                    while len(self._remembered) > MAX_REMEMBERED:
                        self._remembered.popitem(last=False)
        return [known[call] or UNKNOWN for call in calls]

    def _evaluate(self, program: Program, read: Any) -> list[Outcome] | None:
        sandbox = self._open()
        if sandbox is None:
            return None
        try:
            outcomes = sandbox.run(program)
        except SandboxError:
            return None
        failed = UNKNOWN if program.role == "reference" else Outcome("raised", error="error")  # see _PROBE
        return [read(o.value) if o.status == "returned" and _can_be_written(o.value) else failed for o in outcomes]

    def _open(self) -> Sandbox | None:
        with self._lock:
            if self._sandbox is None and self._usable:
                try:
                    self._sandbox = open_sandbox(self._spec)
                except SandboxUnavailableError:  # a human on such a machine answers from the text alone
                    self._usable = False
            return self._sandbox

    def close(self) -> None:
        """Let go of the sandbox; a later experiment opens it again."""
        with self._lock:
            sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()


def _can_be_written(value: object) -> bool:
    try:
        return bool(repr(value))
    except ValueError:  # a number of more digits than Python writes
        return False


def _observed(value: object) -> Outcome:
    if not isinstance(value, list) or len(value) != 3:
        return UNKNOWN
    status, result, message = value
    if status == "raised":
        return Outcome("raised", error=str(result), message=str(message))
    return Outcome("returned", value=result)


def call_text(function: str, arguments: Arguments, positional: Sequence[str]) -> str:
    """Write a call with plain data; names in ``positional`` come first and without their name."""
    plain = list(takewhile(arguments.__contains__, positional))
    parts = [repr(arguments[name]) for name in plain]
    parts += [f"{name}={value!r}" for name, value in arguments.items() if name not in plain]
    return f"{function}({', '.join(parts)})"


def arguments_of(call: str, function: str, positional: Sequence[str]) -> dict[str, Any] | None:
    """Return the arguments of the one call of a function in a text, by parameter; None where not all is plain data."""
    try:
        found = (node for node in nodes_of(parse_expression(call.strip())) if isinstance(node, ast.Call))
        node, *others = [node for node in found if getattr(node.func, "id", "") == function]  # also of f(1) == 2
        if others or len(node.args) > len(positional):
            return None
        given = dict(zip(positional, map(ast.literal_eval, node.args), strict=False))
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg}
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None
    return given | named if len(named) == len(node.keywords) else None


def seeds(calls: Sequence[str], function: str, positional: Sequence[str]) -> list[dict[str, Any]]:
    """Return the arguments of those calls that give plain data only, by parameter."""
    given = (arguments_of(call, function, positional) for call in calls)
    return [one for one in given if one is not None]
