"""Random functions whose behaviour is known: drawn from a small grammar of guards, limits, loops, tables and forms."""

from __future__ import annotations

from dataclasses import dataclass

from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.permutation import Draw

_THINGS = ("parcel", "ticket", "garden", "lesson", "engine", "recipe", "tenant", "voyage")
_AMOUNTS = ("weight", "distance", "points", "height", "duration", "price")
_KINDS = (("colour", ("red", "green", "blue")), ("size", ("small", "medium", "large")), ("zone", ("north", "south")))
_VERDICTS = (("low", "middle", "high"), ("reject", "review", "accept"), ("bronze", "silver", "gold"))
_CALLS = 10


@dataclass(frozen=True)
class Drawn:
    """A function and realistic calls of it.

    Attributes:
        source: the function.
        name: of the function.
        parameters: (name, sort) of each; the sort is ``number``, ``numbers``, ``pairs``, ``kind`` or ``flag``.
        limits: (parameter, constant) of each comparison of a number with a constant.
        calls: call expressions.
        ties: which of equal pairs wins, ``first`` or ``last``; empty where no pair is chosen.
    """

    source: str
    name: str
    parameters: tuple[tuple[str, str], ...]
    limits: tuple[tuple[str, float], ...]
    calls: tuple[str, ...]
    ties: str = ""

    @property
    def task(self) -> BackendTask:
        """Return a task with the function as its reference."""
        signature = self.source.partition("\n")[0].removesuffix(":")
        description = f"Please write a Python function for me. The signature of the function is: {signature}"
        return BackendTask(self.name, description, self.source, self.calls, (), self.source)


def draw_reference(number: int) -> Drawn:
    """Return the function of that number."""
    draw = Draw("random reference", number)
    return draw.pick((_charge, _verdict, _total, _best, _listing))(draw)


def _charge(draw: Draw) -> Drawn:
    """Draw a number worked out from a measure, a kind and a flag."""
    amount, (kind, kinds) = draw.pick(_AMOUNTS), draw.pick(_KINDS)
    limit, rate = draw.between(5, 60), draw.pick((2, 3, 0.5, 1.25, 4))
    lines, limits = [], [(amount, float(limit))]
    if draw.below(2):
        lines += [
            f"if {amount} < 0:",
            f"    {draw.pick(('return -1', 'raise ValueError(' + repr('no ' + amount) + ')'))}",
        ]
        limits.append((amount, 0.0))
    lower = ".lower()" if draw.below(2) else ""
    lines.append(f"total = {amount} * {rate}")
    sign = draw.pick((">", ">=", "<", "<="))
    lines += [f"if {amount} {sign} {limit}:", f"    total += {draw.between(2, 9)}"]
    factors = {value: draw.pick((2, 0.9, 1.5)) for value in kinds[: draw.between(1, len(kinds))]}
    lines.append(f"total *= {factors!r}.get({kind}{lower}, 1)")
    lines += ["if urgent:", f"    total += {draw.between(10, 30)}"]
    lines.append(draw.pick(("return round(total, 2)", "return total", "return round(total)", "return max(total, 5)")))
    calls = [f"({draw.between(-2, 80)}, {_spelt(draw, kinds)!r}, {bool(draw.below(2))})" for _ in range(_CALLS)]
    return _drawn(draw, "fee", ((amount, "number"), (kind, "kind"), ("urgent", "flag")), lines, limits, calls)


def _verdict(draw: Draw) -> Drawn:
    """Draw a verdict with two limits."""
    amount, (low, middle, high) = draw.pick(_AMOUNTS), draw.pick(_VERDICTS)
    first, bonus = draw.between(5, 40), draw.between(1, 9)
    second, sign = first + draw.between(5, 40), draw.pick(("<", "<="))
    lines = []
    if draw.below(2):
        lines += ["if member:", f"    {amount} = {amount} + {bonus}"]
    if draw.below(2):
        lines += [f"if {amount} {sign} {first}:", f"    return {low!r}", f"if {amount} {sign} {second}:"]
        lines += [f"    return {middle!r}", f"return {high!r}"]
    else:
        lines += [f"if {amount} {sign} {first}:", f"    result = {low!r}", f"elif {amount} {sign} {second}:"]
        lines += [f"    result = {middle!r}", "else:", f"    result = {high!r}", "return result"]
    values = (first - 3, first, first + 1, second, second + 5)
    calls = [f"({draw.pick(values)}, {bool(draw.below(2))})" for _ in range(_CALLS)]
    limits = [(amount, float(first)), (amount, float(second))]
    return _drawn(draw, "verdict", ((amount, "number"), ("member", "flag")), lines, limits, calls)


