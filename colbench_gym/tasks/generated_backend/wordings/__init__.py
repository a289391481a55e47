"""The sentences of matters: what they are about, how to ask for them and how to state each alternative.

A block is ``[name] kind`` (``core`` behind it where a program cannot do without), then lines ``about:`` and ``ask:``,
then a line ``code => sentence | sentence`` for each alternative. The code ``*`` stands for alternatives of the program
at hand; ``off`` states that there is nothing of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources

from colbench_gym.tasks.generated_backend.matters import Matter, Option, Settings, Words


@dataclass
class _Block:
    kind: str
    core: bool
    about: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    options: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    off: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def _blocks(name: str) -> dict[str, _Block]:
    blocks: dict[str, _Block] = {}
    block = _Block("", False)
    for line in resources.files(__package__).joinpath(f"{name}.txt").read_text("utf-8").splitlines():
        head, arrow, rest = line.partition(" => ")
        if arrow:
            texts = tuple(text.strip() for text in rest.split(" | "))
            if head == "off":
                block.off = texts
            else:
                block.options.append((head.replace("\\n", "\n") if head != "'\\n'" else head, texts))
        elif line.startswith("["):
            key, _, kind = line[1:].partition("] ")
            block = blocks[key] = _Block(kind.removesuffix(" core"), kind.endswith(" core"))
        elif line:
            field_name, _, rest = line.partition(": ")
            texts = tuple(text.strip() for text in rest.split(" | "))
            if field_name == "about":
                block.about = texts
            else:
                block.asks = texts
    return blocks


@lru_cache(maxsize=1)
def _goals() -> dict[str, tuple[str, ...]]:
    lines = resources.files(__package__).joinpath("goals.txt").read_text("utf-8").splitlines()
    named = (line.partition(": ") for line in lines if line)
    return {name: tuple(text.strip() for text in texts.split(" | ")) for name, _, texts in named}


@lru_cache(maxsize=1)
def asides() -> tuple[str, ...]:
    """Return remarks that a person of any domain may close a request with."""
    return tuple(resources.files(__package__).joinpath("asides.txt").read_text("utf-8").splitlines())


def goals(name: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return the wordings of a part of the request with the words of a domain."""
    return tuple(text.format_map(Words(words)) for text in _goals()[name])


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
    for code, texts in block.options:
        if code == "*":
            options += [
                Option(more["code"], tuple(t.format_map(Words({**words, **more})) for t in texts)) for more in each
            ]
        elif code not in without:
            options.append(Option(code, tuple(text.format_map(words) for text in texts)))
    return Matter(
        key or name.partition("_")[0],
        block.kind,
        tuple(text.format_map(words) for text in block.about),
        tuple(text.format_map(words) for text in block.asks),
        tuple({option.code: option for option in options}.values()),
        tuple(text.format_map(words) for text in block.off),
        block.core,
        needs,
    )
