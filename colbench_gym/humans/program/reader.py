"""Read a reference into claims."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from colbench_gym.humans.asking.lexicon import word_set
from colbench_gym.humans.program import claims as c
from colbench_gym.humans.program.clues import Clues, find_clues
from colbench_gym.humans.program.laboratory import seeds
from colbench_gym.humans.program.shapes import Shape, is_number, shape_of_clues, shape_of_values
from colbench_gym.python_code.syntax import nodes_of, parse_module
from colbench_gym.tasks import BackendTask

Function = ast.FunctionDef | ast.AsyncFunctionDef
_UNREAD = (ast.Match, ast.Assert, ast.AsyncFor)  # functions with these are known by running them alone
MAX_READ_CHARS = 40_000  # of a reference; official ones have at most a few thousand
MAX_INLINE_CHARS = 150  # of a table's source that stays inside a sentence
_CHANGING = word_set("sort append extend remove pop insert reverse update clear add discard setdefault")
_RESPELT = word_set("lower upper strip casefold title capitalize")
_PARSING = threading.Lock()
_SIGNATURE = re.compile(r"\bdef\s+(\w+)\s*\(")
_CALLED = re.compile(r"\b\w+(?=\()")


@dataclass(frozen=True, eq=False)
class Knowledge:
    """All that the human knows of one reference, without English.

    Attributes:
        source: the reference.
        tree: its syntax tree.
        nodes: every node of the tree.
        function: the function that is asked for; None when the reference defines none.
        positional: names of the arguments that a call may give by position.
        parameters: its arguments in their order.
        claims: what it does, in the order of the reference.
        clues: what the use of each name tells of its type.
        seeds: realistic arguments, by parameter.
        hidden: constants that the description does not give away.
    """

    source: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...] = field(repr=False)
    function: Function | None
    positional: tuple[str, ...]
    parameters: tuple[c.Parameter, ...]
    claims: tuple[c.Claim, ...]
    clues: dict[str, Clues] = field(repr=False)
    seeds: tuple[dict[str, Any], ...] = field(repr=False)  # Any: plain data
    hidden: frozenset[str] = field(repr=False)

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.name if self.function else ""

    @cached_property
    def returns(self) -> tuple[c.Claim, ...]:
        """Return where the function ends with a value, helpers left out."""
        return tuple(claim for claim in self.claims if isinstance(claim.node, ast.Return) and not claim.inside)

    @cached_property
    def growing(self) -> frozenset[str]:
        """Names whose value is built in several steps: added to, changed in place, or made of itself."""
        found: set[str] = set()
        for node in self.nodes:
            owner: ast.AST | None = None
            if isinstance(node, ast.AugAssign):
                owner = node.target
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
                owner = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
                owner = node.func.value
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                owner = node.targets[0] if node.targets[0].id in set(names_in(node.value)) else None
            while isinstance(owner, ast.Subscript):
                owner = owner.value
            if isinstance(owner, ast.Name):
                found.add(owner.id)
        return frozenset(found)

    @cached_property
    def stored(self) -> Counter[str]:
        """Return how often each name gets a value."""
        return Counter(n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))

    @cached_property
    def result_name(self) -> str:
        """Name of the one variable that is returned, which is no argument; empty without."""
        names = {claim.value.id for claim in self.returns if isinstance(claim.value, ast.Name)}
        names -= {parameter.name for parameter in self.parameters}
        names -= {name for node in self.nodes if isinstance(node, ast.For) for name in names_in(node.target)}
        return names.pop() if len(names) == 1 and not any(claim.inside for claim in self.claims) else ""

    @cached_property
    def called(self) -> frozenset[str]:
        """Names of all functions and methods that are called."""
        return frozenset(called(node) for node in self.nodes if isinstance(node, ast.Call))

    @cached_property
    def choices(self) -> dict[str, dict[Any, None]]:
        """Constants that each argument, or what is gone through in it, is compared with or looked up among."""
        owner = {parameter.name: parameter.name for parameter in self.parameters}
        texts = {parameter.name for parameter in self.parameters if parameter.shape.kind == "text"}
        tables: dict[str, ast.expr] = {}
        pairs: list[tuple[ast.expr, ast.expr, bool]] = []  # with whether a key is looked up
        for node in self.nodes:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.For(target=ast.Name(id=name), iter=value)
                    | ast.comprehension(target=ast.Name(id=name), iter=value)
                ):
                    of = owner.get(stripped(value), "")
                    owner[name] = of if isinstance(node, ast.Assign) or of not in texts else ""
                    tables |= {} if name in self.growing or isinstance(value, ast.Constant) else {name: value}
                case (
                    ast.Compare(left=one, ops=[ast.In() | ast.NotIn()], comparators=[ast.Constant() as other])
                    | ast.Subscript(value=other, slice=one)
                    | ast.Call(func=ast.Attribute(value=other, attr="get"), args=[one, *_])
                ):
                    pairs.append((one, other, True))
                case ast.Compare(left=one, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], comparators=[other]):
                    pairs.append((one, other, False))
        found: dict[str, dict[Any, None]] = {}
        for one, other, looked_up in pairs:
            table = tables.get(stripped(other), other)
            parts = table.keys if isinstance(table, ast.Dict) else getattr(table, "elts", [table])
            values = [part.value for part in parts if isinstance(part, ast.Constant) and part.value not in (None, "")]
            name = owner.get(stripped(one), "")
            listed = isinstance(table, ast.Dict) or not looked_up
            if name and listed and 0 < len(values) == len(parts) and (len(values) > 1 or isinstance(values[0], str)):
                found.setdefault(name, {}).update(dict.fromkeys(values))
        return found

    @cached_property
    def constants(self) -> dict[str, ast.Constant]:
        """Numbers that have one name from beginning to end, by that name."""
        names = [*self.stored.elements()]
        bound = [getattr(n, field, None) for n in self.nodes for field in ("arg", "name", "rest", "asname")]
        names += [*filter(None, bound), *(name for n in self.nodes for name in getattr(n, "names", ()) if name)]
        found: dict[str, ast.Constant] = {}
        for node in self.function.body if self.function else ():
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() | float()) as value):
                    fixed = names.count(name) == 1 and name != self.result_name and is_number(value.value)
                    found |= {name: value} if fixed else {}
        return found

    @cached_property
    def strings(self) -> frozenset[str]:
        """All texts in the code, docstrings left out."""
        loose = {id(node.value) for node in self.nodes if isinstance(node, ast.Expr)}
        constants = (node for node in self.nodes if isinstance(node, ast.Constant) and id(node) not in loose)
        return frozenset(node.value for node in constants if isinstance(node.value, str))

    @cached_property
    def numbers(self) -> frozenset[float]:
        """All numbers in the code."""
        values = (node.value for node in self.nodes if isinstance(node, ast.Constant))
        return frozenset(filter(is_number, values))


def stripped(node: ast.AST) -> str:
    """Return the name of what a node is, whatever its letter case and blanks; empty where it is no name."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RESPELT:
        node = node.func.value
    return node.id if isinstance(node, ast.Name) else ""


