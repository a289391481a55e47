"""References are trusted: one that seems to crash or hang is drawn anew before it is said to be broken."""

import pytest
from support.tables import cases

from colbench_gym import FrontendTask, TaskError
from colbench_gym.graders.wanted_page import wanted_page
from colbench_gym.rendering import RenderedPage, render_reference


class Failing:
    """A renderer that keeps what it drew, and ends in these ways under the pages that it has not seen."""

    def __init__(self, *ends):
        self._ends = iter(ends)
        self.pages = {}

    def render(self, html):
        if html not in self.pages:
            self.pages[html] = RenderedPage(next(self._ends))
        return self.pages[html]


@pytest.mark.parametrize(("ends", "status"), cases(__file__, "a_reference_is_tried_anew_once", tuples=True))
def test_a_reference_is_tried_anew_once(ends, status):
    renderer = Failing(*ends)
    assert render_reference(renderer, "<html></html>").status == status
    assert len(renderer.pages) == len(ends)


def test_what_is_wanted_is_tried_anew_before_its_task_is_refused():
    task = FrontendTask("t", "A page.", "<html></html>")
    assert wanted_page(task, Failing("crashed", "rendered")).status == "rendered"
    with pytest.raises(TaskError, match=r"cannot be rendered \(crashed\)"):
        wanted_page(task, Failing("crashed", "crashed"))
