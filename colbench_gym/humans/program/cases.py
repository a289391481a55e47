"""Facts found by running: what comes of input that is empty, zero or below zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, takewhile
from typing import Any

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.claims import Parameter
from colbench_gym.humans.program.inputs import OWN_INPUTS, run
from colbench_gym.humans.program.laboratory import Laboratory, Outcome, call_text, equal
from colbench_gym.humans.program.properties import calls_of
from colbench_gym.humans.program.reader import Knowledge, names_in
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.calls import table
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.values import say_value, sayable
from colbench_gym.humans.program.verbalizer.wording import be, listing, the

MAX_CASES = 24  # that are run for one reference
_BELOW_ZERO = -5
_STRANGE = "something else"
_OTHERS = ("unknown", "other", "neither", "recognise", "anything else", "match", "supported", "valid")


@dataclass(frozen=True)
class _Case:
    kind: str
    given: str  # "an empty list for the orders"
    about: tuple[str, ...]
    arguments: dict[str, Any]


def case_facts(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield what the reference gives in edge cases, each told with its input.

    Args:
        said: the reference.
        lab: runs it.
        inputs: realistic arguments, no hidden test's.
    """
    told: set[str] = set()
    cut = {name for node in said.knowledge.nodes if isinstance(node, ast.Slice) for name in names_in(node)}
    cases = [case for p in said.knowledge.parameters if not p.extra for case in _cases(p, inputs, p.name in cut)]
    looked_up = {
        name for n in said.knowledge.nodes if isinstance(n, (ast.Compare, ast.Subscript)) for name in names_in(n)
    }
    looked_up |= {name for n in calls_of(said.knowledge, "get") for name in names_in(n)}
    cases = [case for case in cases if case.kind != "malformed input" or case.about[0] in looked_up]
    about: tuple[str, ...] = ("all zero", "zeros", "both zero", "every zero", "0")
    zeros = [{name: _zeroed(value) for name, value in usual.items()} for usual in inputs]
    cases += [_Case("zero", "nothing but zeros", about, one) for one in zeros if one not in inputs]
    groups: dict[str, list[_Case]] = {}
    for case in cases:
        groups.setdefault(f"{case.kind} {case.given}", []).append(case)
    seeds = said.knowledge.seeds
    chosen = [own for group in groups.values() if (own := [c for c in group if c.arguments not in seeds])][:MAX_CASES]
    outcomes = iter(run(lab, said.knowledge, [case.arguments for group in chosen for case in group]))
    for group in chosen:
        ended = [next(outcomes) for _ in group]
        text = _told(said, group, ended)
        if text and text not in told:
            told.add(text)
            case = group[0]
            yield Fact(case.kind, text, about=case.about, source="run", weight=0.5, slot=f"{case.kind} {case.about[0]}")
    if inputs:
        yield from _incomplete(said, lab, inputs)
        yield from _changed(said, lab, inputs)


def _cases(parameter: Parameter, inputs: Sequence[dict[str, Any]], cuts: bool) -> Iterator[_Case]:
    """Yield changes of realistic input at one argument; what cuts a list counts from the end when it is below zero."""
    name, spoken = parameter.name, the(parameter.name)
    for usual in inputs:
        value = usual.get(name)
        if isinstance(value, (list, dict, str, tuple, set)) and value:
            given = f"{table('empty').get(parameter.shape.kind, 'something empty')} for {spoken}"
            about: tuple[str, ...] = (name, "empty", "no", "nothing", "nobody", "none")
            yield _Case("empty", given, about, {**usual, name: type(value)()})
            if isinstance(value, str):
                about = (name, *_OTHERS)
                yield _Case("malformed input", f'"{_STRANGE}" for {spoken}', about, {**usual, name: _STRANGE})
        elif is_number(value):
            yield _Case("zero", f"0 for {spoken}", (name, "zero", "0"), {**usual, name: 0})
            about = (name, "negative", "below zero", "invalid")
            if not cuts:
                yield _Case("invalid value", f"{_BELOW_ZERO} for {spoken}", about, {**usual, name: _BELOW_ZERO})


