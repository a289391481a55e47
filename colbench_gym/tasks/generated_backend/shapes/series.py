"""Programs over a list of readings: runs, jumps, alarms, smoothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, a, grid, upper
from colbench_gym.tasks.generated_backend.ontology import Domain, Measure
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, Role
from colbench_gym.tasks.generated_backend.shapes.small import Small
from colbench_gym.tasks.generated_backend.values import identifier, number, usual
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw

_FUNCTIONS = {
    "streak": ("longest_run", "longest_streak_of_{items}", "{one}_streak"),
    "rise": ("biggest_jump", "greatest_{one}_change", "find_{one}_jump"),
    "alarm": ("{one}_alarms", "find_{items}", "{item}_positions", "mark_{items}"),
    "smooth": ("smooth_{one}", "moving_average", "even_out_{one}", "smoothed_{one}"),
}


class Series(Small):
    """Programs over the values of one measure, one thing after the other."""

    name = "series"
    choices: Mapping[str, tuple[str, ...]] = {
        "end": tuple(_FUNCTIONS),
        "limit": ("open", "given"),
        "good": ("0", "1"),
        "main": ("0", "1", "2"),
    }

    def allows(self, domain: Domain, operators: Operators) -> bool:  # noqa: ARG002  # the protocol's arguments
        """Return whether the operators can be composed."""
        limited = operators["end"] in ("streak", "alarm")
        return limited or (operators["limit"] == "open" and operators["good"] == "0")

    def words(self, domain: Domain, operators: Operators) -> dict[str, str]:
        """Return the words of a domain for the templates."""
        return {**super().words(domain, operators), "good": domain.good[int(operators["good"])]}

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        parts = [operators["end"], "list", *(["given"] if operators["limit"] == "given" else [])]
        return tuple(goals(f"series {part}", words) for part in parts)

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:
        """Return names for the function."""
        one = domain.measures[int(operators["main"])].name
        words = {"one": one, "item": domain.item, "items": domain.items}
        return tuple(identifier(text.format(**words)) for text in _FUNCTIONS[operators["end"]])

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:
        """Return the parameters."""
        one, item = domain.measures[int(operators["main"])].name, identifier(domain.item)
        roles = [
            Role(
                "values",
                (
                    f"{one}_values",
                    f"{one}_list",
                    f"{item}_{one}",
                    "readings",
                    f"all_{one}",
                    f"{one}_log",
                    f"{one}_series",
                    f"{domain.key}_{one}",
                ),
            )
        ]
        if operators["limit"] == "given":
            roles.append(Role("given", ("limit", f"{one}_limit", "threshold", f"min_{one}", f"least_{one}")))
        return tuple(roles)

    def parameters(self, domain: Domain, operators: Operators) -> Mapping[str, tuple[str, ...]]:
        """Return names of parameters by which a caller may decide a matter."""
        one = domain.measures[int(operators["main"])].name
        return {"window": ("window", "window_size", f"{one}_window", "width")}

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        one, end = domain.measures[int(operators["main"])], operators["end"]
        words = {**self.words(domain, operators), "noun": "each average", "Noun": "Each average"}
        found = []
        if end in ("streak", "alarm"):
            if operators["limit"] == "open":
                found.append(matter("series", "limit", words, _limits(one, words)))
            else:
                found.append(matter("series", "edge", words))
        if end == "smooth":
            found += [matter("series", name, words) for name in ("window", "ends")]
            found.append(matter("shared", "rounded", words))
        if end == "rise":
            found += [matter("series", name, words) for name in ("direction", "ties")]
        if end in ("alarm", "rise"):
            found.append(matter("series", "start", words, needs=lambda s: end == "alarm" and s.get("form") != "number"))
        found.append(matter("series", "gap", words))
        if end in ("streak", "rise", "alarm"):
            found.append(matter("series", f"form_{end}", words))
        when, may = "the list is empty", "the list can be empty"
        if end == "rise":
            when, may = "there are less than two values", "there may be too few values to compare"
        texts = [
            {"code": "-1", "said": "-1"},
            {"code": "'none'", "said": 'the text "none"'},
            {"code": "'no data'", "said": 'the text "no data"'},
        ]
        found.append(matter("shared", "empty", {**words, "when": when, "may": may}, texts))
        if end == "rise":  # positions are told from 0 there
            found = [m for m in found if m.key != "start"]
        return tuple(found)

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        values, style = plan.names["values"], plan.style
        lines = []
        if settings.get("gap") == "skip" and plan.operators["end"] != "alarm":
            lines.append(f"known = [value for value in {values} if value is not None]")
            values = "known"
        elif settings.get("gap") == "zero":
            lines.append(
                f"known = [value or 0 for value in {values}]"
                if style % 2
                else f"known = [0 if value is None else value for value in {values}]"
            )
            values = "known"
        least = 2 if plan.operators["end"] == "rise" else 1
        if "empty" in settings:
            lines += [
                f"if len({values}) < 2:" if least == 2 else f"if not {values}:",
                f"    return {settings['empty']}",
            ]
        limit, sign = settings.get("limit", "0 >=").split()
        test = f"value {settings.get('edge', sign)} {plan.names.get('given', limit)}"
        return [*lines, *getattr(self, f"_{plan.operators['end']}")(plan, settings, values, test)]

    def _streak(self, plan: Plan, settings: Settings, values: str, test: str) -> list[str]:
        form = settings.get("form")
        if form == "values":
            return [
                "best, run = [], []",
                f"for value in {values}:",
                f"    run = [*run, value] if {test} else []",
                "    if len(run) > len(best):",
                "        best = run",
                "return best",
            ]
        result = "f'{best} in a row'" if form == "text" else "best"
        if plan.style % 2:
            return [
                "best = run = 0",
                f"for value in {values}:",
                f"    run = run + 1 if {test} else 0",
                "    best = max(best, run)",
                f"return {result}",
            ]
        return [
            "best = 0",
            "run = 0",
            f"for value in {values}:",
            f"    if {test}:",
            "        run += 1",
            "        if run > best:",
            "            best = run",
            "    else:",
            "        run = 0",
            f"return {result}",
        ]

    def _rise(self, plan: Plan, settings: Settings, values: str, test: str) -> list[str]:  # noqa: ARG002  # as the others
        change = {"down": "before - after", "both": "abs(after - before)"}.get(
            settings.get("direction", ""), "after - before"
        )
        form, later = settings.get("form"), settings.get("ties") == "later"
        pairs = f"zip({values}, {values}[1:])"
        if form is None:
            return [f"return max({change} for before, after in {pairs})"]
        lines = [f"changes = [{change} for before, after in {pairs}]", "best = max(changes)"]
        if later:
            lines.append("place = len(changes) - changes[::-1].index(best)")
        else:
            lines.append("place = changes.index(best) + 1")
        return [*lines, "return place" if form == "place" else f"return ({values}[place - 1], {values}[place])"]

    def _alarm(self, plan: Plan, settings: Settings, values: str, test: str) -> list[str]:
        first = ", start=1" if settings.get("start") == "1" else ""
        test = f"value is not None and {test}" if settings.get("gap") == "skip" else test
        form = settings.get("form")
        if form == "number":
            return [
                f"return sum(1 for value in {values} if {test})"
                if plan.style % 2
                else f"return [{test} for value in {values}].count(True)"
            ]
        if form == "first":
            return [
                f"for place, value in enumerate({values}{first}):",
                f"    if {test}:",
                "        return place",
                "return -1",
            ]
        return [f"return [place for place, value in enumerate({values}{first}) if {test}]"]

    def _smooth(self, plan: Plan, settings: Settings, values: str, test: str) -> list[str]:  # noqa: ARG002  # as the others
        window, ends = settings["window"], settings["ends"]
        mean = settings.get("rounded", "{}").format("sum(part) / len(part)")
        result = ["smoothed = []", f"for end in range(1, len({values}) + 1):"]
        if ends == "less":
            inner = [f"part = {values}[max(0, end - {window}):end]", f"smoothed.append({mean})"]
        elif ends == "drop":
            inner = [
                f"if end < {window}:",
                "    continue",
                f"part = {values}[end - {window}:end]",
                f"smoothed.append({mean})",
            ]
        else:
            inner = [
                f"if end < {window}:",
                f"    smoothed.append({values}[end - 1])",
                "else:",
                f"    part = {values}[end - {window}:end]",
                f"    smoothed.append({mean})",
            ]
        return [*result, *("    " + line for line in inner), "return smoothed"]

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        one = plan.domain.measures[int(plan.operators["main"])]
        limits = [float(text) for text in grid(one, 0.35, 0.5, 0.65)]
        for turn in itertools.count():
            limit = number(draw.pick(limits))
            count = (0 if "empty" in settings else 4) if turn == 2 else (4, 5, 6, 7, 8, 10)[turn % 6]
            values: list[float | None] = [usual(one, draw) for _ in range(count)]
            for place in range(count):
                if "limit" in plan.operators.values() or draw.below(2):
                    values[place] = number(
                        (limit if plan.operators["limit"] == "given" else draw.pick(limits))
                        + draw.pick((0, 0, 1, -1, 2)) * one.step
                    )
                if settings.get("gap") and not draw.below(4):
                    values[place] = None
            if plan.operators["end"] == "rise" and "empty" in settings and turn in (2, 3):
                values = values[:1]
            yield (values, limit) if plan.operators["limit"] == "given" else (values,)


def _limits(one: Measure, words: Mapping[str, str]) -> list[dict[str, str]]:
    """Return alternatives for what makes a thing good."""
    good, each = words["good"], []
    for n, sign in zip(grid(one, 0.35, 0.5, 0.65), (">=", ">", ">="), strict=False):
        least, on = (
            (f"at least {n}", f"from {n}{one.shown_unit} on")
            if sign == ">="
            else (f"more than {n}", f"above {n}{one.shown_unit}")
        )
        each.append(
            {
                "code": f"{n} {sign}",
                "says1": f"{upper(a(good))} {words['item']} has {a(one.phrase)} of {least}{one.shown_unit}.",
                "says2": f"It counts as {good} {on}.",
            }
        )
    return each
