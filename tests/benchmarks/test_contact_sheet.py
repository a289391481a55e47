"""A contact sheet shows each page once, and its file is small."""

import io

import pytest

from benchmarks.contact_sheet import COLUMNS, WIDTH_PX, contact_sheet
from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks


@pytest.mark.full
@pytest.mark.browser
def test_twelve_pages_fit_on_a_small_sheet(renderer):
    from PIL import Image

    tasks = GeneratedFrontendTasks("train")
    png = contact_sheet([tasks.at(index) for index in range(12)], renderer)
    assert len(png) < 400_000
    assert Image.open(io.BytesIO(png)).width > COLUMNS * WIDTH_PX
