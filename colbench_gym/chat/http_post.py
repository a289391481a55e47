"""HTTP POSTs to a server that is not trusted: each within a deadline, up to a number of bytes."""

from __future__ import annotations

import http.client
import os
import select
import socket
import ssl
import threading
import time
import weakref
import zlib
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from colbench_gym.concurrency.deadlines import Deadlines

MAX_ANSWER_BYTES = 4 << 20  # ours: 200,000 characters of a message, each escaped, are 2.4 MB
KEPT_S = 4.0  # ours: servers close what nobody uses after 5 s and more
FRESH_S = 0.001  # ours: what has been left open that long ago is not looked at, which costs a switch of threads
_PIECE_BYTES = 1 << 16
_GZIP_OR_ZLIB = 47  # zlib's window bits for "whichever of the two the data has"
_DEADLINES = Deadlines()


@dataclass(frozen=True)
class Answer:
    """A whole answer of a server, to whose redirections nobody goes, since the request holds a key."""

    status: int
    headers: Mapping[str, str]  # last value of each, by its name in lower case
    body: bytes  # decompressed, at most MAX_ANSWER_BYTES


class DeadlineError(Exception):
    """The whole answer had not arrived when the time was over."""


class NoAnswerError(Exception):
    """The connection failed, or what came over it is no answer that can be read."""


@dataclass(frozen=True)
class Route:
    """Way to a URL."""

    host: str  # the server's, or the proxy's
    port: int
    target: str  # what is asked for there
    headers: Mapping[str, str]  # Host, and the login for a proxy that is sent the request itself
    server_name: str | None  # of a server that speaks TLS; None for http
    # Host and port that a proxy is asked for before the TLS handshake, and the login for it.
    tunnel: tuple[str, Mapping[str, str]] | None = None

    @classmethod
    def to(cls, url: str) -> Route:
        """Return the way to an http or https URL, past the environment's proxy (HTTP_PROXY, HTTPS_PROXY, NO_PROXY)."""
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        host, port = parts.hostname or "", parts.port or (443 if secure else 80)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        named = parts.netloc.rpartition("@")[2]
        headers = {"Host": named if named.isascii() else named.encode("idna").decode()}
        proxy = "" if proxy_bypass(host) else getproxies().get(parts.scheme, "")
        if not proxy:
            return cls(host, port, target, headers, host if secure else None)
        between = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        user = f"{unquote(between.username or '')}:{unquote(between.password or '')}".encode()
        login = {"Proxy-Authorization": f"Basic {b64encode(user).decode()}"} if between.username else {}
        address = between.hostname or "", between.port or 80
        if not secure:
            return cls(*address, url, headers | login, None)
        server = headers["Host"] if parts.port else f"{headers['Host']}:{port}"
        return cls(*address, target, headers, host, (server, login))


class Client:
    """Sends requests with the same headers to one server, over connections kept for a time unused. Thread-safe."""

    def __init__(self, route: Route, headers: Mapping[str, str], kept_s: float = KEPT_S) -> None:
        self.route = route
        self._kept_s = kept_s
        self._headers = {**route.headers, "Accept-Encoding": "identity", **headers}
        self._idle: list[_Connection] = []
        self._process = os.getpid()
        self._finalizer = weakref.finalize(self, _close_all, self._idle)

    @cached_property
    def _head(self) -> bytes:
        """A request up to its length."""
        return _head(f"POST {self.route.target}", self._headers)

    def post(self, body: bytes, *, deadline_s: float) -> Answer:
        """Send a request and return the answer, in time for everything after the name look-up, however it is sent.

        Raises:
            DeadlineError: the answer took longer.
            NoAnswerError: no connection, no HTTP, more than MAX_ANSWER_BYTES, or an encoding that was not asked for.
        """
        until = time.monotonic() + deadline_s
        if (kept := self._kept()) is not None:
            with suppress(_ClosedMeanwhileError):  # before it could be used again
                return self._exchange(kept, body, until)
        try:
            connection = _Connection()
        except OSError as e:  # too many open files
            raise NoAnswerError(str(e)) from e
        return self._exchange(connection, body, until)

    def close(self) -> None:
        """Close the connections that nobody uses. A second call does nothing."""
        _close_all(self._idle)

    def _kept(self) -> _Connection | None:
        """Return a connection that the server has left open until now."""
        if self._process != os.getpid():  # a forked child: they are the parent's
            self._process = os.getpid()
            self.close()
        while self._idle:
            with suppress(IndexError):  # another thread took the last one
                connection = self._idle.pop()
                idle_s = time.monotonic() - connection.used
                if idle_s < FRESH_S or (idle_s < self._kept_s and connection.is_quiet()):
                    return connection
                connection.close()
        return None

    def _exchange(self, connection: _Connection, body: bytes, until: float) -> Answer:
        answered = reusable = False
        try:
            _DEADLINES.add(until, connection.expire)
            if not connection.used:
                connection.open(self.route, max(until - time.monotonic(), 0.001))
            if connection.expired:
                raise TimeoutError
            # As one: each piece of its own would wake the server, and cost a switch of threads.
            connection.sock.sendall(b"%bContent-Length: %d\r\n\r\n%b" % (self._head, len(body), body))
            with http.client.HTTPResponse(connection.sock, method="POST") as response:
                response.begin()
                answered = True
                content = _read(response)
                reusable = not response.will_close
            received = {name.lower(): value for name, value in response.getheaders()}
        except (OSError, http.client.HTTPException, ValueError, zlib.error) as e:
            if connection.expired or isinstance(e, TimeoutError):
                raise DeadlineError from e
            if connection.used and not answered and isinstance(e, ConnectionError):
                raise _ClosedMeanwhileError from e
            raise NoAnswerError(str(e) or type(e).__name__) from e
        finally:
            _DEADLINES.drop(connection.expire)
            if reusable and not connection.expired:
                connection.used = time.monotonic()
                self._idle.append(connection)
            else:
                connection.close()
        if connection.expired:
            raise DeadlineError
        return Answer(response.status, received, content)


