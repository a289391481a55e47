"""The Chromium renderer from its user's side: threads, loops, forks, closing, caching, and one page apart from the next."""

import asyncio
import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.command import ROOT
from support.processes import is_over, wait_until
from support.rendering_places import Answer, NoAssets, browser_processes, folders
from support.tables import program

from colbench_gym.concurrency.leases import close_all
from colbench_gym.errors import AssetError, RendererError, UnknownNameError
from colbench_gym.rendering import MAX_HTML_BYTES, MAX_PAGE_HEIGHT, MAX_PAGE_WIDTH, Renderer, open_renderer
from colbench_gym.rendering.chromium import Chromium
from colbench_gym.rendering.chromium.containment import (
    VARIABLE,
    _behind_wrapper,
    find_executable,
)
from colbench_gym.testing import check_renderer

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("renderer")]
PAGE = "<h1 style='color:navy'>Opening hours</h1><p>Mondays"


def size(png: bytes) -> tuple[int, int]:
    from PIL import Image

    return Image.open(io.BytesIO(png)).size


def pixel(png: bytes, x: int, y: int) -> tuple[int, ...]:
    from PIL import Image

    return Image.open(io.BytesIO(png)).convert("RGB").getpixel((x, y))


@pytest.fixture(scope="module")
def chromium():
    """One browser that may load nothing."""
    assets = NoAssets()
    with Chromium(browsers=1, assets=assets, page_s=20) as opened:
        yield opened


def test_it_keeps_its_contract():
    check_renderer(Chromium(browsers=2, assets=NoAssets()))


def test_a_lease_is_a_renderer_and_ends_its_browsers_with_the_last(renderer):
    close_all()
    before = browser_processes()
    first, second = open_renderer(), open_renderer("chromium")
    assert isinstance(first, Renderer)
    page = first.render(PAGE)
    first.close()
    first.close()
    with pytest.raises(RendererError, match="closed"):
        first.render(PAGE)
    assert second.render(PAGE) is page  # kept, not rendered again
    assert set(second.versions) == {"browser", "browser_containment", "fonts", "assets"}
    second.close()
    assert wait_until(lambda: browser_processes() == before)
    with pytest.raises(UnknownNameError, match="expected one of"):
        open_renderer("chromum")


def test_closing_twice_leaves_nothing():
    had_folders, had_threads, had = folders(), threading.active_count(), browser_processes()
    opened = Chromium(browsers=2, assets=NoAssets())
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(opened.render, [f"<p>{n}" for n in range(4)]))
    mine = [pid for pid in browser_processes() if pid not in had]
    assert mine
    assert folders() > had_folders
    opened.close()
    opened.close()
    assert folders() <= had_folders
    assert all(map(is_over, mine))
    assert threading.active_count() == had_threads
    with pytest.raises(RendererError, match="closed"):
        opened.render(PAGE)


def test_pages_are_at_least_the_window_and_cut_at_the_limits(chromium):
    assert size(chromium.render("<p>x").png) == (1280, 720)
    assert size(chromium.render("<p style='height:1000px'>x").png)[1] > 1000
    vast = chromium.render("<body style=margin:0><p style='margin:0;width:90000px;height:90000px;background:red'>")
    assert size(vast.png) == (MAX_PAGE_WIDTH, MAX_PAGE_HEIGHT)
    assert pixel(vast.png, MAX_PAGE_WIDTH - 1, MAX_PAGE_HEIGHT - 1) == (255, 0, 0)


