"""A draft: which program, what is open, what is stated, in which words; all drawn from one key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b

from colbench_gym.tasks import Decision
from colbench_gym.tasks.generated_backend.matters import Matter, Settings
from colbench_gym.tasks.generated_backend.ontology import HELD_OUT, Domain, domains
from colbench_gym.tasks.generated_backend.requests import draw_voice, request
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan, Role
from colbench_gym.tasks.generated_backend.shapes.registry import (
    SHAPES,
    all_matters,
    composed,
    label,
    labels,
    matters_of,
    source,
)
from colbench_gym.tasks.permutation import Draw

SCHEMA = "generated-2"  # part of every key: another grammar gets another number, and other tasks
OPEN: Mapping[str, tuple[int, int]] = {"easy": (3, 4), "default": (3, 8), "hard": (6, 8)}  # matters that are left open
# Per cent: how often a matter that can be open is open, by how many there are. At least so many are open in all that a
# matter of a small program would be open too often with the same share for all, and the request would tell it.
_SHARES = (30, 30, 30, 30, 30, 30, 30, 33, 41, 47, 50, 53, 55, 57)
_OF_SHARES = {"easy": 0.7, "default": 0.9, "hard": 1.4}
_LARGEST_SHARE = 97  # of a matter that rarely can matter
_SETTINGS = 3  # of one plan are tried
_MOST_STATED = 3
_TRIALS = 24  # settings of which the share is taken in which a matter can matter
_STATED = 15  # per cent: how often a matter that the program has is told in the request
_CORE_STATED = 80  # per cent: the same for a matter that no program can do without
_CHOSEN = 30  # per cent: how often a matter is handed over as a parameter, where it can be
_HELD_OUT_OF = 9  # one of so many compositions of a shape is held out, and at least one where there are two


_OFTEN = "collection " * 10 + "charge " * 5 + "tags " * 4 + "validate " * 3
_SHARES_OF_SHAPES = tuple(f"{_OFTEN} schedule schedule series series merge merge ledger parse worklist".split())


@dataclass(frozen=True)
class Draft:
    """One task before its calls.

    Attributes:
        plan: the public part of the program.
        settings: hidden: what was decided, for each matter that the program has.
        stated: keys of the matters that the request tells.
        description: the request with the signature.
    """

    plan: Plan
    settings: Settings
    stated: frozenset[str]
    description: str

    @cached_property
    def matters(self) -> tuple[Matter, ...]:
        """Everything that a request with this plan could leave open."""
        return matters_of(self.plan)

    @property
    def open(self) -> tuple[Matter, ...]:
        """The matters that have to be asked for."""
        return tuple(m for m in self.matters if m.key in self.settings and m.key not in self.stated)

    @property
    def reference(self) -> str:
        """The wanted function."""
        return source(self.plan, self.settings)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Decisions of the person on all that could be asked; what is stated may be asked for as well."""
        return tuple(matter.decision(self.settings.get(matter.key)) for matter in self.matters)


def is_held_out(composition: str) -> bool:
    """Return whether a composition belongs to ``test_compositions``."""
    return composition in _held_out(composition.partition(" ")[0])


