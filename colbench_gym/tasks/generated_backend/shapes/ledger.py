"""Programs with state: a stock through a list of movements."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, grid, listed, tidy
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, Role
from colbench_gym.tasks.generated_backend.shapes.small import Small
from colbench_gym.tasks.generated_backend.values import identifier, number, usual
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw

_WORDS = {
    "in": ("in", "out"),
    "add": ("add", "take"),
    "plus": ("plus", "minus"),
    "arrive": ("arrive", "leave"),
    "get": ("get", "give"),
}


class Ledger(Small):
    """The stock after a list of movements."""

    name = "ledger"
    choices: Mapping[str, tuple[str, ...]] = {"end": ("keep",), "words": tuple(_WORDS), "main": ("0", "1", "2")}

    def allows(self, domain: Domain, operators: Operators) -> bool:
        """Return whether the operators can be composed: a stock is of something that is stored."""
        return domain.measures[int(operators["main"])].stored

    def words(self, domain: Domain, operators: Operators) -> dict[str, str]:
        """Return the words of a domain for the templates."""
        come, go = _WORDS[operators["words"]]
        return {**super().words(domain, operators), "word_in": come, "word_out": go}

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        return (goals("ledger keep", words), goals("ledger words", words))

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:
        """Return names for the function."""
        one, items = domain.measures[int(operators["main"])].name, identifier(domain.items)
        return (f"track_{one}", f"update_{items}", f"{one}_after_movements", f"follow_{items}", f"{items}_balance")

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:
        """Return the parameters."""
        one, item = domain.measures[int(operators["main"])].name, identifier(domain.item)
        return (
            Role("start", ("start", f"{one}_at_start", "opening", f"initial_{one}", f"{one}_now", f"{one}_before")),
            Role(
                "moves",
                ("movements", f"{item}_movements", "changes", "events", f"{one}_log", "transactions", "bookings"),
            ),
        )

    def parameters(self, domain: Domain, operators: Operators) -> Mapping[str, tuple[str, ...]]:
        """Return names of parameters by which a caller may decide a matter."""
        one = domain.measures[int(operators["main"])].name
        return {
            "room": ("room", "capacity", f"max_{one}", f"{one}_capacity"),
            "warn": (f"low_{one}", "warn_below", "warning_level"),
        }

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        one, words = domain.measures[int(operators["main"])], self.words(domain, operators)
        return (
            matter("ledger", "below", words),
            matter("ledger", "room", words, listed(tidy(one.high * share) for share in (1.1, 1.3))),
            matter("ledger", "strange", words),
            matter("ledger", "negative", words),
            matter("ledger", "loss", words, listed(("2", "3"))),
            matter("ledger", "form", words),
            matter("ledger", "letters", words),
            matter("ledger", "warn", words, listed(grid(one, 0.1, 0.2))),
        )

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        come, go = _WORDS[plan.operators["words"]]
        start, moves, style = plan.names["start"], plan.names["moves"], plan.style
        form, below = settings.get("form"), settings["below"]
        word = f"word{settings.get('letters', '')}"
        taken = f"amount + {settings['loss']}" if "loss" in settings else "amount"
        inner: list[str] = []
        if settings.get("negative") == "skip":
            inner += ["if amount < 0:", "    continue"]
        elif "negative" in settings:
            inner.append("amount = abs(amount)")
        add = ["stock += amount"]
        if "room" in settings:
            add = (
                [f"stock = min(stock + amount, {settings['room']})"]
                if style % 2
                else [*add, f"if stock > {settings['room']}:", f"    stock = {settings['room']}"]
            )
        take = {
            "allow": [f"stock -= {taken}"],
            "part": [f"stock = max(stock - {taken if taken == 'amount' else f'({taken})'}, 0)"],
            "refuse": [f"if {taken} <= stock:", f"    stock -= {taken}"],
            "stop": [f"if {taken} > stock:", "    break", f"stock -= {taken}"],
        }[below]
        strange = settings.get("strange")
        last = f"elif {word} == '{go}':" if strange else "else:"
        inner += [f"if {word} == '{come}':", *("    " + line for line in add), last, *("    " + line for line in take)]
        if strange == "stop" or (strange and form == "history"):
            inner += ["else:", f"    {'break' if strange == 'stop' else 'continue'}"]
        if form == "history":
            inner.append("history.append(stock)")
        elif form == "lowest":
            inner.append("lowest = min(lowest, stock)")
        setup = [
            f"stock = {start}",
            *({"history": ["history = []"], "lowest": [f"lowest = {start}"]}.get(form or "", [])),
        ]
        lines = [*setup, f"for word, amount in {moves}:", *("    " + line for line in inner)]
        if "warn" in settings:
            lines += [f"if stock < {settings['warn']}:", "    return 'low'"]
        result = {"history": "history", "lowest": "lowest", "changes": f"stock - {start}"}.get(form or "", "stock")
        return [*lines, f"return {result}"]

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        one = plan.domain.measures[int(plan.operators["main"])]
        come, go = _WORDS[plan.operators["words"]]
        for turn in itertools.count():
            moves = []
            for _ in range((2, 3, 4, 5, 6)[turn % 5]):
                word = come if draw.below(3) == 0 else go
                if turn % 4 == 1:
                    word = come if draw.below(4) else go
                if "letters" in settings and draw.below(2):
                    word = draw.pick((word.upper(), word.capitalize()))
                if "strange" in settings and not draw.below(6):
                    word = "check"
                amount = usual(one, draw, most=draw.pick((0.2, 0.4, 0.7)))
                moves.append((word, number(-amount) if "negative" in settings and not draw.below(5) else amount))
            yield (usual(one, draw), moves)
