"""Measures what of the hidden reference a reply gives away: its source word for word, and constants not asked for."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from colbench_gym.humans.leaks.code_or_prose import SHORTEST_RUN, SPAN_RUN, counts_as_code, is_code
from colbench_gym.humans.leaks.disguises import READ_CHARS, SqueezedCode, decoded
from colbench_gym.humans.leaks.pages import measure_page
from colbench_gym.humans.leaks.plain_characters import plain
from colbench_gym.humans.leaks.renamed_code import holds_renamed_function
from colbench_gym.humans.leaks.spoken_code import dictated
from colbench_gym.python_code.syntax import parsed_module
from colbench_gym.tasks import BackendTask, Task

_TOKEN = re.compile(r"\d+\.\d+|\w+|\*\*=?|//=?|[=!<>+\-*/%]=|->|[^\w\s]")
_QUOTES = str.maketrans({"“": "'", "”": "'", "‘": "'", "’": "'", '"': "'", "`": " "})
_CODE_SPAN = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_FSTRING = re.compile(r"[rR]?[fF]")
_FSTRING_CODE = re.compile(r"(?<!\{)\{([^{}:!]+)")  # what stands inside the braces, without its format


@dataclass(frozen=True)
class Leak:
    """Leaks of one reply, or of all replies of a dialogue together.

    Attributes:
        code: share of the reference's tokens that stand in the text word for word, in runs that are code; 0 to 1.
        run: the longest such run in tokens.
        literals: how many hidden constants of the reference were told without being asked for.
        test_calls: how many hidden test calls the questions held word for word.
        test_values: of how many hidden tests the replies told the wanted value, its inputs being named.
    """

    code: float = 0.0
    run: float = 0.0
    literals: float = 0.0
    test_calls: float = 0.0
    test_values: float = 0.0

    def __add__(self, other: Leak) -> Leak:
        return Leak(
            min(1.0, self.code + other.code),
            max(self.run, other.run),
            self.literals + other.literals,
            self.test_calls + other.test_calls,
            self.test_values + other.test_values,
        )

    def as_info(self) -> dict[str, float]:
        """Always the same keys, always finite floats."""
        return asdict(self)


@dataclass(frozen=True)
class _Code:
    """A reference cut up for comparison."""

    reference: str
    tokens: tuple[str, ...]
    data: tuple[bool, ...]  # the token belongs to a string, a number or a comment
    starts: dict[tuple[str, str], tuple[int, ...]]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The tokens of those lines that are code."""
        lines = map(_tokens, _bare(self.reference).splitlines())
        worth = (line for line in lines if len(line) >= 3 and any(map(is_code, line)) and not _is_a_number(line))
        cut = (line[:-1] if line[-1] in (":", ",", ";") and len(line) > 3 else line for line in worth)
        return tuple(f" {' '.join(line)} " for line in cut)

    @cached_property
    def squeezed(self) -> SqueezedCode:
        """Its characters in a row."""
        return SqueezedCode.of(_bare(self.reference))


def measure_reply(task: Task, question: str, reply: str, said_before: str = "") -> Leak:
    """Return what a reply gives away; of a page its source, never what it shows.

    Args:
        task: its reference is compared with.
        question: the agent's message.
        reply: the human's answer to it.
        said_before: all that was said before, by both.
    """
    if not isinstance(task, BackendTask):
        return Leak(*measure_page(task.reference, reply))
    reply = reply[:READ_CHARS]
    code = _cut(task.reference)
    runs = _runs(code, _tokens(reply), _public(task.description))
    covered = {position for start, length in runs for position in range(start, start + length)}
    share = len(covered) / len(code.tokens) if code.tokens else 0.0
    longest = max((length for _, length in runs), default=0)
    asked = float(sum(call in question for call in task.calls))
    return Leak(share, float(longest), float(len(_unasked(task, question, reply, said_before))), asked)


def pastes_code(task: Task, reply: str) -> bool:
    """Return whether a reply holds code of the reference: plain, with other names, or thinly disguised."""
    if not isinstance(task, BackendTask):
        return False
    code = _cut(task.reference)
    public = _public(task.description)
    written, reply = reply[:READ_CHARS], plain(reply[:READ_CHARS])[:READ_CHARS]
    if any(_stands_in(task, code, text, public) for text in dict.fromkeys((reply, written))):
        return True
    texts = (dictated(reply), reply.lower() if reply.isupper() else "")
    if any(_runs(code, _tokens(text), public) for text in texts if text) or _runs(code, _tokens(reply)[::-1], public):
        return True
    return code.squeezed.stands_shifted_in(reply) or any(map(code.squeezed.stands_in, decoded(reply)))


