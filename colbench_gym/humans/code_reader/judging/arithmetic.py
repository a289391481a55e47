"""Read sums and products that are said in words: "multiply the base by the rate and add 5"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.humans.code_reader.lexicon import related, split_words, stem, stems
from colbench_gym.humans.code_reader.reader import Knowledge

MAX_TOKENS = 60
MAX_STRANGE = 2  # words inside a formula that nothing explains
_NUMBERS = {
    "half": 0.5, "quarter": 0.25, "double": 2, "twice": 2, "triple": 3, "zero": 0, "one": 1, "two": 2, "three": 3,
    "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_INFIX = (
    (r"multiplied (?:by|with)|times|\*|×", "*"),
    (r"divided by|over|/|÷", "/"),
    (r"plus|\+|added to|and (?:then )?add(?:ing)?(?: up)?|then add", "+"),
    (r"minus|less(?= the)|\s-\s|and (?:then )?subtract(?:ing)?|then subtract", "-"),
    (r"(?:and|then) (?:then )?multiply(?:ing)? (?:\w+ )?(?:by|with)", "*"),
    (r"(?:and|then) (?:then )?divid(?:e|ing) (?:\w+ ){0,2}?by", "/"),
)
_PREFIX = (
    (r"multipl(?:y|ying)\b(.+?)\b(?:by|with|and)\b(.+)", "*", False),
    (r"(?:the )?product of\b(.+?)(?:,|\band\b)(.+)", "*", False),
    (r"divid(?:e|ing)\b(.+?)\bby\b(.+)", "/", False),
    (r"(?:the )?ratio of\b(.+?)\bto\b(.+)", "/", False),
    (r"subtract(?:ing)?\b(.+?)\bfrom\b(.+)", "-", True),
    (r"(?:add(?:ing)?|sum(?:ming)?(?: up)?)\b(.+?)\b(?:to|and|plus)\b(.+)", "+", False),
    (r"(?:the )?sum of\b(.+?)(?:,|\band\b)(.+)", "+", False),
    (r"(?:the )?difference (?:of|between)\b(.+?)\band\b(.+)", "-", False),
)
_TOGETHER = re.compile(
    r"\b(?P<kind>multipl\w+|product|add(?:ing)?|sum|average|mean)\b(?: (?:up|of|the))* "
    r"(?:everything|them|all|both|the|these)?(?: (?:of )?(?:them|the))?\s?(?P<count>two|three|four|five)?"
    r"(?: (?:numbers|inputs|arguments|values|parameters|factors|together|up))*\s*$"
)
_AGGREGATES = {
    "sum": "sum({})", "total": "sum({})", "average": "mean({})", "mean": "mean({})", "number": "len({})",
    "count": "len({})", "length": "len({})", "largest": "max({})", "highest": "max({})", "maximum": "max({})",
    "smallest": "min({})", "lowest": "min({})", "minimum": "min({})", "median": "median({})",
}  # fmt: skip
_FILLING = frozenset(
    map(
        stem,
        [
            "the",
            "a",
            "an",
            "of",
            "by",
            "with",
            "to",
            "and",
            "then",
            "it",
            "its",
            "is",
            "be",
            "just",
            "simply",
            "i",
            "i'd",
            "i'll",
            "would",
            "will",
            "my",
            "so",
            "plan",
            "each",
            "all",
            "both",
            "their",
            "that",
            "this",
            "result",
            "score",
            "value",
            "in",
            "for",
            "from",
            "take",
            "use",
            "compute",
            "calculate",
            "get",
            "final",
            "formula",
            "total",
            "number",
            "figure",
            "whole",
            "single",
            "three",
            "two",
            "four",
            "up",
            "everything",
            "them",
            "together",
            "return",
            "as",
            "that's",
            "right",
            "ok",
            "correct",
            "basically",
            "plain",
            "nothing",
            "else",
            "your",
            "one",
            "only",
            "well",
        ],
    )
)


@dataclass(frozen=True)
class _Operand:
    source: str
    own: frozenset[str]
    last: str


@lru_cache(maxsize=2048)
def in_words(text: str, known: Knowledge) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Return the formulas that a text says in words: expression, what it is for (the result), the stems read."""
    found = []
    for part in re.split(
        r"[?;\n]|\.\s|\.$|:\s|,\s(?=(?:nothing|that's|no more|right|ok|is that|am i|otherwise|else"
        r"|and (?:round|return|cap)))",
        text.lower(),
    )[:6]:
        if not 3 < len(part.split()) < MAX_TOKENS:
            continue
        if re.search(r"\b(?:if|when|unless|otherwise|else|not|don't|or|per|each time|where|what|which|how)\b", part):
            continue
        read = _Reader(known).read(part.strip(" ,!"))
        if read is not None:
            found.append((read, "", stems([part])))
    return tuple(found)


