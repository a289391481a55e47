"""Programs that merge two dicts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, grid, listed, spoken, usual
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.ontology.needs import wishes
from colbench_gym.tasks.generated_backend.shapes.base import Base
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, Role
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw

_PAIRS = [("first_{}", "second_{}"), ("{}_1", "{}_2"), ("{}_a", "{}_b"), ("{}_dict1", "{}_dict2"), ("{}1", "{}2")]


class Merge(Base):
    """Two dicts of name and number become one."""

    name = "merge"
    choices: Mapping[str, tuple[str, ...]] = {"end": ("two",), "main": ("0", "1", "2")}

    def allows(self, domain: Domain, operators: Operators) -> bool:
        """Return whether somebody of the trade has two such dicts."""
        return bool(wishes(domain, "merge", domain.measures[int(operators["main"])].name))

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        return (wishes(domain, "merge", domain.measures[int(operators["main"])].name), (), goals("merge np", words))

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:
        """Return the parameters."""
        one = domain.measures[int(operators["main"])].name
        return tuple(
            Role(key, tuple(pair[i].format(one) for pair in _PAIRS), beside)
            for i, (key, beside) in enumerate((("first", ""), ("second", "first")))
        )

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        one = domain.measures[int(operators["main"])]
        words = {**self.words(domain, operators), "negative": one.negative}
        without = () if one.summable else ("sum",)
        return (
            matter("merge", "conflict", words, without=without),
            matter("merge", "alone", words),
            matter("merge", "small", words, listed(grid(one, 0.3, 0.5))),
            *(matter("merge", name, words) for name in ("negative",) * bool(one.negative) + ("spelling", "form")),
            matter("merge", "empty", words, spoken(("nothing", "none", "-1"))),
        )

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        first, second = plan.names["first"], plan.names["second"]
        lines: list[str] = []
        clean = settings.get("spelling", "")
        negative = settings.get("negative")
        if clean or negative:
            amount = "max(amount, 0)" if negative == "zero" else "amount"
            guard = " if amount >= 0" if negative == "skip" else ""
            table = f"{{name{clean}: {amount} for name, amount in {{}}.items(){guard}}}"
            inner = table[1:-1]
            lines = [f"{name} = {{{inner.replace('{}', name)}}}" for name in (first, second)]
        lines += self._union(settings, first, second)
        if "small" in settings:
            lines.append(
                f"merged = {{name: amount for name, amount in merged.items() if amount >= {settings['small']}}}"
            )
        forms = {"sorted": "sorted(merged.items())", "ranked": "sorted(merged, key=lambda name: (-merged[name], name))"}
        otherwise = f" or {settings['empty']}" if "empty" in settings else ""
        return [*lines, f"return {forms.get(settings.get('form', ''), 'merged')}{otherwise}"]

    def _union(self, settings: Settings, first: str, second: str) -> list[str]:
        conflict, alone = settings["conflict"], settings.get("alone")
        both = {
            "sum": f"{first}[name] + {second}[name]",
            "max": f"max({first}[name], {second}[name])",
            "min": f"min({first}[name], {second}[name])",
            "second": f"{second}[name]",
            "first": f"{first}[name]",
            "mean": f"({first}[name] + {second}[name]) / 2",
        }[conflict]
        if alone == "drop":
            return [f"merged = {{name: {both} for name in {first} if name in {second}}}"]
        if alone == "left":
            return [
                f"merged = dict({first})",
                f"for name in {first}:",
                f"    if name in {second}:",
                f"        merged[name] = {both}",
            ]
        if conflict == "second":
            return [f"merged = {{**{first}, **{second}}}"]
        if conflict == "first":
            return [f"merged = {second}.copy()", f"merged.update({first})"]
        return [
            f"merged = {first}.copy()",
            f"for name, amount in {second}.items():",
            "    if name in merged:",
            f"        merged[name] = {both.replace(f'{second}[name]', 'amount').replace(f'{first}[name]', 'merged[name]')}",
            "    else:",
            "        merged[name] = amount",
        ]

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        one = plan.domain.measures[int(plan.operators["main"])]
        for turn in itertools.count():
            tables: list[dict[str, float]] = []
            shared = draw.some(plan.domain.names, 3)
            for _ in range(2):
                names = dict.fromkeys([*shared[: draw.below(4)], *draw.some(plan.domain.names, draw.below(4))])
                table = {}
                for name in names:
                    text = draw.pick((name, name.upper(), f" {name}", f"{name} ")) if "spelling" in settings else name
                    value = usual(one, draw)
                    table[text] = -value if "negative" in settings and not draw.below(4) else value
                tables.append(table)
            if turn == 4 and "empty" in settings:
                tables = [{}, {}]
            yield tuple(tables)
