"""A page on this machine at which a person sits: shows what the seat may see, sends what the person writes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from colbench_gym.concurrency.leases import ClosedAtExit, Lease, Shared
from colbench_gym.dialogue import Seat
from colbench_gym.errors import MissingExtraError, UsageError
from colbench_gym.person import Box, Request, harmless
from colbench_gym.rules import MAX_MESSAGE_CHARS

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request as HttpRequest
    from starlette.responses import Response

HOST = "127.0.0.1"
MAX_BODY_BYTES = 6 * MAX_MESSAGE_CHARS + 1024  # JSON writes a character in up to six bytes, as \\u0000
POLL_S = 0.05
WAIT_S = 20.0  # a page that asks for news is answered after this long at the latest
GOODBYE_S = 2.0  # the page gets so long to fetch the last state
_PAGE = Path(__file__).parent / "page"
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Json = dict[str, Any]  # Any: JSON


class WebPerson(ClosedAtExit):
    """A person at a page of this machine, reached by nobody without the random token in its address.

    The server listens on the loopback interface only, on a port of its own.

    Args:
        console: where the page's address is printed; standard error by default.
        port: of the server; any free one by default.

    Raises:
        MissingExtraError: Starlette or uvicorn is not installed.
        UsageError: the port is taken.
    """

    def __init__(self, console: Console | None = None, port: int = 0) -> None:
        self._one_at_a_time = threading.Lock()
        self._state = threading.Condition()
        self._shown: list[Json] = []
        self._asked: Request | None = None
        self._message: str | None = None
        self._pictures: list[bytes] = []
        self._revision = 0
        self._seen = 0  # the newest revision that a page has fetched
        self._over = False
        self._token = secrets.token_urlsafe(24)
        self._server = _Server(self._app(), port)
        self.address = f"http://{HOST}:{self._server.port}/{self._token}/"
        told = f"Open this page in a browser on this machine: {self.address}"
        (console or Console(stderr=True)).print(told, soft_wrap=True, highlight=False, markup=False)

    def ask(self, request: Request) -> str:
        """Show a request's boxes on the page and return the message that the person sends. Ctrl-C passes."""
        with self._one_at_a_time, self._state:
            if request.opening:
                self._shown.clear()
                self._pictures.clear()
            self._shown += [self._box(box) for box in request.boxes]
            self._asked, self._message = request, None
            self._changed()
            try:
                while self._message is None:
                    self._state.wait(1.0)  # a wait without end would keep Ctrl-C waiting too
            finally:
                self._asked = None
                self._changed()
            self._shown.append({"title": "you", "text": harmless(self._message), "own": True})
            return self._message

    def tell(self, boxes: tuple[Box, ...], button: str = "Done") -> None:
        """Show boxes and wait until the person has seen them and pressed the button."""
        self.ask(Request(button, boxes, button=True))

    def close(self) -> None:
        """Tell the page that all is over and stop the server. A second call does nothing."""
        with self._state:
            if self._over:
                return
            self._over = True
            watched = self._seen > 0
            self._changed()
            if watched:
                self._state.wait_for(lambda: self._seen == self._revision, GOODBYE_S)
        self._server.close()

    def _changed(self) -> None:
        self._revision += 1
        self._state.notify_all()

    def _box(self, box: Box) -> Json:
        shown: Json = {"title": harmless(box.title), "text": harmless(box.text)}
        shown |= {"private": box.private, "code": box.code}
        if box.png:
            shown["picture"] = self._kept(box.png)
        return shown

    def _kept(self, png: bytes) -> str:
        self._pictures.append(png)
        return f"pictures/{self._revision}-{len(self._pictures) - 1}.png"

    def _news(self) -> Json:
        asked = self._asked
        self._seen = self._revision
        self._state.notify_all()
        return {
            "revision": self._revision,
            "shown": self._shown,
            "asked": None if asked is None else asked.prompt,
            "button": asked is not None and asked.button,
            "marker": asked.answer_marker if asked is not None else "",
            "preview": asked is not None and asked.preview is not None,
            "limit": MAX_MESSAGE_CHARS,
            "over": self._over,
        }

    def _app(self) -> Starlette:
        try:
            from starlette.applications import Starlette
            from starlette.middleware import Middleware
            from starlette.middleware.trustedhost import TrustedHostMiddleware
            from starlette.responses import JSONResponse, Response
            from starlette.routing import Mount, Route
            from starlette.staticfiles import StaticFiles
        except ImportError as error:
            raise MissingExtraError.of("starlette", "web", "a page to play on") from error

        async def state(request: HttpRequest) -> Response:
            known = request.query_params.get("since", "")
            ends = asyncio.get_running_loop().time() + WAIT_S
            while True:
                with self._state:
                    if str(self._revision) != known or asyncio.get_running_loop().time() > ends:
                        return JSONResponse(self._news())
                await asyncio.sleep(POLL_S)

        async def picture(request: HttpRequest) -> Response:
            _, _, index = request.path_params["name"].removesuffix(".png").partition("-")
            with self._state:
                png = {str(at): picture for at, picture in enumerate(self._pictures)}.get(index)
            return Response(status_code=404) if png is None else Response(png, media_type="image/png")

        async def say(request: HttpRequest) -> Response:
            sent = await _sent_message(request)
            if isinstance(sent, str):
                return JSONResponse({"error": sent}, 400)
            with self._state:
                if self._asked is None or sent["revision"] != self._revision:
                    return JSONResponse({"error": "this was answered already; the page shows what came after"}, 409)
                self._message, self._asked = sent["text"], None
                self._changed()
            return JSONResponse({})

        async def preview(request: HttpRequest) -> Response:
            sent = await _sent_message(request)
            if isinstance(sent, str):
                return JSONResponse({"error": sent}, 400)
            with self._state:
                draw = self._asked.preview if self._asked is not None else None
            if draw is None:
                return JSONResponse({"error": "there is nothing to draw now"}, 409)
            box = await asyncio.to_thread(draw, sent["text"])
            with self._state:
                return JSONResponse(self._box(box))

        root = f"/{self._token}/"
        return Starlette(
            routes=[
                Route(root + "api/state", state),
                Route(root + "api/say", say, methods=["POST"]),
                Route(root + "api/preview", preview, methods=["POST"]),
                Route(root + "pictures/{name:str}", picture),
                Mount(root, StaticFiles(directory=_PAGE, html=True)),
            ],
            middleware=[
                Middleware(TrustedHostMiddleware, allowed_hosts=[HOST], www_redirect=False),
                Middleware(_Guard, own_origin=lambda: f"http://{HOST}:{self._server.port}"),
            ],
        )


