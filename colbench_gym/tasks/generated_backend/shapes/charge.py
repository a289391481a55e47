"""Programs over the measures of one thing: a price, a score or a verdict with conditions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from colbench_gym.tasks.generated_backend.ladders import cut_options, ladder
from colbench_gym.tasks.generated_backend.matters import (
    Arguments,
    Matter,
    Option,
    Settings,
    a,
    grid,
    is_plural,
    kind_words,
    listed,
    number,
    numbers,
    several,
    shown,
    spoken,
    tidy,
    usual,
)
from colbench_gym.tasks.generated_backend.ontology import Domain, Measure
from colbench_gym.tasks.generated_backend.ontology.needs import Need, need_of, needs
from colbench_gym.tasks.generated_backend.shapes.base import Base
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, Role
from colbench_gym.tasks.generated_backend.wordings import alternative, goals, lists, matter
from colbench_gym.tasks.permutation import Draw

_BY_TIME = ("minutes", "hours", "days", "nights", "weeks", "months", "kilometres")  # the first may be free
_BY_PART = ("minutes", "hours", "days")  # priced by each full part, too; nights and ways are not
_CLAUSES = ("how ", "which ", "what ", "where ", "whether ", "who ")  # what no frame for nouns takes
_HUNDREDTHS = re.compile(r"\.(?!25|75)\d\d")  # what is not a whole number of quarters


class Charge(Base):
    """A number worked out from the measures of one thing, and perhaps judged."""

    name = "charge"
    choices: Mapping[str, tuple[str, ...]] = {
        "end": ("price", "score", "verdict"),
        "two": ("", "two"),
        "kind": ("", "kind"),
        "flag": ("", "flag"),
        "main": ("0", "1", "2"),
    }

    def allows(self, domain: Domain, operators: Operators) -> bool:
        """Return whether the operators can be composed: whether somebody of the trade needs that."""
        extras = [key for key in ("two", "kind", "flag") if operators[key]]
        every, place = needs().get((domain.key, operators["end"]), ()), int(operators["main"])
        return bool(extras) and place < len(every) and set(extras) <= set(every[place].extras)

    def need(self, domain: Domain, operators: Operators) -> Need:
        """Return what is needed."""
        return need_of(domain, operators)

    def measures(self, domain: Domain, operators: Operators) -> tuple[Measure, Measure]:
        """Return the main measure and the one after it."""
        return (need := self.need(domain, operators)).one, need.two

    def words(self, domain: Domain, operators: Operators) -> dict[str, str]:
        """Return the words of a need for the templates."""
        need = self.need(domain, operators)
        asked = need.given.get("asked", f"whether it is {need.view.flags[0][1]}").removeprefix("whether ")
        more = {"noun": need.noun, "unit": need.unit, "each": need.each, "if_flag": asked}
        return {**super().words(need.view, operators), **more}

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        need, words = self.need(domain, operators), self.words(domain, operators)
        keys = ("one", *(key for key in ("two", "kind") if operators[key]))
        nouns = {key: f"the {words[key]}" for key in keys}
        nouns |= {key: text for key, text in need.given.items() if not text.startswith(_CLAUSES)}
        asked = [need.given.get("asked", f"whether the {need.view.item} is {words['flag']}")] * bool(operators["flag"])
        given = ([*map(known.__getitem__, keys), *asked] for known in (nouns, {**nouns, **need.given}))
        return (need.goals, goals(f"ret charge {operators['end']}", words), tuple(map(several, given)))

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:
        """Return names for the function: those of the need."""
        forms, calls = lists("names.txt")[f"charge function {operators['end']}"], self.need(domain, operators).calls
        return tuple(form.format(call=call) for form in forms for call in calls)

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:
        """Return the parameters, under the names of the need."""
        arguments = self.need(domain, operators).arguments
        return tuple(Role(key, arguments[key]) for key in self.role_keys(operators))

    def _names(self, key: str, domain: Domain, operators: Operators) -> tuple[str, ...]:
        return super()._names(key, self.need(domain, operators).view, operators)

    def role_keys(self, operators: Operators) -> Sequence[str]:
        """Return what the parameters are for."""
        return ["one", *(f"{key}_" for key in ("two", "kind", "flag") if operators[key])]

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        need, words, end = self.need(domain, operators), self.words(domain, operators), operators["end"]
        one, two, domain = need.one, need.two, need.view
        flag_leans, two_leans, kind_leans = need.leanings
        high = one.high * float(need.rates[0]) / (2 if end == "verdict" else 1)
        found = [matter("charge", "tariff", words, _tariffs(need, words, end))]
        if "free" in need.hints or (end == "price" and one.unit in _BY_TIME):
            each = listed(grid(one, 0.1, 0.2))
            found.append(matter("charge", "free", words, each, needs=lambda s: s.get("tariff", "").startswith("{}")))
        noun = {**words, "noun": f"the {words['noun']}"}
        if operators["two"]:
            limits = grid(two, 0.4, 0.6)
            each = [
                _limited(two, n, sign, e, words)
                for n, sign, e in zip(
                    (*limits, *limits), (">=", ">", ">", ">="), _effects(words, high, 0, two_leans), strict=False
                )
            ]
            found.append(matter("charge", "two", words, each))
        if operators["kind"]:
            each = [
                {"value": value, **e, "code": f"{value}|{e['code']}"}
                for value, e in zip((*domain.kinds, *domain.kinds), _effects(words, high, 1, kind_leans), strict=False)
            ]
            found.append(matter("charge", "kind", words, each))
            found.append(matter("shared", "case_one", kind_words(domain, words)))
        if operators["flag"]:
            found.append(matter("charge", "flag", words, _effects(words, high, 2, flag_leans)))
        if end == "price" or "base" in need.hints:
            found.append(matter("shared", "base", noun, listed(tidy(high * s) for s in (0.11, 0.22))))
        found.append(matter("charge", "invalid", words, spoken(("-1", "invalid", "not possible", "unknown"))))
        if end != "verdict":
            found.append(matter("shared", "cap", noun, listed(tidy(high * s) for s in (0.5, 0.7))))
            found.append(matter("shared", "floor", noun, listed(tidy(high * s) for s in (0.2, 0.35))))
            found.append(matter("shared", "rounded", noun, needs=_is_broken))
        else:
            least = max(1, round(high * 0.3 / 6))  # multiples of 6: values that factors of 2, 3 and 1.5 can reach
            steps = ((0, 0), (1, 0), (2, 0), (0, 1), (1, -1), (1, 1))
            pairs = [(shown(6 * (least + n)), shown(12 * (least + n) + 6 * more)) for n, more in steps]
            found.append(matter("shared", "cuts", words, cut_options(pairs, domain.verdicts, " points")))
        hints = {m.key: need.hints.get(m.key) or goals(f"point {m.key} {end}", words) or m.points for m in found}
        return tuple(replace(m, points=hints[m.key]) for m in found)

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        names, style = plan.names, plan.style
        one = names["one"]
        lines = []
        if "invalid" in settings:
            lines += [f"if {one} <= 0:", f"    return {settings['invalid']}"]
        counted = one
        if "free" in settings:
            counted = "counted" if style % 2 else f"max({one} - {settings['free']}, 0)"
            lines += [f"counted = max({one} - {settings['free']}, 0)"] if style % 2 else []
        result = "price" if plan.operators["end"] == "price" else "score"
        result = result if result not in names.values() else "result"
        value = settings["tariff"].format(counted)
        if "base" in settings:
            value = f"{settings['base']} + {value}" if " if " not in value else f"{settings['base']} + ({value})"
        lines.append(f"{result} = {value}")
        lines += self._effects_code(plan, settings, result)
        for key, pick in (("floor", "max"), ("cap", "min")):
            if key in settings:
                lines.append(f"{result} = {pick}({result}, {settings[key]})")
        if plan.operators["end"] == "verdict":
            return [*lines, *ladder(result, settings, self.need(plan.domain, plan.operators).view.verdicts, style)]
        return [*lines, f"return {settings.get('rounded', '{}').format(result)}"]

    def _effects_code(self, plan: Plan, settings: Settings, result: str) -> list[str]:
        names = plan.names
        effects: list[tuple[str, str, str]] = []  # the condition, its effect, and an expression of a factor or amount
        if "two" in settings:
            limit, sign, effect = settings["two"].split("|")
            condition = f"{names['two_']} {sign} {limit}"
            effects.append((condition, effect, f"{effect[2:]} * ({condition})" if effect[0] != "*" else ""))
        if "kind" in settings:
            value, _, effect = settings["kind"].partition("|")
            kind = f"{names['kind_']}.lower()" if settings.get("case") == "ignore" else names["kind_"]
            table = f"{{{value!r}: {effect[2:]}}}.get({kind}, {'1' if effect[0] == '*' else '0'})"
            effects.append((f"{kind} == {value!r}", effect, table))
        if "flag" in settings:
            flag, effect = names["flag_"], settings["flag"]
            effects.append((flag, effect, f"{effect[2:]} * {flag}" if effect[0] != "*" else ""))
        effects.sort(key=lambda effect: effect[1][0] == "*")
        lines = []
        for place, (condition, effect, short) in enumerate(effects):
            sign, amount = effect.split()
            if (plan.style + place) % 6 and short:
                lines.append(f"{result} {sign}= {short}")
            else:
                lines += [f"if {condition}:", f"    {result} {sign}= {amount}"]
        return lines

    def _near_border(self, settings: Settings, one: Measure, draw: Draw) -> float:
        """Return a value with which the score is near a border of two labels, or on it."""
        border = float(draw.pick(settings["cuts"].split("|")[:2]))
        factor = numbers([Option(settings["tariff"], ())])[0]
        share = draw.pick((1, 1, 1, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5))
        free = float(settings.get("free", 0))
        return number(round(border / factor * share / one.step) * one.step + free)

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        domain, operators = plan.domain, plan.operators
        one, two = self.measures(domain, operators)
        matters = {m.key: m for m in self.matters(domain, operators)}
        marks = [n for key in ("tariff", "free") if key in settings for n in numbers(matters[key].options)]
        marks = [n for n in marks if one.low <= n <= one.high and (n - one.low) % one.step == 0] or [one.high]
        for turn in itertools.count():
            value = usual(one, draw, most=(1.0, 0.5, 0.2, 0.8)[turn % 4])
            if turn % 3 == 0:
                value = number(draw.pick(marks) + draw.pick((0, 0, 1, -1)) * one.step)
            if operators["end"] == "verdict" and turn % 3:
                value = self._near_border(settings, one, draw)
            if value <= 0:
                value = number(one.step)
            if "invalid" in settings and turn in (7, 8):
                value = (0, number(-one.step))[turn - 7]
            given: list[object] = [value]
            if operators["two"]:
                limits = [float(option.code.split("|")[0]) for option in matters["two"].options]
                other = usual(two, draw)
                if draw.below(2):
                    other = number(draw.pick(limits) + draw.pick((0, 0, -1, 1)) * two.step)
                given.append(other)
            if operators["kind"]:
                kind = draw.pick(domain.kinds)
                if "kind" in settings and draw.below(2):
                    kind = settings["kind"].split("|")[0]
                given.append(draw.pick((kind.upper(), kind.capitalize(), kind)) if "case" in settings else kind)
            given += [draw.below(2) == 1] if operators["flag"] else []
            yield tuple(given)


def is_mixed(settings: Settings) -> bool:
    """Return whether there are both fixed amounts and factors, so that it matters which come first."""
    effects = " ".join(code for key, code in settings.items() if key in ("two", "kind", "flag"))
    return "*" in effects and ("+ " in effects or "- " in effects or "base" in settings)


def _is_broken(settings: Settings) -> bool:
    """Return whether there are decimals to round."""
    return any(_HUNDREDTHS.search(code) for key, code in settings.items() if key in ("tariff", "two", "kind", "flag"))


def _effects(words: Mapping[str, str], high: float, offset: int, leaning: str = "0") -> list[dict[str, str]]:
    """Return alternatives for what a condition does; the offset keeps the amounts of two conditions apart."""
    amount = tidy(high * (0.07, 0.09, 0.13)[offset])
    effects = [effect.split(" / ") for effect in lists("effects.txt")[leaning]]
    return [
        {
            "code": code.format(n=amount),
            "changes": changes.format(n=amount, unit=words["unit"]),
            "does": does.format(n=amount, noun=words["noun"], unit=words["unit"]),
        }
        for code, changes, does in (*effects[offset % 3 :], *effects[: offset % 3])[:4]
    ]


def _limited(two: Measure, n: str, sign: str, effect: Mapping[str, str], words: Mapping[str, str]) -> dict[str, str]:
    """Return an alternative for what a measure does from a limit on, or beyond it."""
    thing, amount = two.phrase.removeprefix("number of "), f"{n}{two.shown_unit}"
    least, more = (f"{amount} or more", "at least") if sign == ">=" else (f"above {amount}", "more than")
    given = f"{a(thing)} of {more} {amount}" if thing == two.phrase else f"{more} {n} {thing}"
    verb = "are" if is_plural(two.phrase) else "is"
    return {
        **effect,
        "code": f"{n}|{sign}|{effect['code']}",
        "least": least,
        "is": verb,
        "says1": f"If the {two.phrase} {verb} {least}, the {words['noun']} {effect['changes']}.",
        "says2": f"With {given} the {words['noun']} {effect['changes']}.",
    }


def _tariffs(need: Need, words: Mapping[str, str], end: str) -> list[dict[str, str]]:
    """Return alternatives for how a number follows from a measure."""
    one, rate = need.one, float(need.rates[0])
    rates = [(n, {"tells1": need.says[0].format(n=n), "tells2": need.says[-1].format(n=n)}) for n in need.rates]
    each = [alternative("tariff rate", {**words, "n": n}) | told for n, told in rates]
    if end != "price" or one.unit not in _BY_PART:
        return each
    part = tidy(one.high / 8)
    each.append(alternative("tariff full", {**words, "part": part, "n": tidy(float(part) * rate)}))
    low, top = (tidy(one.high * rate * share) for share in (0.25, 0.8))
    return [*each, alternative("tariff step", {**words, "part": tidy(one.high / 2), "n": low, "top": top})]