def _stands_in(task: BackendTask, code: _Code, text: str, public: str) -> bool:
    tokens = _tokens(text)
    joined = f" {' '.join(tokens)} "
    if _runs(code, tokens, public) or any(line in joined for line in code.lines):
        return True
    if holds_renamed_function(task.reference, text):
        return True
    return any(_runs(code, _tokens(span), public, SPAN_RUN) for span in _CODE_SPAN.findall(text))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.translate(_QUOTES))


@lru_cache(maxsize=1024)
def _public(description: str) -> str:
    """The tokens of a description: what it says is no secret, the signature above all."""
    return f" {' '.join(_tokens(description))} "


@lru_cache(maxsize=1024)
def _cut(reference: str) -> _Code:
    tokens: list[str] = []
    data: list[bool] = []
    for text, is_data in _pieces(reference):
        found = _tokens(text)
        tokens += found
        data += [is_data or token in ("'",) or token[0].isdigit() for token in found]
    starts: dict[tuple[str, str], list[int]] = {}
    for position, pair in enumerate(pairwise(tokens)):
        starts.setdefault(pair, []).append(position)
    return _Code(reference, tuple(tokens), tuple(data), {pair: tuple(positions) for pair, positions in starts.items()})


def _bare(reference: str) -> str:
    """Return a reference without comments that have a line of their own and without empty lines."""
    bare = re.sub(r"(?m)^\s*#.*$", "", reference) if parsed_module(reference) else reference
    return "\n".join(line for line in bare.splitlines() if line.strip())


def _is_a_number(line: Sequence[str]) -> bool:
    """Return whether a line returns a negative number, which a person says in the same letters: "return -1"."""
    return list(line[:2]) == ["return", "-"] and len(line) == 3 and line[2][0].isdigit()


def _pieces(reference: str) -> Iterable[tuple[str, bool]]:
    """The reference in pieces: (text, whether it is data and not code)."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(reference).readline):
            if token.type == tokenize.STRING and _FSTRING.match(token.string):  # one token up to Python 3.11
                for place, part in enumerate(_FSTRING_CODE.split(token.string)):
                    yield part, place % 2 == 0
            elif token.type in (tokenize.STRING, tokenize.COMMENT, *_FSTRING_TEXT):
                yield token.string, True
            elif token.string.strip():
                yield token.string, False
    except (tokenize.TokenError, SyntaxError, ValueError):
        yield reference, False


_FSTRING_TEXT = tuple(
    getattr(tokenize, name) for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END") if hasattr(tokenize, name)
)


def _runs(code: _Code, tokens: Sequence[str], public: str, shortest: int = SHORTEST_RUN) -> list[tuple[int, int]]:
    """(start in the reference, length) of all runs of the reference in a text that are code and not just words."""
    if code.starts.keys().isdisjoint(pairwise(tokens)):
        return []
    found = []
    position = 0
    while position < len(tokens) - 1:
        best = (0, 0)
        for start in code.starts.get((tokens[position], tokens[position + 1]), ()):
            length = 2
            while (
                position + length < len(tokens)
                and start + length < len(code.tokens)
                and tokens[position + length] == code.tokens[start + length]
            ):
                length += 1
            best = max(best, (length, start))
        length, start = best
        if (
            length
            and counts_as_code(code.tokens, code.data, start, length, shortest)
            and f" {' '.join(tokens[position : position + length])} " not in public
            and not _is_a_number(code.tokens[start : start + length])
        ):
            found.append((start, length))
        position += max(length - 1, 1)
    return found


def _unasked(task: BackendTask, question: str, reply: str, said_before: str) -> set[str]:
    """Hidden constants in a reply that the question was not about."""
    # Imported here: it takes a third of a second, and who only grades or lists tasks reads no reference.
    from colbench_gym.humans.program.asked_for import not_asked_for
    from colbench_gym.humans.program.reader import knowledge_of

    known = knowledge_of(task)
    if known is None:
        return set()
    lower, before = reply.lower(), f"{question}\n{said_before}".lower()
    told = {literal for literal in known.hidden if _tells(literal, lower) and literal.lower() not in before}
    return not_asked_for(told, task, known, question) if told else told


def _tells(literal: str, lower: str) -> bool:
    """Return whether a text holds a constant; a word or number stands alone, and not behind a point."""
    text = literal.lower().strip()
    if not text or text not in lower:
        return False
    return not text.isalnum() or re.search(rf"(?<![.\w]){re.escape(text)}(?!\w)", lower) is not None
