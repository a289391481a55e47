"""Read a backend task out of what a model wrote, or say why there is none in it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from colbench_gym.action import extract_code
from colbench_gym.humans.leaks import pastes_code
from colbench_gym.python_code.syntax import parse_expression, parse_module
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.tasks import BackendTask

_HEADINGS = ("FUNCTION", "REQUEST", "CALLS")
_HEADING = re.compile(rf"^[ \t]*#*[ \t]*\**(?P<name>{'|'.join(_HEADINGS)})\**:?\**[ \t]*$", re.MULTILINE)
_LIST_MARK = re.compile(r"^(?:[-*]|\d+[.)])\s+")


@dataclass(frozen=True)
class Unusable:
    """Reason for which a model's text gives no task: a word to count by, and the details."""

    reason: str
    detail: str


def read_draft(text: str, task_id: str) -> BackendTask | Unusable:
    """Return the task in a model's text, in the form of the official ones; it has not been run yet.

    The reasons are ``format`` (a part is missing), ``syntax`` (no Python, or no function), ``too_few_calls``,
    ``bad_call`` (not a call of that function with literals) and ``shows_code`` (the request quotes the function).
    """
    parts = _parts(text)
    missing = [name for name in _HEADINGS if not parts.get(name)]
    if missing:
        return Unusable("format", f"no text under the heading {', '.join(missing)}")
    reference = extract_code(parts["FUNCTION"]).strip()
    try:
        module = parse_module(reference)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return Unusable("syntax", f"the function is no Python: {e}")
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    lines = [_LIST_MARK.sub("", line.strip()).strip("` ") for line in extract_code(parts["CALLS"]).splitlines()]
    calls = tuple(dict.fromkeys(line for line in lines if line))
    wanted = _called(functions, calls)
    if wanted is None:
        return Unusable("syntax", "no function that the calls name")
    for call in calls:
        if not _is_literal_call(call, wanted.name):
            return Unusable("bad_call", f"{call!r} is no call of {wanted.name} with literals")
    if len(calls) < TESTS_PER_TASK:
        return Unusable("too_few_calls", f"{len(calls)} different calls; expected {TESTS_PER_TASK}")
    signature = f"def {wanted.name}({ast.unparse(wanted.args)})"
    calls = calls[:TESTS_PER_TASK]
    task = BackendTask(
        task_id=task_id,
        description=f"{parts['REQUEST'].strip()} The signature of the function is: {signature}",
        reference=reference,
        calls=calls,
        test_names=tuple(f"test{number}" for number in range(1, len(calls) + 1)),
        hidden_information=reference,
    )
    if pastes_code(task, parts["REQUEST"]):
        return Unusable("shows_code", "the request quotes the function")
    return task


def _parts(text: str) -> dict[str, str]:
    headings = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    return {heading["name"]: text[heading.end() : end].strip() for heading, end in zip(headings, ends, strict=True)}


def _called(functions: list[ast.FunctionDef], calls: tuple[str, ...]) -> ast.FunctionDef | None:
    """Return the function that the first call names."""
    named = calls[0].partition("(")[0].strip() if calls else ""
    return next((function for function in functions if function.name == named), None)


def _is_literal_call(call: str, name: str) -> bool:
    try:
        node = parse_expression(call)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != name:
            return False
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            ast.literal_eval(argument)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return False
    return True
