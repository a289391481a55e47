"""Facts found by running: what comes of input that is empty, and whether it is changed; cases in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.inputs import run, supposing
from colbench_gym.humans.program.laboratory import Laboratory, Outcome, call_text, equal
from colbench_gym.humans.program.telling import tell
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.values import say_value, sayable
from colbench_gym.humans.program.verbalizer.wording import listing, the

_UNASKED, _ASKED = (3, 150), (5, 240)  # arguments and characters of an input that is said aloud
EXAMPLE = "for example, "  # before an input of which not all is needed
FAILS = "it simply fails"


def case_facts(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield what the reference gives where an argument of an own input is empty, and whether one is changed."""
    known = said.knowledge
    empty: list[dict[str, Any]] = []
    for name in [parameter.name for parameter in known.parameters if not parameter.extra]:
        value = next((one[name] for one in (*inputs, *known.seeds) if one.get(name)), None)
        if isinstance(value, (list, dict, str, tuple, set)):
            empty.append({name: type(value)()})
    run(lab, known, [one for changes in empty for one in supposing(known, inputs, changes)])  # all at once
    for changes in empty:
        if case := case_of(said, lab, inputs, changes, asked=False):
            yield tell("empty", *changes, words=", ".join(case))
    yield from _changed(said, lab, inputs)


_WATCH = """

def _watch(function, /, *given, **named):
    from copy import deepcopy
    values = [value for value in (*given, *named.values()) if isinstance(value, (list, dict, set))]
    before = deepcopy(values)
    result = function(*given, **named)
    return [values != before, any(result is one for one in values) if type(result) in map(type, values) else None]
"""


def _changed(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield whether what comes in is itself changed, or something new is returned, on all calls that are known."""
    known = said.knowledge
    given = [one for one in (*inputs, *known.seeds) if {list, dict, set} & {*map(type, one.values())}]
    calls = [call_text(known.name, one, known.positional).partition("(")[2] for one in given]
    watched = lab.observe(known.source + _WATCH, [f"_watch({known.name}, {rest}" for rest in calls])
    changed, same = ({one.value[n] for one in watched if isinstance(one.value, list)} for n in (0, 1))
    if changed:
        told = "what comes in is changed in place" if True in changed else "nothing that comes in is changed"
        told += ", and the same is returned" if same == {True} else "; a new one is returned" if same == {False} else ""
        yield tell("changed", words=told)


def case_of(
    said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]], changes: Mapping[str, Any], asked: bool = True
) -> tuple[str, str] | None:
    """Return realistic input with some changes, whole where what comes of it depends on the rest, and what comes of it.

    Results that are None or long are not told where nobody ``asked`` for the case.
    """
    tried = supposing(said.knowledge, inputs, changes)
    outcomes = run(lab, said.knowledge, tried)
    if not outcomes or outcomes[0].status == "unknown" or not sayable(outcomes[0].value):
        return None
    value, words = outcomes[0].value, outcome_words(said, outcomes[0])
    same = [n for n in tried[0] if n not in changes and [o.value for o in outcomes] == [one.get(n) for one in tried]]
    if same and value not in (None, 0, 1):
        return said_aloud(said, changes), f"the result is {the(same[0])}, unchanged"
    long = value is None or (value and isinstance(value, (list, tuple, dict)))
    if not asked and long and outcomes[0].status == "returned":
        return None
    if f"'{value}'" not in repr(tried[0]) and all(equal(outcomes[0], one) for one in outcomes):  # no text of it
        return said_aloud(said, changes), words
    aloud, optional = said_aloud(said, tried[0]), {p.name for p in said.knowledge.parameters if p.default is not None}
    if optional & tried[0].keys() - changes.keys():
        return None  # nobody named what it depends on
    most, chars = _ASKED if asked else _UNASKED
    return (f"{EXAMPLE}{aloud}", words) if len(aloud) <= chars and len(tried[0]) <= most else None


def said_aloud(said: Spoken, arguments: Mapping[str, Any]) -> str:
    """Return an input as words: "with 3 for the days"."""
    source = said.knowledge.source
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
        return f"{FAILS} ({outcome.error})"
    told = f"{'an' if outcome.error[:1] in 'AEIOU' else 'a'} {outcome.error} is raised"
    known = outcome.message and outcome.message in source
    return f"{told} with the message {say_value(outcome.message, source)}" if known else told
