"""Endless frontend tasks: ``(split, difficulty, index)`` names the same page on every machine and Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from colbench_gym.tasks import FrontendTask
from colbench_gym.tasks.generated import SPLITS, EndlessTasks
from colbench_gym.tasks.generated_frontend.aspects import aspects_of
from colbench_gym.tasks.generated_frontend.building.pages import page_html
from colbench_gym.tasks.generated_frontend.composing import draw_page
from colbench_gym.tasks.generated_frontend.domains import Domain, load_domains
from colbench_gym.tasks.generated_frontend.page import Page
from colbench_gym.tasks.generated_frontend.requests import draw_request
from colbench_gym.tasks.generated_frontend.words import PLACES, SURNAMES
from colbench_gym.tasks.permutation import Draw, permuted_index

SCHEMA = "generated-1"  # part of every key: another grammar gets another number, and other tasks
NAMES_OF = (0, 0, 0, 1, 2, 2, 3, 4)  # which split owns a first word of a name, by its position modulo 8


def domains_of(split: str) -> tuple[Domain, ...]:
    """Return the domains of a split: two of five are of ``test_domains`` alone."""
    kept = split == "test_domains"
    return tuple(domain for i, domain in enumerate(load_domains().values()) if (i % 5 in (1, 3)) == kept)


@lru_cache(maxsize=512)
def names_of(split: str, domain: Domain) -> tuple[str, ...]:
    """Return the names that a business of a domain may have in a split; no split shares one with another."""
    part = SPLITS.index(split)
    firsts = [word for i, word in enumerate((*PLACES, *SURNAMES)) if NAMES_OF[i % len(NAMES_OF)] == part]
    return tuple(f"{first} {noun}" for noun in domain.nouns for first in firsts)


@dataclass(frozen=True)
class Member:
    """One page of the grammar, and how it is asked for.

    Attributes:
        page: the wanted page as data.
        description: the request.
        told: the keys of the decisions that the request tells.
    """

    page: Page
    description: str
    told: frozenset[str]

    @cached_property
    def decisions(self) -> list[Mapping[str, object]]:
        """Every decision, how it was made, and whether the request tells of it."""
        return [
            {"key": aspect.key, "says": [aspect.value], "told": aspect.key in self.told}
            for aspect in aspects_of(self.page)
        ]


class GeneratedFrontendTasks(EndlessTasks[FrontendTask]):
    """The generated pages of one split and difficulty.

    ``test`` holds new pages and wordings of what train is made of, ``test_compositions`` neighbouring parts that train
    never has together, ``test_domains`` other domains. Requests tell five to seven decisions (``easy``), three or
    four (``medium``), or one or two (``hard``); a set without a difficulty mixes them.
    """

    def member(self, index: int) -> Member:
        """Return the page at a position, from 0: what :meth:`at` makes a task of."""
        domains = domains_of(self.split)
        turn, slot = divmod(self.position(index), len(domains))
        domain = domains[permuted_index(slot, len(domains), f"{SCHEMA} {self.prefix} {turn}")]
        names = names_of(self.split, domain)
        again, position = divmod(turn, len(names))
        name = names[permuted_index(position, len(names), f"{SCHEMA} {self.prefix} {domain.key} {again}")]
        draw = Draw(SCHEMA, self.prefix, index)
        page = draw_page(draw, domain, name, self.split == "test_compositions")
        description, told = draw_request(draw, page, self.split, self.difficulty)
        return Member(page, description, frozenset(aspect.key for aspect in told))

    def at(self, index: int) -> FrontendTask:
        """Return the task at a position, from 0.

        Raises:
            UnknownTaskError: no such position.
        """
        return _task(self, self.position(index))


@lru_cache(maxsize=1024)
def _task(tasks: GeneratedFrontendTasks, index: int) -> FrontendTask:
    member = tasks.member(index)
    task_id = f"{tasks.prefix}-{index}"
    reference = page_html(member.page)
    row = {
        "task_id": task_id,
        "problem_description": member.description,
        "ground_truth": reference,
        "decisions": member.decisions,
    }
    return FrontendTask(task_id, member.description, reference, row=row)