def _zeroed(value: Any) -> Any:
    """Return a value with zeros for its numbers."""
    if isinstance(value, dict):
        return {key: _zeroed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_zeroed(inner) for inner in value]
    return 0 if is_number(value) else value


def _incomplete(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield what becomes of a list that is shorter than another, and of a table that lacks an entry."""
    known = said.knowledge
    used = [parameter.name for parameter in known.parameters if parameter.used and not parameter.extra]
    bases = [one for one in (*inputs, *known.seeds) if one.keys() >= set(used)]
    lists = [name for name in used if all(isinstance(one[name], list) for one in bases)]
    tried: list[tuple[str, str, tuple[str, ...], list[dict[str, Any]], list[dict[str, Any]]]] = []
    about: tuple[str, ...]
    for short, long in zip(lists, [*lists[1:], *lists[:1]], strict=True):
        equal_ones = [one for one in bases if short != long and len(one[short]) == len(one[long]) > 1][:OWN_INPUTS]
        cut = [{**one, short: one[short][:-1]} for one in equal_ones]
        about = (short, long, "length", "differ", "unequal", "shorter", "longer", "fewer", "more", "mismatch")
        given = f"where {the(short)} are fewer than {the(long)}"
        tried.append(("malformed input", given, about, cut, [{**one, long: one[long][:-1]} for one in cut]))
    for name in used:
        tables = [one for one in bases if isinstance(one[name], dict) and len(one[name]) > 1][:OWN_INPUTS]
        about = (name, "missing", "lacks", "without", "unknown", "not in", "no entry")
        lacking = [{**one, name: dict(list(one[name].items())[1:])} for one in tables]
        tried.append(("missing value", f"with an entry that is needed missing from {the(name)}", about, lacking, []))
        records = [one for one in bases if isinstance(one[name], list) and one[name] and isinstance(one[name][0], dict)]
        keys = dict.fromkeys(key for one in records for key in one[name][0] if key in known.strings)
        for key in list(keys)[:3]:
            about = (name, key, "missing", "lacks", "without", "not there", "no entry")
            lacking = [
                {**one, name: [{k: v for k, v in item.items() if k != key} for item in one[name]]} for one in records
            ]
            tried.append(("missing value", f'without a "{key}" in one of {the(name)}', about, lacking[:OWN_INPUTS], []))
    outcomes = iter(run(lab, known, [one for *_, changed, other in tried for one in (*changed, *other)]))
    for kind, given, about, changed, other in tried:
        ended, wanted = [next(outcomes) for _ in changed], [next(outcomes) for _ in other]
        alone = not any(outcome.status == "raised" for outcome in wanted)  # it fails because of what was changed
        if ended and alone and all(outcome.status == "raised" and equal(outcome, ended[0]) for outcome in ended):
            told = error_words(said, ended[0])
        elif (
            wanted
            and "zip" in known.called
            and all(one.status == "returned" and equal(one, two) for one, two in zip(ended, wanted, strict=True))
        ):
            told = "what has no partner is ignored, without an error"
        else:
            continue
        yield Fact(kind, sentence(f"{given}, {told}"), about=about, source="run")


_WATCH = """

def _watch(function, /, *given, **named):
    from copy import deepcopy
    values = [*given, *named.values()]
    before = deepcopy(values)
    result = function(*given, **named)
    return [[one != other for one, other in zip(values, before)], any(result is one for one in values)]
"""
_MADE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call, ast.Constant, ast.BinOp)
_CHANGING = "append extend insert pop remove clear update setdefault reverse sort add discard popitem"
_CHANGES = "change in place modify mutate alter original copy new touch untouched side effect"


def _changed(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield whether what comes in is itself changed, or something new is returned."""
    known = said.knowledge
    calls = [call_text(known.name, one, known.positional).partition("(")[2] for one in inputs]
    watched = lab.observe(known.source + _WATCH, [f"_watch({known.name}, {rest}" for rest in calls])
    ended = [outcome.value for outcome in watched if isinstance(outcome.value, list)]
    whats = {table("fresh").get(type(outcome.value).__name__, "") for outcome in run(lab, known, inputs)}
    if len(ended) < len(inputs) or len(whats) != 1:
        return
    what = whats.pop()
    touched = [
        name for one, (flags, _) in zip(inputs, ended, strict=True) for name in compress(_in_call(known, one), flags)
    ]
    changed = [the(name) for name in dict.fromkeys(touched)]
    if changed:
        told = f"{listing(changed)} {be(changed[0])} changed in place"
        told += f", and that same {what} is returned" if what and all(same for _, same in ended) else ""
    elif _may_change(said) or not any(isinstance(value, (list, dict, set, str)) for value in inputs[0].values()):
        return
    else:
        told = "nothing that comes in is changed"
        told += f"; a new {what} is returned" if what and not any(same for _, same in ended) else ""
    yield Fact("changed", sentence(told), about=(*_CHANGES.split(), "in place"), source="run", slot="changed")


def _in_call(known: Knowledge, arguments: Mapping[str, Any]) -> list[str]:
    """Return the names of arguments in the order in which a call gives them."""
    plain = list(takewhile(arguments.__contains__, known.positional))
    return [*plain, *(name for name in arguments if name not in plain)]


def _may_change(said: Spoken) -> bool:
    """Return whether the code changes anything that it surely did not make itself."""
    nodes, made = said.knowledge.nodes, set[str]()
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, _MADE):
            made |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    made -= {parameter.name for parameter in said.knowledge.parameters}
    owners = [
        n.value for n in nodes if isinstance(n, (ast.Subscript, ast.Attribute)) and not isinstance(n.ctx, ast.Load)
    ]
    owners += [n.func.value for n in calls_of(said.knowledge, *_CHANGING.split()) if isinstance(n.func, ast.Attribute)]
    grown = [n.target for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)]
    owners += [target for target in grown if said.words.kind(target) not in ("number", "text")]
    return any(not (isinstance(owner, ast.Name) and owner.id in made) for owner in owners)


