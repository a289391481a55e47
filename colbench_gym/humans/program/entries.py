"""Facts about entries of what comes in: what becomes of one with an odd value, found by changing one at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.cases import error_words
from colbench_gym.humans.program.inputs import NEGATIVE, STRANGE, run
from colbench_gym.humans.program.laboratory import Laboratory, equal
from colbench_gym.humans.program.reader import Knowledge, names_in
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.wording import name_words, the

_EACH = 2  # own inputs, and entries of each, that are changed
_MOST = 4  # values of an entry that are looked at
_OUT, _LACKING = ("no entry",), ("no value",)  # stand for an entry, and a value in it, that is taken out
_NOTHING = ("missing", "none", "null", "not there", "lacks", "without", "not given", "no value")
_Odd = tuple[Any, str, tuple[str, ...], str]  # an example, the kind of matter, words for it, what it is for
_ODD: dict[str, _Odd] = {
    "is negative": (NEGATIVE, "invalid value", ("negative", "below zero"), "number"),
    "is empty": ("", "empty", ("empty", "blank", "no"), "text"),
    "is None": (None, "missing value", _NOTHING, "value"),
    "is missing": (_LACKING, "missing value", _NOTHING, "record"),
}


@dataclass
class _Place:
    """A value within an argument.

    Attributes:
        argument: its name.
        label: words for the value.
        odd: what can be odd about it, of :data:`_ODD`.
        spots: where it stands: arguments, the entry's key, and the value's key in that, None for the whole entry.
    """

    argument: str
    label: str
    odd: dict[str, _Odd]
    spots: list[tuple[dict[str, Any], Any, Any]] = field(default_factory=list)

    @property
    def changed(self) -> Iterator[list[dict[str, Any]]]:
        """Yield the arguments at all spots with each odd value, then with a usual one, then without the entry."""
        usual = 5 if "is negative" in self.odd else STRANGE
        for value in (*(value for value, *_ in self.odd.values()), usual, _OUT):
            yield [_with(base, self.argument, key, part, value) for base, key, part in self.spots]


def entry_facts(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield what becomes of entries with odd values, where it is the same on all of the human's own inputs."""
    places = list(_places(said.knowledge, inputs))
    run(lab, said.knowledge, [one for place in places for some in place.changed for one in some])  # all at once
    for place in places:
        *ended, plain, out = [run(lab, said.knowledge, some) for some in place.changed]
        for (given, (_, kind, words, _)), found in zip(place.odd.items(), ended, strict=True):
            told = ""
            if all(one.status == "raised" and equal(one, found[0]) for one in found):
                told = error_words(said, found[0])
            elif all(map(equal, found, out)) and not all(map(equal, plain, out)) and not isinstance(out[0].value, bool):
                told = "that entry is left out"
            if told and all(one.status == "returned" for one in plain):
                about = (place.argument, *name_words(place.label.replace('"', "")).split(), *words)
                yield Fact(kind, sentence(f"where {place.label} {given}, {told}"), about, source="run")


def _places(known: Knowledge, inputs: Sequence[dict[str, Any]]) -> Iterator[_Place]:
    """Yield numbers and texts within arguments."""
    loops = [n for n in known.nodes if isinstance(n, (ast.For, ast.comprehension)) and isinstance(n.target, ast.Tuple)]
    unpacked = [(ast.unparse(loop.iter), list(names_in(loop.target))) for loop in loops]
    own = [p.name for p in known.parameters if p.used and not p.extra]
    several = len([name for name in own if inputs and isinstance(inputs[0].get(name), (list, dict))]) > 1
    for name in own:
        found: dict[str, _Place] = {}
        for one in [one for one in inputs if isinstance(one.get(name), (list, dict))][:_EACH]:
            whole = one[name]
            keys = [*(whole if isinstance(whole, dict) else range(len(whole)))]
            first = {k: whole[k] for k in keys[:1]} if isinstance(whole, dict) else whole[:1]
            entries = [] if known.strings.intersection(map(str, keys)) else [(one, key) for key in keys[: 2 * _EACH]]
            entries += [({**one, name: first}, key) for _, key in entries[:1]]  # one of several may not matter
            for base, key in entries:
                entry = whole[key]
                words: dict[Any, str] = {None: f"a value in {the(name)}"}
                if isinstance(entry, dict):
                    of_these = f" in {the(name)}" if several else ""
                    words = {part: f'the "{part}"{of_these}' for part in entry if part in known.strings}
                elif isinstance(entry, tuple):
                    names = next((parts for over, parts in unpacked if (over, len(parts)) == (name, len(entry))), [])
                    words = {part: the(called) for part, called in enumerate(names) if called.strip("_")}
                for part, label in words.items():
                    value = entry if part is None else entry[part]
                    sorts = ("value", "number" if is_number(value) else "text", "record" * isinstance(entry, dict))
                    odd = {given: row for given, row in _ODD.items() if row[-1] in sorts}
                    if is_number(value) or isinstance(value, str):
                        place = found.setdefault(label, _Place(name, label, odd))
                        place.spots += [(base, key, part)] if odd == place.odd else []
        yield from list(found.values())[:_MOST]


def _with(base: dict[str, Any], name: str, key: Any, part: Any, value: Any) -> dict[str, Any]:
    """Return arguments with another value at one place."""
    whole = base[name].copy()
    if value is _OUT:
        del whole[key]
    elif part is None:
        whole[key] = value
    else:
        entry = whole[key].copy() if isinstance(whole[key], dict) else list(whole[key])
        entry[part] = value
        if value is _LACKING:
            del entry[part]
        whole[key] = entry if isinstance(whole[key], dict) else tuple(entry)
    return {**base, name: whole}
