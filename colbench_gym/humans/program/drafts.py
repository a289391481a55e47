"""Read code of the agent out of a message: whole functions, bodies of one, and lines that only look like code."""

from __future__ import annotations

import ast
import re
from typing import Literal

from colbench_gym.humans.asking.splitting import READ_CHARS
from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.inputs import run
from colbench_gym.humans.program.knowledge import ProgramFacts
from colbench_gym.humans.program.laboratory import call_text, same
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.python_code.syntax import nodes_of, parsed_module

MAX_TOLD_CHARS = 360  # of the fact that is told
MAX_CUT = 12  # lines at the end that may be no code
MAX_LINES = 60  # of a message that are looked at
_FENCE = re.compile(r"```[\w+-]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_CODE_LINE = re.compile(r"^\s*(?:return\b|for .+:\s*$|if .+:\s*$|while .+:\s*$|def \w+\(|[\w.\[\]'\"]+ [-+*/]?= \S)")
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Return, ast.FunctionDef, ast.With, ast.Try)


def program_in(message: str, known: Knowledge) -> str:
    """Return a program that defines the function which is asked for; empty when a message holds none."""
    message = message[: 4 * READ_CHARS]
    fenced = _FENCE.search(message)
    lines = (fenced[1] if fenced else message).splitlines()[:MAX_LINES]
    found = _stretch(lines)
    tree = parsed_module(found) if found else None
    if tree is None:
        return ""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if functions:
        named = any(node.name == known.name for node in functions)
        return found if named or not known.name else f"{found}\n\n{known.name} = {functions[-1].name}\n"
    names = {node.id for node in nodes_of(tree) if isinstance(node, ast.Name)}
    returns = any(isinstance(node, ast.Return) for node in nodes_of(tree))
    if known.function is None or not returns or names.isdisjoint(p.name for p in known.parameters):
        return ""
    wrapped = ast.FunctionDef(known.name, known.function.args, list(tree.body), [], lineno=1, col_offset=0)
    if "type_params" in ast.FunctionDef._fields:  # Python 3.12 and later
        wrapped.type_params = []  # type: ignore[attr-defined,unused-ignore]
    imports = [node for node in known.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return ast.unparse(ast.fix_missing_locations(ast.Module([*imports, wrapped], [])))


def _stretch(lines: list[str]) -> str:
    """Return the longest run of lines that is a program with more than bare words in it."""
    starts = [place for place, line in enumerate(lines) if _CODE_LINE.match(line)]
    for start in starts[:5]:
        for end in range(len(lines), max(start, len(lines) - MAX_CUT), -1):
            indent = len(lines[start]) - len(lines[start].lstrip())
            text = "\n".join(line[indent:] if line[:indent].isspace() else line for line in lines[start:end])
            tree = parsed_module(text)
            if tree is not None and any(isinstance(node, _STATEMENTS) for node in tree.body):
                return text
    return ""


def broken_fact(program: ProgramFacts, code: str, before: str) -> Fact | Literal["undecided"] | None:
    """Return a fact that a draft seems to break; None when it does what the reference does on all inputs tried.

    The inputs are the human's own, fixed by the task and none of them a hidden test's, whatever the draft does; a call
    that ends without data counts as a difference. No value that is wanted is told, nor what was said ``before``.

    Returns: "undecided" when nothing could be run.
    """
    if program.said is None or not program.inputs or not program.steady:
        return "undecided"
    known = program.said.knowledge
    calls = [call_text(known.name, arguments, known.positional) for arguments in program.inputs]
    outcomes = program.lab.answer(code, calls)
    for right, own in zip(run(program.lab, known, program.inputs), outcomes, strict=True):
        if "unknown" in (right.status, own.status):
            return "undecided"
        if right.status != own.status or not same(right.value, own.value, exact=True):
            return _unsaid(program, code, before)
    return None


def _unsaid(program: ProgramFacts, code: str, before: str) -> Fact:
    """Return the fact that matters most of those not told yet, one whose values the draft lacks before others."""
    sources = ("author", "code")
    facts = [
        fact
        for fact in program.facts
        if fact.reveals and fact.source in sources and fact.text not in before and len(fact.text) <= MAX_TOLD_CHARS
    ]
    lower = code.lower()

    def rank(fact: Fact) -> tuple[bool, bool, float]:
        values = [literal for literal in _VALUE.findall(fact.text.lower()) if literal.strip('"')]
        present = bool(values) and all(value.strip('"') in lower for value in values)
        return (present, fact.source != "author", -fact.weight)

    return min(facts, key=rank, default=Fact("rule", "It is not yet what I have in mind.", reveals=False))


_VALUE = re.compile(r"\d+(?:\.\d+)?|\"[^\"]{1,40}\"")