def knowledge_of(task: BackendTask) -> Knowledge | None:
    """Return what the human knows of a task; None when neither what it was shown nor the reference is Python."""
    sources = filter(None, (task.hidden_information, task.reference))
    return next(filter(None, (read(source, task.description, task.calls) for source in sources)), None)


@lru_cache(maxsize=1024)
def read(reference: str, description: str = "", calls: tuple[str, ...] = ()) -> Knowledge | None:
    """Read a reference; None when it is not Python."""
    try:
        with _PARSING, warnings.catch_warnings():  # the filters of warnings are shared by all threads
            warnings.simplefilter("ignore")  # an invalid escape in other people's code is no concern of ours
            tree = parse_module(reference[:MAX_READ_CHARS])
        functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        function = _wanted(functions, description, calls)
        nodes = tuple(nodes_of(tree))
        clues = find_clues(nodes)
        found = () if any(isinstance(n, _UNREAD) for n in nodes) else tuple(_Reader(function).body(tree.body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    positional = tuple(a.arg for a in (*function.args.posonlyargs, *function.args.args)) if function else ()
    given = tuple(seeds(calls, function.name, positional)) if function else ()
    return Knowledge(
        source=reference,
        tree=tree,
        nodes=nodes,
        function=function,
        positional=positional,
        parameters=tuple(_parameters(function, clues, given)) if function else (),
        claims=found,
        clues=clues,
        seeds=given,
        hidden=frozenset(literal for literal in _literals_of(nodes) if literal not in description),
    )


def _wanted(functions: Sequence[Function], description: str, calls: Sequence[str]) -> Function | None:
    """Return the function that the signature names, else the one that is called, else the last."""
    named = _SIGNATURE.findall(description[-MAX_READ_CHARS:])
    names = (*reversed(named), *(name for call in calls[:1] for name in _CALLED.findall(call)))
    found = (function for name in names for function in functions if function.name == name)
    return next(found, functions[-1] if functions else None)


def _parameters(function: Function, clues: dict[str, Clues], given: Sequence[dict[str, Any]]) -> Iterator[c.Parameter]:
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = [*zip(plain, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    fixed = {key for clue in clues.values() for key in clue.keys}
    read = {n.id for n in nodes_of(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for argument, default in pairs:
        values = [row[argument.arg] for row in given if argument.arg in row]
        clue = clues.get(argument.arg, Clues())
        static = shape_of_clues(clue, default)
        seen = shape_of_values(values, fixed) if values else None
        shape = seen if seen and seen.kind != "none" else static
        yield c.Parameter(argument.arg, shape, default, used=argument.arg in read)
    for extra, mark in ((arguments.vararg, "*"), (arguments.kwarg, "**")):
        if extra is not None:
            yield c.Parameter(extra.arg, Shape("list" if mark == "*" else "dictionary"), extra=mark)


class _Reader:
    """Walks one reference."""

    def __init__(self, wanted: Function | None) -> None:
        self.wanted = wanted

    def body(self, body: Sequence[ast.stmt], where: tuple[c.Circumstance, ...] = ()) -> Iterator[c.Claim]:
        """Yield the claims of some statements in a row."""
        left: tuple[ast.expr, ...] = ()  # tests of the branches right above that end the function
        ends = False  # something above ends the function in some cases
        for node in body:
            if isinstance(node, ast.Return) and (left or ends):
                yield from self._simple(node, (*where, c.Circumstance("else", left)))
            elif isinstance(node, ast.If):
                yield from self._if(node, where, left)
            else:
                yield from self._statement(node, where)
            left = (*left, *tests_of(node)) if isinstance(node, ast.If) and always_leaves(node) else ()
            ends |= isinstance(node, (ast.If, ast.For, ast.While)) and any(
                isinstance(n, ast.Return) for n in nodes_of(node)
            )

    def _statement(self, node: ast.stmt, where: tuple[c.Circumstance, ...]) -> Iterator[c.Claim]:
        inner: tuple[c.Circumstance, ...] = ()
        if isinstance(node, ast.For):
            inner = (c.Circumstance("each", (node.target, node.iter)),)
        elif isinstance(node, ast.While):
            inner = (c.Circumstance("while", (node.test,)),)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node is not self.wanted:
            inner = (c.Circumstance("inside", (ast.Name(node.name, ast.Load()),)),)
        if not hasattr(node, "body"):
            yield from self._simple(node, where)
        else:
            yield from self.body(getattr(node, "body", []), (*where, *inner))
            for handler in getattr(node, "handlers", []):
                error = (handler.type,) if handler.type is not None else ()
                yield from self.body(handler.body, (*where, c.Circumstance("except", error)))
            yield from self.body([*getattr(node, "orelse", []), *getattr(node, "finalbody", [])], where)

    def _if(
        self, node: ast.If, where: tuple[c.Circumstance, ...], before: tuple[ast.expr, ...] = ()
    ) -> Iterator[c.Claim]:
        yield from self.body(node.body, (*where, c.Circumstance("elif" if before else "if", (node.test,), before)))
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            yield from self._if(node.orelse[0], where, (*before, node.test))
        elif node.orelse:
            failed = c.Circumstance("else", (*before, node.test)) if before else c.Circumstance("unless", (node.test,))
            yield from self.body(node.orelse, (*where, failed))

    def _simple(self, node: ast.stmt, where: tuple[c.Circumstance, ...]) -> Iterator[c.Claim]:
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield c.Claim(where, node)
        title = node.targets[0].id if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) else ""
        for part in nodes_of(node):
            if isinstance(part, (ast.Dict, ast.List, ast.Tuple, ast.Set)):
                values = part.values if isinstance(part, ast.Dict) else part.elts
                always = isinstance(node, ast.Return) and node.value is part and not where
                loose = isinstance(node, ast.Expr) or getattr(node, "value", None) is part
                loose = loose or any(isinstance(inner, (ast.Name, ast.Call)) for inner in nodes_of(part))
                told = (always or title or not loose) and not all(isinstance(value, ast.Name) for value in values)
                if told and len(values) > 1 and _width(part) > MAX_INLINE_CHARS // 2:
                    keys = part.keys if isinstance(part, ast.Dict) else [None] * len(values)
                    for key, value in zip(keys, values, strict=True):
                        entry = [inner for inner in (key, value) if inner is not None]
                        yield c.Claim(where, ast.Tuple(entry, ast.Load()), "result" if always else title)
                    return


def _width(node: ast.AST) -> int:
    return sum(
        len(str(part.value)) + 4 if isinstance(part, ast.Constant) else len(part.id) + 2
        for part in nodes_of(node)
        if isinstance(part, (ast.Constant, ast.Name))
    )


def always_leaves(node: ast.If) -> bool:
    """Return whether each branch ends the function, and some inputs take none."""
    if not (node.body and isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Continue))):
        return False
    if not node.orelse:
        return True
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and always_leaves(node.orelse[0])


def tests_of(node: ast.If) -> tuple[ast.expr, ...]:
    """The tests of a chain of branches."""
    rest = tests_of(node.orelse[0]) if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) else ()
    return (node.test, *rest)


def literals_in(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """Strings and numbers of some code as text; 0, 1 and the empty string tell nothing."""
    return _literals_of(part for node in nodes for part in nodes_of(node))


def _literals_of(parts: Iterable[ast.AST]) -> frozenset[str]:
    return frozenset(
        str(part.value)
        for part in parts
        if isinstance(part, ast.Constant)
        and (isinstance(part.value, str) or is_number(part.value))
        and part.value not in (0, 1, "")
    )


def called(node: ast.AST) -> str:
    """Return the name of what a call calls; empty for other nodes."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def names_in(node: ast.AST) -> Iterator[str]:
    """All that a piece of code names or quotes: identifiers, attributes, keywords, strings."""
    for part in nodes_of(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.arg) or (isinstance(part, ast.keyword) and part.arg):
            yield str(part.arg)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias)):
            yield part.name
        elif isinstance(part, ast.ExceptHandler):
            yield part.name or ""
