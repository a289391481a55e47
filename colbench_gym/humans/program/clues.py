"""Collect what the use of a name in the code tells about its type."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from colbench_gym.humans.asking.lexicon import word_set

_STRONG, _WEAK = 4, 1


_TEXT_METHODS = word_set(
    "lower upper title strip lstrip rstrip split splitlines replace startswith endswith isdigit isalpha isalnum "
    "isspace isupper islower casefold capitalize swapcase encode zfill isnumeric format join"
)
_DICTIONARY_METHODS = word_set("items keys values get setdefault")
_LIST_METHODS = word_set("append extend sort insert reverse")
_NUMBER_FUNCTIONS = word_set("abs round sqrt floor ceil pow exp log log10 divmod")
_LIST_FUNCTIONS = word_set("len sum max min sorted enumerate zip set any all reversed list mean median tuple")
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_TELLING = (  # kinds of node that tell something of a name
    *(ast.Assign, ast.AugAssign, ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.For, ast.If, ast.IfExp),
    *(ast.Subscript, ast.UnaryOp, ast.While, ast.comprehension),
)
_ARITHMETIC = (ast.Mult, ast.Div, ast.Sub, ast.Pow, ast.FloorDiv, ast.Mod)


@dataclass
class Clues:
    """Observations of one name.

    Attributes:
        votes: how strongly each type is suggested.
        keys: texts it is subscripted with, in order of appearance.
        element: the name that stands for its items in a loop, if there is one.
        value: the same for the values of a dictionary.
        inner: how strongly each type of its items is suggested.
        used: whether it is read at all.
    """

    votes: Counter[str] = field(default_factory=Counter)
    keys: dict[str, None] = field(default_factory=dict)
    element: str = ""
    value: str = ""
    inner: Counter[str] = field(default_factory=Counter)
    used: bool = False

    @property
    def kind(self) -> str:
        """The likeliest type; empty when nothing tells."""
        return _likeliest(self.votes)

    @property
    def item_kind(self) -> str:
        """The likeliest type of its items; empty when nothing tells."""
        return _likeliest(self.inner)


def _likeliest(votes: Counter[str]) -> str:
    told = [kind for kind in votes if kind]
    return max(told, key=lambda kind: (votes[kind], kind)) if told else ""


def find_clues(nodes: Sequence[ast.AST]) -> dict[str, Clues]:
    """Clues for every name that the nodes of a program use."""
    seen: defaultdict[str, Clues] = defaultdict(Clues)
    tables, counters = _tables(nodes), _counters(nodes)
    for node in nodes:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                seen[node.id].used = True
            continue
        if not isinstance(node, _TELLING):
            continue
        for name, kind, weight in [*_suggestions(node), *_lookups(node, tables, counters)]:
            seen[name].votes[kind] += weight
        for name, kind in _items(node):
            seen[name].inner[kind] += 1
        _links(node, seen)
    seen.pop("", None)
    _alike(nodes, seen)
    return dict(seen)


def _alike(nodes: Sequence[ast.AST], seen: dict[str, Clues]) -> None:
    """Two names that are compared have one type; a text is the surer of two."""
    for node in nodes:
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            left, right = seen.get(_name(node.left)), seen.get(_name(node.comparators[0]))
            if left and right and "text" in (left.kind, right.kind):
                left.votes["text"] += 6
                right.votes["text"] += 6


def _tables(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """Names of dictionaries written out in the code, and the type of their keys."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and node.value.keys:
            found.update({_name(target): kind_of(node.value.keys[0]) for target in node.targets})
        elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.List, ast.Set)) and node.value.elts:
            found.update({_name(target): kind_of(node.value.elts[0]) for target in node.targets})
    return found


def _counters(nodes: Sequence[ast.AST]) -> set[str]:
    """Names that count: loop variables over ranges and positions."""
    found = set()
    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, ast.Call):
            first = node.target.elts[0] if isinstance(node.target, ast.Tuple) and node.target.elts else node.target
            if _name(node.iter.func) in ("range", "enumerate"):
                found.add(_name(first))
    return found


