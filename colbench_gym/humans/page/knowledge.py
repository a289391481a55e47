"""All that is known of one wanted page, as the scripted human needs it: its facts, its outline, and its verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from colbench_gym.humans.asking import Question
from colbench_gym.humans.facts import Fact, Verdict
from colbench_gym.humans.page.concepts import concept_facts
from colbench_gym.humans.page.deciding import decide
from colbench_gym.humans.page.sections import section_facts
from colbench_gym.humans.page.telling import listed
from colbench_gym.humans.page.top import top_facts
from colbench_gym.humans.page.wanted import Wanted
from colbench_gym.humans.page.whole import outline_words, whole_facts
from colbench_gym.rendering.layout import Layout

MAX_FACTS = 150


class PageKnowledge:
    """Knowledge of a person who has the wanted page before their eyes.

    Args:
        html: the reference.
        layout: of its picture.
    """

    def __init__(self, html: str, layout: Layout) -> None:
        self.wanted = Wanted(html, layout)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that can be said, near-equal things once."""
        wanted = self.wanted
        return tuple(_once([*whole_facts(wanted), *top_facts(wanted), *section_facts(wanted), *concept_facts(wanted)]))

    @cached_property
    def outline(self) -> str:
        """Return the parts of the page by name."""
        return f"From top to bottom the page has {listed(outline_words(self.wanted), 14)}."

    def decide(self, question: Question) -> Verdict | None:
        """Return what looking decides; see :mod:`colbench_gym.humans.page.deciding`."""
        return decide(self.wanted, question)


def _once(facts: Iterable[Fact]) -> list[Fact]:
    """Return facts without those that say what another says, the heaviest :data:`MAX_FACTS` of them."""
    kept: dict[str, Fact] = {}
    for fact in facts:
        kept.setdefault(re.sub(r"\W+", " ", fact.text.lower()), fact)
    heaviest = sorted(kept.values(), key=lambda fact: -fact.weight)[:MAX_FACTS]
    chosen = {id(fact) for fact in heaviest}
    return [fact for fact in kept.values() if id(fact) in chosen]
