"""Simple statements of the syntax tree as clauses: "the result is …", "the score goes up by 5"."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from colbench_gym.humans.program.verbalizer.calls import filled, say_call, sort_order, table
from colbench_gym.humans.program.verbalizer.expressions import CLAUSE, Words
from colbench_gym.humans.program.verbalizer.syntax import ATOM
from colbench_gym.humans.program.verbalizer.wording import be, listing
from colbench_gym.python_code.syntax import nodes_of

_SO_FAR = "the result so far"


def effect(words: Words, node: ast.stmt) -> str | None:
    """A statement as a clause; empty when there is nothing to tell, None when it holds other statements."""
    if isinstance(node, ast.Return):
        return result(words, node.value)
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return " and ".join(_assigned(words, target, node.value) for target in targets if node.value) or ""
    if isinstance(node, ast.AugAssign):
        return _changed(words, node)
    if isinstance(node, ast.Expr):
        return _done(words, node.value)
    if isinstance(node, ast.Raise):
        return _raised(words, node.exc)
    if isinstance(node, ast.Delete):
        return f"{listing([words.say(target, ATOM) for target in node.targets])} is removed"
    return table("statements").get(type(node).__name__)


def result(words: Words, value: ast.expr | None) -> str:
    """Return what a return statement gives back."""
    if value is None:
        return "the result is None"
    if _is_condition(words, value):
        return f"the result is True if {words.condition(value)}, otherwise False"
    return f"the result is {words.say(value)}"


def _is_condition(words: Words, value: ast.expr) -> bool:
    if isinstance(value, ast.BoolOp):
        flags = [isinstance(part, ast.Name) and words.kind(part) == "flag" for part in value.values]
        return all(flag or _is_condition(words, part) for flag, part in zip(flags, value.values, strict=True))
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    return isinstance(value, ast.Compare)


def _assigned(words: Words, target: ast.expr, value: ast.expr) -> str:
    if isinstance(target, ast.Subscript):
        if isinstance(target.slice, ast.Slice):
            return f"{words.say(target, ATOM)} becomes {words.say(value)}"
        owner = words.say(target.value, ATOM).replace(_SO_FAR, "the result")
        return f"{words.say(value, CLAUSE)} is stored under {words.say(target.slice, ATOM)} in {owner}"
    if isinstance(target, (ast.Tuple, ast.List)):
        names = listing([words.say(part, ATOM) for part in target.elts])
        if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
            return " and ".join(_assigned(words, t, v) for t, v in zip(target.elts, value.elts, strict=False))
        return f"{names} are taken from {words.say(value, ATOM)}"
    subject = words.say(target, ATOM)
    if _is_condition(words, value):
        return f"{subject} {be(subject)} True if {words.condition(value)}, otherwise False"
    anew = isinstance(target, ast.Name) and any(getattr(node, "id", "") == target.id for node in nodes_of(value))
    return f"{subject} {'becomes' if anew else be(subject)} {words.say(value)}"


def _changed(words: Words, node: ast.AugAssign) -> str:
    target = words.say(node.target, ATOM)
    if isinstance(node.op, ast.Add) and "text" in (words.kind(node.target), words.kind(node.value)):
        return f"{words.say(node.value, CLAUSE)} is put after {target}"
    if isinstance(node.op, ast.Add) and "list" in (words.kind(node.target), words.kind(node.value)):
        return f"{words.say(node.value, CLAUSE)} is added to {target}"
    template = table("changes").get(type(node.op).__name__, "{target} {be} combined with {value}")
    plural = be(target) == "are"
    value = words.say(node.value, CLAUSE)
    return template.format(target=target, be=be(target), go="go" if plural else "goes", value=value)


def _done(words: Words, value: ast.expr) -> str:
    if not isinstance(value, ast.Call):
        return ""  # a docstring, or nothing that functions are known to do
    if isinstance(value.func, ast.Attribute):
        owner = words.say(value.func.value, ATOM)
        if value.func.attr == "sort":
            return f"{owner} {be(owner)} sorted{sort_order(words, value.keywords)}"
        template = table("effects").get(f"{value.func.attr} {len(value.args)}")
        if template is not None and not value.keywords:
            return filled(words, template, [value.func.value, *value.args]).replace(_SO_FAR, "the result")
    if isinstance(value.func, ast.Name) and value.func.id == "print":
        return f"{listing([words.say(argument, ATOM) for argument in value.args])} is printed"
    told_call = say_call(words, value)
    return f"{told_call.removeprefix('what ').removesuffix(' gives')} is called" if told_call else ""


def _raised(words: Words, error: ast.expr | None) -> str:
    if error is None:
        return "the error is passed on"
    if isinstance(error, ast.Call):
        name = words.say(error.func, ATOM) if not isinstance(error.func, ast.Name) else error.func.id
        told = listing([words.say(argument, ATOM) for argument in error.args])
        return f"a {name}{f' with the message {told}' if error.args else ''} is raised"
    return f"a {error.id if isinstance(error, ast.Name) else words.say(error)} is raised"


def handled(words: Words, errors: Sequence[ast.AST]) -> str:
    """Return which errors are caught: "if that fails with a ValueError"."""
    kinds = [kind for error in errors for kind in (error.elts if isinstance(error, ast.Tuple) else [error])]
    named = [kind for kind in kinds if isinstance(kind, ast.expr)]
    names = [kind.id if isinstance(kind, ast.Name) else words.say(kind, ATOM) for kind in named]
    return f"if that fails with a {listing(names, 'or')}" if names else "if that fails"
