"""What a person's statements change about the plan of a generated page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from colbench_gym.page_language.statements import Statement, StatementKind
from colbench_gym.policies.designer import appearance as site_looks
from colbench_gym.policies.designer import contents as site_contents
from colbench_gym.policies.designer import places as site_places
from colbench_gym.policies.designer.state import SiteState
from colbench_gym.policies.designer.words import Spot

_CHANGES: Mapping[StatementKind, Callable[[SiteState, Statement], None]] = {
    "missing": site_contents.missing,
    "unwanted": site_contents.unwanted,
    "wording": site_contents.wording,
    "order": site_contents.order,
    "count": site_contents.count,
    "place": site_places.place,
    "columns": site_places.columns,
    "width": site_places.width,
    "align": site_places.align,
    "shift": site_places.shift,
    "corners": site_looks.corners,
    "border": site_looks.border,
    "shade": site_looks.shade,
    "color": site_looks.color,
}


class SiteDraft(SiteState):
    """A page of a known site as it was understood so far; statements change its plan."""

    def revise(self, statements: Iterable[Statement]) -> None:
        """Change the plan as the statements ask; those that say nothing about it are passed over."""
        said = list(statements)
        # what colours mean depends on the ground, and what is told to go may be there under another title
        said.sort(key=lambda one: (not _about_page(one), one.kind == "unwanted"))
        wanted = [spot for one in said if one.kind in ("missing", "wording") and (spot := self._wanted_title(one))]
        self.renamed = {spot.part for spot in wanted}
        self.shown, self.settled = self.pictures(), set()
        for statement in said:
            change = _CHANGES.get(statement.kind)
            if change is not None:
                change(self, statement)
        self.settle_grid()

    def _wanted_title(self, said: Statement) -> Spot | None:
        text = said.wanted if said.kind == "wording" else said.subject.text if said.subject else ""
        spot = self.find(text)
        return spot if spot is not None and spot.role == "title" else None


def _about_page(said: Statement) -> bool:
    return said.subject is not None and said.subject.kind == "page"
