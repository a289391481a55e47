"""Matters: things that a request can leave open, their alternatives, and how either side speaks of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from colbench_gym.tasks import Decision
from colbench_gym.tasks.generated_backend.ontology import Domain, Measure
from colbench_gym.tasks.permutation import Draw

# Which alternative each matter has, as its code; a matter that is not in it is off: nothing in the program is about it.
Settings = Mapping[str, str]
Arguments = tuple[Any, ...]  # Any: plain data of every kind


@dataclass(frozen=True)
class Option:
    """One alternative of a matter.

    Attributes:
        code: what the program is built from: a number, an expression or a name.
        says: whole sentences that state it.
        tells: how a request states it, where that is otherwise: sentences, or verb phrases ("return~ a list").
    """

    code: str
    says: tuple[str, ...]
    tells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Matter:
    """A thing that can be decided in more than one way.

    Attributes:
        key: its name within the program.
        kind: what sort of thing it is, the same in all programs: "rounding", "empty", "limit".
        about: noun phrases for it, which do not give it away.
        asks: natural questions about it.
        options: the alternatives.
        off: sentences for a program without it; empty where a program without it leaves it to the agent.
        off_tells: how a request states that, where it is otherwise.
        core: whether a program cannot do without it.
        told: whether every request tells it: what comes back, and in which order.
        asked: whether any engineer would ask for it: ties, rounding, what is empty or missing.
        usual: whether it comes as often, though nobody would ask: a request that leaves it open points at it.
        points: clauses by which a request points at it without telling it.
        group: of like matters, which clauses point at together; may be empty.
        around: these clauses, whichever of the group are open.
        needs: tells from what is decided already whether this one can matter; None where it always can.
    """

    key: str
    kind: str
    about: tuple[str, ...]
    asks: tuple[str, ...]
    options: tuple[Option, ...]
    off: tuple[str, ...] = ()
    off_tells: tuple[str, ...] = ()
    core: bool = False
    told: bool = False
    asked: bool = False
    usual: bool = False
    points: tuple[str, ...] = ()
    group: str = ""
    around: tuple[str, ...] = ()
    needs: Callable[[Settings], bool] | None = field(default=None, repr=False)

    def tells(self, code: str | None) -> tuple[str, ...]:
        """Return how a request states an alternative; ``None`` stands for a program without it."""
        if code is None:
            return self.off_tells or self.off
        return self.option(code).tells or self.option(code).says

    def arises(self, settings: Settings) -> bool:
        """Return whether it can matter beside what is decided already."""
        return self.needs is None or self.needs(settings)

    def option(self, code: str) -> Option:
        """Return the alternative with a code."""
        return next(option for option in self.options if option.code == code)

    def decision(self, code: str | None, hints: Sequence[str] = (), stated: bool = False) -> Decision:
        """Return what the person has decided, and which clauses hint at it; ``None`` is a program without it."""
        says = self.off if code is None else self.option(code).says
        words = topics(*self.about, *self.asks, *self.points)
        return Decision(self.key, (*self.about, *hints), says, words, self.kind, off=code is None, stated=stated)

    def handed(self, code: str, name: str) -> Decision:
        """Return what a parameter of a name is for, by which a caller decides; ``code`` is its default."""
        says = tuple(re.sub(rf"(?<![\w.]){re.escape(code)}(?![\w.]*\w)", name, text) for text in self.option(code).says)
        words = topics(*self.about, *self.asks, name, name.replace("_", " "))
        return Decision(self.key, self.about, says, words, kind=self.kind, stated=True)


_ROUND = 20  # from here on people choose multiples of five
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_DULL_WORDS = (
    "the and for that with from how what when which should you your this there than are was has have does not one its "
    "happen happens who any can tell will want would like please into out"
)
_DULL = frozenset(_DULL_WORDS.split())


@lru_cache(maxsize=8192)
def topics(*texts: str) -> tuple[str, ...]:
    """Return the telling words of some texts, in lower case, each once."""
    words = (word.strip(".,;:?!'\"()").lower() for text in texts for word in text.split())
    return tuple(dict.fromkeys(word for word in words if len(word) > 2 and word not in _DULL))


def upper(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def is_plural(noun: str) -> bool:
    """Return whether a noun phrase names several things: "years of support"."""
    first = noun.split()[0]
    return noun == "dead branches" or (first.endswith("s") and not first.endswith(("ss", "us", "is", "as")))


def a(noun: str) -> str:
    """Return a noun with its indefinite article; of several things their number or share."""
    if is_plural(noun):
        return f"a {'share' if noun == 'dead branches' else 'number'} of {noun}"
    silent = noun.startswith(("hour", "honest", "honour")) or (
        noun[0].lower() in "aeiou" and not noun.startswith(("uni", "use", "eu", "one"))
    )
    return f"{'an' if silent else 'a'} {noun}"


class Words(dict[str, str]):
    """Values of the fields of a template: ``{a_noun}`` is ``{noun}`` with its article, ``{Noun}`` with a capital."""

    def __missing__(self, key: str) -> str:
        if key[:1].isupper():
            return upper(self[key[:1].lower() + key[1:]])
        article, _, noun = key.partition("_")
        if article != "a" or noun not in self:
            raise KeyError(key)
        return a(self[noun])


def shown(number: float) -> str:
    """Return a number as source text, without a needless ``.0``."""
    return str(int(number)) if number == int(number) else repr(number)


def numbers(options: Iterable[Option]) -> list[float]:
    """Return the numbers among the codes of alternatives."""
    return [float(text) for option in options for text in _NUMBER.findall(option.code)]


def grid(measure: Measure, *shares: float) -> list[str]:
    """Return usual values of a measure at shares of its range, as source texts, each once."""
    span = measure.high - measure.low
    values = (measure.low + round(share * span / measure.step) * measure.step for share in shares)
    return list(dict.fromkeys(shown(value) if value < _ROUND else tidy(value) for value in values))


@lru_cache(maxsize=4096)
def identifier(phrase: str) -> str:
    """Return a word or phrase as an identifier."""
    return "".join(char if char.isalnum() else "_" for char in phrase.lower().replace("'", "")).strip("_")


def usual(measure: Measure, draw: Draw, least: float = 0.0, most: float = 1.0) -> float:
    """Return a usual value of a measure, between two shares of its range."""
    steps = int((measure.high - measure.low) / measure.step)
    low, high = int(least * steps), max(int(least * steps), int(most * steps))
    return number(measure.low + draw.between(low, high) * measure.step)


def number(value: float) -> float:
    """Return a whole number as an int."""
    return int(value) if value == int(value) else value


def tidy(value: float) -> str:
    """Return a whole number near a value that a person would choose: 2, 17, 35, 400."""
    scale = 1
    while value / scale >= 100:
        scale *= 10
    step = scale if value < _ROUND * scale else 5 * scale
    return shown(max(2, round(value / step) * step))


def several(texts: Iterable[str]) -> str:
    """Return texts as a person lists them."""
    *most, last = [*texts] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def quoted(text: str) -> str:
    """Return a text between double quotes."""
    return f'"{text}"'


def words_of(domain: Domain) -> dict[str, str]:
    """Return the words of a domain by the names that templates use."""
    one, two, _ = domain.measures
    return {
        "item": domain.item,
        "items": domain.items,
        "one": one.phrase,
        "two": two.phrase,
        "kind": domain.kind_phrase,
        "flag": domain.flags[0][1],
    }


def kind_words(domain: Domain, words: Mapping[str, str]) -> dict[str, str]:
    """Return words with the quality of a thing as their noun."""
    return {**words, "noun": f"the {domain.kind_phrase}"}


def listed(values: Iterable[str]) -> list[dict[str, str]]:
    """Return alternatives that are numbers: each is its own code."""
    return [{"code": value, "n": value} for value in values]


def spoken(texts: Iterable[str]) -> list[dict[str, str]]:
    """Return alternatives that are values: a number, or a text as it is said."""
    return [
        {"code": text, "said": text}
        if text.lstrip("-").isdigit()
        else {"code": repr(text), "said": f'the text "{text}"' if text else "an empty text"}
        for text in texts
    ]
