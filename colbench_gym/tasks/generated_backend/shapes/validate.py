"""Programs that check the entry for one thing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import (
    Arguments,
    Matter,
    Settings,
    grid,
    kind_words,
    listed,
    quoted,
    several,
)
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.shapes.base import Base
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan
from colbench_gym.tasks.generated_backend.values import number, usual
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw

_SHORT_NAME, _NAME = 6, 8  # letters that a name may have


class Validate(Base):
    """An entry is right or wrong."""

    name = "validate"
    choices: Mapping[str, tuple[str, ...]] = {"end": ("entry",), "kind": ("", "kind"), "main": ("0", "1", "2")}

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        return (goals("validate entry", words), (), goals(f"validate np {operators['kind']}".strip(), words))

    def role_keys(self, operators: Operators) -> Sequence[str]:
        """Return what the parameters are for."""
        return ("name", "one", *(["kind_"] if operators["kind"] else []))

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        words = self.words(domain, operators)
        one = domain.measures[int(operators["main"])]
        lows, highs = grid(one, 0.1, 0.2, 0.3), grid(one, 0.6, 0.7, 0.8)
        unit = one.shown_unit
        ranges = [
            {
                "code": f"{low}|{high}",
                "says1": f"The {one.phrase} has to be at least {low} and at most {high}{unit}.",
                "says2": f"Anything from {low} to {high}{unit} is fine for the {one.phrase}.",
            }
            for low, high in zip(lows, highs, strict=False)
        ]
        found = [
            matter("validate", "range", words, ranges),
            matter("validate", "length", words, listed(map(str, (_SHORT_NAME, _NAME)))),
            matter("validate", "named", words),
        ]
        if operators["kind"]:
            pairs = ((0, 1), (1, 2), (0, 3))
            each = [{"code": f"{k[a]}|{k[b]}", "v1": k[a], "v2": k[b]} for k in (domain.kinds,) for a, b in pairs]
            found.append(matter("validate", "kinds", words, each))
            found.append(matter("shared", "case_one", kind_words(domain, words)))
        return (*found, matter("validate", "form_entry", words))

    def words(self, domain: Domain, operators: Operators) -> dict[str, str]:
        """Return the words of a domain for the templates."""
        one = domain.measures[int(operators["main"])]
        fields = ["name", one.name, *([domain.kind] if operators["kind"] else [])]
        return {**super().words(domain, operators), "fields": several(map(quoted, fields))}

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        names, style, domain = plan.names, plan.style, plan.domain
        one = domain.measures[int(plan.operators["main"])].name
        first, second = settings["range"].split("|")
        tests = {one: f"{first} <= {names['one']} <= {second}"}
        named = []
        if "named" in settings:
            named.append(f"{names['name']}.strip() != ''")
        if "length" in settings:
            named.append(f"len({names['name']}) <= {settings['length']}")
        if named:
            tests = {"name": " and ".join(named), **tests}
        if "kinds" in settings:
            kind = f"{names['kind_']}.lower()" if settings.get("case") == "ignore" else names["kind_"]
            tests[domain.kind] = f"{kind} in {tuple(settings['kinds'].split('|'))!r}"
        form = settings.get("form")
        if form is None:
            return [f"return {' and '.join(tests.values())}"]
        if form == "count":
            return [f"return [{', '.join(tests.values())}].count(False)"]
        if style % 2:
            lines = [f"checks = {{{', '.join(f'{key!r}: {test}' for key, test in tests.items())}}}"]
            lines.append("problems = [field for field, right in checks.items() if not right]")
        else:
            lines = ["problems = []"]
            for key, test in tests.items():
                lines += [f"if not ({test}):", f"    problems.append({key!r})"]
        return [*lines, "return problems" if form == "list" else "return problems[0] if problems else 'ok'"]

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        return (self._entered(plan, settings, draw) for _ in itertools.count())

    def _entered(self, plan: Plan, settings: Settings, draw: Draw) -> Arguments:
        """Return the fields of an entry."""
        domain, operators = plan.domain, plan.operators
        one = domain.measures[int(operators["main"])]
        limits = [float(text) for text in settings["range"].split("|")]
        value = usual(one, draw)
        if draw.below(2):
            value = number(draw.pick(limits) + draw.pick((0, 0, -1, 1)) * one.step)
        elif draw.below(3):
            value = number(round((limits[0] + limits[1]) / 2 / one.step) * one.step)
        name = draw.pick(domain.names)
        if "named" in settings and not draw.below(3):
            name = draw.pick(("", " "))
        elif "length" in settings and draw.below(2):
            name = (name + "abcdefgh")[: draw.pick((_SHORT_NAME, _NAME, _SHORT_NAME + 1, _NAME + 1))]
        given: list[object] = [name, value]
        if operators["kind"]:
            kinds = settings["kinds"].split("|") if "kinds" in settings and draw.below(2) else domain.kinds
            kind = draw.pick(kinds)
            given.append(draw.pick((kind.upper(), kind.capitalize(), kind)) if "case" in settings else kind)
        return tuple(given)
