"""Pages in the window of the official browser: as wide as that, and as high as the document."""

import io
import os

import pytest
from support.rendering_places import NoAssets
from support.tables import cases, values

from colbench_gym.rendering import OFFICIAL_WINDOW
from colbench_gym.rendering.chromium import Chromium
from colbench_gym.rendering.chromium.fonts import system_families, with_families

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("renderer")]
WIDTH, HEIGHT = OFFICIAL_WINDOW.width, OFFICIAL_WINDOW.height
BESIDE = WIDTH - OFFICIAL_WINDOW.scrollbar
DOCTYPE = "<!doctype html><html><body style='margin:0'>"
LINES = "<html><body style='margin:0;font:16px {}'>"
BLOCK = '<div style="width:100%;height:{}px;background:teal"></div>'

NAMES = {"BLOCK": BLOCK, "DOCTYPE": DOCTYPE, "LINES": LINES, "WIDTH": WIDTH, "HEIGHT": HEIGHT, "BESIDE": BESIDE}
CASES = values(__file__, "official_window.txt", NAMES)


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


@pytest.mark.parametrize(("style", "named"), cases(__file__, "generic_families_are_named_in_styles_alone"))
def test_generic_families_are_named_in_styles_alone(style, named):
    families = {"serif": "A", "sans-serif": "B"}
    assert with_families(f'<p style="{style}">font serif</p>', families) == f'<p style="{named}">font serif</p>'


def test_generic_families_are_the_systems_own(official):
    serif = system_families().get("serif", "serif")
    shown = [official.render(f"<html><body style='{style}'>Quick</body></html>").png
             for style in ("", "font-family:serif", f"font-family:{serif}")]  # fmt: skip
    assert shown[0] == shown[1] == shown[2]


def test_the_window_is_among_the_versions_where_it_is_not_ours(official):
    assert official.versions["window"] == f"{WIDTH}x{HEIGHT}"
    with Chromium(browsers=1, assets=NoAssets()) as ours:
        assert "window" not in ours.versions
        assert size(ours.render("<html><body>x</body></html>").png) == (1280, 720)


if os.environ.get("COLBENCH_FIREFOX"):  # the program of a Firefox ESR: only where there is one

    def test_pictures_have_the_size_of_firefox_s_and_look_alike():
        """44 pages without photos that are higher than the window, in a Firefox with its default settings."""
        from support.firefox import Firefox

        from colbench_gym.rendering.assets import TAILWIND, cache_folder
        from colbench_gym.tasks import load_tasks

        tasks = load_tasks("generated", "frontend")
        pages = (tasks.at(n).reference for n in range(1000))
        plain = (page for page in pages if "picsum" not in page)
        stylesheet = (cache_folder() / TAILWIND.name).as_uri()
        apart = []
        with Firefox(os.environ["COLBENCH_FIREFOX"]) as firefox, Chromium(1, window=OFFICIAL_WINDOW) as official:
            assert [size(firefox.picture(page)) for page, _ in CASES] == [expected for _, expected in CASES]
            while len(apart) < 44:
                page = next(plain)
                theirs = firefox.picture(page.replace(TAILWIND.url, stylesheet))
                if size(theirs)[1] > HEIGHT:
                    ours = official.render(page).png
                    assert (size(ours), size(ours)[0]) == (size(theirs), BESIDE)
                    apart.append(_difference(theirs, ours))
        assert sum(difference < 2 for difference in apart) >= 40


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
