"""What the pairing of parts needs."""

import sys

import pytest
from support.drawn_pages import layout, text

from colbench_gym.errors import MissingExtraError
from colbench_gym.graders.layout_similarity.part_matching import texts_agreement


def test_without_scipy_the_pip_line_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    page = layout(text("Bread", 0, 0))
    with pytest.raises(MissingExtraError, match=r"colbench-gym\[render\]"):
        texts_agreement(page, page)