def _lookups(node: ast.AST, tables: dict[str, str], counters: set[str]) -> Iterator[tuple[str, str, int]]:
    """Return what looking something up tells of the key and of what it is looked up in."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        yield _name(node.value), "list" if node.slice.id in counters else "dictionary", 2
        yield node.slice.id, _key_kind(node.value, tables), _STRONG
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        yield _name(node.args[0]), _key_kind(node.func.value, tables), _STRONG
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        yield _name(node.left), _key_kind(node.comparators[0], tables), _STRONG
    elif isinstance(node, ast.Call) and _name(node.func) == "range":
        for argument in node.args:
            yield _name(argument), "number", _STRONG


def _key_kind(owner: ast.expr, tables: dict[str, str]) -> str:
    if isinstance(owner, ast.Dict) and owner.keys:
        return kind_of(owner.keys[0])
    return tables.get(_name(owner), "")


def _items(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Return what a node tells of the items of a list."""
    if isinstance(node, ast.Call) and _name(node.func) == "sum" and node.args:
        yield _name(node.args[0]), "number"
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        yield _name(node.comparators[0]), kind_of(node.left)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div, ast.Sub)):
        for side in (node.left, node.right):
            if isinstance(side, ast.Subscript):
                yield _name(side.value), "number"
    elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Subscript):
        yield _name(node.left.value), kind_of(node.comparators[0])