@lru_cache(maxsize=16)
def _held_out(shape: str) -> frozenset[str]:
    """Return the compositions of a shape that are held out."""
    ranked = sorted(labels(shape), key=lambda composition: blake2b(f"{SCHEMA} unseen {composition}".encode()).digest())
    return frozenset(ranked[: max(len(ranked) // _HELD_OUT_OF, len(ranked) > 1)])


@lru_cache(maxsize=8)
def _domains(split: str) -> tuple[Domain, ...]:
    return tuple(d for d in domains().values() if (d.key in HELD_OUT) == (split == "test_domains"))


def draft(split: str, difficulty: str, index: int, attempt: int) -> Draft | None:
    """Draw one task; None when the draw came to nothing, and the next attempt is to be taken."""
    draw = Draw(SCHEMA, split, difficulty, index, attempt)
    domain = draw.pick(_domains(split))
    shape = draw.pick(_SHARES_OF_SHAPES)
    possible = _numbers(shape, domain, split == "test_compositions")
    if not possible:
        return None
    plan = _named(shape, domain, draw.pick(possible), draw)
    matters = matters_of(plan)
    for _ in range(_SETTINGS):
        settings, stated = _decided(plan, matters, difficulty, draw)
        low, high = OPEN[difficulty]
        if low <= len(settings) - len(stated) <= high and len(stated) <= _MOST_STATED:
            said = [draw.pick(m.option(settings[m.key]).says) for m in matters if m.key in stated]
            return Draft(plan, settings, stated, request(plan, said, draw_voice(domain, split, draw), draw))
    return None


def _decided(
    plan: Plan, matters: tuple[Matter, ...], difficulty: str, draw: Draw
) -> tuple[dict[str, str], frozenset[str]]:
    """Draw what is decided, and which of it is stated."""
    settings: dict[str, str] = {}
    stated = set()
    share = _OF_SHARES[difficulty] * _SHARES[min(len(matters), len(_SHARES) - 1)]
    arising = _arising(plan.shape, plan.domain, plan.number)
    for matter in matters:
        if matter.arises(settings) and (
            matter.core or draw.below(100) < min(share / arising[matter.key], _LARGEST_SHARE)
        ):
            settings[matter.key] = draw.pick(matter.options).code
            if draw.below(100) < (_STATED if not matter.core else _CORE_STATED):
                stated.add(matter.key)
    open_keys = [key for key in settings if key not in stated]
    while len(open_keys) > OPEN[difficulty][1]:
        key = draw.pick(open_keys)
        open_keys.remove(key)
        if next(m for m in matters if m.key == key).core or len(stated) < 2:
            stated.add(key)
        else:
            del settings[key]
    return settings, frozenset(stated)


@lru_cache(maxsize=4096)
def _arising(shape: str, domain: Domain, number: int) -> Mapping[str, float]:
    """Return for each matter of a composition in which share of the programs it can matter."""
    matters = all_matters(shape, domain, number)
    if all(matter.needs is None for matter in matters):
        return dict.fromkeys((matter.key for matter in matters), 1.0)
    draw = Draw(SCHEMA, "arising", shape, domain.key, number)
    counts = {matter.key: 1 for matter in matters}
    for _ in range(_TRIALS):
        settings: dict[str, str] = {}
        for matter in matters:
            if matter.arises(settings):
                counts[matter.key] += 1
                if matter.core or draw.below(2):
                    settings[matter.key] = draw.pick(matter.options).code
    return {key: count / (_TRIALS + 1) for key, count in counts.items()}


@lru_cache(maxsize=4096)
def _numbers(shape: str, domain: Domain, held_out: bool) -> tuple[int, ...]:
    """Return the compositions that are held out, or those that are not."""
    return tuple(n for n, ops in enumerate(composed(shape, domain)) if is_held_out(label(shape, ops)) == held_out)


def _named(shape_name: str, domain: Domain, number: int, draw: Draw) -> Plan:
    """Return a plan with names for the function and its parameters."""
    shape, operators = SHAPES[shape_name], composed(shape_name, domain)[number]
    taken: set[str] = set()
    names: dict[str, str] = {}
    roles = {role.key: role for role in shape.roles(domain, operators)}
    for role in roles.values():
        if role.beside:
            names[role.key] = role.names[roles[role.beside].names.index(names[role.beside])]
        else:
            names[role.key] = _fresh(role, taken, draw)
    choices = shape.parameters(domain, operators)
    defaults: dict[str, str] = {}
    for matter in all_matters(shape_name, domain, number):
        if matter.key in choices and draw.below(100) < _CHOSEN:
            names[matter.key] = _fresh(Role(matter.key, choices[matter.key]), taken, draw)
            defaults[matter.key] = draw.pick(matter.options).code
    function = draw.pick(shape.functions(domain, operators))
    return Plan(shape_name, domain, number, function, names, defaults, draw.below(12))


def _fresh(role: Role, taken: set[str], draw: Draw) -> str:
    names = [name for name in role.names if name not in taken] or [f"{role.names[0]}_value"]
    name = draw.pick(names)
    taken.add(name)
    return name
