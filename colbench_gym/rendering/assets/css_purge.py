"""Cut a stylesheet down to the rules that can match something on one page, without changing a pixel of it.

Valid only where the page cannot change itself, that is with its scripts off. Everything is decided on the safe side:
the words of a page are a superset of its class names, and a rule stays unless a class that it needs is not among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from colbench_gym.rendering.character_references import unescape

_PLAIN_CLASS = re.compile(r"[-a-z0-9_:/.]+")  # no other class is ever looked up, so its rules stay

# Documents inside the page that may link or show the same stylesheet, and hashes that only the whole one has.
_UNUSUAL = re.compile(r"<(?:i?frame|fencedframe|object|embed|portal)|integrity", re.IGNORECASE)

_COMMENT = r"/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)"  # a comment that does not close runs to the end: read once, not again
_SIMPLE = r"""[^{}"'\\/()\[\]]*"""
_CSS_TOKEN = re.compile(
    rf"""{_COMMENT} | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | \\[^\n]
    | url\(\s*[^"'\s()\\][^"'()\\]*\) | \{{{_SIMPLE}(?:\({_SIMPLE}\){_SIMPLE})*\}} | ["'\\{{}};()\[\]]""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
_CSS_SPACE = rf"(?:\s|{_COMMENT}|<!--|-->)*"
_AT_RULE = re.compile(_CSS_SPACE + "@", re.DOTALL)
_GROUPING_RULE = re.compile(_CSS_SPACE + r"@(?:media|supports)\b", re.DOTALL | re.IGNORECASE)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\r\n\f]?|(.))", re.DOTALL)
_NEEDS_READING = re.compile(r"""["'(\[]|/\*|\\,""")
_CLASS_IN_SELECTOR = re.compile(r"\.((?:[-\w]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}[ \t\r\n\f]?|\\.)+)", re.DOTALL)


@dataclass(frozen=True)
class _Rule:
    text: str
    group: int  # which at-rule it stands in, 0 for none
    needs: tuple[frozenset[str], ...]  # of each selector, the classes without which it matches nothing; () keeps it


@dataclass(frozen=True)
class StylesheetIndex:
    """A stylesheet taken apart once, so that each page costs about a millisecond.

    Attributes:
        css: the whole text.
    """

    css: str = field(repr=False)
    _rules: tuple[_Rule, ...] = field(repr=False)
    _groups: tuple[str, ...] = field(repr=False)
    _always: tuple[int, ...] = field(repr=False)
    _by_class: dict[str, tuple[int, ...]] = field(repr=False)

    @classmethod
    def of(cls, css: str) -> StylesheetIndex:
        """Take ``css`` apart; a stylesheet that is not well formed is kept whole for every page."""
        groups = [""]
        try:
            rules = [_Rule(text, group, _needs(selectors)) for selectors, text, group in _statements(css, groups)]
        except _NotWellFormedError:
            rules = [_Rule(css, 0, ())]
        always = tuple(number for number, rule in enumerate(rules) if not rule.needs)
        by_class: dict[str, list[int]] = {}
        for number, rule in enumerate(rules):
            for needed in rule.needs:
                by_class.setdefault(max(needed, key=len), []).append(number)
        return cls(
            css, tuple(rules), tuple(groups), always, {name: tuple(numbers) for name, numbers in by_class.items()}
        )

    def purged(self, html: str) -> str | None:
        """Return the rules that can match on a page, in their order; None where only the whole stylesheet is safe."""
        if _UNUSUAL.search(html):
            return None
        words = page_words(html)
        kept = {*self._always}
        for word in words & self._by_class.keys():
            kept.update(n for n in self._by_class[word] if any(needed <= words for needed in self._rules[n].needs))
        parts: list[str] = []
        group = 0
        for rule in map(self._rules.__getitem__, sorted(kept)):
            if rule.group != group:
                parts += ["}" if group else "", self._groups[rule.group], "{" if rule.group else ""]
                group = rule.group
            parts.append(rule.text)
        return "".join([*parts, "}" if group else ""])


def page_words(html: str) -> frozenset[str]:
    """Return a superset of the class names of a page that are made of plain characters, in lower case.

    A class name stands in the text between white space, quotes, ``=`` or ``>``, none of which is a plain character, so
    it is a whole run of plain characters there, or one once character references are read. Pages without a doctype
    compare class names without regard to case, so all of it is in lower case.
    """
    words = set(_PLAIN_CLASS.findall(html.lower()))
    if "&" in html:
        words.update(_PLAIN_CLASS.findall(unescape(html).lower()))
    return frozenset(words)


class _NotWellFormedError(Exception):
    """Brackets, strings or comments that do not close, which browsers read in ways of their own."""


def _statements(css: str, groups: list[str]) -> Iterator[tuple[str, str, int]]:  # noqa: C901  one scanner, one state
    """Yield each rule as (selectors, text, number of the at-rule around it); ``groups`` gets the at-rules.

    A media or supports rule is opened. Every other at-rule, and a rule with rules inside, is one statement whose
    selectors are "", which keeps it.
    """
    start = block = 0  # where the statement and its block begin
    nested = False  # whether the block holds other blocks
    group = 0
    open_brackets: list[str] = []
    for token in _CSS_TOKEN.finditer(css):
        text, position, end = token[0], token.start(), token.end()
        first = text[0]
        if first == "{" and len(text) > 1:
            if not open_brackets:
                yield _selectors(css[start:position]), css[start:end], group
                start = end
            nested = True
        elif text == "{" and not open_brackets and group == 0 and _GROUPING_RULE.match(css, start, position):
            groups.append(css[start:position])
            group, start = len(groups) - 1, end
        elif text in ("{", "(", "["):
            if not open_brackets:
                nested = False
                block = position
            nested = nested or (text == "{" and position != block)
            open_brackets.append(text)
        elif text in ("}", ")", "]") and open_brackets:
            if open_brackets.pop() + text not in ("{}", "()", "[]"):
                raise _NotWellFormedError
            if text == "}" and not open_brackets:
                yield "" if nested else _selectors(css[start:block]), css[start:end], group
                start = end
        elif text == "}" and group and not css[start:position].strip():
            group, start = 0, end
        elif text == ";":
            if not open_brackets and _AT_RULE.match(css, start, position):
                yield "", css[start:end], group
                start = end
        elif len(text) == 1 or (first == "/" and not text.endswith("*/", len("/*"))):
            raise _NotWellFormedError
    if group or open_brackets:
        raise _NotWellFormedError
    if css[start:].strip():
        yield "", css[start:], group


def _selectors(prelude: str) -> str:
    return "" if _AT_RULE.match(prelude) else prelude


def _needs(prelude: str) -> tuple[frozenset[str], ...]:
    """Return of each selector the classes without which it matches nothing; () where one of them needs none."""
    needs = []
    for selector in _top_level(prelude):
        names = (_unescaped(name).lower() for name in _CLASS_IN_SELECTOR.findall(selector))
        plain = frozenset(name for name in names if _PLAIN_CLASS.fullmatch(name))
        if not plain:
            return ()
        needs.append(plain)
    return tuple(needs)


def _top_level(prelude: str) -> list[str]:
    """Return the selectors of a list, without comments, strings and what stands in brackets, which may say "not"."""
    if not _NEEDS_READING.search(prelude):
        return prelude.split(",")
    selectors = [""]
    end = depth = 0
    for token in re.finditer(_CSS_TOKEN.pattern + "|,", prelude, _CSS_TOKEN.flags):
        if depth == 0:
            selectors[-1] += prelude[end : token.start()]
        end = token.end()
        if token[0] in ("(", "["):
            depth += 1
        elif token[0] in (")", "]"):
            depth = max(0, depth - 1)
        elif depth == 0 and token[0] == ",":
            selectors.append("")
        elif depth == 0 and token[0][0] == "\\":
            selectors[-1] += token[0]
        elif depth == 0:
            selectors[-1] += " "  # a comment or a string parts names
    return [*selectors[:-1], selectors[-1] + (prelude[end:] if depth == 0 else "")]


def _unescaped(name: str) -> str:
    return _CSS_ESCAPE.sub(lambda m: chr(min(int(m[1], 16), 0x10FFFF)) if m[1] else m[2], name)
