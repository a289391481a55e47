"""Endless frontend tasks: ``(split, index)`` names the same page on every machine and Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from colbench_gym.tasks import SPLITS, FrontendTask
from colbench_gym.tasks.generated import EndlessTasks
from colbench_gym.tasks.generated_frontend.schema_1.choices import CHOICES, MEMBERS, alternatives, decided, make_page
from colbench_gym.tasks.generated_frontend.schema_1.html import page_html
from colbench_gym.tasks.generated_frontend.schema_1.page import Page
from colbench_gym.tasks.generated_frontend.schema_1.sites import SITES
from colbench_gym.tasks.generated_frontend.schema_1.words import REQUESTS, Site
from colbench_gym.tasks.permutation import Draw, permuted_index

SCHEMA = "generated-page-1"  # part of every key: another grammar gets another number, and other tasks
_TENTH = MEMBERS // 10  # validation and test get one tenth of the members of each site, train the rest
_PARTS = {
    "validation": range(_TENTH),
    "test": range(_TENTH, 2 * _TENTH),
    "train": range(2 * _TENTH, MEMBERS),
}
PAGES = MEMBERS * sum(len(site.names) for site in SITES)  # different pages in all splits together


@dataclass(frozen=True)
class Member:
    """One page of the grammar, and how it is asked for.

    Attributes:
        site: which kind of site.
        number: which set of decisions.
        named: which of the site's names.
        wording: which of its requests; the page does not depend on it.
    """

    site: Site
    number: int
    named: int
    wording: int

    @property
    def name(self) -> str:
        """The name of the business."""
        return self.site.names[self.named]

    @cached_property
    def alternatives(self) -> dict[str, int]:
        """Alternative that each decision took."""
        return alternatives(self.number)

    @property
    def page(self) -> Page:
        """The wanted page as data."""
        return make_page(self.site, self.name, decided(self.alternatives))

    @property
    def description(self) -> str:
        """The vague public request."""
        return request(self.site, self.name, self.wording)


def requests(site: Site) -> int:
    """Return the number of requests for one name of a site."""
    return len(REQUESTS) * len(site.wants)


def request(site: Site, name: str, wording: int) -> str:
    """Return a request for a page of a site; it tells none of the decisions."""
    sentence, wants = divmod(wording, len(site.wants))
    kind = site.kind
    return REQUESTS[sentence].format(name=name, kind=kind, Kind=kind[0].upper() + kind[1:], wants=site.wants[wants])


@dataclass(frozen=True)
class GeneratedFrontendTasks(EndlessTasks[FrontendTask]):
    """The generated pages of one split.

    The sites take turns. Within a site the sets of decisions are rearranged by a key, and each split owns a part of
    that order; so no set of decisions is in two splits, and no page comes twice before index :attr:`distinct`.
    """

    name = "generated-1"
    splits = SPLITS

    @property
    def distinct(self) -> int:
        """No two tasks with an index below this have equal pages."""
        return len(_PARTS[self.split]) * min(len(site.names) for site in SITES) * len(SITES)

    def member(self, index: int) -> Member:
        """Return the page at a position, from 0: what :meth:`at` makes a task of."""
        turn, slot = divmod(self.position(index), len(SITES))
        site = SITES[permuted_index(slot, len(SITES), f"{SCHEMA} {self.split} {turn}")]
        part = _PARTS[self.split]
        again, position = divmod(turn, len(part))
        key = f"{SCHEMA} {site.kind}"
        number = permuted_index(part[position], MEMBERS, key)
        draw = Draw(key, "surface", number)
        first, wording = draw.below(len(site.names)), draw.below(requests(site))
        return Member(site, number, (first + again) % len(site.names), wording)

    def at(self, index: int) -> FrontendTask:
        """Return the task at a position, from 0.

        Raises:
            UnknownTaskError: no such position.
        """
        return _task(self.split, index, self.member(index))


@lru_cache(maxsize=1024)
def _task(split: str, index: int, member: Member) -> FrontendTask:
    task_id = f"{split}-{index}"
    reference = page_html(member.page)
    row = {
        "task_id": task_id,
        "problem_description": member.description,
        "ground_truth": reference,
        "decisions": [
            {"key": choice.key, "says": [choice.alternatives[member.alternatives[choice.key]]]} for choice in CHOICES
        ],
    }
    return FrontendTask(task_id, member.description, reference, row=row)
