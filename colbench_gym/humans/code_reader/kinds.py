"""Which kinds of question a piece of code answers."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable

from colbench_gym.humans.code_reader.facts import Kind

_CASE = frozenset(["lower", "upper", "casefold", "title", "capitalize", "swapcase", "islower", "isupper"])
_ROUNDING = frozenset(["round", "int", "floor", "ceil", "trunc"])
_ORDER = frozenset(["sorted", "sort", "reverse", "reversed", "enumerate", "nlargest", "nsmallest", "most_common"])
_FORMATTING = frozenset(["join", "format", "strftime", "strptime", "zfill", "title", "capitalize"])
_DECIMALS = re.compile(r"%[0-9]*\.\d+f|\{\w*:[^{}]*\.\d+[fg%]")
_BUILTINS = frozenset(dir(builtins))


def kinds_of(nodes: Iterable[ast.AST]) -> set[Kind]:
    """All kinds that fit."""
    kinds: set[Kind] = set()
    for node in nodes:
        for part in ast.walk(node):
            kinds |= _kinds_of_one(part)
    return kinds


def _kinds_of_one(node: ast.AST) -> set[Kind]:
    if isinstance(node, ast.Call):
        return _kinds_of_call(node)
    if isinstance(node, ast.FormattedValue):
        return {"format", "rounding"} if node.format_spec is not None else {"format"}
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and _DECIMALS.search(node.value):
            return {"constants", "rounding"}
        told = isinstance(node.value, (str, int, float)) and node.value not in (0, 1, "")
        return {"constants"} if told and not isinstance(node.value, bool) else set()
    if isinstance(node, ast.BinOp):
        return {"formula", "rounding"} if isinstance(node.op, ast.FloorDiv) else {"formula"}
    if isinstance(node, ast.Compare):
        fixed: set[Kind] = {"constants"} if any(_is_number(side) for side in node.comparators) else set()
        return fixed | ({"conditions", "edges"} if is_edge(node) else {"conditions"})
    if isinstance(node, ast.Return):
        fixed = {"constants"} if _is_number(node.value) else set()
        return fixed | ({"returns", "format"} if _shaped(node.value) else {"returns"})
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.step is not None:
        return {"order"}
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return {"keys"}
    return _KINDS.get(type(node), set())


_KINDS: dict[type[ast.AST], set[Kind]] = {
    ast.AugAssign: {"formula"},
    ast.BoolOp: {"conditions"},
    ast.Dict: {"keys", "format"},
    ast.DictComp: {"loops", "format"},
    ast.For: {"loops"},
    ast.GeneratorExp: {"loops"},
    ast.IfExp: {"conditions"},
    ast.JoinedStr: {"format"},
    ast.ListComp: {"loops"},
    ast.Raise: {"errors", "edges"},
    ast.SetComp: {"loops"},
    ast.While: {"loops"},
}


def _kinds_of_call(node: ast.Call) -> set[Kind]:
    kinds: set[Kind] = set()
    attribute = isinstance(node.func, ast.Attribute)
    name = (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )
    keyed = any(keyword.arg == "key" for keyword in node.keywords)
    if name in _CASE and attribute:
        kinds.add("case")
    if name in _ROUNDING:
        kinds.add("rounding")
    if name in _ORDER or (keyed and name in ("max", "min")):
        kinds.add("order")
    if name in ("sorted", "sort") or (keyed and name in ("max", "min")):
        kinds.add("ties")
    if name in _FORMATTING:
        kinds.add("format")
    if name == "get" and attribute and len(node.args) == 2:
        kinds |= {"edges", "defaults", "keys"}
    if name in ("isinstance", "hasattr"):
        kinds |= {"edges", "types", "conditions"}
    if name in ("max", "min") and any(isinstance(argument, ast.Constant) for argument in node.args):
        kinds.add("edges")
    if name in ("sum", "mean", "abs", "sqrt", "len", "max", "min", "pow"):
        kinds.add("formula")
    if name in ("any", "all", "startswith", "endswith", "isdigit", "isalpha", "isalnum"):
        kinds.add("conditions")
    if not attribute and name and name not in _BUILTINS:
        kinds.add("imports")
    return kinds


def is_edge(test: ast.AST) -> bool:
    """Whether a test looks for something out of the ordinary: nothing, None, zero, a negative number, a wrong type."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return isinstance(test.operand, (ast.Name, ast.Call, ast.Subscript))
    if isinstance(test, ast.BoolOp):
        return any(is_edge(value) for value in test.values)
    if isinstance(test, ast.Call):
        return isinstance(test.func, ast.Name) and test.func.id in ("isinstance", "hasattr")
    if not isinstance(test, ast.Compare):
        return False
    for operator, other in zip(test.ops, test.comparators, strict=False):
        if isinstance(operator, (ast.Is, ast.IsNot)):
            return True
        nothing = isinstance(other, ast.Constant) and not isinstance(other.value, bool) and not other.value
        if nothing and isinstance(operator, (ast.Eq, ast.NotEq, ast.Lt, ast.LtE)):
            return True
        if isinstance(other, (ast.List, ast.Dict, ast.Tuple)) and isinstance(operator, (ast.Eq, ast.NotEq)):
            return True
    return False


def _is_number(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def _shaped(value: ast.expr | None) -> bool:
    return isinstance(value, (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.ListComp, ast.DictComp, ast.JoinedStr))