class _Reader:
    """Reads one formula in words over the arguments of a reference."""

    def __init__(self, known: Knowledge) -> None:
        self._operands = list(_operands(known))
        self._used: set[str] = set()
        self._strange = 0

    def read(self, text: str) -> str | None:
        """Return a Python expression, or None when the text is no formula."""
        source = self._of_all(text) or self._any(text, 0)
        if source is None or len(self._used) < 1 or self._strange > MAX_STRANGE or not re.search(r"[-+*/]", source):
            return None
        return source

    def _of_all(self, text: str) -> str | None:
        """Return what all arguments together come to: "a product of the three", "I multiply everything"."""
        match = _TOGETHER.search(text)
        plain = [o.source for o in self._operands]
        if (
            match is None
            or len(plain) < 2
            or any("{}" in source for source in plain)
            or not self._fills(text[: match.start()])
        ):
            return None
        number = _NUMBERS.get(match["count"] or "", 0)
        if number and number != len(plain):
            return None
        self._used.update(plain)
        kind = match["kind"]
        if kind.startswith(("av", "mean")):
            return f"({' + '.join(plain)}) / {len(plain)}"
        return (" * " if kind.startswith(("mult", "prod")) else " + ").join(plain)

    def _any(self, text: str, depth: int) -> str | None:
        """Return an expression for a text: by a verb before its operands, or an operator between them."""
        if depth > 6:
            return None
        verbs = [(m.start(), n, m) for n, (pattern, _, _) in enumerate(_PREFIX) if (m := re.search(pattern, text))]
        for _, number, match in sorted(verbs, key=lambda verb: verb[:2])[:1]:
            _, operator, turned = _PREFIX[number]
            if self._fills(text[: match.start()]):
                tail = self._after(match[2])
                sides = [self._any(match[1], depth + 1), self._any(tail[0], depth + 1)]
                if None in sides:
                    return None
                one, other = reversed(sides) if turned else sides
                made = f"({one} {operator} {other})"
                return self._continued(made, tail[1], depth)
        for group in (("+", "-"), ("*", "/")):
            cut = self._last_infix(text, group)
            if cut is not None:
                left, operator, right = cut
                one, other = self._any(left, depth + 1), self._any(right, depth + 1)
                return None if one is None or other is None else f"({one} {operator} {other})"
        listed = re.split(r",\s*(?:and\s+)?|\band\b", text)
        if len(listed) > 1 and depth:
            parts = [self._any(part, depth + 1) for part in listed if part.strip()]
            return None if None in parts else f"({' , '.join(p for p in parts if p)})" if len(parts) == 1 else None
        return self._atom(text)

    def _after(self, text: str) -> tuple[str, str]:
        """Cut a text where a further step begins: "the rate and add 5"."""
        match = re.search(r",?\s*\b(?:and|then) (?:then )?(?:add|subtract|multiply|divide|adding|dividing)\b", text)
        return (text[: match.start()], text[match.start() :]) if match else (text, "")

    def _continued(self, made: str, rest: str, depth: int) -> str | None:
        """Apply a further step to what was made so far."""
        rest = rest.strip(" ,")
        if not rest:
            return made
        for pattern, operator in _INFIX:
            match = re.match(rf"(?:{pattern})\b", rest)
            if match:
                other = self._any(rest[match.end() :], depth + 1)
                return None if other is None else f"({made} {operator} {other})"
        return None

    def _last_infix(self, text: str, group: Sequence[str]) -> tuple[str, str, str] | None:
        best: tuple[int, int, str] | None = None
        for pattern, operator in _INFIX:
            if operator in group:
                for match in re.finditer(rf"(?:(?<=\s)|(?<=^))(?:{pattern})(?=\s|$)", text):
                    if best is None or match.start() > best[0]:
                        best = (match.start(), match.end(), operator)
        if best is None or not text[: best[0]].strip() or not text[best[1] :].strip():
            return None
        return text[: best[0]], best[2], text[best[1] :]

    def _fills(self, text: str) -> bool:
        strange = [w for w in split_words(text) if stem(w) not in _FILLING]
        self._strange += len(strange)
        return len(strange) <= MAX_STRANGE

    def _atom(self, text: str) -> str | None:
        """Return one operand: an argument, what a list comes to, or a number."""
        words = split_words(text)
        number = re.search(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s*(%|percent)?", text)
        own = [stem(w) for w in words]
        best: tuple[float, _Operand] | None = None
        for operand in self._operands:
            hits = operand.own & set(own)
            near = operand.own & related(own)
            score = len(hits) + 0.6 * len(near - hits)
            telling = any(h not in other.own for h in hits for other in self._operands if other is not operand)
            if not score or (score < len(operand.own) / 2 and operand.last not in hits and not telling):
                continue
            share = score / len(operand.own) + 0.1 * score
            if best is None or share > best[0]:
                best = (share, operand)
            elif share == best[0]:
                return None
        if best is not None:
            self._used.add(best[1].source)
            self._strange += len(
                [
                    w
                    for w, s in zip(words, own, strict=True)
                    if s not in best[1].own | _FILLING
                    and w not in _AGGREGATES
                    and not w.isdigit()
                    and s not in related(best[1].own)
                ]
            )
            source = best[1].source
            if "{}" in source:
                kind = next((w for w in words if w in _AGGREGATES), "")
                source = _AGGREGATES[kind].format(source[3:]) if kind else source[3:]
            factor = next((_NUMBERS[w] for w in words if w in ("half", "quarter", "double", "twice", "triple")), None)
            return f"({factor} * {source})" if factor is not None else source
        if number:
            value = float(number[1].replace(",", ""))
            return repr(value / 100 if number[2] else value)
        return next((repr(_NUMBERS[w]) for w in words if w in _NUMBERS), None)


def _operands(known: Knowledge) -> Iterator[_Operand]:
    for parameter in known.parameters:
        own = stems([parameter.name]) - {"num", "number", "n"} or stems([parameter.name])
        words = split_words(parameter.name)
        source = parameter.name if parameter.shape.kind not in ("list", "tuple", "set") else "{}:" + parameter.name
        yield _Operand(source, own, stem(words[-1]) if words else "")
