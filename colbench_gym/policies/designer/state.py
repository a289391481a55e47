"""What is understood so far of a page of a known site."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from colbench_gym.page_language.statements import Subject
from colbench_gym.policies.designer.words import Spot, spot_of
from colbench_gym.tasks.generated_frontend.schema_1.choices import GRIDS, Plan, make_page
from colbench_gym.tasks.generated_frontend.schema_1.html import page_html
from colbench_gym.tasks.generated_frontend.schema_1.page import SectionKind
from colbench_gym.tasks.generated_frontend.schema_1.words import Site

FIRST_GUESS = Plan(  # what is right most often, or costs least where it is wrong
    accent="blue",
    depth="bright",
    ground="white",
    header="plain",
    hero="picture right",
    headline=0,
    button="filled",
    sections=("cards", "story"),
    titles=0,
    cards=3,
    columns=3,
    pictures=False,
    corners="rounded",
    align="left",
    footer="dark",
)


@dataclass
class SiteState:
    """A page of a known site.

    Attributes:
        site: which kind of site.
        name: of the business.
        plan: how the page is made, as far as it was understood.
        renamed: sections whose titles the reply gives: those titles that it tells to go are only renamed.
        shown: whose the pictures of the page were when the reply was given, in reading order.
        settled: what of the plan the reply has set so far.
    """

    site: Site
    name: str
    plan: Plan = FIRST_GUESS
    renamed: set[str] = field(default_factory=set)
    shown: list[str] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)

    def html(self) -> str:
        """The page."""
        return page_html(make_page(self.site, self.name, self.plan))

    def pictures(self) -> list[str]:
        """Whose the pictures of the page are, in reading order."""
        owners = ["opening"] if self.plan.hero.startswith("picture") else []
        for kind in self.plan.sections:
            owners += {"story": ["story"], "cards": ["cards"] * self.plan.cards * self.plan.pictures}.get(kind, [])
        return owners

    def find(self, text: str) -> Spot | None:
        """Where a text belongs."""
        return spot_of(text, self.site, self.name) if text else None

    def spot(self, subject: Subject | None) -> Spot | None:
        """Where the subject of a statement belongs."""
        if subject is None:
            return None
        if subject.text:
            return self.find(subject.text)
        return _WITHOUT_WORDS.get(subject.kind)

    def set(self, **changes: object) -> None:
        """Change the plan."""
        self.settled |= changes.keys()
        self.plan = replace(self.plan, **changes)  # type: ignore[arg-type]  # the names and types are those of Plan

    def settle_grid(self) -> None:
        """Cards and columns that go together."""
        cards, columns = self.plan.cards, self.plan.columns
        if (cards, columns) not in [grid for grid, _ in GRIDS]:
            fitting = [grid for grid, _ in GRIDS if grid[0] == cards]
            columns = min((grid[1] for grid in fitting), key=lambda n: abs(n - columns))
        self.set(cards=cards, columns=columns)


_WITHOUT_WORDS = {
    "header": Spot("header", "link"),
    "footer": Spot("footer", "line"),
    "heading": Spot("cards", "title"),
    "button": Spot("opening", "button"),
}


def section_kind(part: str) -> SectionKind:
    """A part that is neither header, opening nor footer."""
    return part  # type: ignore[return-value]  # parts of a Spot are these words


def is_picture(subject: Subject | None) -> bool:
    """Whether it is about a picture."""
    return subject is not None and subject.kind == "picture"


def is_box(subject: Subject | None) -> bool:
    """Whether it is about the area behind something."""
    return subject is not None and subject.kind in ("box around", "background behind", "blank box")