def _total(draw: Draw) -> Drawn:
    """Draw a number over a list of numbers."""
    items, limit = draw.pick(("values", "scores", "readings", "amounts")), draw.between(3, 30)
    lines = []
    if draw.below(3):
        empty = draw.pick(("return 0", "return None", "return -1", "raise ValueError('no data')", "return 'nothing'"))
        lines += [f"if not {items}:", f"    {empty}"]
    sign, cap = draw.pick((">", ">=", "<", "<=")), draw.between(20, 60)
    lines += ["total = 0", f"for value in {items}:", f"    if value {sign} {limit}:"]
    lines += [draw.pick(("        continue", f"        value = {limit}", "        value = value * 2"))]
    lines += [f"    total += min(value, {cap})" if draw.below(2) else "    total += value"]
    ends = ("return total", f"return total / len({items})", f"return round(total / len({items}), 1)", "return [total]")
    lines.append(draw.pick((*ends, "return {'total': total}")))
    calls = [f"({[draw.between(0, 40) for _ in range(draw.between(1, 6))]!r})" for _ in range(_CALLS)]
    return _drawn(draw, "sum", ((items, "numbers"),), lines, [], calls)


def _best(draw: Draw) -> Drawn:
    """Draw the choice of one pair of a name and a number."""
    pairs, limit = draw.pick(("entries", "records", "offers")), draw.between(2, 20)
    lines = [f"kept = [(name, amount) for name, amount in {pairs} if amount {draw.pick(('>', '>='))} {limit}]"]
    lines += ["if not kept:", f"    return {draw.pick(('none', 'nobody', ''))!r}"]
    way, ties = draw.pick(("max", "min")), draw.pick(("first", "last"))
    if ties == "first" and draw.below(2):
        lines.append(f"return {way}(kept, key=lambda pair: pair[1])[0]")
    else:
        lines += [f"best = {way}(amount for _, amount in kept)"]
        lines.append(f"return [name for name, amount in kept if amount == best][{'0' if ties == 'first' else '-1'}]")
    names = ("Ada", "Bo", "Cy", "Di", "Ed")
    rows = [[(name, draw.between(1, 24)) for name in draw.some(names, draw.between(1, 5))] for _ in range(_CALLS)]
    return _drawn(draw, "choice", ((pairs, "pairs"),), lines, [], [f"({row!r})" for row in rows], ties)


def _listing(draw: Draw) -> Drawn:
    """Draw a list of names, sorted and cut."""
    pairs, many = draw.pick(("entries", "records", "offers")), draw.between(2, 4)
    lines = []
    if draw.below(2):
        lines += ["seen = set()", "kept = []", f"for name, amount in {pairs}:", "    if name not in seen:"]
        lines += ["        seen.add(name)", "        kept.append((name, amount))"]
    else:
        lines += [f"kept = list({pairs})"]
    key = draw.pick(("pair[1]", "-pair[1]", "pair[0]", "(-pair[1], pair[0])"))
    lines += [f"kept.sort(key=lambda pair: {key})"] if draw.below(4) else []
    form = draw.pick(("name", "name.upper()", "f'{name}: {amount}'", "(name, amount)"))
    lines.append(f"return [{form} for name, amount in kept][:{many}]")
    names = ("Ada", "Bo", "Cy", "Di", "Ed", "Ada")
    rows = [[(name, draw.between(1, 9)) for name in draw.some(names, draw.between(0, 6))] for _ in range(_CALLS)]
    return _drawn(draw, "list", ((pairs, "pairs"),), lines, [], [f"({row!r})" for row in rows])


def _spelt(draw: Draw, kinds: tuple[str, ...]) -> str:
    return draw.pick((str, str.title, str.upper))(draw.pick((*kinds, "other")))


def _drawn(
    draw: Draw,
    what: str,
    parameters: tuple[tuple[str, str], ...],
    lines: list[str],
    limits: list[tuple[str, float]],
    calls: list[str],
    ties: str = "",
) -> Drawn:
    name = f"{draw.pick(_THINGS)}_{what}"
    source = f"def {name}({', '.join(p for p, _ in parameters)}):\n" + "".join(f"    {line}\n" for line in lines)
    return Drawn(source, name, parameters, tuple(limits), tuple(f"{name}{call}" for call in calls), ties)
