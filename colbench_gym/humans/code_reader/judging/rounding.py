"""How a reference rounds its numbers, and between which limits it holds them."""

from __future__ import annotations

import ast
import re

from colbench_gym.humans.code_reader.lexicon import stems
from colbench_gym.humans.code_reader.orders import Finding, called, calls_of
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import names_in
from colbench_gym.humans.code_reader.verbalizer import Spoken
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.syntax import ATOM, stepped_rounding
from colbench_gym.humans.code_reader.verbalizer.wording import be, the
from colbench_gym.python_code.syntax import nodes_of

MAX_LOOKED_AT = 20  # roundings of a reference
MAX_ROUNDED = 3  # numbers of which one reply says how they are rounded


def rounding(said: Spoken, question: Question) -> Finding | None:  # noqa: ARG001 - one signature for all
    """Decide how numbers are rounded."""
    known = said.knowledge
    calls = [node for node in calls_of(known, "round") if node.args][:MAX_LOOKED_AT]
    if calls:
        steps = {id(found.call): found.step for node in known.nodes if (found := stepped_rounding(node))}
        several = list(dict.fromkeys(_rounded(said, node, steps.get(id(node), "")) for node in calls))[:MAX_ROUNDED]
        told = several if len({text.partition(" rounded ")[2] for text in several}) > 1 else several[:1]
        return Finding(True, f"{_joined(told)}.", reveals=True)
    for part in known.nodes:
        spec = ""
        if isinstance(part, ast.FormattedValue) and isinstance(part.format_spec, ast.JoinedStr):
            spec = "".join(str(piece.value) for piece in part.format_spec.values if isinstance(piece, ast.Constant))
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            match = re.search(r"%[0-9]*(\.\d+f)|\{\w*:[^{}]*(\.\d+[fg%])", part.value)
            spec = (match[1] or match[2]) if match else ""
        match = re.search(r"\.(\d+)[f%]", spec) if spec else None
        if match:
            return Finding(True, f"It is written with {match[1]} decimals.", reveals=True)
    for name, how in (
        ("floor", "rounded down"),
        ("ceil", "rounded up"),
        ("trunc", "cut off"),
        ("int", "cut to a whole number"),
    ):
        for node in calls_of(known, name):
            if node.args and not isinstance(node.args[0], ast.Constant) and _numeric(said, node.args[0]):
                return Finding(True, f"{_home(said, node)} {how}.")
    if any(isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv) for node in known.nodes):
        return Finding(True, "It is a floor (integer) division, so whatever is behind the point is cut off.")
    return Finding(False, "it is not rounded.")


def _rounded(said: Spoken, node: ast.Call, step: str) -> str:
    what = _home(said, node)
    if step:
        return f"{what} rounded to the nearest multiple of {step}"
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    if not given:
        return f"{what} rounded to the nearest whole number"
    digits = ast.unparse(given[0])
    if not digits.lstrip("-").isdigit():
        return f"{what} rounded to {said.words.say(given[0], ATOM)} decimals"
    places = {"0": "no decimals", "1": "one decimal place", "2": "two decimal places (2)"}
    tens = {"-1": "the nearest ten", "-2": "the nearest hundred", "-3": "the nearest thousand"}
    return f"{what} rounded to {places.get(digits) or tens.get(digits) or f'{digits} decimal places'}"


def _joined(texts: list[str]) -> str:
    return "; ".join([texts[0], *(f"{text[:1].lower()}{text[1:]}" for text in texts[1:])])


def _numeric(said: Spoken, node: ast.expr) -> bool:
    return (
        isinstance(node, (ast.BinOp, ast.Call)) and called(node) not in ("input", "strip", "group")
    ) or said.words.kind(node) == "number"


def _home(said: Spoken, node: ast.AST) -> str:
    """Return what a call's value becomes, with its verb: "The result is"."""
    for claim in said.knowledge.claims:
        inner = getattr(claim, "statement", None)
        if inner is not None and any(part is node for part in nodes_of(inner)):
            value = getattr(inner, "value", None)
            for key, entry in zip(value.keys, value.values, strict=True) if isinstance(value, ast.Dict) else ():
                if key is not None and any(part is node for part in nodes_of(entry)):
                    return f"The {said.words.say(key, ATOM)} entry is"
            if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                subject = the(inner.targets[0].id)
                return f"{subject[:1].upper()}{subject[1:]} {be(subject)}"
            break
    return "The result is"


def capping(said: Spoken, question: Question) -> Finding | None:
    """Decide whether a value is held between limits."""
    known = said.knowledge
    bounds = [node for node in calls_of(known, "max", "min") if len(node.args) > 1]
    below = question.has(r"\b(?:lower (?:bound|limit)|floor|minimum|at least)\b")
    above = question.has(r"\bcap|\bupper|\bmaximum|\bat most\b|\bexceed")
    wanted = ("max", "min") if above is below else ("min",) if above else ("max",)
    fitting = [node for node in bounds if called(node) in wanted]
    about = [len(stems(names_in(bound)) & question.about) for bound in fitting]
    other = any(stems([parameter.name]) & question.about for parameter in known.parameters)
    if fitting and (any(about) or not other):
        node = fitting[about.index(max(about))]
        whole = any(getattr(getattr(claim, "statement", None), "value", None) is node for claim in known.claims)
        told = f"{_home(said, node)} {said.words.say(node)}" if whole else f"{said.words.say(node)} is what counts"
        return Finding(True, sentence(told), reveals=True)
    if bounds:
        return None
    if any(isinstance(n, (ast.If, ast.IfExp)) for n in known.nodes):
        return None
    return Finding(False, "there is no cap; it just follows the calculation.")
