"""No page reaches the network or a file, in the best containment and in the one that has nothing but Chromium's own."""

import asyncio
import contextlib
import socket
import threading
import time
from pathlib import Path

import pytest
from support.rendering_places import NoAssets
from support.samples import every
from support.tables import cases

from colbench_gym.rendering.chromium.browser import Browser
from colbench_gym.rendering.chromium.containment import find_executable, ways

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("renderer")]

# U stands for an address of the listener, F for one of a file.
TRICKS = Path(__file__).with_name("tricks.html").read_text(encoding="utf-8")
SCHEMES = tuple(cases(__file__, "schemes"))


class Listener:
    """Notes who comes: TCP and UDP, on one port."""

    def __init__(self) -> None:
        self.came: list[bytes] = []
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self._over = False
        self._threads = [threading.Thread(target=work) for work in (self._accept, self._receive)]
        for ear in (self.tcp, self.udp):
            ear.settimeout(0.1)
        for thread in self._threads:
            thread.start()

    def _accept(self) -> None:
        while not self._over:
            with contextlib.suppress(TimeoutError):
                connection, _ = self.tcp.accept()
                with connection:
                    connection.settimeout(1)
                    with contextlib.suppress(OSError):
                        self.came.append(connection.recv(200))

    def _receive(self) -> None:
        while not self._over:
            with contextlib.suppress(TimeoutError):
                self.came.append(self.udp.recv(200))

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        for thread in self._threads:
            thread.join()
        self.tcp.close()
        self.udp.close()


def pages(port: int) -> list[str]:
    lines = every(4, TRICKS.replace("PORT", str(port)).strip().split("\n"))
    whole = [TRICKS.replace("PORT", str(port)).replace("U", scheme.format(port, n)) for n, scheme in enumerate(SCHEMES)]
    alone = [line.replace("U", f"http://127.0.0.1:{port}/line{n}") for n, line in enumerate(lines)]
    return [*whole, *(line for line in alone if "<style>" not in line)]


async def visit(containment, htmls: list[str], linger_s: float = 0.0) -> list[bytes]:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        executable = find_executable(playwright.chromium.executable_path)
        browser = await Browser.start(playwright, executable, containment, NoAssets(), lambda: True)
        try:
            seen = []
            for html in htmls:
                seen.append((await browser.visit(html, 90)).png)
                await asyncio.sleep(0.02)
                assert await browser.reset(90)
            await asyncio.sleep(linger_s)
            return seen
        finally:
            browser.kill()


@pytest.mark.sampled(2)
# The last way is what is left where the kernel has no namespaces: proxy, routing and switches alone.
@pytest.mark.parametrize("containment", [ways()[0], ways()[-1]], ids=["best", "last resort"])
def test_no_page_reaches_the_network(containment):
    with Listener() as listener:
        asyncio.run(visit(containment, pages(listener.port), linger_s=1.5))
        assert listener.came == []
        with socket.create_connection(("127.0.0.1", listener.port)) as knock:  # it does listen
            knock.sendall(b"me")
        end = time.monotonic() + 5
        while not listener.came and time.monotonic() < end:
            time.sleep(0.01)
    assert listener.came == [b"me"]


FILE_TRICKS = tuple(cases(__file__, "file_tricks"))


def test_no_page_reads_a_file():
    red = Path("/tmp") / f"colbench-red-{time.monotonic_ns()}.svg"
    red.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="red"/></svg>'
    )
    red.chmod(0o644)
    try:
        for way in (ways()[0], ways()[-1]):
            real = asyncio.run(visit(way, [page.replace("U", f"file://{red}") for page in FILE_TRICKS]))
            none = asyncio.run(visit(way, [page.replace("U", "file:///tmp/no-such-file.svg") for page in FILE_TRICKS]))
            assert real == none
    finally:
        red.unlink()
