"""Programs with a small class: a list of waiting things that follows commands."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, listed
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, Role, indented
from colbench_gym.tasks.generated_backend.shapes.small import Small
from colbench_gym.tasks.generated_backend.values import identifier
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw

_COMMANDS = {
    "add": ("add", "next", "drop"),
    "put": ("put", "take", "cancel"),
    "join": ("join", "call", "leave"),
    "enter": ("enter", "finish", "remove"),
}


class Worklist(Small):
    """A waiting list with rules of its own."""

    name = "worklist"
    choices: Mapping[str, tuple[str, ...]] = {"end": ("left", "taken"), "words": tuple(_COMMANDS)}

    def allows(self, domain: Domain, operators: Operators) -> bool:  # noqa: ARG002  # the protocol's arguments
        """Return whether the operators can be composed: only some things wait."""
        return domain.timed

    def words(self, domain: Domain, operators: Operators) -> dict[str, str]:
        """Return the words of a domain for the templates."""
        add, take, drop = _COMMANDS[operators["words"]]
        return {**super().words(domain, operators), "add": add, "take": take, "drop": drop}

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        return tuple(goals(f"worklist {part}", words) for part in (operators["end"], "words"))

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:
        """Return names for the function."""
        items = identifier(domain.items)
        if operators["end"] == "left":
            return (f"waiting_{items}", f"{items}_in_line", f"open_{items}", f"{items}_still_waiting")
        return (f"handled_{items}", f"{items}_called", f"finished_{items}", f"{items}_that_had_their_turn")

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:  # noqa: ARG002  # the protocol's arguments
        """Return the parameters."""
        item, items = identifier(domain.item), identifier(domain.items)
        names = (
            "commands",
            f"{item}_commands",
            f"{items}_events",
            f"{domain.key}_log",
            "steps",
            "orders",
            f"{item}_log",
        )
        waiting = ("waiting", f"{items}_before", f"first_{items}", f"{items}_at_start")
        return (Role("commands", names), Role("before", waiting))

    def parameters(self, domain: Domain, operators: Operators) -> Mapping[str, tuple[str, ...]]:  # noqa: ARG002  # as above
        """Return names of parameters by which a caller may decide a matter."""
        return {"room": ("room", "capacity", "max_waiting", f"places_for_{identifier(domain.items)}")}

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        words, end = self.words(domain, operators), operators["end"]
        return (
            matter("worklist", "turn", words),
            matter("worklist", "room", words, listed(("3", "4"))),
            matter("worklist", "repeat", words),
            matter("worklist", "stranger", words),
            matter("worklist", "front", words, [{"code": name, "n": name} for name in domain.names[:2]]),
            matter("worklist", "letters", words),
            matter("worklist", f"form_{end}", words),
            *([matter("worklist", "nobody", words)] if end == "taken" else []),
        )

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        as_class = plan.style % 3 != 0
        rules = self._rules(plan, settings, "self." if as_class else "")
        before, taken = plan.names["before"], plan.operators["end"] == "taken"
        first = f"[name.lower() for name in {before}]" if "letters" in settings else f"list({before})"
        if as_class:
            lines = ["class Line:", "    def __init__(self, names):"]
            lines += [f"        self.names = {first.replace(before, 'names')}", *["        self.done = []"] * taken]
            for method, statements in rules.items():
                lines += [f"    def {method}(self, name):", *indented(indented(statements))]
            lines.append(f"line = Line({before})")
        else:
            lines = [f"names = {first}", *["done = []"] * taken]
        lines += [
            f"for word, name in {plan.names['commands']}:",
            *indented(self._steps(plan, settings, rules, as_class)),
        ]
        result = ("done" if taken else "names") if not as_class else ("line.done" if taken else "line.names")
        forms = {"text": f"', '.join({result})", "count": f"len({result})", "sorted": f"sorted({result})"}
        return [*lines, f"return {forms.get(settings.get('form', ''), result)}"]

    def _rules(self, plan: Plan, settings: Settings, of: str) -> dict[str, list[str]]:
        """Return the statements for each command."""
        names, turn = f"{of}names", settings["turn"]
        leaves = [f"{names} = [other for other in {names} if other != name]"]
        push = f"{names}.append(name)"
        if "front" in settings:
            push = f"{names}.insert(0 if name == {settings['front']!r} else len({names}), name)"
        conditions = [f"name not in {names}"] if settings.get("repeat") == "skip" else []
        conditions += [f"len({names}) < {settings['room']}"] if "room" in settings else []
        joins = [f"if {' and '.join(conditions)}:", f"    {push}"] if conditions else [push]
        if settings.get("repeat") == "end":
            joins = [*leaves, *joins]
        part = {"first": f"{names}[:1]", "last": f"{names}[-1:]"}.get(turn, "picked")
        calls = [f"picked = sorted({names})[:1]"] if turn == "alphabet" else []
        if plan.operators["end"] == "taken":
            calls.append(f"{of}done += {part}{' or ' + repr(['nobody']) if 'nobody' in settings else ''}")
        gone = f"{names} = [other for other in {names} if other not in picked]"
        calls.append(gone if turn == "alphabet" else f"del {part}")
        return {"join": joins, "call": calls, "leave": leaves}

    def _steps(self, plan: Plan, settings: Settings, rules: Mapping[str, list[str]], as_class: bool) -> list[str]:
        """Return the statements for one command."""
        add, take, drop = _COMMANDS[plan.operators["words"]]
        steps = ["name = name.lower()"] if "letters" in settings else []
        if settings.get("stranger") == "stop":
            steps += [f"if word == {drop!r} and name not in {'line.names' if as_class else 'names'}:", "    break"]
        if as_class:
            return [*steps, f"{{{add!r}: line.join, {take!r}: line.call, {drop!r}: line.leave}}[word](name)"]
        for key, word, rule in (("if", add, "join"), ("elif", take, "call"), ("elif", drop, "leave")):
            steps += [f"{key} word == {word!r}:", *indented(rules[rule])]
        return steps

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        words = _COMMANDS[plan.operators["words"]]
        for turn in itertools.count():
            names = [*plan.domain.names[:2], *draw.some(plan.domain.names[2:], 3)]
            waiting = draw.some(names, draw.below(4))
            commands = []
            for _ in range((4, 5, 6, 7)[turn % 4]):
                word = words[draw.pick((0, 0, 0, 1, 2) if turn % 3 else (0, 1, 1, 2))]
                name = draw.pick(names)
                if "letters" in settings and not draw.below(3):
                    name = name.upper()
                commands.append((word, "" if word == words[1] else name))
            yield (commands, waiting)
