"""Programs that take a typed line apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, grid, listed, spoken, usual
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.ontology.needs import wishes
from colbench_gym.tasks.generated_backend.shapes.base import Base
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw


class Parse(Base):
    """A line of names and numbers becomes data."""

    name = "parse"
    choices: Mapping[str, tuple[str, ...]] = {"end": ("read",), "source": ("line", "parts"), "main": ("0", "1", "2")}

    def allows(self, domain: Domain, operators: Operators) -> bool:
        """Return whether people of the trade type such lines, and the names can stand beside the separators."""
        typed = wishes(domain, "parse", domain.measures[int(operators["main"])].name)
        return bool(typed) and all(sign not in name for name in domain.names for sign in "-/,;:=")

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        return (
            wishes(domain, "parse", domain.measures[int(operators["main"])].name),
            (),
            goals(f"parse {operators['source']}", words),
        )

    def role_keys(self, operators: Operators) -> Sequence[str]:
        """Return what the parameters are for."""
        return (f"text {operators['source']}",)

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        one, words = domain.measures[int(operators["main"])], self.words(domain, operators)
        return (
            *([matter("parse", "comma", words)] if operators["source"] == "line" else []),
            *(matter("parse", name, words) for name in ("equals", "broken", "repeat")),
            matter("parse", "small", words, listed(grid(one, 0.3, 0.5))),
            *(matter("parse", name, words) for name in ("letters", "noise", "form")),
            matter("parse", "empty", words, spoken(("nothing", "none", "-1"))),
        )

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        text, equals = plan.names["text"], settings["equals"]
        one = plan.domain.measures[int(plan.operators["main"])]
        kind = "int" if one.step == int(one.step) else "float"
        tidy = f"{'.strip()' if settings.get('noise') == 'strip' else ''}{settings.get('letters', '')}"
        broken = settings.get("broken")
        inner: list[str] = []
        if broken == "one":
            inner += [f"name, sign, number = part.partition({equals})", f"amount = {kind}(number) if sign else 1"]
        else:
            if broken:
                inner += [f"if {equals} not in part:", "    continue" if broken == "skip" else "    break"]
            inner += [f"name, number = part.split({equals})", f"amount = {kind}(number)"]
        if tidy:
            inner.append(f"name = name{tidy}")
        if "small" in settings:
            inner += [f"if amount < {settings['small']}:", "    continue"]
        stores = {"sum": "found[name] = found.get(name, 0) + amount", "first": "found.setdefault(name, amount)"}
        inner.append(stores.get(settings.get("repeat", ""), "found[name] = amount"))
        parts = f"{text}.split({settings['comma']})" if "comma" in settings else text
        lines = ["found = {}", f"for part in {parts}:", *("    " + line for line in inner)]
        forms = {"pairs": "sorted(found.items())", "names": "sorted(found, key=lambda name: (-found[name], name))"}
        otherwise = f" or {settings['empty']}" if "empty" in settings else ""
        return [*lines, f"return {forms.get(settings.get('form', ''), 'found')}{otherwise}"]

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        one = plan.domain.measures[int(plan.operators["main"])]
        equals = settings["equals"].strip("'")
        for turn in itertools.count():
            names = draw.some(plan.domain.names, (1, 2, 3, 4, 5)[turn % 5])
            if "repeat" in settings and draw.below(2):
                names.append(names[0])
            parts = []
            for name in names:
                text = draw.pick((name, f" {name}", f"{name} ")) if "noise" in settings else name
                broken = "broken" in settings and not draw.below(4)
                parts.append(text if broken else f"{text}{equals}{usual(one, draw, most=0.2 if turn == 5 else 1.0)}")
            yield (settings["comma"].strip("'").join(parts) if "comma" in settings else parts,)