def test_too_large_is_said_before_a_browser_sees_it(chromium):
    assert chromium.render("ä" * (MAX_HTML_BYTES // 2) + "x").status == "too_large"
    assert chromium.render("x" * 100 * 2**20).status == "too_large"


def test_no_doctype_is_added(chromium):
    quirks = "<body style='margin:0'><div style='width:100;height:50;background:red'>"  # unitless: in quirks mode only
    assert pixel(chromium.render(quirks).png, 50, 25) == (255, 0, 0)
    assert pixel(chromium.render("<!doctype html>" + quirks).png, 50, 25) == (255, 255, 255)


LEFT_BEHIND = program(__file__, "left_behind.txt").splitlines()


def test_nothing_of_a_page_is_left_for_the_next_one(chromium):
    seen = set()
    for left in LEFT_BEHIND:
        chromium.render(left + "<p>before")
        chromium._cache._values.clear()
        page = chromium.render("<style>p{color:green}</style><p>after<img src=x alt=no><input>")
        seen.add((page.png_sha256, page.layout))
    assert len(seen) == 1


MOVING = program(__file__, "moving.txt").splitlines()


@pytest.mark.parametrize("html", MOVING)
def test_what_moves_stands_still(chromium, html):
    seen = set()
    for _ in range(3):
        chromium._cache._values.clear()
        seen.add(chromium.render(html).png_sha256)
    assert len(seen) == 1


def test_an_animation_that_ends_is_shown_at_its_end(chromium):
    shown = chromium.render("<style>@keyframes a{from{opacity:0}}</style><p style='animation:a 9s both'>x")
    assert shown.png == chromium.render("<p>x").png


def test_a_page_loads_what_the_assets_answer_and_nothing_else():
    red = Answer(b"p{background:red;margin:0}", "text/css")
    assets = NoAssets({"https://cdn.invalid/x.css": red})
    with Chromium(browsers=1, assets=assets) as opened:
        page = opened.render(
            "<body style=margin:0><link rel=stylesheet href='https://cdn.invalid/x.css'><p>x<img src='http://a.invalid/p'>"
        )
        assert pixel(page.png, 600, 5) == (255, 0, 0)
        assets.answers["https://cdn.invalid/x.css"] = Answer(b"p{background:blue;margin:0}", "text/css")
        other = opened.render("<body style=margin:0><link rel=stylesheet href='https://cdn.invalid/x.css'><p>another")
        assert pixel(other.png, 600, 5) == (0, 0, 255)  # no cache of the browser stands between
    assert set(assets.asked) == {"https://cdn.invalid/x.css", "http://a.invalid/p"}


class Unfetched(NoAssets):
    def response(self, url: str, html: str) -> Answer | None:
        raise AssetError(f"{url} has not been fetched. Fetch it with: colbench assets fetch")


def test_an_asset_that_is_missing_is_the_users_error():
    with Chromium(browsers=1, assets=Unfetched()) as opened:
        for _ in range(2):
            with pytest.raises(AssetError, match="colbench assets fetch"):
                opened.render("<link rel=stylesheet href='https://cdn.invalid/x.css'><p>x")
        assert opened.render(PAGE).status == "rendered"


def test_equal_pages_at_the_same_time_are_rendered_once():
    assets = NoAssets()
    with Chromium(browsers=2, assets=assets) as opened, ThreadPoolExecutor(16) as threads:
        pages = list(threads.map(opened.render, ["<img src='http://a.invalid/p'>"] * 16))
        assert len({id(page) for page in pages}) == 1
        assert len(assets.asked) == 1


def test_what_is_kept_is_bounded():
    assets = NoAssets()
    with Chromium(browsers=1, assets=assets, cache_bytes=40_000) as opened:
        for number in (0, 1, 2, 3, 4, 0):
            opened.render(f"<img src='http://a.invalid/{number}'>")
        assert sum(len(page.png) for page in opened._cache._values.values()) <= 40_000
    assert assets.asked.count("http://a.invalid/0") == 2


def test_inside_a_running_loop(renderer):
    async def play():
        return renderer.render(PAGE), await asyncio.gather(
            *(asyncio.to_thread(renderer.render, f"<p>{n}") for n in range(3))
        )

    page, others = asyncio.run(play())
    assert page.status == "rendered"
    assert [other.status for other in others] == ["rendered"] * 3


def test_a_forked_child_gets_browsers_of_its_own(renderer):
    page = renderer.render(PAGE)
    mine = set(browser_processes())
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        status = 1
        try:
            same = renderer.render(PAGE).png == page.png
            others = set(browser_processes())
            with Chromium(browsers=1, assets=NoAssets()) as own:
                own.render("<p>of the child")
            close_all()
            os.write(writer, f"{same} {bool(others)} {len(browser_processes())}".encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read()
    assert os.waitpid(child, 0)[1] == 0
    assert answer == b"True True 0"
    assert set(browser_processes()) >= mine  # the child has not touched the parent's
    assert renderer.render("<p>after the fork").status == "rendered"


def test_closing_while_a_forked_child_lives_on():
    others = browser_processes()
    opened = Chromium(browsers=1, assets=NoAssets())
    mine = [pid for pid in browser_processes() if pid not in others]
    assert mine
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        os.close(writer)
        os.read(reader, 1)  # until the parent is done
        os._exit(0)
    opened.close()
    assert wait_until(lambda: all(map(is_over, mine)))
    os.close(reader)
    os.close(writer)
    os.waitpid(child, 0)


def run_script(script: str, **more):
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}, **more,
    )  # fmt: skip


WORKING = program(__file__, "chromium_working.txt")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("how", "to_all"), [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGKILL, False)])
def test_an_interrupted_or_killed_process_leaves_no_browser(how, to_all):
    process = run_script("import signal; signal.signal(signal.SIGINT, signal.default_int_handler)" + WORKING)
    with process:
        assert process.stdout.readline() == "ready\n"
        mine = browser_processes(process.pid)
        assert mine
        os.killpg(process.pid, how) if to_all else process.send_signal(how)
        errors = process.communicate(timeout=30)[1]
        assert process.returncode != 0
        assert how == signal.SIGKILL or errors.rstrip().endswith("KeyboardInterrupt"), errors
        assert wait_until(lambda: all(map(is_over, mine)))