class _ClosedMeanwhileError(Exception):
    """A connection that was kept open had been closed by the server; no byte of an answer came."""


def _close_all(connections: list[_Connection]) -> None:
    while connections:
        with suppress(IndexError):  # another thread took the last one
            connections.pop().close()


def reach(route: Route, within_s: float) -> None:
    """Connect to a server, or to the proxy in between, and send nothing; NoAnswerError where that fails."""
    failures = [f"none within {within_s:g} s"]

    def connect() -> None:
        try:
            socket.create_connection((route.host, route.port), within_s).close()
            failures.clear()
        except OSError as e:
            failures[:] = [str(e) or type(e).__name__]

    # In a thread, as looking up a name has no time limit of its own.
    connecting = threading.Thread(target=connect, name="colbench-reach", daemon=True)
    connecting.start()
    connecting.join(within_s)
    for failure in failures:
        raise NoAnswerError(failure)


class _Connection:
    """A connection that can be shut down from another thread, also during the TLS handshake."""

    def __init__(self) -> None:
        self.sock = socket.socket()  # not connected
        self.used = 0.0  # when an answer had come over it
        self.expired = False

    def open(self, route: Route, timeout_s: float) -> None:
        """Connect; each step of that has that time at most. What comes then waits until it is shut down."""
        self.sock.close()
        self.sock = socket.create_connection((route.host, route.port), timeout_s)
        if self.expired:  # while there was none to shut down
            raise TimeoutError
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if route.tunnel is not None:
            server, login = route.tunnel
            self.sock.sendall(_head(f"CONNECT {server}", {"Host": server, **login}) + b"\r\n")
            with http.client.HTTPResponse(self.sock, method="CONNECT") as response:
                response.begin()
                if response.status != http.client.OK:
                    raise OSError(f"the proxy made no tunnel: {response.status} {response.reason}")
        if route.server_name is not None:
            self.sock = _tls().wrap_socket(self.sock, server_hostname=route.server_name, do_handshake_on_connect=False)
            self.sock.do_handshake()
        self.sock.settimeout(None)

    def expire(self) -> None:
        """End all reading and writing; a thread that waits for it goes on at once."""
        self.expired = True
        with suppress(OSError):
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)  # not TLS's own, which would drop its state meanwhile

    def is_quiet(self) -> bool:
        """Return whether the server has neither closed it nor said anything that nobody asked for."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        self.sock.close()


def _head(line: str, headers: Mapping[str, str]) -> bytes:
    """Return the first lines of a request; a ValueError for characters that have no place there."""
    lines = [f"{line} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    if line.count(" ") > 1 or not all(line.isascii() and line.isprintable() for line in lines):
        raise ValueError("an address or a header with characters that have no place in it")
    return "".join(f"{line}\r\n" for line in lines).encode()


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Return a context that trusts the system's authorities, and certifi's where that is installed."""
    context = ssl.create_default_context()
    with suppress(ImportError):
        import certifi  # for Pythons that bring no authorities

        context.load_verify_locations(certifi.where())
    return context


def _read(response: http.client.HTTPResponse) -> bytes:
    encoding = (response.getheader("Content-Encoding") or "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip", "deflate"):
        raise ValueError(f"an answer in the encoding {encoding[:40]!r}, which was not asked for")
    unpacker = None if encoding == "identity" else zlib.decompressobj(_GZIP_OR_ZLIB)
    content = bytearray()
    while piece := response.read(_PIECE_BYTES):
        content += unpacker.decompress(piece, MAX_ANSWER_BYTES + 1 - len(content)) if unpacker else piece
        if len(content) > MAX_ANSWER_BYTES:
            raise ValueError(f"an answer of more than {MAX_ANSWER_BYTES:,} bytes")
    if response.length:  # promised by Content-Length
        raise http.client.IncompleteRead(bytes(content[:40]), response.length)
    return bytes(content)
