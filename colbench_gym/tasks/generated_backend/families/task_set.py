"""Endless backend tasks: ``(split, index)`` names the same task on every machine and Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from colbench_gym.errors import TaskError
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.tasks import SPLITS, BackendTask, Decision
from colbench_gym.tasks.generated import EndlessTasks
from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Variant, literal
from colbench_gym.tasks.generated_backend.families.lists import LIST_FAMILIES
from colbench_gym.tasks.generated_backend.families.money import MONEY_FAMILIES
from colbench_gym.tasks.generated_backend.families.parsing import PARSING_FAMILIES
from colbench_gym.tasks.generated_backend.families.phrases import no_preference, words
from colbench_gym.tasks.generated_backend.families.records import RECORD_FAMILIES
from colbench_gym.tasks.generated_backend.families.rules import RULE_FAMILIES
from colbench_gym.tasks.generated_backend.families.shop import SHOP_FAMILIES
from colbench_gym.tasks.generated_backend.families.text import TEXT_FAMILIES
from colbench_gym.tasks.generated_backend.families.time import TIME_FAMILIES
from colbench_gym.tasks.permutation import Draw, permuted_index

SCHEMA = "generated-1"  # in specs and in every key: another grammar gets another number, and other tasks
FAMILIES: tuple[Family, ...] = (
    *MONEY_FAMILIES,
    *TEXT_FAMILIES,
    *PARSING_FAMILIES,
    *LIST_FAMILIES,
    *RULE_FAMILIES,
    *TIME_FAMILIES,
    *RECORD_FAMILIES,
    *SHOP_FAMILIES,
)

_INDIFFERENT = (
    no_preference("speed", "how quickly the function runs", "speed performance efficient"),
    no_preference("comments", "comments and documentation in the function", "comment docstring document"),
)
_HELD_OUT = 10  # validation and test get one tenth of the members of each family, train the rest
_NUDGES = (1 - 1e-9, 1 + 1e-9)  # what another order of the same additions may do to a float, and more
_NEARLY = 1e-4  # less than the last digit that any rounding keeps
_ATTEMPTS = 40  # sets of inputs to try before a member counts as a mistake of its family


@dataclass(frozen=True)
class Member:
    """One function of a family, and how it is asked for.

    Attributes:
        family: where it comes from.
        number: which member it is.
        surface: which name and wording it goes by.
    """

    family: Family
    number: int
    surface: int

    @cached_property
    def alternatives(self) -> dict[str, int]:
        """Alternative that each choice took."""
        return self.family.alternatives(self.number)

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.family.surface(self.surface)[0]

    @property
    def description(self) -> str:
        """The vague public request."""
        return self.family.description(*self.family.surface(self.surface))

    @property
    def settings(self) -> dict[str, Any]:  # Any: see grammar.Settings
        """Values of the choices."""
        return self.family.settings(self.alternatives)

    @property
    def reference(self) -> str:
        """The wanted function."""
        return self.family.source(self.name, self.settings)

    def changes(self) -> Iterator[tuple[str, Any]]:  # Any: as in settings
        """Yield every change of a single choice: its key, and what it is set to instead."""
        for choice in self.family.choices:
            own = self.alternatives[choice.key]
            for other in range(choice.size):
                if other != own:
                    yield choice.key, choice.setting(other)

    def decisions(self) -> tuple[Decision, ...]:
        """Decisions that the description leaves open, with those that the person has no preference about."""
        decided = tuple(
            Decision(
                choice.key,
                choice.about,
                choice.sentences(self.alternatives[choice.key]),
                topics,
            )
            for choice, topics in zip(self.family.choices, _topics(self.family), strict=True)
        )
        return decided + self.family.indifferent + _INDIFFERENT

    def calls(self) -> tuple[str, ...]:
        """Return ten calls, such that every change of a single choice fails at least one.

        Raises:
            TaskError: there are none; a mistake of the family.
        """
        return tuple(f"{self.name}({', '.join(map(literal, given))})" for given in _tell_apart(self))


@dataclass(frozen=True)
class FamilyTasks(EndlessTasks[BackendTask]):
    """The generated tasks of one split.

    The families take turns. Within a family the members are rearranged by a key, and each split owns a part of that
    order; so no member is in two splits, and no task comes twice before index :attr:`distinct`. Beyond it the smaller
    families repeat themselves, one after the other, while the larger ones go on.
    """

    name = SCHEMA
    splits = SPLITS

    @cached_property
    def distinct(self) -> int:
        """No two tasks with an index below this are equal; after it, those of the smallest family come again."""
        return min(len(_part(self.split, family)) * family.surfaces for family in FAMILIES) * len(FAMILIES)

    def member(self, index: int) -> Member:
        """Return the member at a position, from 0: what :meth:`at` makes a task of."""
        turn, slot = divmod(self.position(index), len(FAMILIES))
        family = FAMILIES[permuted_index(slot, len(FAMILIES), f"{SCHEMA} {self.split} {turn}")]
        part = _part(self.split, family)
        again, position = divmod(turn, len(part))
        key = f"{SCHEMA} {family.names[0]}"
        member = permuted_index(part[position], family.size, key)
        first = Draw(key, "surface", member).below(family.surfaces)
        return Member(family, member, (first + again) % family.surfaces)

    def at(self, index: int) -> BackendTask:
        """Return the task at a position, from 0.

        Raises:
            UnknownTaskError: no such position.
        """
        return _task(self.split, index, self.member(index))


def _part(split: str, family: Family) -> range:
    """Return the positions of a family's order that a split owns."""
    tenth = family.size // _HELD_OUT
    ends = {"validation": range(tenth), "test": range(tenth, 2 * tenth), "train": range(2 * tenth, family.size)}
    return ends[split]