def test_a_process_that_never_closes_leaves_nothing():
    process = run_script(WORKING.replace("50_000", "5"))
    errors = process.communicate(timeout=60)[1]
    assert (process.returncode, errors) == (0, "")
    assert folders(process.pid) == set()


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path, monkeypatch):
    """What Playwright's driver writes; the process ends without a word. (Profiles are the same kind of folder.)"""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    work = WORKING.replace("50_000", "5") + "\nimport os; os._exit(0)"
    for _ in range(2):
        with run_script(work) as process:
            assert process.communicate(timeout=60)[1] == ""
        (left,) = tmp_path.iterdir()
        assert left.name.startswith(f"colbench-driver-{process.pid}-")
        os.utime(left, (1, 1))


def test_which_browser(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with pytest.raises(RendererError, match="playwright install"):
        find_executable()
    (tmp_path / "lib").mkdir()
    real, wrapper = tmp_path / "lib" / "chromium", tmp_path / "chromium"
    real.write_bytes(b"\x7fELF")
    wrapper.write_text(f"#!/bin/sh\nAPPNAME=chromium\nLIBDIR={tmp_path}/lib\nexec $LIBDIR/$APPNAME\n")
    for file in (real, wrapper):
        file.chmod(0o755)
    assert _behind_wrapper(str(wrapper)) == str(real)
    monkeypatch.setenv(VARIABLE, str(wrapper))
    assert find_executable("/playwright/build") == str(real)
    monkeypatch.delenv(VARIABLE)
    assert find_executable(str(real)) == str(real)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_executable("/no/such/build") == str(real)
    wrapper.unlink()
    with pytest.raises(RendererError, match="apt-get install chromium"):
        find_executable()


def test_a_browser_that_cannot_start_says_what_was_tried(tmp_path):
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    had = folders()
    with pytest.raises(RendererError, match="no browser can be started here") as caught:
        Chromium(browsers=1, assets=NoAssets(), executable=str(broken))
    assert "namespaces" in str(caught.value)
    assert folders() <= had
