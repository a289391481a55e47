"""No page reaches the network or a file, in the best containment and in the one that has nothing but Chromium's own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from pathlib import Path

import pytest
from support.rendering_places import NoAssets
from support.samples import every

from colbench_gym.rendering.chromium.browser import Browser
from colbench_gym.rendering.chromium.containment import find_executable, ways

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("renderer")]

# U stands for an address of the listener, F for one of a file.
TRICKS = """
<link rel=prefetch href=U><link rel=preconnect href=U><link rel=dns-prefetch href=U><link rel=prerender href=U>
<link rel=preload as=image href=U><link rel=preload as=font crossorigin href=U><link rel=modulepreload href=U>
<link rel=stylesheet href=U><link rel="alternate stylesheet" href=U title=x><link rel=icon href=U>
<link rel=manifest href=U><link rel=import href=U><link rel=next href=U><link rel=pingback href=U><link rel=search href=U>
<link rel=apple-touch-icon href=U><link rel=compression-dictionary href=U><link rel=expect href=U><link rel=subresource href=U>
<meta http-equiv=refresh content="0;url=U"><meta http-equiv=refresh content="1;url=U"><meta http-equiv=Link content="<U>; rel=prefetch">
<meta http-equiv=Content-Security-Policy content="default-src *; report-uri U"><meta http-equiv=x-dns-prefetch-control content=on>
<meta http-equiv=origin-trial content=x><meta property=og:image content=U><meta http-equiv=set-cookie content=x=y>
<meta http-equiv=Accept-CH content="DPR"><meta http-equiv=Delegate-CH content="DPR U">
<base href=U>
<style>@import url(U); @import "U" layer(x); @font-face{font-family:f;src:url(U)} @namespace url(U);
p{font-family:f;background:url(U);cursor:url(U),auto;list-style:url(U);border-image:url(U);content:url(U);mask:url(U#m);
filter:url(U#f);clip-path:url(U#c);shape-outside:url(U);offset-path:url(U#p)} p::before{content:url(U)}
p::after{background:image-set("U" 1x)} @media all{body{background:-webkit-image-set(url(U) 1x)}} a:visited{background:url(U)}
@property --x{syntax:"<url>";inherits:false;initial-value:url(U)} @document url(U){p{color:red}}
input{background:cross-fade(url(U),url(U),50%)} ::marker{content:url(U)} ::selection{background:url(U)}</style>
<p>x</p><img src=U><img srcset="U 1x, U 2x"><img src=U loading=lazy decoding=async crossorigin><img usemap=U longdesc=U src=U>
<picture><source srcset=U><img src=U></picture><input type=image src=U autofocus><body background=U><table background=U><tr><td background=U>
<iframe src=U></iframe><iframe srcdoc="<img src=U><link rel=prefetch href=U><script src=U></script>"></iframe>
<iframe src="data:text/html,<img src=U><meta http-equiv=refresh content=0;url=U>"></iframe><frameset><frame src=U></frameset>
<iframe src="javascript:fetch('U')"></iframe><iframe sandbox=allow-scripts srcdoc="<script>fetch('U')</script>"></iframe>
<object data=U></object><object data=U type=image/svg+xml></object><object data="data:text/html,<img src=U>"></object>
<embed src=U><embed src=U type=application/pdf><applet archive=U code=U></applet><portal src=U></portal><fencedframe src=U></fencedframe>
<video src=U poster=U autoplay></video><video preload=auto><source src=U><track default src=U></video>
<audio src=U autoplay preload=auto></audio><audio><source src=U></audio><bgsound src=U>
<svg><image href=U /><image xlink:href=U /><use href="U#x"/><feImage href=U /><script href=U /><style>@import url(U)</style>
<filter id=f><feImage xlink:href=U /></filter><rect width=9 height=9 fill="url(U#x)" filter="url(#f)"/><a href=U><text>x</text></a>
<foreignObject><img src=U></foreignObject><animate attributeName=href to=U begin=0s /><set attributeName=xlink:href to=U /><cursor xlink:href=U /></svg>
<math><mglyph src=U></mglyph><mtext xlink:href=U>x</mtext></math>
<form action=U id=g><input name=x autofocus><button formaction=U>x</button></form><a href=U ping=U id=a target=_blank>x</a>
<script src=U></script><script type=module src=U></script><script type=importmap>{"imports":{"x":"U"}}</script>
<script type=speculationrules>{"prerender":[{"source":"list","urls":["U"]}],"prefetch":[{"source":"list","urls":["U"]}]}</script>
<script>fetch('U');new WebSocket('U'.replace('http','ws'));new EventSource('U');navigator.sendBeacon('U');new Image().src='U';
new RTCPeerConnection({iceServers:[{urls:'stun:127.0.0.1:PORT'}]}).createDataChannel('x');new Worker('U');
navigator.serviceWorker.register('U');open('U');location='U';document.forms[0].submit();new WebTransport('U')</script>
<img src=x onerror="fetch('U')"><body onload="fetch('U')"><details open ontoggle="fetch('U')"><marquee onstart="fetch('U')">x</marquee>
<noscript><img src=U><link rel=stylesheet href=U><meta http-equiv=refresh content="0;url=U"></noscript>
<template shadowrootmode=open><img src=U><link rel=stylesheet href=U><style>@import url(U)</style></template>
<?xml-stylesheet href="U" type="text/xsl"?><!DOCTYPE html SYSTEM "U"><link rel=stylesheet href="data:text/css,@import url(U);">
<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='U'/><style>@import url(U)</style></svg>">
<blockquote cite=U></blockquote><img attributionsrc=U src=U><a attributionsrc=U>x</a><html manifest=U><input list=U><menuitem icon=U>
"""
SCHEMES = (
    "http://127.0.0.1:{}/{}",
    "https://127.0.0.1:{}/{}",
    "http://localhost:{}/{}",
    "http://[::1]:{}/{}",
    "//127.0.0.1:{}/{}",
    "ws://127.0.0.1:{}/{}",
    "ftp://127.0.0.1:{}/{}",
    "http://127.0.0.1.nip.invalid:{}/{}",
    "view-source:http://127.0.0.1:{}/{}",
    "blob:http://127.0.0.1:{}/{}",
)


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

    def __enter__(self) -> Listener:
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
    return [
        *whole,
        *(
            line.replace("U", f"http://127.0.0.1:{port}/line{n}")
            for n, line in enumerate(lines)
            if "<style>" not in line
        ),
    ]


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


FILE_TRICKS = (
    "<body style=margin:0><img width=200 height=200 src=U>",
    "<body style='margin:0;background:url(U)'>",
    "<body style=margin:0><iframe width=200 height=200 src=U></iframe>",
    "<body style=margin:0><object width=200 height=200 data=U></object><embed src=U>",
    "<base href='file:///tmp/'><svg width=200 height=200><image width=200 height=200 href=U /></svg>",
    "<meta http-equiv=refresh content='0;url=U'><frameset><frame src=U></frameset>",
)


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
