"""Hostile pages: each ends in bounded time and memory, and the next page is right."""

import os
import threading
import time
from pathlib import Path

import pytest
from support.hostile_pages import ASKING, PAGES
from support.processes import wait_until
from support.rendering_places import NoAssets, browser_processes, folders
from support.samples import every

from colbench_gym.concurrency.leases import close_all
from colbench_gym.rendering.assets import Assets
from colbench_gym.rendering.chromium import Chromium
from colbench_gym.rendering.chromium.requests import MAX_REQUESTS

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("renderer")]

PAGE_S = 1.0  # most of them want all of it, and twice as much when they are tried again
MAX_BYTES = 4 * 1024**3  # of everything that one browser consists of
MAX_HOST_BYTES = 400 * 1024**2  # by which this process may grow
QUICK = ("png 30000", "refresh", "policy", "scripts", "names that hide the document's", "not HTML", "xslt")


def private_bytes(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


@pytest.mark.sampled(2)
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("pages", "assets"), [(PAGES, NoAssets), (ASKING, Assets)], ids=["hanging", "asking"])
def test_after_hostile_pages_the_next_page_is_right(pages, assets):
    """Pages take turns with honest ones; browsers are replaced on the way, and none is left over."""
    close_all()  # the shared one, whose processes come and go
    assert wait_until(lambda: not browser_processes())
    most, most_here, over = [0], [0], threading.Event()
    before = private_bytes(os.getpid())

    def watch() -> None:
        while not over.wait(0.5):
            most[0] = max(most[0], sum(map(private_bytes, browser_processes())))
            most_here[0] = max(most_here[0], private_bytes(os.getpid()) - before)

    watcher = threading.Thread(target=watch)
    statuses = {}
    with Chromium(browsers=1, assets=assets(), page_s=PAGE_S) as opened:
        honest = "<h1>An honest page</h1><p style='color:teal'>with text<input placeholder=name>"
        right = opened.render(honest)
        watcher.start()
        try:
            for name, html in every(7, list(pages.items())):
                began = time.monotonic()
                statuses[name] = opened.render(html).status
                took_s = time.monotonic() - began
                assert took_s < 45, f"{name} took {took_s:.0f} s"
                opened._cache._values.clear()
                assert opened.render(honest) == right, f"after {name}"
        finally:
            over.set()
            watcher.join()
    assert set(statuses.values()) <= {"rendered", "timed_out", "crashed", "too_large"}
    assert "timed_out" in statuses.values()  # a hostile page that hangs nothing would test nothing
    assert most[0] < MAX_BYTES
    assert most_here[0] < MAX_HOST_BYTES
    assert wait_until(lambda: not browser_processes())
    assert folders() == set()


def test_what_is_only_odd_is_rendered():
    with Chromium(browsers=1, assets=NoAssets()) as opened:
        assert {name: opened.render(PAGES[name]).status for name in QUICK} == dict.fromkeys(QUICK, "rendered")


@pytest.mark.full
def test_a_page_that_wants_too_much_memory_is_its_own_fault():
    with Chromium(browsers=1, assets=NoAssets(), page_s=20) as opened:
        assert opened.render(PAGES["svg use bomb"]).status in ("crashed", "timed_out")
        assert opened.render("<p>next").status == "rendered"


@pytest.mark.full
def test_a_page_gets_so_many_answers_and_the_next_one_a_fresh_browser():
    close_all()  # the shared one, whose processes would count
    assert wait_until(lambda: not browser_processes())
    answers = NoAssets()
    with Chromium(browsers=1, assets=answers, cache_bytes=0, page_s=60) as opened:
        browser = opened.render("<p>before") and set(browser_processes())
        page = opened.render("".join(f"<img src=http://a.invalid/{n}>" for n in range(MAX_REQUESTS + 40)))
        assert page.status == "rendered"
        assert len(answers.asked) == MAX_REQUESTS
        assert opened.render("<p>next").status == "rendered"
        assert len(browser & set(browser_processes())) <= 1  # the driver
        answers.asked.clear()
        opened.render("".join(f"<img src=http://a.invalid/{n}>" for n in range(MAX_REQUESTS // 4)))
        assert len(answers.asked) == MAX_REQUESTS // 4
