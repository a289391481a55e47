"""Compare what a plan says in words with the claims of a reference: its numbers, where they belong, and comparisons."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from colbench_gym.humans.code_reader.lexicon import PLAIN, related, split_words, stem, stems
from colbench_gym.humans.code_reader.verbalizer import Clause, Spoken
from colbench_gym.python_code.syntax import nodes_of

MIN_NAMED = 0.6  # share of a reference's numbers that a plan must name for a yes
MIN_COVERED = 0.75  # share of a plan's words that the claims must have for a yes
_PIECES = re.compile(
    r"[;\n]|\.\s|,\s(?:and |then |but )?|\s(?:and|plus|then|while|whereas|but)\s(?=[^,;.]*\d)"
    r"|\b(?:otherwise|else)\b|\s\d\)\s"
)
_NUMBER = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s*(%|percent\b)?")
_WORDS = {
    "half": 0.5, "halve": 0.5, "halved": 0.5, "quarter": 0.25, "third": 1 / 3, "double": 2.0, "doubled": 2.0,
    "twice": 2.0, "triple": 3.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0,
    "eight": 8.0, "nine": 9.0, "ten": 10.0, "hundred": 100.0,
}  # fmt: skip
_COMPARISONS: tuple[tuple[str, str], ...] = (
    (
        r"(?:>=|≥|at least|no less than|not less than|minimum of|greater than or equal to|not below|not under)\s*{}",
        ">=",
    ),
    (r"{}(?:\s\w+)?\s(?:or more|or higher|or above|and above|and up|or greater|upwards)", ">="),
    (
        r"(?:<=|≤|at most|no more than|not more than|maximum of|up to|not above|not over|less than or equal to)\s*{}",
        "<=",
    ),
    (r"{}(?:\s\w+)?\s(?:or less|or fewer|or lower|or below|and below)", "<="),
    (
        r"(?:>(?!=)|more than|over|above|greater than|higher than|larger than|exceed(?:s|ing)?|beyond|older than)\s*{}",
        ">",
    ),
    (r"(?:<(?!=)|less than|under|below|lower than|smaller than|fewer than|younger than)\s*{}", "<"),
)
_SYMBOLS: dict[type[ast.cmpop], str] = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<="}
_TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
_OPPOSITE = {">": "<=", "<=": ">", "<": ">=", ">=": "<"}
_UNSURE = re.compile(
    r"\b(?:whatever|regardless|no matter|irrespective|unless|except|leav\w+ out|ignor\w+|retain\w*|everybody|assum\w+"
    r"|independent\w*)\b"
)


@dataclass(frozen=True)
class Comparison:
    """Result of comparing a plan with the claims.

    Attributes:
        agrees: every number and comparison of the plan is where the reference has it, and hardly any is left out; False
            when one is elsewhere; None when that cannot be told.
        clause: the claim that differs, or the one that fits best.
    """

    agrees: bool | None
    clause: Clause | None = None


def compared(said: Spoken, plan: str) -> Comparison:
    """Compare a plan in words with the claims."""
    pieces = [piece for part in _PIECES.split(plan.lower()) if (piece := part.strip(" ,.:")) and len(piece.split()) > 1]
    checked, unsure = 0, False
    unnamed: list[int] = []  # places of the claims that pieces without words of their own are about
    told: set[float] = set()
    best: Clause | None = None
    for piece in pieces:
        words = frozenset(stem(word) for word in split_words(piece) if not word.isdigit()) - PLAIN
        for number in _numbers(piece):
            told.add(number)
            holding = [clause for clause in said.clauses if _holds(clause, number)]
            fitting = [clause for clause in holding if _touches(said, clause, words)]
            if not fitting:
                elsewhere = _own_clause(said, words, number)
                if elsewhere is not None:
                    return Comparison(False, elsewhere)
                unsure = True
                continue
            best = fitting[0]
            if not words and len(fitting) == 1:
                unnamed.append(said.clauses.index(best))
            wanted = _comparison(piece, number)
            own = {symbol for clause in fitting for symbol in _compared_with(clause, number)}
            if wanted and own and wanted not in own | {_OPPOSITE[symbol] for symbol in own}:
                return Comparison(False, next(c for c in fitting if _compared_with(c, number)))
            checked += 1
    if unnamed != sorted(unnamed):
        return Comparison(False, said.clauses[min(unnamed)])
    if not checked or unsure or _UNSURE.search(plan.lower()):
        return Comparison(None, best)
    hidden = {number for clause in said.clauses for number in _literals(clause)}
    hidden -= {0, 1, 100}
    named = [number for number in hidden if any(_alike(number, other) for other in told)]
    if len(named) >= MIN_NAMED * len(hidden) and checked > 1 and _covered(said, plan) >= MIN_COVERED:
        return Comparison(True, best)
    return Comparison(None, best)


def _numbers(piece: str) -> Iterator[float]:
    for match in _NUMBER.finditer(piece):
        value = float(match[1].replace(",", ""))
        yield value / 100 if match[2] and value > 1 else value
    yield from (_WORDS[word] for word in split_words(piece) if word in _WORDS)


def _alike(number: float, other: float) -> bool:
    """Return whether two numbers are one constant, said in another way: 0.9 as 10 % off, 2 as a half."""
    ways = {other, other + 1, other - 1} if other == int(other) and other > 2 else {other}
    ways |= {100 * other, other / 100, 1 - other, 100 - other}
    if other > 1:
        ways |= {1 - other / 100, 1 / other, 1 + other / 100}
    elif 0 < other < 1:
        ways |= {1 / other, 1 + other}
    return any(abs(number - way) < 1e-9 for way in ways)


def _literals(clause: Clause) -> Iterator[float]:
    for node in clause.claim.nodes:
        for part in nodes_of(node):
            if (
                isinstance(part, ast.Constant)
                and isinstance(part.value, (int, float))
                and not isinstance(part.value, bool)
            ):
                yield float(part.value)


def _holds(clause: Clause, number: float) -> bool:
    return any(_alike(literal, number) for literal in _literals(clause))


def _touches(said: Spoken, clause: Clause, words: frozenset[str]) -> bool:
    """Return whether a piece shares a word with a claim that not every claim has, or has no words of its own."""
    common = frozenset.intersection(*(other.stems for other in said.clauses)) if len(said.clauses) > 1 else frozenset()
    own = clause.stems | clause.near
    known = frozenset(w for other in said.clauses for w in other.stems)
    spoken = words & known or frozenset(w for w in words if related([w]) & known)
    return not spoken or any(w in own - common for w in spoken | related(spoken - known))


def _own_clause(said: Spoken, words: frozenset[str], number: float) -> Clause | None:
    """Return the claim that a piece is about, when it has another number in the place of the one that was said."""
    scored = []
    for place, clause in enumerate(said.clauses):
        others = [n for n in _literals(clause) if n not in (0, 1)]
        rare = [w for w in words & clause.stems if sum(w in other.stems for other in said.clauses) == 1]
        hits = len(words & clause.stems) + bool(rare) + 0.5 * len(related(words) & clause.stems - words)
        if others and hits >= 2 and not _holds(clause, number):
            scored.append((hits, -place, clause))
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return None
    return scored[0][2]


def _comparison(piece: str, number: float) -> str:
    written = re.escape(f"{number:g}")
    for pattern, symbol in _COMPARISONS:
        if re.search(pattern.format(rf"[\w ]{{0,12}}?(?<![\w.]){written}(?![\w.]*\w)"), piece):
            return symbol
    return ""


def _compared_with(clause: Clause, number: float) -> Iterator[str]:
    """Yield how a claim compares something with a number."""
    for node in clause.claim.nodes:
        for part in nodes_of(node):
            if isinstance(part, ast.Compare):
                sides = [part.left, *part.comparators]
                for left, operator, right in zip(sides, part.ops, sides[1:], strict=False):
                    symbol = _SYMBOLS.get(type(operator), "")
                    if symbol and isinstance(right, ast.Constant) and right.value == number:
                        yield symbol
                    elif symbol and isinstance(left, ast.Constant) and left.value == number:
                        yield _TURNED[symbol]


def _covered(said: Spoken, plan: str) -> float:
    """Return the share of a plan's words that the reference or its description has."""
    known = said.vocabulary | said.knowledge.topics | frozenset(w for c in said.clauses for w in c.stems | c.near)
    words = [s for w in split_words(plan) if (s := stem(w)) not in PLAIN | _OF_PLANS and not w.isdigit() and len(w) > 1]
    near = [w for w in words if w in known or related([w]) & known]
    return len(near) / len(words) if words else 1.0


_OF_PLANS: frozenset[str] = stems(
    [
        "start",
        "begin",
        "base",
        "add",
        "subtract",
        "multiply",
        "divide",
        "plus",
        "minus",
        "half",
        "halve",
        "quarter",
        "double",
        "twice",
        "sum",
        "mean",
        "average",
        "bonus",
        "extra",
        "point",
        "points",
        "charge",
        "top",
        "percent",
        "above",
        "below",
        "over",
        "under",
        "more",
        "less",
        "least",
        "listed",
        "rest",
        "plan",
        "both",
        "nothing",
        "beyond",
        "after",
        "otherwise",
        "else",
        "step",
        "steps",
        "check",
        "checks",
        "then",
        "finally",
        "return",
        "off",
        "higher",
        "lower",
        "band",
        "tier",
        "afterwards",
        "mind",
    ]
)
