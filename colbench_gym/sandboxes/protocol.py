"""Speak the worker's protocol (described in ``worker.server``) over one connection, and read what comes back warily."""

from __future__ import annotations

import contextlib
import ctypes
import select
import socket
import struct
import threading
import time
from dataclasses import dataclass

from colbench_gym.sandboxes import CallOutcome, Limits, Program
from colbench_gym.sandboxes.values import Budget, NotDataError, decode
from colbench_gym.sandboxes.worker.program import FRAME_HEAD_BYTES, HEADER_BYTES, MAGIC_NUMBER, NOT_STARTED

QUIET_S = 0.02  # how long to sleep until the connection closes before reading what has come so far
GRACE_S = 5.0  # beyond a program's own limit; a worker that is later than this is at fault, not the program
MAX_VERDICT_BYTES = 4096
POLLRDHUP = getattr(select, "POLLRDHUP", 0)


ENDS = ("exited", "signal", "cpu", "wall", "total", "threads", "closed")
MAX_DIGITS = 20


LARGE_BYTES = 4 << 20  # ours: results that cost more make the next program's reader give memory back
_large_results = threading.Event()


@dataclass(frozen=True)
class Verdict:
    """End of the child as the worker tells it: see the ``z`` frame in ``worker.server``. ``flood`` is our own word."""

    end: str
    call: int
    cpu_s: float
    detail: int
    clean: bool = True


@dataclass(frozen=True)
class Exchange:
    """Answer of a worker to one request.

    Attributes:
        frames: of the calls, in order.
        verdict: None when the stream ended without one.
        wall_s: what it took by our own clock: nothing that a program can write says how long it ran.
    """

    frames: tuple[tuple[bytes, bytes], ...]
    verdict: Verdict | None
    wall_s: float

    def outcomes(self, budget: Budget | None = None) -> list[CallOutcome]:
        """Decode the frames within the program's budget; what is not the encoding of a value is ``unserialisable``."""
        budget = budget or Budget()
        if _large_results.is_set():
            _large_results.clear()
            _give_back_memory()
        before = budget.memory_bytes
        outcomes = [_outcome(kind, payload, budget) for kind, payload in self.frames]
        if before - budget.memory_bytes > LARGE_BYTES:
            _large_results.set()
        return outcomes


def _give_back_memory() -> None:
    """Return to the system what large results took before; the C library keeps it, for each thread its own."""
    with contextlib.suppress(AttributeError, OSError):  # of the GNU library alone
        ctypes.CDLL(None).malloc_trim(0)


def _outcome(kind: bytes, payload: bytes, budget: Budget) -> CallOutcome:
    if kind == b"x":
        return CallOutcome("raised")
    if kind == b"v":
        try:
            return CallOutcome("returned", decode(payload, budget))
        except NotDataError:
            pass
    return CallOutcome("unserialisable")


def request_bytes(program: Program, calls: tuple[str, ...], limits: Limits) -> bytes:
    """Return the request for evaluating ``calls`` in ``program``."""
    texts = (program.source, *calls)
    body = struct.pack(f"<{len(texts)}I", *map(len, texts)) + "".join(texts).encode("utf-8", "surrogatepass")
    header = struct.pack(
        "<10I",
        MAGIC_NUMBER,
        program.scoping == "official",
        len(calls),
        round(limits.cpu_s_per_call * 1000),
        round(limits.wall_s_per_call * 1000),
        round(limits.total_wall_s * 1000),
        limits.memory_bytes >> 20,
        limits.max_result_bytes,
        program.seed,
        len(body),
    )
    return header + body


def body_length(header: bytes) -> int:
    """Return how many bytes follow the header of a request."""
    return int.from_bytes(header[HEADER_BYTES - 4 : HEADER_BYTES], "little")


def exchange(connection: socket.socket, request: bytes, calls: int, limits: Limits) -> Exchange | None:
    """Send ``request`` and read until the worker closes the connection.

    Returns:
        What came back, or None when the worker failed: it went away or did not keep its own deadline.
    """
    began = time.monotonic()
    deadline = began + limits.total_wall_s + GRACE_S
    max_bytes = calls * (limits.max_result_bytes + FRAME_HEAD_BYTES) + MAX_VERDICT_BYTES
    received = bytearray()
    poll = select.poll()
    try:
        connection.setblocking(False)  # also where the process has a default timeout
        sent = connection.send(request)
        if sent < len(request):
            connection.settimeout(GRACE_S)
            connection.sendall(request[sent:])
            connection.setblocking(False)
        # Usually all frames are there when the worker closes: sleep until then, and only then wake up to read.
        poll.register(connection, POLLRDHUP)
        poll.poll(QUIET_S * 1000)
        poll.modify(connection, select.POLLIN)
        while True:
            try:
                piece = connection.recv(1 << 18)
            except BlockingIOError:
                left_s = deadline - time.monotonic()
                if left_s <= 0:
                    return None
                poll.poll(left_s * 1000)
                continue
            if not piece:
                return parse(bytes(received), calls, time.monotonic() - began)
            received += piece
            if len(received) > max_bytes:
                wall_s = time.monotonic() - began
                return Exchange(parse(bytes(received), calls, wall_s).frames, Verdict("flood", calls, 0.0, 0), wall_s)
    except OSError:
        return None


def parse(received: bytes, calls: int, wall_s: float) -> Exchange:
    """Split a stream into frames; it stops at the first thing that is not one."""
    frames: list[tuple[bytes, bytes]] = []
    position = 0
    while position + FRAME_HEAD_BYTES <= len(received):
        kind = received[position : position + 1]
        start = position + FRAME_HEAD_BYTES
        position = start + int.from_bytes(received[position + 1 : start], "big")
        if position > len(received):
            break
        payload = received[start:position]
        if kind == b"z" and position == len(received):
            return Exchange(tuple(frames), _verdict(payload, calls, wall_s), wall_s)
        if kind not in (b"v", b"x", b"u") or len(frames) == calls:
            break
        frames.append((kind, payload))
    return Exchange(tuple(frames), None, wall_s)


def _verdict(payload: bytes, calls: int, wall_s: float) -> Verdict | None:
    """Return the verdict that ``payload`` holds, if it is one: a program may have written it."""
    end, *words = payload.decode("ascii", "replace").split(" ")
    if end not in ENDS or len(words) != 5 or max(map(len, words)) > MAX_DIGITS:
        return None
    try:
        call, cpu_ms, _, detail, clean = map(int, words)
    except ValueError:
        return None
    if not NOT_STARTED <= call <= calls or not 0 <= detail <= 255 or clean not in (0, 1):
        return None
    return Verdict(end, call, min(max(0.0, cpu_ms / 1000), wall_s), detail, bool(clean))
