"""Facts about records that come in: what becomes of one that lacks a value, found by changing one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.cases import error_words
from colbench_gym.humans.program.inputs import run
from colbench_gym.humans.program.laboratory import Laboratory, equal
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.wording import name_words, quoted

_EACH = 4  # own inputs, records of each and fields of these that are looked at
_FAILS = "there is no special handling, it simply fails"
_NOTHING = ("missing", "none", "null", "not there", "lacks", "without", "not given", "no value")


def entry_facts(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield what becomes of records whose value is None or missing, where it fails wherever the record counts."""
    known = said.knowledge
    for name in (parameter.name for parameter in known.parameters if parameter.used and not parameter.extra):
        spots = [(one, key) for one in inputs[:_EACH] for key in _records(one.get(name))]
        read = dict.fromkeys(field for one, key in spots for field in one[name][key] if field in known.strings)
        odd = {
            (field, given): [_changed(one, name, key, field, given) for one, key in spots]
            for field in [*read][:_EACH]
            for given in ("is None", "is missing")
        }
        left = [_changed(one, name, key) for one, key in spots]
        whole = [one for one, _ in spots]
        run(lab, known, [*whole, *left, *(one for tried in odd.values() for one in tried)])  # all at once
        counts = [not equal(*pair) for pair in zip(run(lab, known, whole), run(lab, known, left), strict=True)]
        fails: dict[str, dict[str, str]] = {}  # where which field fails: how it is then, with what comes of it
        for (field, given), tried in odd.items():
            found = run(lab, known, tried)
            seen = [one for one, counted in zip(found, counts, strict=True) if counted] or found
            if all(one.status == "raised" and equal(one, seen[0]) for one in seen):
                which = "" if all(equal(one, seen[0]) for one in found) else " of an entry that counts"
                label = f"{quoted(field, known.source)}{which}"
                fails.setdefault(label, {})[given] = error_words(said, seen[0])
        for label, told in fails.items():
            ways = " or ".join(told).replace("or is", "or"), " or ".join(dict.fromkeys(told.values()))
            about = (name, *name_words(label).split(), *_NOTHING)
            text = f"where the {label} {ways[0]}, {ways[1]}".replace(f") or {_FAILS} (", " or ")
            yield Fact("missing value", sentence(text), about, source="run")


def _records(whole: Any) -> list[Any]:
    """Return the keys under which records stand in an argument, at most some."""
    keys = range(len(whole)) if isinstance(whole, list) else whole if isinstance(whole, dict) else ()
    return [key for key in keys if isinstance(whole[key], dict)][:_EACH]


def _changed(given: dict[str, Any], name: str, key: Any, field: str = "", how: str = "") -> dict[str, Any]:
    """Return arguments of which one record has None for a field or lacks it; without a field none has it."""
    whole = given[name].copy()
    record = {**whole.pop(key), field: None}
    if field and how == "is missing":
        del record[field]
    if field and isinstance(whole, list):
        whole.insert(key, record)
    elif field:
        whole = {one: record if one == key else value for one, value in given[name].items()}
    return {**given, name: whole}
