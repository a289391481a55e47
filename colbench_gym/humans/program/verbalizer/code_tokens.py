"""The tokens of a reference, and how much of them a text repeats word for word."""

from __future__ import annotations

import re
from functools import lru_cache

QUOTED_RUN = 12  # code tokens in a row that count as a quotation
_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens_of(text: str) -> list[str]:
    """Words and single marks; blanks do not count."""
    return _TOKEN.findall(text)


class CodeTokens:
    """A reference cut into tokens, ready for comparison."""

    def __init__(self, reference: str) -> None:
        self.tokens = tokens_of(reference)
        self.runs = frozenset(
            tuple(self.tokens[start : start + QUOTED_RUN]) for start in range(len(self.tokens) - QUOTED_RUN + 1)
        )
        lines = (tokens_of(line) for line in reference.splitlines())
        self.lines = frozenset(f" {' '.join(line)} " for line in lines if len(line) > 2)

    def quoted_in(self, text: str) -> bool:
        """Return whether a text has QUOTED_RUN tokens in a row, or a whole line, of the reference."""
        tokens = tokens_of(text)
        runs = (tuple(tokens[start : start + QUOTED_RUN]) for start in range(len(tokens) - QUOTED_RUN + 1))
        joined = f" {' '.join(tokens)} "
        return not self.runs.isdisjoint(runs) or any(line in joined for line in self.lines)


@lru_cache(maxsize=1024)
def code_tokens(reference: str) -> CodeTokens:
    """The tokens of a reference, cut once."""
    return CodeTokens(reference)
