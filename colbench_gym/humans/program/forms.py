"""Facts about forms: what the arguments look like, and what exactly is returned."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from colbench_gym.humans.asking.lexicon import split_words, word_set
from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program import claims as c
from colbench_gym.humans.program.reader import names_in
from colbench_gym.humans.program.shapes import Shape, is_number, shape_of_values
from colbench_gym.humans.program.telling import tell
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.values import say_shape, say_value
from colbench_gym.humans.program.verbalizer.wording import be, listing, quoted, the
from colbench_gym.python_code.syntax import nodes_of

MAX_BOUND_CHARS = 160
_BOUNDS = {"min": ("at most", "above", "cut down to"), "max": ("at least", "below", "raised to")}
_MEASURES = word_set(
    "age years days hours minutes time step seconds height width length depth diameter size distance cm weight price "
    "cents pence points value"
)
_RATES = word_set("rate percent percentage pct discount tax tariff interest fee commission tip margin vat")
_CHOICE_WORDS = ("possible", "values", "options", "strings", "categories", "kinds", "allowed", "supported", "valid")
MAX_CHOICES = 12  # values of an argument that are told
MAX_EXAMPLE_CHARS = 30  # of a text that is told as an example


def argument_facts(said: Spoken, apart: bool) -> Iterator[Fact]:
    """Yield what each argument looks like, the values it may have, ``apart`` or not, and what it is if not given."""
    for parameter in said.knowledge.parameters:
        name = the(parameter.name)
        fields = [key for key, _ in (parameter.shape.item or parameter.shape).fields]
        about = (parameter.name, *fields)
        words, choices = _argument_words(said, parameter), _choices(said, parameter, f" of {name}" * apart)
        if choices and apart:
            yield tell("values", *about, key=parameter.name, words=choices)
            choices = ""
        if words:
            verb = be(name)
            told = f"{verb} {'given as ' * (verb == 'are')}{words}{'; ' * bool(choices)}{choices}"
            about = (*about, *_CHOICE_WORDS * bool(choices))
            yield tell("argument", *about, reveals=bool(fields or choices), name=name, key=parameter.name, words=told)
        if parameter.default is not None:
            default = said.words.say(parameter.default)
            yield tell("default", parameter.name, name=name, be=be(name), words=default)
        yield from _bounds(said, parameter)
        if scale := _scale(said, parameter):
            yield tell("unit", parameter.name, name=name, be=be(name), words=scale)


def _choices(said: Spoken, parameter: c.Parameter, of: str) -> str:
    """Return which values a parameter may have, as a clause; empty where none are known."""
    values = [say_value(value, said.knowledge.source) for value in said.knowledge.choices.get(parameter.name, ())]
    if not values or parameter.shape.kind == "dictionary":
        return ""
    told = listing(values[:MAX_CHOICES]) + (" and so on" if len(values) > MAX_CHOICES else "")
    return f"the {f'values known{of} are' if len(values) > 1 else f'only value known{of} is'} {told}"


def _bounds(said: Spoken, parameter: c.Parameter) -> Iterator[Fact]:
    """Yield what a parameter is the highest or lowest value of."""
    name, default = the(parameter.name), ""
    if parameter.default is not None:
        default = f" ({said.words.say(parameter.default)} when it is not given)"
    returned = {id(node.value) for node in said.knowledge.nodes if isinstance(node, ast.Return)}
    for node in said.knowledge.nodes:
        match node:
            case (
                ast.Call(func=ast.Name(id=how), args=[ast.Name(id=parameter.name), other])
                | ast.Call(func=ast.Name(id=how), args=[other, ast.Name(id=parameter.name)])
            ) if how in _BOUNDS:
                least, beyond, cut = _BOUNDS[how]
                what = "the result" if id(node) in returned else said.words.say(other)
                told = f"{what} {be(what)} {name}{default} {least}; what is {beyond} that is {cut} it"
                if len(told) <= MAX_BOUND_CHARS:
                    yield tell("cap", parameter.name, least, beyond, words=told)


def _argument_words(said: Spoken, parameter: c.Parameter) -> str:
    """Return what the values of a parameter look like; empty when nothing is known."""
    shape, source = parameter.shape, said.knowledge.source
    if parameter.extra:
        return "any number of further values" if parameter.extra == "*" else "any further named values"
    text = say_shape(shape, source)
    told = parameter.name in said.knowledge.choices or "ISO" in text
    if shape.kind == "text" and 0 < len(shape.example) <= MAX_EXAMPLE_CHARS and not told:
        text += f" such as {quoted(shape.example, source)}"
    return text


def _scale(said: Spoken, parameter: c.Parameter) -> str:
    """Return whether a percentage is given as 10 or as 0.1; empty when the reference does not tell."""
    shape, nodes, words = parameter.shape, said.knowledge.nodes, {*split_words(parameter.name)}
    added = [n.value for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add)]
    pairs = [n for n in nodes if isinstance(n, ast.BinOp) and not isinstance(n.left, ast.Constant)]  # none of 1 + rate
    added += [side for n in pairs for side in (n.left, n.right) if isinstance(n.op, ast.Add)]
    if parameter.name in [getattr(n, "id", "") for n in added] or _MEASURES & words:
        return ""
    for node in nodes:
        match node:
            case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=100)) if parameter.name in names_in(left):
                if any(getattr(part, "value", None) == 100 for part in nodes_of(left)):
                    continue  # rounded to cents
                product = len({*names_in(left)}) > 1 and any(isinstance(n, (ast.Mult, ast.Div)) for n in nodes_of(left))
                alone = any(isinstance(n.op, (ast.Add, ast.Sub)) and node in (n.left, n.right) for n in pairs)
                if _RATES & words or not (product or alone):
                    return "as a percentage (10 means 10 %)"
    if shape.kind == "number" and not shape.whole and 0 <= shape.low <= shape.high <= 1 and shape.high:
        fraction = "as a fraction between 0 and 1 (0.1 means 10 %)"
        return fraction if _RATES & words else f"as a number such as {shape.high:g}"
    return ""


def result_facts(said: Spoken, values: Sequence[Any]) -> Iterator[Fact]:
    """Yield the form of the result; ``values`` are what the reference returned on realistic arguments."""
    known = said.knowledge
    returned = [part for claim in known.returns if claim.value for part in outcomes(claim.value)]
    constants = [part.value for part in returned if isinstance(part, ast.Constant)]
    options = list({repr(constant): constant for constant in constants}.values())
    keys = [key for n in known.nodes if isinstance(n, ast.Dict) for key in n.keys]
    stored = [to for claim in known.claims if not claim.where for to in getattr(claim.node, "targets", ())]
    keys += [to.slice for to in stored if isinstance(to, ast.Subscript)]
    always = {str(getattr(key, "value", "")) for key in keys}
    shape = shape_of_values(values, always) if values else Shape()
    kind, cut = shape.kind, known.called & {"round", "int", "floor", "ceil"}
    fractions = not cut and any(number % 1 for number in known.numbers)  # whole by chance
    seen = say_shape(shape, known.source) if always.issuperset(dict(shape.fields)) else "a dictionary"
    seen = seen.replace("a whole number", "a number").replace("whole numbers", "numbers") if fractions else seen
    others = [o for o in options if (isinstance(o, str) and kind != "text") or (is_number(o) and kind != "number")]
    fixed = 0 < len(constants) == len(returned)
    told, reveals = f"just {seen}" if seen else "", False
    if kind == "flag" or (fixed and len(options) == 2 and all(isinstance(option, bool) for option in options)):
        told = "a boolean, True or False"
    elif fixed and len(options) <= 6 and all(len(repr(option)) < 40 for option in options):
        told, reveals = f"one of {listing([say_value(option, known.source) for option in options], 'or')}", True
    elif seen and others and kind != "mixed":
        words = [
            f"{'the text ' * (isinstance(o, str) and o.strip() != '')}{say_value(o, known.source)}" for o in others[:2]
        ]
        told, reveals = f"{'a string' if kind == 'text' else seen}, or in some cases {listing(words, 'or')}", True
    elif kind == "text":
        told = "just one plain string"
    elif kind == "number":
        told = f"just {seen if seen == 'a number' else f'one number ({seen})'}"
    if told:
        yield tell("result_form", reveals=reveals, words=told)


def outcomes(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what an expression may come to: both branches of a conditional, both sides of an ``or``."""
    match node:
        case ast.IfExp(body=first, orelse=other):
            yield from (*outcomes(first), *outcomes(other))
        case ast.BoolOp(op=ast.Or(), values=[first, other]):
            yield from (*(one for one in outcomes(first) if getattr(one, "value", True)), *outcomes(other))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            yield ast.Constant(-number)
        case _:
            yield node
