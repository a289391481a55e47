"""Places of the input that a question can speak of, and the constants that the reference compares them with."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from colbench_gym.humans.code_reader.lexicon import split_words, stem
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.shapes import Shape
from colbench_gym.humans.code_reader.trials.vocabulary import VAGUE
from colbench_gym.python_code.syntax import nodes_of

ITEM, KEY, VALUE = "<item>", "<key>", "<value>"  # steps to any item of a list, any key or value of a dictionary
LOCAL = "<local>"  # stands for an argument where a place is a number that the reference works out on its way
MAX_DEPTH = 3

Path = tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """Something of the input that can be set.

    Attributes:
        parameter: the argument that it is part of.
        path: steps from the argument to it: keys, ``ITEM``, ``KEY``, ``VALUE``.
        kind: kind of its values, as in :class:`Shape`; empty when unknown.
        words: stems of all its names.
        own: those of them that tell it from other places.
        optional: a call may leave it out.
    """

    parameter: str
    path: Path
    kind: str
    words: frozenset[str]
    own: frozenset[str]
    optional: bool = False

    @property
    def local(self) -> bool:
        """Return whether it is no part of the input but a number worked out from it."""
        return self.parameter == LOCAL

    @property
    def inner(self) -> bool:
        """Return whether it is part of an item of a container."""
        return any(step in (ITEM, KEY, VALUE) for step in self.path)


@dataclass(frozen=True)
class Test:
    """One comparison that the reference makes.

    Attributes:
        place: what is compared.
        relation: one of ``== != < <= > >= contains truth``.
        value: the constant that it is compared with; None where it is another place.
        other: that other place.
        measure: ``len`` when the size of the place is compared.
        node: where the code compares.
    """

    place: Place
    relation: str
    value: Any = None  # Any: a constant of the code
    other: Place | None = None
    measure: str = ""
    node: ast.expr | None = None


@dataclass(frozen=True, eq=False)
class Terrain:
    """All places of a reference's input, and the tests on them."""

    places: tuple[Place, ...]
    tests: tuple[Test, ...]

    def literals(self, place: Place) -> tuple[Any, ...]:
        """Return the constants that a place is compared with."""
        return tuple(dict.fromkeys(test.value for test in self.tests if test.place == place and test.value is not None))

    def at(self, parameter: str, path: Path = ()) -> Place | None:
        """Return one place by its address."""
        return next((p for p in self.places if p.parameter == parameter and p.path == path), None)


@lru_cache(maxsize=1024)
def terrain_of(known: Knowledge) -> Terrain:
    """Return the places and tests of a reference."""
    places: list[Place] = []
    for parameter in known.parameters:
        if not parameter.extra:
            words = _stems(parameter.name)
            places += _places(parameter.name, (), parameter.shape, words, parameter.default is not None)
    places += _locals(known)
    resolver = _Resolver(known, places)
    tests = tuple(resolver.tests())
    named = [replace(p, words=p.words | resolver.aliases.get((p.parameter, p.path), frozenset())) for p in places]
    renamed = {(p.parameter, p.path): p for p in _distinct(named)}

    def fresh(place: Place) -> Place:
        return renamed[place.parameter, place.path]

    kinds = _kinds_of(tests)
    for address, kind in kinds.items():
        if not renamed[address].kind:
            renamed[address] = replace(renamed[address], kind=kind)
    tests = tuple(replace(t, place=fresh(t.place), other=fresh(t.other) if t.other else None) for t in tests)
    return Terrain(tuple(renamed.values()), tests)


def _locals(known: Knowledge) -> Iterator[Place]:
    """Yield the worked-out numbers that the reference compares with others in the body of its function."""
    if known.function is None:
        return
    arguments = {p.name for p in known.parameters}
    stored: dict[str, ast.expr | None] = {}
    ends: dict[str, int] = {}  # the last line of the statement that stores each name last
    for statement in known.function.body:
        for node in nodes_of(statement):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                stored.setdefault(node.targets[0].id, node.value)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                stored[node.target.id] = node.value
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                ends[node.id] = statement.end_lineno or 0
    compared = {
        side.id
        for node in nodes_of(known.function)
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in node.ops)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Name) and node.lineno > ends.get(side.id, 10**9)
    }
    for name, value in stored.items():
        worked_out = isinstance(value, (ast.BinOp, ast.Call, ast.IfExp, ast.Constant))
        clue = known.clues.get(name)
        if (
            name in compared
            and name not in arguments
            and worked_out
            and clue is not None
            and clue.kind in ("number", "")
        ):
            if isinstance(value, ast.Constant) and ends.get(name) == value.end_lineno:
                continue  # a plain constant is the limit itself
            yield Place(LOCAL, (name,), "number", _stems(name), _stems(name))