@lru_cache(maxsize=1024)
def _task(split: str, index: int, member: Member) -> BackendTask:
    task_id = f"{split}-{index}"
    reference, calls, decisions = member.reference, member.calls(), member.decisions()
    names = tuple(f"test{number}" for number in range(1, len(calls) + 1))
    row = {
        "task_id": task_id,
        "problem_description": member.description,
        "ground_truth": reference,
        "test_cases": dict(zip(names, calls, strict=True)),
        "hidden_information": reference,
        "decisions": [
            {"key": d.key, "about": list(d.about), "says": list(d.says), "topics": list(d.topics)} for d in decisions
        ],
    }
    return BackendTask(
        task_id=task_id,
        description=member.description,
        reference=reference,
        calls=calls,
        test_names=names,
        hidden_information=reference,
        decisions=decisions,
        row=row,
    )


@lru_cache(maxsize=64)  # more than there are families
def _topics(family: Family) -> tuple[tuple[str, ...], ...]:
    """Return the words by which a question about each choice can be known."""
    return tuple(words(*choice.about, *choice.topics) for choice in family.choices)


def _tell_apart(member: Member) -> list[Arguments]:
    """Return ten arguments on which every change of a single choice shows, and that hang on no last bit of a float."""
    family, settings = member.family, member.settings
    wanted = family.member(settings)
    changes = [(f"_{key}", setting) for key, setting in member.changes()]
    nudged = [family.member(settings, near) for near in _NUDGES] if family.rounds else []
    inputs: dict[str, tuple[Arguments, Any]] = {}
    for attempt in range(_ATTEMPTS):
        draw = Draw(SCHEMA, family.names[0], member.number, attempt)
        for arguments in family.inputs(settings, draw):
            value = wanted(*arguments)
            if all(_close(nudge(*arguments), value) for nudge in nudged):
                inputs[literal(arguments)] = arguments, value
        given, values = [arguments for arguments, _ in inputs.values()], [value for _, value in inputs.values()]
        picked = _few(wanted, given, values, changes)
        if picked is not None and len(picked) <= TESTS_PER_TASK <= len(given):
            picked += [i for i in range(len(given)) if i not in picked][: TESTS_PER_TASK - len(picked)]
            return [given[i] for i in sorted(picked)]
    raise TaskError(f"no {TESTS_PER_TASK} calls tell {family.names[0]} apart from its neighbours: {settings}")


def _few(
    wanted: Variant, given: list[Arguments], values: list[Any], changes: Sequence[tuple[str, Any]]
) -> list[int] | None:
    """Return positions of a few arguments that show every change, or None when one of them stays hidden."""
    function, choices = wanted.func, dict(wanted.keywords)
    picked: list[int] = []
    order = list(range(len(given)))  # those that were picked come first
    for key, setting in changes:
        own, choices[key] = choices[key], setting
        for i in order:
            if function(*given[i], **choices) != values[i]:
                break
        else:
            return None
        choices[key] = own
        if i not in picked:
            picked.append(i)
            order = picked + [other for other in order if other not in picked]
    return picked if len(picked) <= TESTS_PER_TASK else _fewest(wanted, given, values, changes)


def _fewest(
    wanted: Variant, given: list[Arguments], values: list[Any], changes: Sequence[tuple[str, Any]]
) -> list[int]:
    """Return the same, greedily: always the arguments that show most of what is still hidden. Slower, rarely needed."""
    shown = [
        {n for n, (key, setting) in enumerate(changes) if wanted(*arguments, **{key: setting}) != value}
        for arguments, value in zip(given, values, strict=True)
    ]
    hidden = set(range(len(changes)))
    picked = []
    while hidden:
        best = max(range(len(given)), key=lambda i: len(shown[i] & hidden))
        picked.append(best)
        hidden -= shown[best]
    return picked


def _close(one: Any, other: Any) -> bool:  # Any: what a function of a family returns
    if isinstance(one, float) or isinstance(other, float):
        return bool(abs(one - other) < _NEARLY)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_close(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_close, one, other))
    return bool(one == other)
