"""Hidden choices that many families share, with the sentences in which a person states them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from colbench_gym.tasks import Decision
from colbench_gym.tasks.generated_backend.families.grammar import Pick, Value


def number(key: str, noun: str, values: Sequence[Any], unit: str = "", topics: str = "", also: str = "") -> Value:
    """Return a quantity, such as ``the weight limit``. ``also`` is a second noun phrase for it."""
    return Value(
        key,
        about(noun, also),
        values,
        (
            f"{noun[0].upper()}{noun[1:]} is {{}}{unit}.",
            f"I use {{}}{unit} as {noun}.",
            f"For {noun} please take {{}}{unit}.",
        ),
        tuple(topics.split()),
    )


def word(key: str, noun: str, values: Sequence[str], topics: str = "", also: str = "") -> Value:
    """Return a text that the function uses or returns, such as ``the label for a good score``."""
    return Value(
        key,
        about(noun, also),
        values,
        (f"{noun[0].upper()}{noun[1:]} is {{}}.", f"Please use {{}} for {noun}.", f"I want {{}} as {noun}."),
        ("label", "text", "word", *topics.split()),
    )


def instead(key: str, when: str, values: Sequence[Any], topics: str = "") -> Value:
    """Return the choice of a value for a special case, such as ``the list is empty``."""
    return Value(
        key,
        (f"what to return when {when}", f"the result when {when}"),
        values,
        (f"When {when}, return {{}}.", f"I expect {{}} back when {when}.", f"It should give {{}} if {when}."),
        ("special", "case", "edge", *topics.split()),
    )


def pick(key: str, noun: str, *options: tuple[str, ...], topics: str = "", also: str = "") -> Pick:
    """Return a choice among pieces of code; each option is its code and the sentences that state it."""
    return Pick(key, about(noun, also), options, tuple(topics.split()))


def edge(key: str, noun: str, inside: str, outside: str, *, says: tuple[str, str], topics: str = "") -> Pick:
    """Return the choice whether a value exactly at a limit counts: code and sentence for either."""
    options = tuple(
        (code, f"{text[0].upper()}{text[1:]}.", f"I would say {text}.")
        for code, text in zip((inside, outside), says, strict=True)
    )
    return Pick(key, (noun,), options, ("exactly", "equal", "inclusive", "boundary", "at", "border", *topics.split()))


def rounding(expression: str, noun: str = "the result", key: str = "rounded") -> Pick:
    """Return the choice of a rounding of a positive number; the expression is a name, a product or a quotient."""
    return Pick(
        key,
        (f"the rounding of {noun}", f"how precise {noun} should be"),
        (
            (
                f"round({expression}$near, 2)",
                f"Round {noun} to two decimals.",
                f"I need two decimal places for {noun}.",
            ),
            (f"round({expression}$near, 1)", f"Round {noun} to one decimal.", f"I need one decimal place for {noun}."),
            (
                f"round({expression}$near)",
                f"Round {noun} to the nearest whole number.",
                f"I need the nearest whole number for {noun}.",
            ),
            (
                f"int({expression}$near)",
                f"Round {noun} down to a whole number.",
                f"Just cut the decimals off {noun}, so it is always rounded down.",
            ),
        ),
        words("round rounding decimal decimals precision precise digits whole"),
    )


def letter_case(expression: str, noun: str, key: str = "case") -> Pick:
    """Return the choice in which case a text is given back."""
    return Pick(
        key,
        (f"upper or lower case in {noun}", f"the letter case of {noun}"),
        (
            (expression, f"Leave {noun} exactly as typed.", f"Do not change the letters of {noun} at all."),
            (f"{expression}.lower()", f"Put {noun} in lower case.", f"I want small letters only in {noun}."),
            (f"{expression}.upper()", f"Put {noun} in upper case.", f"I want capital letters only in {noun}."),
        ),
        words("case upper lower uppercase lowercase capital capitals letters capitalise capitalize"),
    )


def no_preference(key: str, noun: str, topics: str = "") -> Decision:
    """Return a matter on which the person has no preference; no test depends on it."""
    return Decision(
        key,
        (noun,),
        (f"I have no preference about {noun}.", f"It does not matter to me: {noun} is up to you."),
        words(noun, topics),
    )


def about(noun: str, also: str) -> tuple[str, ...]:
    """Return the noun phrases for a matter."""
    return (noun, also) if also else (noun,)


_DULL_WORDS = (
    "the and for that with from how what when which should you your this there than are was has have does not one its"
)
_DULL = frozenset(_DULL_WORDS.split())


def words(*texts: str) -> tuple[str, ...]:
    """Return the telling words of some texts, in lower case, each once."""
    found = (word.strip(".,;:?!'\"()").lower() for text in texts for word in text.split())
    return tuple(dict.fromkeys(word for word in found if len(word) > 2 and word not in _DULL))
