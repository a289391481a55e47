"""Run one program in a forked child: read it from the connection, evaluate its calls, leave a frame for each.

Frames go to memory that the server shares with the child and sends when the child is dead: a program that is killed
loses nothing that it had finished, and nobody is woken up for a single result. The connection is closed before the
program runs, which can neither write to it nor end it.
"""

from __future__ import annotations

import os
import sys
from time import monotonic_ns, process_time_ns

from .values import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from typing import Any

# A request begins with these 32-bit numbers, little-endian as the machines are.
MAGIC, OFFICIAL, CALLS, CPU_MS, WALL_MS, TOTAL_MS, MEMORY_MIB, RESULT_BYTES, SEED, LENGTH = range(10)
HEADER_BYTES = 40
MAGIC_NUMBER = 0xC01BE4C2

# The shared memory: what is running since when, and frames.
MAX_ROOM_BYTES = 64 << 20  # as much as the other side reads of one program
CALL, CPU_NS, WALL_NS, END_OF_FRAMES = range(4)  # 64-bit numbers at its start
FIRST_FRAME = 64
VERDICT_BYTES = 128  # at its end, for the server's own frame
FRAME_HEAD_BYTES = 5  # kind, and the length of the payload
NOT_STARTED, TOP_LEVEL = -2, -1  # instead of the number of a call

MODULE_NAME = "answer"
SEEDED = ("random", "numpy.random")


def read_exactly(fd: int, length: int) -> bytes:
    """Read ``length`` bytes, or fewer when the other side closed."""
    data = os.read(fd, length)
    while data and len(data) < length:
        more = os.read(fd, length - len(data))
        if not more:
            break
        data += more
    return data


def write_all(fd: int, data: bytes | memoryview) -> None:
    """Write all of ``data`` to a blocking descriptor."""
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, data[written:])


def room_bytes(header: memoryview) -> int:
    """Return how much memory to share with a program: room for the largest results that its calls may have."""
    frames: int = header[CALLS] * (header[RESULT_BYTES] + FRAME_HEAD_BYTES)
    return min(MAX_ROOM_BYTES, FIRST_FRAME + frames + VERDICT_BYTES + 7) & ~7


def run_program(body: bytes, header: memoryview, page: mmap.mmap, clock: memoryview) -> None:
    """Run the program in a request. Everything it does wrong ends as a frame."""
    ends = 4 * (header[CALLS] + 1)
    lengths = memoryview(body[:ends]).cast("I")
    text = str(body[ends:], "utf-8", "surrogatepass")
    position = lengths[0]
    official, seed, result_bytes = header[OFFICIAL], header[SEED], header[RESULT_BYTES]
    module = type(sys)(MODULE_NAME)
    space = module.__dict__
    sys.modules[MODULE_NAME] = module
    clock[CPU_NS], clock[WALL_NS] = process_time_ns(), monotonic_ns()
    clock[CALL] = TOP_LEVEL
    broken = False
    try:
        code = compile(text[:position], "<answer>", "exec", 0, True)
        if not official:
            seed_randomness(seed)
            exec(code, space)
    except BaseException:  # whatever the program raises, SystemExit included, is its own
        broken = True
    for index in range(header[CALLS]):
        call = text[position : position + lengths[index + 1]]
        position += lengths[index + 1]
        clock[CPU_NS], clock[WALL_NS] = process_time_ns(), monotonic_ns()
        clock[CALL] = index
        kind = b"x"
        payload = b""
        try:
            if not broken:
                seed_randomness(seed)
                if official:
                    # The official grader calls exec() inside a function: names that the source defines are local
                    # there, and its own functions cannot see them. Two namespaces say so on every version of Python.
                    local: dict[str, object] = {}
                    exec(code, space, local)
                    value = eval(call, space, local)
                else:
                    value = eval(call, space)
                kind = b"u"
                payload = encode(value, result_bytes)
                kind = b"v"
        except BaseException:  # it raised, or (once there was a value) it is not data
            pass
        value = None
        start = clock[END_OF_FRAMES]
        if start + (header[CALLS] - index) * FRAME_HEAD_BYTES + len(payload) > len(page) - VERDICT_BYTES:
            kind, payload = b"u", b""
        frame = kind + len(payload).to_bytes(4, "big") + payload
        page[start : start + len(frame)] = frame
        clock[END_OF_FRAMES] = start + len(frame)


class SeededImports:
    """A finder for the program's own imports: what makes random numbers is seeded when a call first imports it."""

    seed = 0

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> Any:  # Any: a ModuleSpec, or None
        """Return the spec that the other finders have, its loader made to seed the module."""
        if name not in SEEDED:
            return None
        others: list[Any] = [finder for finder in sys.meta_path if finder is not cls]  # Any: finders of all kinds
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in others)), None)
        if spec is not None:
            load = spec.loader.exec_module

            def exec_module(module: Any) -> None:  # Any: random or numpy.random
                load(module)
                module.seed(cls.seed)

            spec.loader.exec_module = exec_module
        return spec


def seed_randomness(seed: int) -> None:
    """Give every call the same random numbers, whatever ran before it."""
    SeededImports.seed = seed
    for name in SEEDED:
        module = sys.modules.get(name)
        if module is not None:
            module.seed(seed)
