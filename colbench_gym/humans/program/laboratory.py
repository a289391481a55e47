"""Run the reference in the sandbox: some calls at once, each outcome remembered."""

from __future__ import annotations

import ast
import copy
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from colbench_gym.errors import SandboxError, SandboxUnavailableError, TaskError
from colbench_gym.python_code.syntax import parse_expression
from colbench_gym.sandboxes import CallOutcome, Limits, Program, Sandbox, open_sandbox
from colbench_gym.sandboxes.worker.values import Unserialisable, encode
from colbench_gym.tasks import BackendTask

MAX_REMEMBERED = 4096  # outcomes, each of one call in one program
MAX_CALL_CHARS = 4000
MAX_RESULT_BYTES = 8192  # a value that is told in words is small
FIRST_BRANCH = 10_000  # above it are the numbers of conditional expressions' sides, below it those of statements
_LIMITS = Limits(cpu_s_per_call=0.2, wall_s_per_call=0.5, total_wall_s=2.0, max_result_bytes=MAX_RESULT_BYTES)
_PROBE = """

_visited = set()

def _observe(function, *given, **named):
    _visited.clear()
    try:
        value = function(*given, **named)
    except Exception as error:
        return ["raised", type(error).__name__, str(error)[:200], sorted(_visited)]
    return ["returned", value, "", sorted(_visited)]
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
        visited: numbers of the marked statements that were executed.
    """

    status: Literal["returned", "raised", "unknown"]
    value: object = None
    error: str = ""
    message: str = ""
    visited: frozenset[int] = field(default=frozenset(), compare=False)


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


Results = Callable[[BackendTask], Sequence[CallOutcome]]  # what a reference gives on its task's tests


class Laboratory:
    """Runs references and remembers what came out. Thread-safe; opens its sandbox at the first experiment.

    Args:
        sandbox: where they run.
        results: gives what a reference gives on its task's tests, where somebody runs it on them anyway.
    """

    def __init__(self, sandbox: str | Sandbox = "process", results: Results | None = None) -> None:
        self._spec = sandbox
        self._results = results
        self._sandbox: Sandbox | None = None
        self._usable = True
        self._lock = threading.Lock()
        self._remembered: OrderedDict[tuple[str, str], Outcome] = OrderedDict()

    def observe(self, source: str, calls: Sequence[str]) -> list[Outcome]:
        """Evaluate calls such as ``area(2, 3)`` in a reference; errors are outcomes."""
        probes = [_probe(call) for call in calls]
        return self._run(source + _PROBE, probes, "reference", _observed)

    def answer(self, source: str, calls: Sequence[str]) -> list[Outcome]:
        """Evaluate calls in an untrusted program."""
        return self._run(source, list(calls), "answer", lambda value: Outcome("returned", value))

    def on_tests(self, task: BackendTask) -> list[Outcome] | None:
        """Return the outcomes of a task's tests; None where nobody else knows them, or they are none that are told."""
        if self._results is None:
            return None
        try:
            outcomes = self._results(task)
            for outcome in outcomes:
                if outcome.status != "returned":
                    return None
                encode(outcome.value, MAX_RESULT_BYTES)
        except (TaskError, SandboxError, Unserialisable):
            return None
        return [Outcome("returned", outcome.value) for outcome in outcomes]

    def _run(self, source: str, calls: list[str], role: Literal["answer", "reference"], read: Any) -> list[Outcome]:
        with self._lock:
            known = {call: self._remembered.get((source, call)) for call in calls}
        missing = [call for call, outcome in known.items() if outcome is None and len(call) <= MAX_CALL_CHARS]
        if missing:
            fresh = self._evaluate(Program(source, tuple(missing), role=role, limits=_LIMITS), read)
            if fresh is not None:
                known.update(zip(missing, fresh, strict=True))
                with self._lock:
                    for call in missing:
                        self._remembered[source, call] = known[call] or UNKNOWN
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
        told = {"returned": read, "raised": lambda _: Outcome("raised", error="error")}
        return [told.get(outcome.status, lambda _: UNKNOWN)(outcome.value) for outcome in outcomes]

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


