"""Facts about a function as a whole: its parameters, what it returns, how texts and orders are treated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from colbench_gym.humans.code_reader.facts import Fact, Kind, literals_in, phrases, stems
from colbench_gym.humans.code_reader.types import Clues, describe_type, kind_of, say_annotation
from colbench_gym.humans.code_reader.verbalizer.expressions import Words
from colbench_gym.humans.code_reader.verbalizer.wording import be, listing, names_in, the

Function = ast.FunctionDef | ast.AsyncFunctionDef
_MANY = 5  # different results that are still listed together
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_RESULTS = {
    "number": "a number",
    "text": "a string",
    "flag": "True or False",
    "list": "a list",
    "dictionary": "a dictionary",
    "set": "a set",
    "texts": "a string or a list of strings",
}


def parameter_facts(function: Function, words: Words, clues: dict[str, Clues]) -> Iterator[Fact]:
    """Each parameter's type, use and default."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    for argument, default in [
        *zip(plain, defaults, strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=False),
    ]:
        if argument.arg not in ("self", "cls"):
            yield from _one_parameter(argument, default, words, clues)
    for extra, kind in ((given.vararg, "any number of further values"), (given.kwarg, "any further named values")):
        if extra is not None:
            yield _fact(f"{the(extra.arg)} can be {kind}", {"arguments", "types"}, [extra])


def _one_parameter(
    argument: ast.arg, default: ast.expr | None, words: Words, clues: dict[str, Clues]
) -> Iterator[Fact]:
    subject = the(argument.arg)
    verb = be(subject)
    told = say_annotation(argument.annotation) if argument.annotation is not None else ""
    told = told or describe_type(argument.arg, clues, words.source)
    clue = clues.get(argument.arg)
    nodes: list[ast.AST] = [argument]
    kinds: set[Kind] = {"arguments", "types"}
    default_text = ""
    if default is not None:
        words.subject = subject
        told = told or _RESULTS.get(kind_of(default), "")
        default_text = f" ({words.say(default)} when not given)"
        kinds |= {"defaults", "edges", "constants"}
        nodes.append(default)
    if clue is None or not clue.used:
        yield _fact(f"{subject}{default_text} {verb} not used for anything", kinds | {"edges"}, nodes)
    else:
        if "with the key" in told:
            kinds |= {"keys", "format"}
        inner = clues.get(clue.element or clue.value, Clues())
        keys = [ast.Constant(key) for key in [*clue.keys, *inner.keys]]
        given = "are given as" if verb == "are" else "is"
        text = f"{subject} {given} {told}" if told else f"{subject} can be of any suitable type"
        yield _fact(text + default_text, kinds, [*nodes, *keys])


def _fact(text: str, kinds: set[Kind], nodes: list[ast.AST]) -> Fact:
    names = [name for node in nodes for name in names_in(node)]
    words = stems(names) or stems(["result"])
    return Fact(text, frozenset(kinds), words, literals_in(nodes), phrases(names))


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield child
            yield from own_nodes(child)


def result_facts(function: Function, words: Words) -> Iterator[Fact]:
    """A summary of all that is returned."""
    values = [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]
    if not values:
        text = "the result is None" if not any(isinstance(n, ast.Yield) for n in own_nodes(function)) else ""
        if text:
            yield Fact(text, frozenset({"returns"}), stems(["result"]))
        return
    kinds: set[Kind] = {"returns", "format", "types"}
    known = [value for value in values if value is not None]
    constants = [value for value in known if isinstance(value, ast.Constant)]
    if len(constants) == len(values):
        told = list(dict.fromkeys(words.say(value) for value in constants))
        if all(isinstance(value.value, bool) for value in constants):
            yield _fact(f"the result is {listing(told, 'or')}", kinds, [])
        elif 1 < len(told) <= _MANY:
            yield _fact(f"the result is one of {listing(told, 'or')}", kinds, list(constants))
        elif len(told) > _MANY:
            yield _fact(f"the result is {_kinds(known, words)}", kinds, [])
        return
    told_kind = _kinds(known, words)
    if told_kind:
        yield _fact(f"the result is {told_kind}", kinds, [])


def _kinds(values: list[ast.expr], words: Words) -> str:
    kinds: dict[str, None] = {}
    for value in values:
        if isinstance(value, ast.Tuple):
            count = _COUNTS.get(len(value.elts), "several")
            kinds[f"a tuple of {count} values"] = None
            continue
        if isinstance(value, ast.Constant) and value.value is None:
            kinds["None"] = None
            continue
        kind = kind_of(value) or words.kind(value)
        if not kind:
            return ""
        kinds[_RESULTS[kind]] = None
    return listing(list(kinds), "or")


def treatment_facts(function: Function) -> Iterator[Fact]:
    """What holds although no statement says it: exact comparison of texts, ties, and the order kept."""
    nodes = list(ast.walk(function))
    lowered = any(isinstance(node, ast.Attribute) and node.attr in ("lower", "upper", "casefold") for node in nodes)
    compared = [node for node in nodes if isinstance(node, ast.Compare) and _compares_text(node)]
    if compared and not lowered:
        names = [name for node in compared for name in names_in(node.left)]
        yield Fact("strings have to match exactly, upper and lower case included", frozenset({"case"}), stems(names))
    sorts = [node for node in nodes if isinstance(node, ast.Call) and _called(node) in ("sorted", "sort")]
    if sorts:
        yield Fact(
            "ties keep the order in which they came", frozenset({"ties", "order"}), stems(["sort", "tie", "equal"])
        )
    if any(isinstance(n, ast.Call) and _called(n) in ("max", "min") and n.keywords for n in nodes):
        yield Fact(
            "of several that are equal the first one counts", frozenset({"ties"}), stems(["tie", "equal", "first"])
        )
    if not sorts and any(isinstance(node, ast.Return) and _keeps_order(node.value, nodes) for node in nodes):
        yield Fact("the results stay in the order of the input", frozenset({"order"}), stems(["order", "sort"]))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _compares_text(node: ast.Compare) -> bool:
    operands = [node.left, *node.comparators]
    sides = [
        item
        for side in operands
        for item in (side.elts if isinstance(side, (ast.List, ast.Tuple, ast.Set)) else [side])
    ]
    return any(
        isinstance(side, ast.Constant) and isinstance(side.value, str) and side.value.isalpha() for side in sides
    )


def _keeps_order(value: ast.expr | None, nodes: list[ast.AST]) -> bool:
    if isinstance(value, ast.ListComp):
        return isinstance(value.generators[0].iter, ast.Name)
    if not isinstance(value, ast.Name):
        return False
    grown = any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == value.id
        for node in nodes
    )
    turned = any(isinstance(node, ast.Call) and _called(node) in ("reverse", "reversed", "insert") for node in nodes)
    return grown and not turned
