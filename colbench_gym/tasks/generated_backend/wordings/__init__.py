"""The sentences of matters: what they are about, how to ask for them and how to state each alternative.

A block is ``[name] kind`` with flags behind it (``core`` where a program cannot do without, ``told`` where every
request tells it, ``asked`` where any engineer would ask, ``usual`` where it comes as often but is pointed at; what is
``messy``, ``untidy`` or ``rules`` can be pointed at together, by clauses of that name), then lines ``point:``,
``about:`` and ``ask:``, then ``code => sentence | sentence`` for each alternative. The code ``*`` stands for
alternatives of the program at hand; ``off`` states that there is nothing of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources

from colbench_gym.tasks.generated_backend.matters import Matter, Option, Settings, Words

GROUPS = ("messy", "untidy", "rules")  # odd input, odd data, and what comes on top of the plain case
_FLAGS = frozenset(("core", "told", "asked", "usual", *GROUPS))


@dataclass
class _Block:
    kind: str
    flags: frozenset[str] = frozenset()
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    options: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    off: tuple[str, ...] = ()
    off_tells: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def _blocks(name: str) -> dict[str, _Block]:
    blocks: dict[str, _Block] = {}
    block = _Block("")
    for line in resources.files(__package__).joinpath(f"{name}.txt").read_text("utf-8").splitlines():
        head, arrow, rest = line.partition(" => ")
        if arrow:
            texts, tells = (_parts(side) for side in rest.partition(" >> ")[::2])
            if head == "off":
                block.off, block.off_tells = texts, tells
            else:
                block.options.append((head, texts, tells))
        elif line.startswith("["):
            key, _, kind = line[1:].partition("] ")
            words = kind.split()
            plain = " ".join(word for word in words if word not in _FLAGS)
            block = blocks[key] = _Block(plain, frozenset(words) & _FLAGS)
        elif line:
            field_name, _, rest = line.partition(": ")
            block.texts[field_name] = _parts(rest)
    return blocks


@lru_cache(maxsize=8)
def lists(file: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of a text by their names."""
    found: dict[str, tuple[str, ...]] = {}
    for line in resources.files(__package__).joinpath(file).read_text("utf-8").splitlines():
        name, _, texts = line.partition(": ")
        found[name] = (*found.get(name, ()), *_parts(texts))
    return found


def _parts(texts: str) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts.split(" | ") if text)


@lru_cache(maxsize=1024)
def superlatives(phrase: str) -> tuple[str, str, bool]:
    """Return what is said of the most and of the least of a measure, and whether of its thing: "the oldest tree"."""
    head, of, _ = phrase.partition(" of ")
    first, last = head.split()[0], head.split()[-1]
    for pair, (heads,) in lists("superlatives.txt").items():
        most, least = pair.lstrip("=").split()
        if (last in heads.split() and not of) if pair[0] == "=" else {first, last} & set(heads.split()):
            return most.replace("_", " "), least, pair[0] == "="
    if phrase.startswith("number of "):
        return "most", "fewest", False
    return "highest", "lowest", False


def voices() -> Mapping[str, tuple[str, ...]]:
    """Return greetings, sentences around the parts of a request, clauses for many matters, usual misspellings."""
    return lists("voices.txt")


def goals(name: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return the wordings of a part of the request with the words of a domain."""
    return tuple(text.format_map(Words(words)) for text in lists("goals.txt").get(name, ()))


def alternative(name: str, words: Mapping[str, str]) -> dict[str, str]:
    """Return an alternative that a program brings along: its code, two sentences, and two of a request."""
    texts = _filled(lists("alternatives.txt")[name], Words(words))
    return dict(zip(("code", "says1", "says2", "tells1", "tells2"), texts, strict=False))


def matter(
    source: str,
    name: str,
    words: Mapping[str, str],
    each: Sequence[Mapping[str, str]] = (),
    *,
    key: str = "",
    without: Sequence[str] = (),
    needs: Callable[[Settings], bool] | None = None,
) -> Matter:
    """Return a matter with the words of a domain.

    Args:
        source: which text it stands in.
        name: the name of its block; what follows an underscore only tells blocks apart.
        words: what the fields of the templates stand for.
        each: for each alternative that the program brings along its ``code`` and more words.
        key: its key, where that is not its name.
        without: codes of alternatives that this program cannot have.
        needs: see :class:`Matter`.
    """
    block, words = _blocks(source)[name], Words(words)
    options = []
    for code, texts, tells in block.options:
        if code == "*":
            own = [Words({**words, **more}) for more in each]
            options += [Option(more["code"], _filled(texts, more), _filled(tells, more)) for more in own]
        elif code not in without:
            options.append(Option(code, _filled(texts, words), _filled(tells, words)))
    about, asks, points = (_filled(block.texts.get(line, ()), words) for line in ("about", "ask", "point"))
    return Matter(
        key or name.partition("_")[0],
        block.kind,
        about,
        asks,
        tuple({option.code: option for option in options}.values()),
        _filled(block.off, words),
        _filled(block.off_tells, words),
        core="core" in block.flags,
        told="told" in block.flags,
        asked="asked" in block.flags,
        usual="usual" in block.flags,
        points=points,
        group=next((flag for flag in GROUPS if flag in block.flags), ""),
        needs=needs,
    )


def _filled(texts: tuple[str, ...], words: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(text.format_map(words) for text in texts)


_NAME_WORDS = ("item", "items", "one", "two", "kind", "noun", "most", "least")


@lru_cache(maxsize=65536)
def names(key: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return identifiers for a function or a parameter; the words are those of a domain, as identifiers."""
    fields = dict(zip(_NAME_WORDS, words, strict=True))
    return tuple(text.format_map(fields) for text in lists("names.txt")[key])


@lru_cache(maxsize=64)
def named_keys(beginning: str) -> tuple[str, ...]:
    """Return what follows a beginning among the keys of names."""
    return tuple(key.removeprefix(beginning) for key in lists("names.txt") if key.startswith(beginning))
