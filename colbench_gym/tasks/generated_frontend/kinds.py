"""The kinds of section: their variants, how many items each takes, titles, navigation words and words of a request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from colbench_gym.tasks.generated_frontend.wordings import lines_of, parts


@dataclass(frozen=True)
class Kind:
    """One kind of section.

    Attributes:
        variants: how it may be set, with the numbers of items that each takes.
        titles: its heading, one of these; empty where the domain says it.
        link: its word in the navigation.
        phrases: how a request names it, without telling the variant.
    """

    variants: Mapping[str, tuple[int, ...]]
    titles: tuple[str, ...]
    link: str
    phrases: tuple[str, ...]


def _kinds() -> Iterator[tuple[str, Kind]]:
    """Yield the kinds of the text: a header ``[kind] link``, then lines of lists."""
    for block in "\n".join(lines_of("kinds"))[1:].split("\n["):
        head, *lines = block.split("\n")
        key, _, link = head.partition("] ")
        lists = {name: parts(text) for name, _, text in (line.partition(": ") for line in lines)}
        pairs = (variant.partition(" = ") for variant in lists["variants"])
        variants = {name: tuple(map(int, counts.split())) for name, _, counts in pairs}
        yield key, Kind(variants, lists.get("titles", ()), link, lists["phrases"])


KINDS: Mapping[str, Kind] = dict(_kinds())
