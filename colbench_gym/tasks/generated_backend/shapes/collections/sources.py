"""Forms in which a collection of things is handed to a function, and expressions for its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from colbench_gym.tasks.generated_backend.matters import Arguments, Settings, grid, identifier, words_of
from colbench_gym.tasks.generated_backend.ontology import Domain, Measure
from colbench_gym.tasks.generated_backend.wordings import goals

SOURCES = ("records", "nested", "tuples", "columns", "mapping", "lines")
RICH = ("records", "nested")  # a second measure and a flag can be reached
GROUPED = ("records", "nested", "tuples", "columns")  # the kind can be reached
REPEATING = ("records", "tuples", "columns", "lines")  # a name can come twice


def source_phrases(domain: Domain, source: str, one: Measure) -> tuple[str, ...]:
    """Return noun phrases for how the things are handed over; their keys are left to be filled in."""
    name, amount = domain.names[0], grid(one, 0.5)[0]
    words = {**words_of(domain), "one": one.phrase, "sample": f"{name}: {amount}", "keys": "{keys}"}
    more = {"row": f'("{name}", {amount}, "{domain.kinds[0]}")', "pair": f'{{"{name}": {amount}}}'}
    return goals(f"source {source}", words | more)


def source_roles(source: str) -> tuple[str, ...]:
    """Return what the parameters that hold the things are for."""
    if source == "columns":
        return ("names", "values", "kinds")
    return (f"items {source}",)


@dataclass(frozen=True)
class Reach:
    """Expressions for the parts of one thing in a loop.

    Attributes:
        head: ``for book in books``.
        before: statements at the start of the loop's body.
        name: expression of its name.
        one: expression of the main measure.
        two: expression of the second measure.
        kind: expression of its kind.
        flag: expression of its flag.
        guards: conditions without which the others cannot be reached.
    """

    head: str
    before: tuple[str, ...]
    name: str
    one: str
    two: str = ""
    kind: str = ""
    flag: str = ""
    guards: tuple[str, ...] = ()


def reach(
    domain: Domain, source: str, names: Mapping[str, str], one: Measure, two: Measure, settings: Settings
) -> Reach:
    """Return how the parts of one thing are reached."""
    item = identifier(domain.item.split()[-1])
    missing = settings.get("missing")
    if source in RICH:
        variable, listed = item if item not in names.values() else "entry", source == "records"
        key = f"'{one.name}'"
        value = f"{variable}[{key}]" if missing in (None, "skip") else f"{variable}.get({key}, {missing})"
        guards = (f"{key} in {variable}",) if missing == "skip" else ()
        head = f"for {variable} in {names['items']}" if listed else f"for name, {variable} in {names['items']}.items()"
        return Reach(
            head,
            (),
            f"{variable}['name']" if listed else "name",
            value,
            f"{variable}['{two.name}']",
            f"{variable}['{domain.kind}']",
            f"{variable}['{domain.flags[0][0]}']",
            guards,
        )
    value = one.name if one.name not in names.values() else "amount"
    kind = domain.kind if domain.kind not in names.values() else "label"
    if source in ("tuples", "columns"):
        rows = names["items"] if source == "tuples" else f"zip({names['names']}, {names['values']}, {names['kinds']})"
        return Reach(f"for name, {value}, {kind} in {rows}", (), "name", value, kind=kind)
    if source == "mapping":
        return Reach(f"for name, {value} in {names['items']}.items()", (), "name", value)
    number = "int" if one.step == int(one.step) else "float"
    broken = {"skip": ("if ':' not in line:", "    continue"), "stop": ("if ':' not in line:", "    break")}
    guard = broken.get(settings.get("broken", ""), ())
    before = (
        *guard,
        *(("name, _, text = line.partition(':')",) if guard else ("name, text = line.split(':')",)),
        f"{value} = {number}(text)",
    )
    strip = "name" if settings.get("blanks") != "strip" else "name.strip()"
    return Reach(f"for line in {names['items']}", before, strip, value)


@dataclass
class Thing:
    """One thing of an input."""

    name: str
    one: float
    two: float
    kind: str
    flag: bool
    missing: bool = False


def handed_over(domain: Domain, source: str, things: list[Thing], one: Measure, two: Measure) -> Arguments:
    """Return things as the arguments of :func:`source_roles`."""
    if source == "columns":
        return ([t.name for t in things], [t.one for t in things], [t.kind for t in things])
    if source == "tuples":
        return ([(t.name, t.one, t.kind) for t in things],)
    if source == "mapping":
        return ({t.name: t.one for t in things},)
    if source == "lines":
        return ([f"{t.name}: {t.one}" if not t.missing else t.name for t in things],)
    dicts = []
    for t in things:
        parts: dict[str, object] = {"name": t.name, one.name: t.one, two.name: t.two, domain.kind: t.kind}
        parts[domain.flags[0][0]] = t.flag
        if t.missing:
            del parts[one.name]
        dicts.append(parts)
    if source == "records":
        return (dicts,)
    return ({str(d.pop("name")): d for d in dicts},)
