"""Pages in the window of the official browser: as wide as that, and as high as the document."""

from __future__ import annotations

import io
import os
import statistics

import pytest
from support.rendering_places import NoAssets

from colbench_gym.rendering import OFFICIAL_WINDOW
from colbench_gym.rendering.chromium import Chromium

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("renderer")]
WIDTH, HEIGHT = OFFICIAL_WINDOW.width, OFFICIAL_WINDOW.height
BLOCK = '<div style="width:100%;height:{}px;background:teal"></div>'

CASES = [
    (f"<html><body style='margin:0'>{BLOCK.format(50)}</body></html>", (WIDTH, 50)),
    (f"<html><body>{BLOCK.format(50)}</body></html>", (WIDTH, 66)),  # 8 px of margin above and below
    (f"<html><body style='margin:0'>{BLOCK.format(2000)}</body></html>", (WIDTH, 2000)),
    ("<html><body style='margin:0'><div style='height:100%'>x</div></body></html>", (WIDTH, HEIGHT)),
    ("<html><body style='margin:0'><div style='height:50vh'>x</div></body></html>", (WIDTH, HEIGHT // 2)),
    ("<html style='height:100%'><body>x</body></html>", (WIDTH, HEIGHT)),
    ("<html><body style='margin:0'><div style='height:40px;position:relative;top:100px'>x</div>", (WIDTH, 140)),
    (f"<html><body style='margin:0;height:100px'>{BLOCK.format(500)}</body></html>", (WIDTH, 500)),
    (f"<html><body style='margin:0'>{BLOCK.format(9)}<p style='position:absolute;top:300px'>x</p>", (WIDTH, 9)),
    (f"<html><body style='margin:0'>{BLOCK.format(9)}<p style='position:fixed;bottom:0'>x</p>", (WIDTH, 9)),
    (f"<html><body style='margin:0;width:1400px'>{BLOCK.format(50)}</body></html>", (1400, 50)),
    (f"<!doctype html><html><body>{BLOCK.format(50)}</body></html>", (WIDTH, HEIGHT)),
    ("<html></html>", (WIDTH, 8)),
]


def size(png):
    from PIL import Image

    return Image.open(io.BytesIO(png)).size


@pytest.fixture(scope="module")
def official():
    with Chromium(browsers=1, assets=NoAssets(), window=OFFICIAL_WINDOW) as made:
        yield made


@pytest.mark.parametrize(("page", "expected"), CASES)
def test_a_picture_is_as_high_as_the_document(official, page, expected):
    """Each size is the one that Firefox ESR 153 gives."""
    assert size(official.render(page).png) == expected


def test_the_window_is_among_the_versions_where_it_is_not_ours(official):
    assert official.versions["window"] == f"{WIDTH}x{HEIGHT}"
    with Chromium(browsers=1, assets=NoAssets()) as ours:
        assert "window" not in ours.versions
        assert size(ours.render("<html><body>x</body></html>").png) == (1280, 720)


if os.environ.get("COLBENCH_FIREFOX"):  # the program of a Firefox ESR: only where there is one

    def test_pictures_have_the_size_of_firefox_s_and_look_alike():
        from support.firefox import Firefox

        from colbench_gym.rendering.assets import TAILWIND, cache_folder
        from colbench_gym.tasks import load_tasks

        tasks = load_tasks("generated", "frontend")
        pages = [task.reference for task in map(tasks.at, range(60)) if "picsum" not in task.reference]
        stylesheet = (cache_folder() / TAILWIND.name).as_uri()
        assert len(pages) > 5
        apart = []
        with Firefox(os.environ["COLBENCH_FIREFOX"]) as firefox, Chromium(1, window=OFFICIAL_WINDOW) as official:
            assert [size(firefox.picture(page)) for page, _ in CASES] == [expected for _, expected in CASES]
            for page in pages:
                theirs, ours = firefox.picture(page.replace(TAILWIND.url, stylesheet)), official.render(page).png
                (width, height), (our_width, our_height) = size(theirs), size(ours)
                assert (our_width, abs(our_height - height) <= 0.02 * height) == (width, True)
                apart.append(_difference(theirs, ours))
        assert statistics.median(apart) < 2


def _difference(first, second):
    """Mean difference of two pictures from 0 to 255, after CLIP's preprocessing."""
    import numpy as np
    from PIL import Image

    squares = []
    for png in (first, second):
        picture = Image.open(io.BytesIO(png)).convert("RGB")
        scale = 224 / min(picture.size)
        width, height = (max(224, round(side * scale)) for side in picture.size)
        left, top = (width - 224) // 2, (height - 224) // 2
        square = picture.resize((width, height), Image.Resampling.BICUBIC).crop((left, top, left + 224, top + 224))
        squares.append(np.asarray(square, dtype=float))
    return float(abs(squares[0] - squares[1]).mean())
