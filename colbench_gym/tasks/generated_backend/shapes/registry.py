"""All shapes of programs by their names."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product

from colbench_gym.tasks.generated_backend.matters import Matter, Settings
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.ontology.needs import worries
from colbench_gym.tasks.generated_backend.shapes.charge import Charge
from colbench_gym.tasks.generated_backend.shapes.collections import Collections
from colbench_gym.tasks.generated_backend.shapes.merge import Merge
from colbench_gym.tasks.generated_backend.shapes.parse import Parse
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, Role, Shape, compositions
from colbench_gym.tasks.generated_backend.shapes.schedule import Schedule
from colbench_gym.tasks.generated_backend.shapes.tags import Tags
from colbench_gym.tasks.generated_backend.wordings import GROUPS, voices

_COMPOSED = (Collections(), Charge(), Merge(), Tags(), Parse(), Schedule())
_OWN = 2  # times as often as what anybody would say comes what people of the trade say
_WORDS_ONLY = ("main",)  # choices that change what a program is about, or its words, not what it does
SHAPES: dict[str, Shape] = {shape.name: shape for shape in _COMPOSED}


@lru_cache(maxsize=4096)
def composed(shape: str, domain: Domain) -> tuple[dict[str, str], ...]:
    """Return every allowed composition of a shape in a domain."""
    return tuple(compositions(SHAPES[shape], domain))


@lru_cache(maxsize=65536)
def slots_of(shape: str, domain: Domain, number: int) -> tuple[tuple[str, ...], ...]:
    """Return the slots of a composition's request, each with its wordings."""
    return tuple(SHAPES[shape].sentences(domain, composed(shape, domain)[number]))


@lru_cache(maxsize=4096)
def named(shape: str, domain: Domain) -> dict[str, list[int]]:
    """Return the compositions of a shape in a domain by the names that their function may have."""
    found: dict[str, list[int]] = {}
    for number, operators in enumerate(composed(shape, domain)):
        for name in SHAPES[shape].functions(domain, operators):
            found.setdefault(name, []).append(number)
    return found


@lru_cache(maxsize=65536)
def all_matters(shape: str, domain: Domain, number: int) -> tuple[Matter, ...]:
    """Return what a composition could leave open, what can be a parameter included."""
    operators = composed(shape, domain)[number]
    around = {group: worries(domain, shape, operators, group) * _OWN + voices()[group] for group in GROUPS}
    every = SHAPES[shape].matters(domain, operators)
    return tuple(replace(m, around=around[m.group]) if m.group and m.points else replace(m, group="") for m in every)


def matters_of(plan: Plan) -> tuple[Matter, ...]:
    """Return what a request with this plan could leave open; what is a parameter is left out."""
    return tuple(m for m in all_matters(plan.shape, plan.domain, plan.number) if m.key not in plan.names)


def source(plan: Plan, settings: Settings) -> str:
    """Return the source text of the function."""
    lines = SHAPES[plan.shape].body(plan, {**settings, **{key: plan.names[key] for key in plan.defaults}})
    return "\n".join([f"{plan.signature}:", *("    " + line for line in lines)]) + "\n"


def fits(role: Role, name: str) -> bool:
    """Return whether a parameter may be for a role."""
    return name in role.names or name == f"{role.names[0]}_value"


@lru_cache(maxsize=16)
def labels(shape: str) -> tuple[str, ...]:
    """Return the names of all compositions of a shape that some domain may allow."""
    choices = SHAPES[shape].choices
    every = (dict(zip(choices, values, strict=True)) for values in product(*choices.values()))
    return tuple(dict.fromkeys(label(shape, operators) for operators in every))


def label(shape: str, operators: Operators) -> str:
    """Return the name of a composition; what it is about plays no part."""
    return f"{shape} {' '.join(value for key, value in operators.items() if key not in _WORDS_ONLY)}"
