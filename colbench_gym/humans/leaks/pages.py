"""Leaks of a reply about a page: HTML, CSS or class names, which a person who only sees pictures would not say."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain
from pathlib import Path

from colbench_gym.humans.leaks.disguises import READ_CHARS, SHIFTS, decoded
from colbench_gym.humans.leaks.plain_characters import plain
from colbench_gym.humans.vocabulary import read_patterns
from colbench_gym.rendering.character_references import unescape
from colbench_gym.tasks import FrontendTask, Task

_SHORTEST_RUN = 3  # tokens of the source in a row
_TOKEN = re.compile(r"[\w-]+|[^\s\w]")
_CLASS_RUN = 3  # class names of one element in a row that count even when each is a word

_UNSPOKEN = re.compile(r"-\d|\w:\w|/")
_MARKUP = read_patterns(Path(__file__).with_name("markup.toml"))
_CLASS = re.compile(rf"(?<![\w-])(?:{_MARKUP['class_name'].pattern})(?![\w-])")
_PATTERNS = (_CLASS, *(_MARKUP[name] for name in ("tag", "attribute", "css", "fence")))


def pastes_html(task: Task, reply: str) -> bool:
    """Return whether a reply on a frontend task holds markup, plain or thinly encoded; False on other tasks."""
    if not isinstance(task, FrontendTask):
        return False
    written, reply = reply[:READ_CHARS], plain(reply[:READ_CHARS])[:READ_CHARS]
    if any(markup_in(task.reference, text) for text in dict.fromkeys((written, reply))):
        return True
    return any(
        markup_in(task.reference, text[:READ_CHARS]) or _MARKUP["spelt_tag"].search("".join(text.split())) is not None
        for text in chain((reply.translate(SHIFTS[13]),), decoded(reply))
    )


def measure_page(reference: str, reply: str) -> tuple[float, float]:
    """Return what a reply gives away of a page's source: the share of its tokens told in runs, and the longest run.

    A reply without markup gives nothing away, whatever texts of the page it reads out.
    """
    reply = reply[:READ_CHARS]
    if not markup_in(reference, reply):
        return 0.0, 0.0
    theirs, ours = (_TOKEN.findall(text) for text in (reference, unescape(reply)))
    blocks = SequenceMatcher(None, theirs, ours, autojunk=False).get_matching_blocks()
    runs = [block.size for block in blocks if block.size >= _SHORTEST_RUN]
    return (sum(runs) / len(theirs), float(max(runs))) if runs else (0.0, 0.0)


def markup_in(reference: str, text: str) -> tuple[str, ...]:
    """Return the pieces of a text that are HTML, CSS or class names, also those of the reference that are words."""
    plain = unescape(text)
    found = [match.group() for pattern in _PATTERNS for match in pattern.finditer(plain)]
    names, runs = _classes_of(reference)
    named = (one or other for one, other in _MARKUP["named_class"].findall(plain))
    found += [name for name in named if name in names]
    words = [word.strip(".;\"'“”‘’()") for word in plain.replace("`", " ").replace(",", " ").split()]
    found += [word for word in words if word in names and _UNSPOKEN.search(word)]
    found += [
        " ".join(run) for run in zip(*(words[start:] for start in range(_CLASS_RUN)), strict=False) if run in runs
    ]
    return tuple(found)


@lru_cache(maxsize=1024)
def _classes_of(reference: str) -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    """Return every class name of a page, and every run of :data:`_CLASS_RUN` of them on one element."""
    lists = [(one or other).split() for one, other in _MARKUP["class_list"].findall(reference)]
    runs = (tuple(names[at : at + _CLASS_RUN]) for names in lists for at in range(len(names) - _CLASS_RUN + 1))
    return frozenset(name for names in lists for name in names), frozenset(runs)
