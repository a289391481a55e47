"""Browsers that are killed while they work: every page comes out right all the same, or it is our error, never the page's."""

import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from unittest.mock import AsyncMock

import pytest
from support.processes import command_of, is_over, wait_until
from support.rendering_places import NoAssets, browser_processes
from support.samples import FULL

from colbench_gym.concurrency.leases import close_all
from colbench_gym.errors import RendererError
from colbench_gym.rendering.chromium import Chromium
from colbench_gym.rendering.chromium.browser import Browser, BrowserGoneError, PageFaultError
from colbench_gym.rendering.chromium.containment import find_executable

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("renderer")]


@pytest.fixture(autouse=True)
def no_other_browsers():
    """The shared one, whose processes come and go, is started again when it is needed."""
    close_all()


def page(number: int) -> str:
    return f"<body style='background:rgb({number},{number * 7 % 256},99)'><h1>Page {number}</h1>" + "<p>words " * 30


class Killer:
    """Kills processes of browsers that this process started, except those to spare."""

    def __init__(self, spare: set[int], every_s: float, seed: int = 0) -> None:
        self._spare = spare
        self._every_s = every_s
        self._random = random.Random(seed)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work)
        self.killed = 0

    def _work(self) -> None:
        while not self._over.wait(self._every_s):
            self.kill()

    def kill(self) -> None:
        there = sorted(set(browser_processes()) - self._spare)
        for pid in self._random.sample(there, min(1, len(there))):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.killed += 1

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def test_pages_come_out_right_while_browsers_are_killed_at_random():
    spare = set(browser_processes())
    with Chromium(browsers=2, assets=NoAssets()) as opened:
        numbers = range(30 if FULL else 12)
        right = [opened.render(page(number)) for number in numbers]
        opened._cache._values.clear()
        killer = Killer(spare, every_s=0, seed=1)

        def render(number: int):
            if number % 3 == 0:
                killer.kill()
            return opened.render(page(number))

        with ThreadPoolExecutor(4) as threads:
            got = list(threads.map(render, numbers))
        assert killer.killed > 3
        assert [each.status for each in got] == ["rendered"] * len(right)
        assert got == right
        mine = [pid for pid in browser_processes() if pid not in spare]
    assert wait_until(lambda: all(map(is_over, mine)))
    assert all(map(is_over, set(browser_processes()) - spare))


@pytest.mark.full
def test_a_machine_that_kills_every_browser_is_our_error_in_bounded_time(tmp_path):
    tmp_path.chmod(0o755)  # the browser runs as nobody
    deadly = tmp_path / "deadly"  # while it is there, every browser ends as if killed when it starts
    mortal = tmp_path / "chromium"
    mortal.write_text(f'#!/bin/sh\n[ -e "${{0%/*}}/deadly" ] && exit 137\nexec {find_executable()} "$@"\n')
    mortal.chmod(0o755)
    spare = set(browser_processes())
    with Chromium(browsers=1, assets=NoAssets(), executable=str(mortal)) as opened:
        began = time.monotonic()
        deadly.touch()
        for pid in set(browser_processes()) - spare:
            if b"run-driver" not in command_of(pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        with pytest.raises(RendererError, match="ended under a page, or did not start"):
            opened.render(page(1))
        assert time.monotonic() - began < 120
        deadly.unlink()
        assert opened.render(page(2)).status == "rendered"


def test_without_its_driver_it_starts_another_one():
    spare = set(browser_processes())
    with Chromium(browsers=1, assets=NoAssets()) as opened:
        right = opened.render(page(3))
        for pid in set(browser_processes()) - spare:
            if b"run-driver" in command_of(pid):
                os.kill(pid, signal.SIGKILL)
        opened._cache._values.clear()
        assert opened.render(page(3)) == right
    assert set(browser_processes()) <= spare


@pytest.mark.parametrize("kind", ["", "--type=zygote", "--type=gpu-process"], ids=["first", "zygote", "gpu"])
def test_no_page_is_blamed_for_the_processes_of_its_browsers_that_are_killed(kind, monkeypatch):
    """More browsers lose one than a page has tries."""
    spare, visit, ended = set(browser_processes()), Browser.visit, []

    async def under_fire(self, html, limit_s):
        for pid in sorted(set(browser_processes()) - spare) if len(ended) < 3 else ():
            program, *arguments = command_of(pid).decode().replace("\0", " ").split()
            kinds = [each for each in arguments if each.startswith("--type=")]
            if program == find_executable() and kinds == ([kind] if kind else []):
                os.kill(pid, signal.SIGKILL)
                break
        else:
            assert len(ended) == 3
        try:
            return await visit(self, html, limit_s)
        except Exception as error:
            ended.append(type(error))
            raise

    with Chromium(browsers=1, assets=NoAssets(), page_s=5) as opened:
        right = opened.render(page(5))
        opened._cache._values.clear()
        monkeypatch.setattr(Browser, "visit", under_fire)
        assert opened.render(page(5)) == right
    assert set(ended) <= {BrowserGoneError}


def test_a_frozen_browser_is_replaced():
    spare = set(browser_processes())
    with Chromium(browsers=1, assets=NoAssets(), page_s=2) as opened:
        right = opened.render(page(4))
        opened._cache._values.clear()
        for pid in set(browser_processes()) - spare:
            if b"run-driver" not in command_of(pid):
                os.kill(pid, signal.SIGSTOP)
        assert opened.render(page(4)) == right
    assert set(browser_processes()) <= spare


def test_a_browser_that_ends_as_it_starts_is_replaced_where_one_started_before(monkeypatch):
    Chromium(browsers=1, assets=NoAssets()).close()
    ends = [PageFaultError("crashed"), BrowserGoneError("killed"), None]
    monkeypatch.setattr(Browser, "visit", visit := AsyncMock(side_effect=ends))
    Chromium(browsers=1, assets=NoAssets()).close()
    assert visit.await_count == 3
