"""Decide whether a formula that a question proposes is the whole calculation: it is run on the human's own inputs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.splitting import plain_quotes
from colbench_gym.humans.facts import Verdict
from colbench_gym.humans.program.inputs import run
from colbench_gym.humans.program.knowledge import ProgramFacts
from colbench_gym.humans.program.laboratory import call_text, same
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.humans.vocabulary import read_patterns
from colbench_gym.python_code.syntax import parse_expression

_PATTERNS = read_patterns(Path(__file__).with_name("patterns.toml"))
_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-"})
_NAME = re.compile(r"[^\W\d]\w*")
_BEFORE = re.compile(r"^[\s*/%+]*(?:-\s+)?")  # a dash before a formula is no minus
_BRANCHING = (ast.If, ast.IfExp, ast.BoolOp, ast.Compare, ast.For, ast.While, ast.Try, ast.Match, ast.comprehension)


def proposed(program: ProgramFacts, question: Question) -> Verdict | None:
    """Return whether the formula of a question gives what the reference gives, which always calculates alike."""
    known = program.known
    asks = question.polar or _PATTERNS["agree"].search(question.lower)
    if known is None or not asks or not program.steady or not known.called <= {"float"}:
        return None
    formula = _formula_in(plain_quotes(f"{question.context} {question.text}").translate(_SIGNS), known)
    if not formula or not program.inputs or any(isinstance(node, _BRANCHING) for node in known.nodes):
        return None
    source = f"def {known.name}({', '.join(p.name for p in known.parameters)}):\n    return {formula}\n"
    calls = [call_text(known.name, arguments, known.positional) for arguments in program.inputs]
    pairs = list(zip(run(program.lab, known, program.inputs), program.lab.answer(source, calls), strict=True))
    if not all(is_number(outcome.value) for pair in pairs for outcome in pair):
        return None
    if all(same(right.value, own.value, exact=True) for right, own in pairs):
        return Verdict("Yes, that is the formula.", "proposal")
    differs = any(not same(right.value, own.value) for right, own in pairs)
    return Verdict("No, it is not calculated like that.", "proposal", final=False) if differs else None


def _formula_in(text: str, known: Knowledge) -> str:
    """Return the one formula of all arguments that a text ends with, words of agreement left out; else nothing."""
    used = {parameter.name for parameter in known.parameters if parameter.used}
    part = rf"(?:\b(?:{'|'.join(sorted(map(re.escape, used)))})\b|\d+(?:\.\d+)?|[-+*/%()\s])+"
    found = [match for match in re.finditer(part, text) if used <= set(_NAME.findall(match[0]))] if used else []
    if len(found) != 1:
        return ""
    formula = _BEFORE.sub("", found[0][0]).rstrip("-+*/% \t\n")
    formula = formula[: -1 if formula.count("(") < formula.count(")") and formula[-1] == ")" else None]
    formula = formula[formula.count("(") > formula.count(")") and formula[0] == "(" :]
    before, _, behind = text.partition(formula)
    whole = _PATTERNS["leads_to_formula"].search(before) and _PATTERNS["agrees"].match(behind)
    try:  # a power takes as long as it likes
        return formula if whole and "**" not in formula and isinstance(parse_expression(formula), ast.BinOp) else ""
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ""