def _told(said: Spoken, group: Sequence[_Case], ended: Sequence[Outcome]) -> str:
    """Return a case with what came of it, with one whole input where that differs; empty where nothing can be told."""
    source, case, outcome = said.knowledge.source, group[0], ended[0]
    if outcome.status == "returned" and (outcome.value is None or not sayable(outcome.value)):
        return ""
    many = isinstance(outcome.value, (list, tuple, dict)) and outcome.value and len(case.arguments) > 1
    if not many and all(equal(outcome, other) for other in ended[1:]):
        if outcome.status == "returned":
            return f"With {case.given}, the result is {say_value(outcome.value, source)}."
        return sentence(f"with {case.given}, {error_words(said, outcome)}")
    if outcome.status != "returned" or len(case.arguments) > MAX_ALOUD:
        return ""
    told = f"For example, {said_aloud(said, case.arguments)}, the result is {say_value(outcome.value, source)}."
    return told if len(told) <= MAX_ALOUD_CHARS else ""


MAX_ALOUD = 3  # arguments of an input that is said aloud
MAX_ALOUD_CHARS = 150


def said_aloud(said: Spoken, arguments: Mapping[str, Any]) -> str:
    """Return an input as words: "with 3 for the days"."""
    source = said.knowledge.source
    return f"with {listing([f'{say_value(value, source)} for {the(name)}' for name, value in arguments.items()])}"


def error_words(said: Spoken, outcome: Outcome) -> str:
    """Return how a reference fails, as a clause."""
    source = said.knowledge.source
    if "raise" not in source or outcome.error not in source:
        return f"there is no special handling, it simply fails ({outcome.error})"
    told = f"{'an' if outcome.error[:1] in 'AEIOU' else 'a'} {outcome.error} is raised"
    known = outcome.message and outcome.message in source
    return f"{told} with the message {say_value(outcome.message, source)}" if known else told
