"""Equal pages give equal pixels whatever moves in them, and a page that differs from itself says so."""

import warnings
from urllib.parse import quote

import pytest
from support.rendering_places import NoAssets
from support.tables import values

from colbench_gym.rendering.chromium import Chromium
from colbench_gym.rendering.chromium import containment as ways_to_contain
from colbench_gym.rendering.chromium.suspicion import may_differ

MOVING = "@keyframes a{to{transform:translateX(400px)}}p{animation:a 3s infinite linear;width:50px;background:red}"
SMIL = "<svg width=300><rect width=50 height=50><animate attributeName=x from=0 to=250 dur=3s repeatCount=indefinite /></rect></svg>"
SVG = "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='100'>{}<rect width='50' height='50' fill='red'>{}</rect></svg>"
SMIL_PICTURE = quote(SVG.format("", "<animate attributeName='x' from='0' to='250' dur='3s' repeatCount='indefinite'/>"))
CSS_PICTURE = quote(
    SVG.format("<style>@keyframes a{to{transform:translateX(250px)}}rect{animation:a .7s infinite linear}</style>", "")
)
SHADOW = f"<div><template shadowrootmode=MODE><style>{MOVING}</style><p>x</p>{SMIL}</template></div>"
PAGES = dict(values(__file__, "pages_that_move.txt", globals()))

pytestmark = pytest.mark.browser


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", PAGES)
def test_pages_that_move_give_equal_pixels(name):
    """Rendered three times each, in two browsers, and never taken from the cache."""
    with (
        Chromium(browsers=1, assets=NoAssets(), cache_bytes=0) as first,
        Chromium(browsers=1, assets=NoAssets(), cache_bytes=0) as second,
    ):
        pages = [first.render(PAGES[name]), first.render(PAGES[name]), second.render(PAGES[name])]
    assert [page.status for page in pages] == ["rendered"] * 3
    assert len({page.png_sha256 for page in pages}) == 1
    assert not any(page.nondeterministic for page in pages)


def test_a_page_that_differs_from_itself_is_marked():
    picture = f'<img src="data:image/svg+xml,{CSS_PICTURE}"><p>honest otherwise'
    with Chromium(browsers=1, assets=NoAssets(), cache_bytes=0) as renderer:
        pages = [renderer.render(picture) for _ in range(4)]
    assert {page.status for page in pages} == {"rendered"}
    assert any(page.nondeterministic for page in pages)


@pytest.mark.parametrize(
    "html", [*PAGES.values(), "<p style='width:rand&#111;m(1px,2px)'>", "<p style='width:\\72 andom()'>"]
)
def test_what_may_move_is_rendered_twice(html):
    assert may_differ(html)


@pytest.mark.parametrize("html", ["<p>random thoughts</p>", "<div class='animate-pulse transition'>x</div>", ""])
def test_ordinary_pages_are_rendered_once(html):
    assert not may_differ(html)


def test_the_containment_stands_in_the_versions_and_a_weaker_one_is_warned_of_once(renderer):
    assert renderer.versions["browser_containment"] in {way.name for way in ways_to_contain.ways()}
    weaker = "Chromium's sandbox only, for this test"
    with pytest.warns(RuntimeWarning, match="docker run: --cap-add SYS_ADMIN"):
        ways_to_contain.warn_if_weaker(weaker)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ways_to_contain.warn_if_weaker(weaker)
        ways_to_contain.warn_if_weaker(ways_to_contain.ways()[0].name)
