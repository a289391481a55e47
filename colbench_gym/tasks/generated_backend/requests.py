"""The vague request: written from a plan in somebody's voice, and read back into the plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from colbench_gym.tasks.generated_backend.ontology import Domain, domains
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan, Role
from colbench_gym.tasks.generated_backend.shapes.registry import SHAPES, composed, fits, named, slots_of
from colbench_gym.tasks.generated_backend.wordings import asides
from colbench_gym.tasks.permutation import Draw

_SIGNATURE = " The signature of the function is: "
_DEFINITION = re.compile(r"def (\w+)\(([^\n]*)\)\s*$")
_GREETINGS = (
    *("Hi!", "Hello,", "Hi there.", "Good morning!", "Hey,", "Dear assistant,", "Good evening.", "Hello there!"),
    *("Greetings!", "Good afternoon.", "Howdy!"),
)
SPLITS_BY_VOICE = ("train", "validation", "test")  # these share domains and compositions, but no wording
_FRAMES = (
    "I need a Python function that {}.",
    "Please write a Python function that {}.",
    "Can you write a Python function that {}?",
    "Could you write me a Python function which {}?",
    "I would like to have a Python function that {}.",
    "I am looking for a Python function that {}.",
    "Write a Python function for me that {}.",
    "I want you to write a Python function that {}.",
    "What I need is a Python function that {}.",
    "Would you mind writing a Python function that {}?",
    "My idea is a Python function that {}.",
    "We could use a Python function that {}.",
    "Help me with a Python function that {}.",
    "It would save me hours to have a Python function that {}.",
    "Kindly implement a Python function that {}.",
    "Time to automate: I want a Python function that {}.",
    "Our developer is ill, hence I request a Python function that {}.",
    "Currently I struggle without a Python function that {}.",
)


@dataclass(frozen=True)
class Voice:
    """Manner in which a request is said: who asks, why, in which frame.

    Attributes:
        greeting: may be empty.
        who: a sentence about the person; may be empty.
        why: sentences about the occasion.
        frame: the sentence that the goal is put in.
        closing: may be empty.
        late: whether the occasion comes after the task.
    """

    greeting: str
    who: str
    why: tuple[str, ...]
    frame: str
    closing: str
    late: bool

    @property
    def owner(self) -> str:
        """The one of train, validation and test that may speak in this voice."""
        text = repr((self.greeting, self.who, self.why, self.frame, self.closing, self.late))
        return {0: "validation", 1: "test"}.get(blake2b(text.encode(), digest_size=4).digest()[0] % 10, "train")


def draw_voice(domain: Domain, split: str, draw: Draw) -> Voice:
    """Return a voice of somebody in a domain; train, validation and test have none in common."""
    who = f"{draw.pick(domain.who)}." if draw.below(10) < 8 else ""
    why = [draw.pick(domain.why)]
    if not draw.below(6):
        why.append(draw.pick([other for other in domain.why if other not in why]))
    greeting, late = draw.pick(_GREETINGS) if draw.below(10) < 3 else "", draw.below(3) == 0
    while True:
        closing = draw.pick(asides()) if draw.below(10) < 7 else ""
        voice = Voice(greeting, who, tuple(why), draw.pick(_FRAMES), closing, late)
        if split not in SPLITS_BY_VOICE or voice.owner == split:
            return voice


def request(plan: Plan, stated: Sequence[str], voice: Voice, draw: Draw) -> str:
    """Write the request for a program: vague about everything but the plan and the stated sentences."""
    goal, *slots = (draw.pick(wordings) for wordings in slots_of(plan.shape, plan.domain, plan.number))
    task = [voice.frame.format(goal), *slots, *stated]
    parts = [voice.who, *task, *voice.why] if voice.late else [voice.who, *voice.why, *task]
    parts = [part for part in parts if part]
    if voice.greeting.endswith(",") and not parts[0].startswith(("I ", "I'")):
        parts[0] = parts[0][0].lower() + parts[0][1:]
    text = " ".join(part for part in (voice.greeting, *parts, voice.closing) if part)
    return f"{text}{_SIGNATURE}{plan.signature}"


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
        for slot in slots:
            if slot not in here:
                here[slot] = any(wording in text for wording in slot)
            if not here[slot]:
                break
        else:
            found.append(number)
    return sorted(found, key=lambda number: -len(slots_of(shape, domain, number)))