def _kinds_of(tests: Sequence[Test]) -> dict[tuple[str, Path], str]:
    found: dict[tuple[str, Path], str] = {}
    for test in tests:
        kind = {str: "text", int: "number", float: "number"}.get(type(test.value))
        if kind and not test.measure and test.relation != "contains":
            found.setdefault((test.place.parameter, test.place.path), kind)
    return found


def _distinct(places: Sequence[Place]) -> list[Place]:
    """Give each place the words that tell it from others."""
    return [replace(place, own=(place.words - VAGUE) or place.words) for place in places]


def _stems(name: str) -> frozenset[str]:
    words = frozenset(stem(word) for word in split_words(name) if len(word) > 1)
    return words or frozenset([name.lower()])


def _places(parameter: str, path: Path, shape: Shape, words: frozenset[str], optional: bool = False) -> Iterator[Place]:
    if shape.kind == "mixed" and shape.alternatives:
        shape = shape.alternatives[0]
    yield Place(parameter, path, shape.kind, words, words, optional)
    if len(path) >= MAX_DEPTH:
        return
    if shape.kind in ("list", "tuple", "set"):
        yield from _places(parameter, (*path, ITEM), shape.item or Shape(), words)
    elif shape.kind == "dictionary" and shape.fields:
        for name, inner in shape.fields:
            yield from _places(parameter, (*path, name), inner, _stems(name))
    elif shape.kind == "dictionary":
        yield from _places(parameter, (*path, KEY), shape.key or Shape("text"), words)
        yield from _places(parameter, (*path, VALUE), shape.item or Shape(), words)


_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "==",
    ast.IsNot: "!=",
}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SAME_THING = frozenset(["lower", "upper", "strip", "casefold", "split", "copy", "title", "rstrip", "lstrip"])
_SAME_SIZE = frozenset(["list", "tuple", "set", "sorted", "reversed", "str", "int", "float", "iter"])


