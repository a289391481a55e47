"""Programs that check a typed code, or the entry for one thing."""

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
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, Role
from colbench_gym.tasks.generated_backend.shapes.small import Small
from colbench_gym.tasks.generated_backend.values import identifier, number, usual
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw

_SUMS = {
    "even": "sum(map(int, {digits})) % 2 == 0",
    "three": "sum(int(digit) for digit in {digits}) % 3 == 0",
    "last": "sum(map(int, {digits}[:-1])) % 10 == int({digits}[-1])",
}
_TOGETHER = 4  # conditions in one statement
_SHORT_NAME, _NAME = 6, 8  # letters that a name may have


class Validate(Small):
    """A code or an entry is right or wrong."""

    name = "validate"
    choices: Mapping[str, tuple[str, ...]] = {"end": ("code", "entry"), "kind": ("", "kind"), "main": ("0", "1", "2")}

    def allows(self, domain: Domain, operators: Operators) -> bool:  # noqa: ARG002  # the protocol's arguments
        """Return whether the operators can be composed: a code has no measure."""
        return operators["end"] == "entry" or operators["main"] == "0"

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        end = operators["end"]
        parts = [end, "parts" if end == "code" else "given", *([f"kind {end}"] if operators["kind"] else [])]
        return tuple(goals(f"validate {part}", words) for part in parts)

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:
        """Return names for the function."""
        item = identifier(domain.item)
        if operators["end"] == "code":
            return (f"is_valid_{item}_code", f"check_{item}_code", f"validate_{item}_code", f"{item}_code_is_right")
        return (f"check_{item}", f"validate_{item}", f"{item}_is_plausible", f"check_{item}_entry", f"verify_{item}")

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:
        """Return the parameters."""
        item, one = identifier(domain.item), domain.measures[int(operators["main"])].name
        if operators["end"] == "code":
            names = ("code", f"{item}_code", "typed_code", "text", f"{domain.key}_code", "label", "typed", "given_code")
            kinds = (domain.kind, f"{item}_{domain.kind}", f"its_{domain.kind}", f"{domain.kind}_name")
            return (Role("code", names), *([Role("kind_", kinds)] if operators["kind"] else []))
        roles = [
            Role("name", ("name", f"{item}_name", f"name_of_{item}", f"{item}_title")),
            Role("one", (one, f"{item}_{one}", f"entered_{one}", f"{one}_value", f"typed_{one}")),
        ]
        if operators["kind"]:
            roles.append(Role("kind_", (domain.kind, f"{item}_{domain.kind}", f"entered_{domain.kind}")))
        return tuple(roles)

    def parameters(self, domain: Domain, operators: Operators) -> Mapping[str, tuple[str, ...]]:
        """Return names of parameters by which a caller may decide a matter."""
        names = ("max_length", "longest_name", f"{identifier(domain.item)}_name_length", "letters_allowed")
        return {"length": names} if operators["end"] == "entry" else {}

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        words = self.words(domain, operators)
        if operators["end"] == "code":
            names = ("letters", "glue", "digits", "capitals", "zero", "sum", "banned", "blanks", "form_code")
            found = [matter("validate", name, words) for name in names]
            return (*found, matter("validate", "prefix", words)) if operators["kind"] else tuple(found)
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
            found.append(matter("shared", "case", kind_words(domain, words)))
        return (*found, matter("validate", "form_entry", words))

    def words(self, domain: Domain, operators: Operators) -> dict[str, str]:
        """Return the words of a domain for the templates."""
        one = domain.measures[int(operators["main"])]
        fields = ["name", one.name, *([domain.kind] if operators["kind"] else [])]
        return {**super().words(domain, operators), "fields": several(map(quoted, fields))}

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        return self._code(plan, settings) if plan.operators["end"] == "code" else self._entry(plan, settings)

    def _code(self, plan: Plan, settings: Settings) -> list[str]:
        code, style = plan.names["code"], plan.style
        text = f"{code}.strip()" if settings.get("blanks") == "strip" else code
        lines = [f"letters, _, digits = {text}.partition({settings['glue']})"]
        if style % 3 == 1:
            lines = [
                f"if {text}.count({settings['glue']}) != 1:",
                f"    return {self._said(settings, 'False')}",
                f"letters, digits = {text}.split({settings['glue']})",
            ]
        tests = [f"len(letters) == {settings['letters']}", "letters.isalpha()", "digits.isdigit()"]
        if "digits" in settings:
            tests.append(f"len(digits) == {settings['digits']}")
        if "capitals" in settings:
            tests.append("letters.isupper()" if settings["capitals"] == "upper" else "letters == letters.lower()")
        if "zero" in settings:
            tests.append("not digits.startswith('0')")
        if "banned" in settings:
            tests.append(
                "not set(letters.upper()) & {'I', 'O'}"
                if style % 2
                else "all(letter not in 'IO' for letter in letters.upper())"
            )
        if "prefix" in settings:
            kind = plan.names["kind_"]
            tests.append(
                f"letters[0].lower() == {kind}[0]"
                if settings["prefix"] == "one"
                else f"letters[:2].lower() == {kind}[:2]"
            )
        if "sum" in settings:
            tests.append(_SUMS[settings["sum"]].format(digits="digits"))
        groups = [tests[place : place + _TOGETHER] for place in range(0, len(tests), _TOGETHER)]
        for group in groups[:-1]:
            lines += [f"if not ({' and '.join(group)}):", f"    return {self._said(settings, 'False')}"]
        return [*lines, f"return {self._said(settings, ' and '.join(groups[-1]))}"]

    def _said(self, settings: Settings, test: str) -> str:
        """Return the expression of the result for a condition."""
        yes, no = {"words": ("'valid'", "'invalid'"), "number": ("int(digits)", "-1")}.get(
            settings.get("form", ""), ("", "")
        )
        if test == "False":
            return no or test
        return f"{yes} if {test} else {no}" if yes else test

    def _entry(self, plan: Plan, settings: Settings) -> list[str]:
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
        if plan.operators["end"] == "code":
            return (self._coded(plan, settings, draw) for _ in itertools.count())
        return (self._entered(plan, settings, draw) for _ in itertools.count())

    def _coded(self, plan: Plan, settings: Settings, draw: Draw) -> Arguments:
        """Return a code, with its kind where there is one."""
        code = self._typed(settings, draw)
        if not plan.operators["kind"]:
            return (code,)
        kind = draw.pick(plan.domain.kinds)
        if "prefix" in settings and draw.below(3):
            begin = kind[: draw.pick((1, 2, 2))]
            begin = begin.lower() if settings.get("capitals") == "lower" else begin.upper()
            code = begin + code[len(begin) :] if code[: len(begin)].isalpha() else code
        return (code, kind)

    def _typed(self, settings: Settings, draw: Draw) -> str:
        """Return a code that is right, or that has one or two faults."""
        fault = draw.pick(("", "", "letters", "digits", "glue", "case", "zero", "sum", "banned", "blanks"))
        size = int(settings["letters"]) + (draw.pick((1, -1)) if fault == "letters" else 0)
        letters = "".join(draw.some("ABCDEFGHKLMNPQRSTUVWXYZ", size))
        if fault == "banned":
            letters = draw.pick("IO") + letters[1:]
        small = settings.get("capitals") == "lower"
        letters = letters.lower() if small != (fault == "case") else letters
        if fault == "case" and draw.below(2):
            letters = letters.capitalize()
        count = int(settings.get("digits", draw.pick((2, 3, 4, 5)))) + (draw.pick((1, -1)) if fault == "digits" else 0)
        digits = [draw.below(10) for _ in range(count)]
        digits[0] = 0 if fault == "zero" else digits[0] or 7
        rule = settings.get("sum")
        if fault != "sum" and rule == "last":
            digits[-1] = sum(digits[:-1]) % 10
        elif fault != "sum" and rule:
            while sum(digits) % (2 if rule == "even" else 3):
                digits[-1] = (digits[-1] + 1) % 10
        glue = settings["glue"].strip("'")
        glue = draw.pick([sign for sign in "-/.:" if sign != glue]) if fault == "glue" else glue
        text = f"{letters}{glue}{''.join(map(str, digits))}"
        return draw.pick((f" {text}", f"{text} ")) if fault == "blanks" else text

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