def _probe(call: str) -> str:
    name, _, rest = call.partition("(")
    return f"_observe({name}, {rest}" if rest.strip() != ")" else f"_observe({name})"


def _observed(value: object) -> Outcome:
    if not isinstance(value, list) or len(value) != 4:
        return UNKNOWN
    status, result, message, numbers = value
    visited = frozenset(numbers) if isinstance(numbers, list) else frozenset()
    if status == "raised":
        return Outcome("raised", error=str(result), message=str(message), visited=visited)
    return Outcome("returned", value=result, visited=visited)


def call_text(function: str, arguments: Arguments, positional: Sequence[str]) -> str:
    """Write a call with plain data; names in ``positional`` come first and without their name."""
    plain = []
    for name in positional:
        if name not in arguments:
            break
        plain.append(name)
    parts = [repr(arguments[name]) for name in plain]
    parts += [f"{name}={value!r}" for name, value in arguments.items() if name not in plain]
    return f"{function}({', '.join(parts)})"


def seeds(calls: Sequence[str], function: str, positional: Sequence[str]) -> list[dict[str, Any]]:
    """Return the arguments of those calls that give plain data only, by parameter."""
    found = []
    for call in calls:
        try:
            node = parse_expression(call.strip())
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function):
                continue
            given = dict(zip(positional, (ast.literal_eval(part) for part in node.args), strict=False))
            given |= {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg}
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            continue
        found.append(given)
    return found


def marked(
    tree: ast.Module,
    statements: Sequence[ast.stmt],
    function: ast.AST | None = None,
    fixed: Mapping[str, float] | None = None,
) -> str:
    """Return a program that notes which of some statements inside its functions are executed.

    Args:
        fixed: names of ``function`` that hold these numbers from the statement of its body on that stores them last.
    """
    numbers = {(s.lineno, s.col_offset, type(s).__name__): n for n, s in enumerate(statements)}
    copied = _Branches().visit(copy.deepcopy(tree))
    for node in ast.walk(copied):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if fixed and function is not None and node.lineno == getattr(function, "lineno", 0):
                _fix(node, fixed)
            for part in ast.walk(node):
                for name in ("body", "orelse", "finalbody"):
                    body = getattr(part, name, None)
                    if isinstance(body, list) and not isinstance(part, (ast.ClassDef, ast.Lambda)):
                        setattr(part, name, list(_noted(body, numbers)))
    return ast.unparse(ast.fix_missing_locations(copied))


class _Branches(ast.NodeTransformer):
    """Notes which side of each conditional expression is evaluated, by numbers that no statement has."""

    def __init__(self) -> None:
        self._next = FIRST_BRANCH

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        """Put a note before both sides."""
        self.generic_visit(node)
        node.body, node.orelse = self._side(node.body), self._side(node.orelse)
        return node

    def _side(self, side: ast.expr) -> ast.expr:
        self._next += 1
        return ast.BoolOp(ast.Or(), [_note(self._next), side])


def _fix(function: ast.FunctionDef | ast.AsyncFunctionDef, fixed: Mapping[str, float]) -> None:
    for name, value in fixed.items():
        stores = [
            place
            for place, statement in enumerate(function.body)
            if any(
                isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(statement)
            )
        ]
        if stores:
            function.body.insert(stores[-1] + 1, ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value)))


def _noted(body: Sequence[ast.stmt], numbers: Mapping[tuple[int, int, str], int]) -> Iterator[ast.stmt]:
    """Yield statements, each that is numbered with a note before it."""
    for statement in body:
        number = numbers.get(
            (getattr(statement, "lineno", 0), getattr(statement, "col_offset", 0), type(statement).__name__)
        )
        if number is not None and not getattr(statement, "_noted", False):
            yield ast.Expr(_note(number))
            statement._noted = True  # type: ignore[attr-defined]  # a nested function is walked twice
        yield statement


def _note(number: int) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name("_visited", ast.Load()), "add", ast.Load()), [ast.Constant(number)], [])