class _Resolver:
    """Finds the place that an expression stands for, through loops and simple assignments."""

    def __init__(self, known: Knowledge, places: Sequence[Place]) -> None:
        self.known = known
        self.places = {(p.parameter, p.path): p for p in places}
        self.bound: dict[str, tuple[str, Path]] = {p.name: (p.name, ()) for p in known.parameters if not p.extra}
        self.bound |= {p.path[0]: (p.parameter, p.path) for p in places if p.local}
        self.aliases: dict[tuple[str, Path], frozenset[str]] = {}
        self.tables: dict[str, ast.Dict | ast.List | ast.Set | ast.Tuple] = {}
        self.constants: dict[str, Any] = {}
        for _ in range(2):  # a name may be used above the line that explains it
            for node in known.nodes:
                self._bind(node)

    def _bind(self, node: ast.AST) -> None:
        if isinstance(node, (ast.For, ast.comprehension)):
            self._loop(node.target, node.iter)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if isinstance(node.value, (ast.Dict, ast.List, ast.Set, ast.Tuple)):
                self.tables.setdefault(name, node.value)
            elif isinstance(node.value, ast.Constant):
                self.constants.setdefault(name, node.value.value)
            address = self.resolve(node.value)
            if address is not None and name not in self.bound:
                self.bound[name] = address
                self.aliases[address] = self.aliases.get(address, frozenset()) | _stems(name)

    def _name(self, target: ast.expr, address: tuple[str, Path] | None) -> None:
        if address is None or address not in self.places:
            return
        if isinstance(target, ast.Name):
            self.bound.setdefault(target.id, address)
            self.aliases[address] = self.aliases.get(address, frozenset()) | _stems(target.id)
        elif isinstance(target, ast.Tuple):
            for place, part in enumerate(target.elts):
                self._name(part, (address[0], (*address[1], str(place))))

    def _loop(self, target: ast.expr, over: ast.expr) -> None:
        if isinstance(over, ast.Call):
            called = over.func.attr if isinstance(over.func, ast.Attribute) else getattr(over.func, "id", "")
            if called == "enumerate" and over.args and isinstance(target, ast.Tuple) and len(target.elts) == 2:
                self._loop(target.elts[1], over.args[0])
                return
            if called == "zip" and isinstance(target, ast.Tuple):
                for part, source in zip(target.elts, over.args, strict=False):
                    self._loop(part, source)
                return
            if called in ("items", "values", "keys") and isinstance(over.func, ast.Attribute):
                base = self.resolve(over.func.value)
                if base is not None:
                    key, value = (base[0], (*base[1], KEY)), (base[0], (*base[1], VALUE))
                    if called == "items" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
                        self._name(target.elts[0], key)
                        self._name(target.elts[1], value)
                    else:
                        self._name(target, value if called == "values" else key)
                return
        base = self.resolve(over)
        if base is not None:
            for step in (ITEM, KEY):
                self._name(target, (base[0], (*base[1], step)))

    def resolve(self, node: ast.expr) -> tuple[str, Path] | None:
        """Return the address of the place that an expression reads; None when it reads none."""
        address = self._address(node)
        return address if address is not None and address in self.places else None

    def _address(self, node: ast.expr) -> tuple[str, Path] | None:
        if isinstance(node, ast.Name):
            return self.bound.get(node.id)
        if isinstance(node, ast.Subscript):
            base = self._address(node.value)
            if base is None:
                return None
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                return base[0], (*base[1], node.slice.value)
            for step in (ITEM, VALUE):
                if (base[0], (*base[1], step)) in self.places:
                    return base[0], (*base[1], step)
            return None
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                if node.func.attr in _SAME_THING:
                    return self._address(node.func.value)
                if node.func.attr == "get" and node.args:
                    return self._address(ast.Subscript(node.func.value, node.args[0], ast.Load()))
            elif isinstance(node.func, ast.Name) and node.func.id in _SAME_SIZE and len(node.args) == 1:
                return self._address(node.args[0])
        return None

    def _place(self, node: ast.expr) -> tuple[Place, str] | None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
            inner = self.resolve(node.args[0])
            return (self.places[inner], "len") if inner else None
        address = self.resolve(node)
        return (self.places[address], "") if address else None

    def _constant(self, node: ast.expr) -> tuple[Any] | None:
        if isinstance(node, ast.Constant):
            return (node.value,)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            value = node.operand.value
            return (-value,) if isinstance(value, (int, float)) else None
        if isinstance(node, ast.Name) and node.id in self.constants and node.id not in self.bound:
            return (self.constants[node.id],)
        return None

    def _members(self, node: ast.expr) -> list[Any]:
        if isinstance(node, ast.Name):
            table = self.tables.get(node.id)
            node = table if table is not None else node
        if isinstance(node, ast.Dict):
            return [key.value for key in node.keys if isinstance(key, ast.Constant)]
        if isinstance(node, (ast.List, ast.Set, ast.Tuple)):
            return [part.value for part in node.elts if isinstance(part, ast.Constant)]
        return []

    def tests(self) -> Iterator[Test]:
        """Yield every comparison of a place with a constant or another place."""
        for node in self.known.nodes:
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
                    yield from self._compare(left, operator, right, node)
            elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
                yield from self._truth(node.test)
            elif isinstance(node, ast.BoolOp):
                for part in node.values:
                    yield from self._truth(part)
            elif isinstance(node, ast.Subscript) or (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("get", "startswith", "endswith")
                and node.args
            ):
                yield from self._lookup(node)

    def _lookup(self, node: ast.Subscript | ast.Call) -> Iterator[Test]:
        if isinstance(node, ast.Subscript):
            table, key = node.value, node.slice
        else:
            assert isinstance(node.func, ast.Attribute)
            if node.func.attr != "get":
                place = self._place(node.func.value)
                constant = self._constant(node.args[0])
                if place and constant:
                    yield Test(place[0], "contains", constant[0], node=node)
                return
            table, key = node.func.value, node.args[0]
        place = self._place(key)
        if place is not None:
            for value in self._members(table):
                yield Test(place[0], "==", value, node=node)

    def _truth(self, node: ast.expr) -> Iterator[Test]:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node = node.operand
        place = self._place(node)
        if place is not None:
            yield Test(place[0], "truth", measure=place[1], node=node)

    def _compare(self, left: ast.expr, operator: ast.cmpop, right: ast.expr, node: ast.expr) -> Iterator[Test]:
        mine, theirs = self._place(left), self._place(right)
        if isinstance(operator, (ast.In, ast.NotIn)):
            if mine is not None:
                for value in self._members(right):
                    yield Test(mine[0], "==", value, measure=mine[1], node=node)
                if theirs is not None or not self._members(right):
                    yield Test(mine[0], "in", other=theirs[0] if theirs else None, node=node)
            constant = self._constant(left)
            if constant and theirs:
                yield Test(theirs[0], "contains", constant[0], node=node)
            return
        relation = _RELATIONS.get(type(operator), "")
        if not relation:
            return
        if mine is not None and theirs is not None:
            yield Test(mine[0], relation, other=theirs[0], measure=mine[1], node=node)
            return
        for place, side, turned in ((mine, right, relation), (theirs, left, _TURNED[relation])):
            if place is not None:
                constant = self._constant(side)
                if constant is not None:
                    yield Test(place[0], turned, constant[0], measure=place[1], node=node)