async def _sent_message(request: HttpRequest) -> Json | str:
    """Read {"text", "revision"} from a request's body, or return the sentence that says why it is none."""
    if request.headers.get("content-type") != "application/json":
        return "expected application/json"
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            return f"got more than {MAX_BODY_BYTES} bytes; send a shorter message"
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        return "expected JSON"
    if not isinstance(sent, dict) or not isinstance(sent.get("text"), str) or type(sent.get("revision")) is not int:
        return 'expected {"text": a string, "revision": a number}'
    if not sent["text"].strip():
        return "got an empty message; write something"
    if len(sent["text"]) > MAX_MESSAGE_CHARS:
        return f"got {len(sent['text'])} characters; a message holds at most {MAX_MESSAGE_CHARS}"
    return {"text": sent["text"], "revision": sent["revision"]}


class SharedWebPerson(Lease[WebPerson]):
    """A share of the page of one seat; whoever holds it speaks with the same person."""

    shared = Shared(
        {"agent": WebPerson, "human": WebPerson}, lambda seat: UsageError(f"the page of the {seat} is closed")
    )

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)

    def ask(self, request: Request) -> str:
        """Ask at the shared page; see :class:`~colbench_gym.person.Person`."""
        return self.resource().ask(request)

    def tell(self, boxes: tuple[Box, ...], button: str = "Done") -> None:
        """Show at the shared page; see :meth:`WebPerson.tell`."""
        self.resource().tell(boxes, button)


class _Guard:
    """ASGI middleware that refuses requests from other sites and sets the headers that keep text from being run."""

    def __init__(self, app: Any, own_origin: Callable[[], str]) -> None:  # Any: an ASGI application
        self._app, self._own_origin = app, own_origin

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # Any: ASGI's own untyped messages
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        wrong = origin != self._own_origin() if scope["method"] != "GET" or origin else False
        if wrong:
            await send({"type": "http.response.start", "status": 403, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(k.lower().encode(), v.encode()) for k, v in _HEADERS.items()]
            await send(message)

        await self._app(scope, receive, with_headers)


class _Server:
    """uvicorn in a thread, on a socket of the loopback interface."""

    def __init__(self, app: Starlette, port: int) -> None:
        try:
            import uvicorn
        except ImportError as error:
            raise MissingExtraError.of("uvicorn", "web", "a page to play on") from error
        try:
            self._socket = socket.create_server((HOST, port))
        except (OSError, OverflowError) as error:
            raise UsageError(f"cannot listen on {HOST}:{port} ({error}); give another --port, or 0 for any") from error
        self.port: int = self._socket.getsockname()[1]
        self._server = uvicorn.Server(
            uvicorn.Config(app, log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True, name="colbench-page"
        )
        self._thread.start()

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(GOODBYE_S)
        with contextlib.suppress(OSError):
            self._socket.close()
