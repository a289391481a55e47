"""A draft: which program, what is open, what is stated, in which words; all drawn from one key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b

from colbench_gym.tasks import Decision
from colbench_gym.tasks.generated_backend.matters import Matter, Settings
from colbench_gym.tasks.generated_backend.ontology import HELD_OUT, OFTEN, Domain, domains
from colbench_gym.tasks.generated_backend.requests import draw_voice, pointed_in, request
from colbench_gym.tasks.generated_backend.shapes.charge import is_mixed
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
from colbench_gym.tasks.generated_backend.wordings import voices
from colbench_gym.tasks.permutation import Draw

SCHEMA = "generated-2"  # part of every key: another grammar gets another number, and other tasks
OPEN: Mapping[str, tuple[int, int]] = {"easy": (2, 2), "medium": (3, 4), "hard": (5, 6), "habits": (3, 5)}  # left open
_MIXED = ("easy", *("medium",) * 4, *("hard",) * 4)  # levels of a set without a difficulty
_MIXED_LISTS = ("easy", *("medium",) * 7)  # the same for collections: a hard one leaves open nearly all that it can
_SHARES = {"easy": 18, "medium": 42, "hard": 62}  # per cent: how often a program has a matter that it can do without
_ASKED = {"easy": 8, "medium": 30, "hard": 48}  # per cent: the same for a matter that anybody would ask for
_USUAL = {"easy": 8, "medium": 22, "hard": 36}  # per cent: the same for one that nobody asks for without a pointer
_BESIDE_CORE = 10  # per cent more where something is core: as often open as where nothing is, and more is needed
_EVENED = (30, 10)  # per cent: how often one more is pointed at, by the number of matters that show already
_UNSURE = 32  # per cent: how often it admits that it is unsure of what no program can do without
_CORE_STATED = {"easy": 45, "medium": 20, "hard": 16}  # per cent: of matters that no program can do without
_LIKE_MORE = {"messy": 70, "untidy": 70, "rules": 35}  # per cent: how often one is pointed at as if there were more
_RARE = ("letter case", "blanks", "duplicates")  # kinds that people seldom think of: two thirds as often
_NEVER_STATED = ("good", "kind")  # a vague word stands for the one, and one kind of four for the other
# not stated where labels come back: nobody speaks of a score that is not explained
_OF_A_SCORE = ("two", "flag", "cuts")
_FOLLOWED = 85  # per cent: how often a habit is followed; 80 once what is too much is taken off
_TO_CHOOSE_FROM = 7  # matters at least that a request with habits says nothing of
_SETTINGS = 4  # of one plan are tried
_MOST_STATED = 1  # besides what every request tells
_CHOSEN = 7  # per cent: how often a matter is handed over as a parameter, where it can be
_REDRAWN = 16  # attempts at a position have one shape and level: those that often fail come as often as they should
_HELD_OUT_OF = 9  # one of so many compositions of a shape is held out, and at least one where there are two
_SHARES_OF_SHAPES = ("collection " * 9 + "charge " * 17 + "tags merge " + "parse schedule " * 2).split()
_OFTEN = {"mapping": 2, "tuples": 2}  # sources that take few words: as often as those with many
_SELDOM = ("top", "labels")  # half as often as other ends, since requests for them are all alike


@dataclass(frozen=True)
class Draft:
    """One task before its calls.

    Attributes:
        plan: the public part of the program.
        settings: hidden: what was decided, for each matter that the program has.
        stated: keys of the matters that the request tells, if only that there is nothing of the kind.
        points: clauses of the request that point at matters, each with the keys of these.
        description: the request with the signature.
    """

    plan: Plan
    settings: Settings
    stated: frozenset[str]
    points: Mapping[str, frozenset[str]]
    description: str

    @cached_property
    def pointed(self) -> frozenset[str]:
        """The keys of the matters that the request points at."""
        return frozenset[str]().union(*self.points.values())

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
        """Decisions of the person on all that could be asked: what is stated and what parameters are for as well."""
        plan, handed = self.plan, self.plan.defaults
        hints = {m.key: [point for point, keys in self.points.items() if m.key in keys] for m in self.matters}
        own = tuple(m.decision(self.settings.get(m.key), hints[m.key], m.key in self.stated) for m in self.matters)
        every = all_matters(plan.shape, plan.domain, plan.number)
        return own + tuple(m.handed(handed[m.key], plan.names[m.key]) for m in every if m.key in handed)


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
    every = [d for d in domains().values() if (d.key in HELD_OUT) == (split == "test_domains")]
    return (*every, *(d for d in every if d.key in OFTEN))


def habit(trade: str, kind: str) -> bool:
    """Return whether people of a trade leave a kind of matter open: the same in all splits, and told nowhere."""
    return blake2b(f"habit {trade} {kind}".encode()).digest()[0] % 2 == 0


def _share(matter: Matter, level: str, trade: str) -> int:
    """Return how often, in per cent, a matter is stated if no program can do without it, else decided at all."""
    if level == "habits":
        return _FOLLOWED if habit(trade, matter.kind) != matter.core else 100 - _FOLLOWED
    share = (_CORE_STATED if matter.core else _ASKED if matter.asked else _USUAL if matter.usual else _SHARES)[level]
    return share * 2 // 3 if matter.kind in _RARE else share


def draft(split: str, difficulty: str, index: int, attempt: int) -> Draft | None:
    """Draw one task; None when the draw came to nothing, and the next attempt is to be taken."""
    draw = Draw(SCHEMA, split, difficulty, index, attempt)
    domain = draw.pick(_domains(split))
    kept = Draw(SCHEMA, split, difficulty, index, attempt // _REDRAWN, "kept")
    shape = kept.pick(_SHARES_OF_SHAPES)
    mixed = _MIXED_LISTS if shape == "collection" else _MIXED
    level = kept.pick(mixed) if difficulty == "default" else difficulty
    possible = _numbers(shape, domain, split == "test_compositions")
    if not possible:
        return None
    plan = _named(shape, domain, draw.pick(possible), draw)
    matters = matters_of(plan)
    for _ in range(_SETTINGS):
        settings, stated = _decided(matters, level, domain.key, draw)
        still_open = [m for m in matters if m.key in settings and m.key not in stated]
        optional = sum(m.key in stated and not m.told for m in matters)
        low, high = OPEN[level]
        few = level == "habits" and len(matters) - len(stated) < _TO_CHOOSE_FROM
        if low <= len(still_open) <= high and optional <= _MOST_STATED and not few and not is_mixed(settings):
            told = sorted((m for m in matters if m.key in stated), key=_place)
            said = [draw.pick(m.tells(settings.get(m.key))) for m in told]
            hinted = _hinted([m for m in matters if m.key not in stated], settings, level, draw)
            points = _points(hinted, [m for m in matters if m not in still_open], draw)
            voice = draw_voice(plan, [*said, *points], split, draw)
            text = request(plan, said, points, voice, draw, source(plan, settings))
            pointed = {p: frozenset(pointed_in(p, matters)) for p in (point.lstrip("?") for point in points)}
            return Draft(plan, settings, stated, pointed, text)
    return None


def _decided(matters: tuple[Matter, ...], level: str, trade: str, draw: Draw) -> tuple[dict[str, str], frozenset[str]]:
    """Draw what is decided, and which of it the request tells."""
    settings: dict[str, str] = {}
    stated = set()
    unsaid = (*_NEVER_STATED, *_OF_A_SCORE * any(m.key == "cuts" for m in matters))
    more = _BESIDE_CORE * (level in ("medium", "hard") and any(m.core and not m.told for m in matters))
    for matter in matters:
        if not matter.arises(settings):
            continue
        if matter.told:
            code = draw.pick([option.code for option in matter.options] + [""] * bool(matter.off))
            stated.add(matter.key)
            settings |= {matter.key: code} if code else {}
        elif matter.core:
            settings[matter.key] = draw.pick(matter.options).code
            if draw.below(100) < _share(matter, level, trade) and matter.key not in unsaid:
                stated.add(matter.key)
        elif _may_arise(matter, matters, settings, level) and draw.below(100) < _share(matter, level, trade) + more:
            settings[matter.key] = draw.pick(matter.options).code
    still_open = [m for m in matters if m.key in settings and m.key not in stated]
    while len(still_open) > OPEN[level][1]:
        usual = [m for m in still_open if m.usual and level != "habits"]
        core = [m for m in still_open if m.key not in unsaid] or still_open
        matter = draw.pick(usual or [m for m in still_open if not m.core] or core)
        still_open.remove(matter)
        if matter.core:
            stated.add(matter.key)
        else:
            del settings[matter.key]
    return settings, frozenset(stated)


def _may_arise(matter: Matter, matters: Sequence[Matter], decided: Settings, level: str) -> bool:
    """Return whether a program may have a matter: one of those that few programs have, and one worry about the rest."""
    if level == "habits" or (level != "easy" and matter.asked):
        return True
    if level != "easy" and matter.usual:
        worries = (m for m in matters if m.key in decided and m.usual)
        return all(m.around and matter.around for m in worries)
    others = (m for m in matters if m.key in decided and (level == "easy" or not (m.asked or m.usual)))
    return bool(matter.points) and not any(_needs_a_hint(other, level) for other in others)


def _needs_a_hint(matter: Matter, level: str) -> bool:
    """Return whether a request that leaves a matter open has to point at it."""
    return level != "habits" and (level == "easy" if matter.asked else not matter.core) and bool(matter.points)


def _points(matters: Sequence[Matter], others: Sequence[Matter], draw: Draw) -> list[str]:
    """Return phrases that point at matters: at like ones together, else at each by itself and at no others."""
    points: list[str] = []
    rest = list(matters)
    alike = [m for m in matters if m.group]
    if len(alike) > 1 or (alike and draw.below(100) < _LIKE_MORE[alike[0].group]):
        several = len({m.group for m in alike}) > 1
        points.append(draw.pick(voices()["special"] if several else alike[0].around))
        rest = [m for m in rest if not m.group]
    while rest:
        clauses = [c for c in rest[0].points if not any(c in m.points for m in others)] or rest[0].points
        if len(rest) > 1 and draw.below(3):
            most = max(sum(c in m.points for m in rest) for c in clauses)
            clauses = [c for c in clauses if sum(c in m.points for m in rest) == most]
        if any(point[0] == "?" for point in points):  # a list of nouns is nobody's last sentence
            clauses = [c for c in clauses if c[0] != "?"] or clauses
        points.append(min((draw.pick(clauses) for _ in matters[:2]), key=len))
        rest = [matter for matter in rest if points[-1] not in matter.points]
    return points


def _place(matter: Matter) -> int:
    """Return where a request tells of a matter: what comes back first, what it could have left open last."""
    return 2 if not matter.told else int(matter.kind != "result form")


def _hinted(matters: Sequence[Matter], settings: Settings, level: str, draw: Draw) -> list[Matter]:
    """Return what a request points at: what it has to, and of what anybody asks for so much that half of it is open.

    Where that is nothing, it may admit that it is unsure of what no program can do without.
    """
    still_open = [m for m in matters if m.key in settings and level != "habits"]
    hinted = [m for m in still_open if _needs_a_hint(m, level)]
    asked = [m for m in still_open if m.asked and not m.core and m not in hinted and m.points]
    closed = sum(m.asked and m.key not in settings and m.arises(settings) for m in matters)
    while len(asked) > closed and draw.below(100) < sum(_EVENED[len(still_open) - len(asked) :][:1]):
        hinted.append(asked.pop(draw.below(len(asked))))
    return hinted or [m for m in still_open if m.core and m.points and draw.below(100) < _UNSURE][-1:]


@lru_cache(maxsize=4096)
def _numbers(shape: str, domain: Domain, held_out: bool) -> tuple[int, ...]:
    """Return the compositions that are held out, or those that are not."""
    every = [(n, ops) for n, ops in enumerate(composed(shape, domain)) if is_held_out(label(shape, ops)) == held_out]
    times = [_OFTEN.get(ops.get("source", ""), 1) << (ops.get("end") not in _SELDOM) for _, ops in every]
    return tuple(n for (n, _), often in zip(every, times, strict=True) for _ in range(often))


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
        if matter.key in choices and not defaults and draw.below(100) < _CHOSEN:
            names[matter.key] = _fresh(Role(matter.key, choices[matter.key]), taken, draw)
            every = [option.code for option in matter.options]
            defaults[matter.key] = draw.pick([code for code in every if code[-1] == "0"] or every)
    function = draw.pick(shape.functions(domain, operators))
    return Plan(shape_name, domain, number, operators, function, names, defaults, draw.below(12))


def _fresh(role: Role, taken: set[str], draw: Draw) -> str:
    name = draw.pick([name for name in role.names if name not in taken] or [f"{role.names[0]}_value"])
    taken.add(name)
    return name
