"""Facts about records that come in: what becomes of one that lacks a value, found by changing one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.cases import FAILS, error_words
from colbench_gym.humans.program.inputs import run
from colbench_gym.humans.program.laboratory import Laboratory, equal
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.wording import name_words, quoted, the

_EACH = 4  # records of each own input, and fields of these, that are looked at
_NOTHING = ("missing", "none", "null", "not there", "lacks", "without", "not given", "no value")
_ODD: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {  # what a record may have for a field, and how
    "None": lambda record, field: {**record, field: None},
    "missing": lambda record, field: {key: value for key, value in record.items() if key != field},
}


def entry_facts(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield what becomes of records whose value is None or missing, where it fails wherever the record counts."""
    known = said.knowledge
    names = [p.name for p in known.parameters if p.used and any(_records(given.get(p.name)) for given in inputs)]
    for name in names:
        spots = [(given, key, record) for given in inputs for key, record in _records(given.get(name))]
        fields = [*dict.fromkeys(field for *_, record in spots for field in record if field in known.strings)][:_EACH]
        odd = {
            (field, how): [_with(given, name, key, changed(record, field)) for given, key, record in spots]
            for field in fields
            for how, changed in _ODD.items()
        }
        without = [_with(given, name, key) for given, key, _ in spots]
        whole = [given for given, *_ in spots]
        run(lab, known, [*whole, *without, *(one for tried in odd.values() for one in tried)])  # all at once
        counts = [not equal(*pair) for pair in zip(run(lab, known, whole), run(lab, known, without), strict=True)]
        fails: dict[str, dict[str, str]] = {}  # where which field fails: how it is then, with what comes of it
        for (field, how), tried in odd.items():
            outcomes = run(lab, known, tried)
            relevant = [one for one, counted in zip(outcomes, counts, strict=True) if counted] or outcomes
            if all(one.status == "raised" and equal(one, relevant[0]) for one in relevant):
                which = "" if all(equal(one, relevant[0]) for one in outcomes) else " of an entry that counts"
                label = f"{quoted(field, known.source)}{f' in {the(name)}' * (len(names) > 1)}{which}"
                fails.setdefault(label, {})[how] = error_words(said, relevant[0])
        for label, told in fails.items():
            outcome = " or ".join(dict.fromkeys(told.values())).replace(f") or {FAILS} (", " or ")
            text = sentence(f"where the {label} is {' or '.join(told)}, {outcome}")
            yield Fact("missing value", text, (name, *name_words(label).split(), *_NOTHING), source="run")


def _records(argument: Any) -> list[tuple[Any, dict[str, Any]]]:
    """Return the first records in an argument, each with the key under which it stands."""
    entries = dict(enumerate(argument)) if isinstance(argument, list) else argument
    found = entries.items() if isinstance(entries, dict) else ()
    return [(key, record) for key, record in found if isinstance(record, dict)][:_EACH]


def _with(given: dict[str, Any], name: str, key: Any, record: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return arguments with another record under a key, or without one."""
    whole = given[name].copy()
    if record is None:
        del whole[key]
    else:
        whole[key] = record
    return {**given, name: whole}