def _name(node: ast.AST | None) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _suggestions(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """(name, type, weight) of one node."""
    if isinstance(node, ast.BinOp):
        yield from _of_operation(node)
    elif isinstance(node, ast.Compare):
        yield from _of_comparison(node)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.Subscript):
        key = node.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield _name(node.value), "dictionary", _STRONG
        elif isinstance(key, (ast.Constant, ast.Slice, ast.UnaryOp)):
            yield _name(node.value), "list", 2
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield _name(node.iter), "list", 2
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield from _of_truth(node.test)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _of_truth(value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _name(node.operand), "flag", _WEAK
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        yield _name(node.targets[0]), kind_of(node.value), 3
    elif isinstance(node, ast.AugAssign):
        yield from _of_update(node)


def _of_operation(node: ast.BinOp) -> Iterator[tuple[str, str, int]]:
    if isinstance(node.op, ast.Mod) and kind_of(node.left) == "text":
        return
    if isinstance(node.op, _ARITHMETIC):
        yield _name(node.left), "number", _STRONG
        yield _name(node.right), "number", _STRONG
    elif isinstance(node.op, ast.Add):
        for side, other in ((node.left, node.right), (node.right, node.left)):
            kind = kind_of(other)
            yield _name(side), kind or "number", _STRONG if kind else _WEAK


def _of_comparison(node: ast.Compare) -> Iterator[tuple[str, str, int]]:
    operands = [node.left, *node.comparators]
    for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
        if isinstance(operator, (ast.In, ast.NotIn)):
            if isinstance(right, (ast.List, ast.Tuple, ast.Set)) and right.elts:
                yield _name(left), kind_of(right.elts[0]), _STRONG
            elif kind_of(left) == "text" and isinstance(right, ast.Name):
                yield right.id, "list" if _sounds_many(right.id) else "texts", 3
            else:
                yield _name(right), "list", _WEAK
        else:
            default = "number" if isinstance(operator, _ORDERED) else ""
            yield _name(left), kind_of(right) or default, _STRONG if kind_of(right) else 2
            yield _name(right), kind_of(left) or default, _STRONG if kind_of(left) else 2


def _sounds_many(name: str) -> bool:
    plural = len(name) > 3 and name.endswith("s") and not name.endswith(("ss", "us", "is"))
    return plural or name.endswith(("list", "set", "array"))


def _of_call(node: ast.Call) -> Iterator[tuple[str, str, int]]:
    if isinstance(node.func, ast.Attribute):
        owner, method = _name(node.func.value), node.func.attr
        for methods, kind in ((_TEXT_METHODS, "text"), (_DICTIONARY_METHODS, "dictionary"), (_LIST_METHODS, "list")):
            if method in methods:
                yield owner, kind, 6
        function = method
    else:
        function = _name(node.func)
    if function in ("max", "min") and len(node.args) > 1:
        for argument in node.args:
            yield _name(argument), "number", _STRONG
    elif len(node.args) == 1 or function in ("zip", "round"):
        for argument in node.args:
            if function in _NUMBER_FUNCTIONS:
                yield _name(argument), "number", _STRONG
            elif function in _LIST_FUNCTIONS:
                yield _name(argument), "list", 2


def _of_truth(node: ast.expr) -> Iterator[tuple[str, str, int]]:
    if isinstance(node, ast.Name):
        yield node.id, "flag", _WEAK


def _of_update(node: ast.AugAssign) -> Iterator[tuple[str, str, int]]:
    kind = kind_of(node.value)
    yield _name(node.target), kind or "number", _STRONG if kind else _WEAK
    if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        yield _name(node.value), "number", 2


def kind_of(node: ast.expr | None) -> str:
    """The type of a literal or of what an operation surely makes; empty when open."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            return "flag"
        if isinstance(node.value, (int, float, complex)):
            return "number"
        return "text" if isinstance(node.value, str) else ""
    if isinstance(node, ast.UnaryOp):
        return "flag" if isinstance(node.op, ast.Not) else kind_of(node.operand)
    if isinstance(node, ast.Call):
        return _made_by(node)
    if isinstance(node, ast.IfExp):
        return kind_of(node.body) or kind_of(node.orelse)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Add):
            return kind_of(node.left) or kind_of(node.right)
        return "number" if isinstance(node.op, _ARITHMETIC) else ""
    return _MADE_BY_SYNTAX.get(type(node), "")


_MADE_BY_SYNTAX: dict[type, str] = {
    ast.JoinedStr: "text",
    ast.Compare: "flag",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Dict: "dictionary",
    ast.DictComp: "dictionary",
}
_MADE_BY_FUNCTION = {
    **dict.fromkeys(("str", "repr", "chr", "input"), "text"),
    **dict.fromkeys(("len", "sum", "int", "float", "abs", "round", "ord"), "number"),
    **dict.fromkeys(("sorted", "list"), "list"),
    "dict": "dictionary",
    **dict.fromkeys(("isinstance", "any", "all", "bool", "hasattr"), "flag"),
}


def _made_by(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in _TEXT_METHODS and node.func.attr not in ("split", "splitlines"):
            return "flag" if node.func.attr.startswith(("is", "starts", "ends")) else "text"
        return "list" if node.func.attr in ("split", "splitlines") else ""
    return _MADE_BY_FUNCTION.get(_name(node.func), "")


def _links(node: ast.AST, seen: defaultdict[str, Clues]) -> None:
    """Record which name stands for the items of which, and the keys in use."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        seen[_name(node.value)].keys[node.slice.value] = None
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        key = node.args[0]
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            seen[_name(node.func.value)].keys[key.value] = None
    elif isinstance(node, (ast.For, ast.comprehension)):
        _link_loop(node.target, node.iter, seen)


def _link_loop(target: ast.expr, over: ast.expr, seen: defaultdict[str, Clues]) -> None:
    if isinstance(over, ast.Name):
        seen[over.id].element = _name(target)
        return
    if not isinstance(over, ast.Call):
        return
    if isinstance(over.func, ast.Attribute) and over.func.attr in ("items", "values"):
        last = target.elts[-1] if isinstance(target, ast.Tuple) and target.elts else target
        seen[_name(over.func.value)].value = _name(last)
    elif isinstance(over.func, ast.Name) and isinstance(target, ast.Tuple):
        names = target.elts[1:] if over.func.id == "enumerate" else target.elts if over.func.id == "zip" else []
        for argument, name in zip(over.args, names, strict=False):
            if isinstance(argument, ast.Name):
                seen[argument.id].element = _name(name)
