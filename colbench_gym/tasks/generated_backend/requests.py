"""The request: written from a plan in somebody's voice, and read back into the plan and what is told and pointed at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from colbench_gym.tasks.generated_backend.matters import Matter, Settings, upper
from colbench_gym.tasks.generated_backend.ontology import Domain, domains
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan, Role
from colbench_gym.tasks.generated_backend.shapes.registry import SHAPES, composed, fits, named, slots_of
from colbench_gym.tasks.generated_backend.wordings import voices
from colbench_gym.tasks.permutation import Draw

_SIGNATURE = " The signature of the function is: "
_DEFINITION = re.compile(r"def (\w+)\(([^\n]*)\)\s*$")
_VERB = re.compile(r"\b(\w+)~")  # a verb of a goal, which its frame puts into "to find" or "that finds"
SPLITS_BY_VOICE = ("train", "validation", "test")  # these share domains and compositions, but no wording
_OPENINGS = ("", "Also, ", "Oh, and ", "And ")  # of sentences that point at something
_PER_CENT = {"greeting": 15, "who": 20, "why": 10, "closing": 15}  # how often a request has one


@dataclass(frozen=True)
class Voice:
    """Manner in which a request is said: who asks, in which frame.

    Attributes:
        greeting: may be empty.
        who: a sentence about the person or the occasion; may be empty.
        frame: the sentence that the goal is put in, as ``{to}`` ("find ...") or ``{that}`` ("finds ...").
        closing: may be empty.
    """

    greeting: str
    who: str
    frame: str
    closing: str

    @property
    def owner(self) -> str:
        """The one of train, validation and test that may speak in this voice."""
        text = repr((self.greeting, self.who, self.frame, self.closing))
        return {0: "validation", 1: "test"}.get(blake2b(text.encode(), digest_size=4).digest()[0] % 10, "train")


def draw_voice(domain: Domain, split: str, draw: Draw) -> Voice:
    """Return a voice of somebody in a domain; train, validation and test have none in common."""
    while True:
        said = {part: draw.below(100) < share for part, share in _PER_CENT.items()}
        frame = draw.pick(voices()["frame"])
        who = f"{draw.pick(domain.who)}." if said["who"] else draw.pick(domain.why) if said["why"] else ""
        voice = Voice(
            draw.pick(voices()["greeting"]) if said["greeting"] else "",
            who,
            frame,
            draw.pick(voices()["closing"]) if said["closing"] and "?" not in frame else "",
        )
        if split not in SPLITS_BY_VOICE or voice.owner == split:
            return voice


def request(plan: Plan, told: Sequence[str], points: Sequence[str], voice: Voice, draw: Draw) -> str:
    """Write a request: what the program is for, what is handed in, what is told, what is pointed at."""
    goal, *slots = (draw.pick(wordings) for wordings in slots_of(plan.shape, plan.domain, plan.number))
    asked = voice.frame.format(to=in_form(goal, "to"), that=in_form(goal, "that"))
    text = " ".join(part for part in (voice.who, asked, *slots, *told, *pointing(points), voice.closing) if part)
    if voice.greeting.endswith(",") and not text.startswith(("I ", "I'")):
        text = text[0].lower() + text[1:]
    return f"{voice.greeting} {text}".strip() + f"{_SIGNATURE}{plan.signature}"


def pointing(points: Sequence[str]) -> list[str]:
    """Return sentences that point at something, two clauses in each."""
    pairs = [" and ".join(points[place : place + 2]) for place in range(0, len(points), 2)]
    return [f"{upper(f'{opening}{pair}')}." for opening, pair in zip(_OPENINGS, pairs, strict=False)]


@lru_cache(maxsize=65536)
def in_form(goal: str, form: str) -> str:
    """Return a goal with its verbs as they stand behind "to" or "that"."""
    return _VERB.sub(lambda match: match[1] if form == "to" else third_person(match[1]), goal)


def third_person(verb: str) -> str:
    """Return a verb with its ending in the third person."""
    if verb.endswith(("s", "sh", "ch", "x", "z", "go")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


def told_in(text: str, matters: Iterable[Matter]) -> dict[str, str | None]:
    """Return the alternatives whose sentences stand in a text; None is told where there is nothing of the kind."""
    found: dict[str, str | None] = {}
    for matter in matters:
        if any(sentence in text for sentence in matter.off):
            found[matter.key] = None
        for option in matter.options:
            if any(sentence in text for sentence in option.says):
                found[matter.key] = option.code
    return found


def pointed_in(text: str, matters: Iterable[Matter]) -> set[str]:
    """Return the keys of matters that a text points at."""
    text = text.lower()
    return {matter.key for matter in matters if any(point.lower() in text for point in matter.points)}


def may_be_open(description: str, matters: Sequence[Matter]) -> list[Matter]:
    """Return what a request may leave open: what it points at, what it needs, what anybody would ask."""
    text = description.rpartition(_SIGNATURE)[0]
    told, pointed = told_in(text, matters), pointed_in(text, matters)
    return [m for m in matters if m.key not in told and (m.core or m.asked or m.key in pointed)]


def read_request(description: str) -> Plan | None:
    """Return the plan that a request was written from; None when it is not one of ours."""
    text, _, signature = " ".join(description.split()).rpartition(_SIGNATURE.strip())
    definition = _DEFINITION.fullmatch(signature.strip())
    if definition is None:
        return None
    parts = [part.partition("=") for part in definition[2].split(", ")]
    given = [(name.strip(), default) for name, _, default in parts]
    for plan in _plans(text, definition[1], given):
        return plan
    return None


def _plans(text: str, function: str, given: list[tuple[str, str]]) -> Iterator[Plan]:
    for domain in domains().values():
        if domain.item not in text and domain.items not in text:
            continue
        for name, shape in SHAPES.items():
            for number in _told(text, function, name, domain):
                operators = composed(name, domain)[number]
                roles = shape.roles(domain, operators)
                required, rest = given[: len(roles)], given[len(roles) :]
                if len(required) < len(roles) or not all(fits(r, n) for (n, _), r in zip(required, roles, strict=True)):
                    continue
                names = {role.key: parameter for role, (parameter, _) in zip(roles, required, strict=True)}
                choices = [Role(*choice) for choice in shape.parameters(domain, operators).items()]
                defaults = {role.key: d for parameter, d in rest for role in choices if fits(role, parameter)}
                names |= {role.key: parameter for parameter, _ in rest for role in choices if fits(role, parameter)}
                if len(defaults) == len(rest):
                    yield Plan(name, domain, number, function, names, defaults)


def _told(text: str, function: str, shape: str, domain: Domain) -> list[int]:
    """Return the compositions that have such a function and all sentences in a text, that with most of them first."""
    here: dict[tuple[str, ...], bool] = {}
    found = []
    for number in named(shape, domain).get(function, ()):
        slots = slots_of(shape, domain, number)
        for place, slot in enumerate(slots):
            if slot not in here:
                forms = [in_form(text_, form) for text_ in slot for form in ("to", "that")] if not place else slot
                here[slot] = any(wording in text for wording in forms)
            if not here[slot]:
                break
        else:
            found.append(number)
    return sorted(found, key=lambda number: -len(slots_of(shape, domain, number)))


def as_settings(told: Mapping[str, str | None]) -> Settings:
    """Return what is told without that of which there is nothing."""
    return {key: code for key, code in told.items() if code is not None}
