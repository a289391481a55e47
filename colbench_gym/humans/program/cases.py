"""Facts found by running: what comes of input that is empty, unknown or zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, takewhile
from typing import Any

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.inputs import OWN_INPUTS, STRANGE, run, supposing
from colbench_gym.humans.program.laboratory import Laboratory, Outcome, call_text, equal
from colbench_gym.humans.program.properties import calls_of
from colbench_gym.humans.program.reader import Knowledge, names_in
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.calls import table
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.values import say_value, sayable
from colbench_gym.humans.program.verbalizer.wording import be, listing, the

MAX_ALOUD, MAX_ALOUD_ASKED = 3, 5  # arguments of an input that is said aloud, unasked and for a question about some
MAX_ALOUD_CHARS = 150
_OTHERS = ("unknown", "other", "another", "neither", "recognise", "anything else", "match", "supported", "valid")
_Case = tuple[str, tuple[str, ...], dict[str, Any]]  # kind of matter, what it is about, changes of realistic input


def case_facts(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield what the reference gives in edge cases, each told with its input.

    Args:
        said: the reference.
        lab: runs it.
        inputs: realistic arguments, no hidden test's.
    """
    known = said.knowledge
    looking = [node for node in known.nodes if isinstance(node, (ast.Compare, ast.Subscript))]
    looked_up = {part for node in (*looking, *calls_of(known, "get")) for part in names_in(node)}
    own = [p.name for p in known.parameters if not p.extra]
    cases = [case for name in own for case in _cases(name, inputs, name in looked_up)]
    numbers = [about[0] for kind, about, _ in cases if kind == "zero"]
    if 1 < len(numbers) == len(known.parameters):
        cases.append(("zero", ("all zero", "zeros", "both zero", "every zero", "0"), dict.fromkeys(numbers, 0)))
    run(lab, known, [one for *_, changes in cases for one in supposing(known, inputs, changes)])  # all at once
    for kind, about, changes in cases:
        text = told_case(said, lab, inputs, changes, note=None)
        if kind == "malformed input" and text.startswith("For example"):  # what comes of it hangs on other arguments
            others = (STRANGE, "Q", "zz9", *(f"{part}1" for part in sorted(known.strings)[:MAX_ALOUD_ASKED]))
            tried = [supposing(known, inputs, {about[0]: other}) for other in others]
            outcomes = iter(run(lab, known, [one for some in tried for one in some]))
            first, *rest = ([next(outcomes) for _ in some] for some in tried)
            if first[0].status == "returned" and all(all(map(equal, first, ended)) for ended in rest):
                text = f"All other values of {the(about[0])} are treated alike, without an error."
        if text:
            yield Fact(kind, text, about=about, source="run", weight=0.5, slot=kind)
    if inputs:
        yield from _incomplete(said, lab, inputs)
        yield from _changed(said, lab, inputs)


def _cases(name: str, inputs: Sequence[dict[str, Any]], looked_up: bool) -> Iterator[_Case]:
    """Yield changes of realistic input at one argument."""
    value = next((one[name] for one in inputs if one.get(name)), None)
    if isinstance(value, (list, dict, str, tuple, set)):
        yield "empty", (name, "empty", "no", "nothing", "nobody", "none"), {name: type(value)()}
        if isinstance(value, str) and looked_up:
            yield "malformed input", (name, *_OTHERS), {name: STRANGE}
    elif is_number(value):
        yield "zero", (name, "zero", "0"), {name: 0}


def told_case(
    said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]], changes: Mapping[str, Any], note: str | None = ""
) -> str:
    """Return what comes of realistic input with some changes, with one whole input where it depends on the rest.

    A ``note`` stands before a result; None where no question asks for the case: what is None or long is not told then.
    """
    tried = supposing(said.knowledge, inputs, changes)
    outcomes = run(lab, said.knowledge, tried)
    if not outcomes or outcomes[0].status == "unknown" or not sayable(outcomes[0].value):
        return ""
    returned, value = outcomes[0].status == "returned", outcomes[0].value
    if note is None and returned and (value is None or (value and isinstance(value, (list, tuple, dict)))):
        return ""
    words = f"{(note or '') if returned else ''}{outcome_words(said, outcomes[0])}"
    if all(equal(outcomes[0], other) for other in outcomes):
        return sentence(f"{said_aloud(said, changes)}, {words}")
    aloud, optional = said_aloud(said, tried[0]), {p.name for p in said.knowledge.parameters if p.default is not None}
    if optional & tried[0].keys() - changes.keys():
        return ""  # nobody named what it depends on
    short = len(aloud) <= MAX_ALOUD_CHARS and len(tried[0]) <= (MAX_ALOUD if note is None else MAX_ALOUD_ASKED)
    return sentence(f"for example, {aloud}, {words}") if short else ""


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


def said_aloud(said: Spoken, arguments: Mapping[str, Any]) -> str:
    """Return an input as words: "with 3 for the days"."""
    source = said.knowledge.source
    if len(arguments) > 1 and all(is_number(value) and not value for value in arguments.values()):
        return "with nothing but zeros"
    return f"with {listing([f'{say_value(value, source)} for {the(name)}' for name, value in arguments.items()])}"


def outcome_words(said: Spoken, outcome: Outcome) -> str:
    """Return what came out of a call, as a clause."""
    if outcome.status == "raised":
        return error_words(said, outcome)
    if outcome.value is None:
        return "the result is None (nothing is returned)"
    return f"the result is {say_value(outcome.value, said.knowledge.source)}"


def error_words(said: Spoken, outcome: Outcome) -> str:
    """Return how a reference fails, as a clause."""
    source = said.knowledge.source
    if "raise" not in source or outcome.error not in source:
        return f"there is no special handling, it simply fails ({outcome.error})"
    told = f"{'an' if outcome.error[:1] in 'AEIOU' else 'a'} {outcome.error} is raised"
    known = outcome.message and outcome.message in source
    return f"{told} with the message {say_value(outcome.message, source)}" if known else told
