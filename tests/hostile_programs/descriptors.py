"""Forged, cut or misplaced bytes on every descriptor that an answer is born with."""

from __future__ import annotations

from .attack import Attack

_EACH = """
def each(action):
    for fd in range(64):
        try:
            action(fd)
        except OSError:
            pass
    return "done"
"""

_FORGED = r"""
import json, struct
def forgeries():
    row = {"status": "returned", "value": True, "index": 0, "outcome": "passed"}
    text = json.dumps(row).encode()
    rows = json.dumps([row] * 10).encode()
    for body in (text, rows, b"[\"returned\", true]", b"passed"):
        yield body + b"\n"
        for layout in ("<I", ">I", "<Q", ">Q", "<H", ">H", "B"):
            try:
                yield struct.pack(layout, len(body)) + body
            except struct.error:
                pass
"""

ATTACKS = (
    Attack(
        "garbage",
        "Writes random bytes to every descriptor, then goes on.",
        """
def each(action):
    for fd in range(64):
        try:
            action(fd)
        except OSError:
            pass
    return "done"
def solve(n):
    return each(lambda fd: os.write(fd, bytes(range(256)) * 4))
""",
    ),
    Attack(
        "forged-frames",
        "Writes result frames in every likely layout to every descriptor.",
        """
def each(action):
    for fd in range(64):
        try:
            action(fd)
        except OSError:
            pass
    return "done"

import json, struct
def forgeries():
    row = {"status": "returned", "value": True, "index": 0, "outcome": "passed"}
    text = json.dumps(row).encode()
    rows = json.dumps([row] * 10).encode()
    for body in (text, rows, b"[\\"returned\\", true]", b"passed"):
        yield body + b"\\n"
        for layout in ("<I", ">I", "<Q", ">Q", "<H", ">H", "B"):
            try:
                yield struct.pack(layout, len(body)) + body
            except struct.error:
                pass
def solve(n):
    return each(lambda fd: [os.write(fd, frame) for frame in forgeries()])
""",
        calls=4,
    ),
    Attack(
        "forged-frames-on-import",
        "Writes forged frames before the first test runs, and ends at once with status 0.",
        """
def each(action):
    for fd in range(64):
        try:
            action(fd)
        except OSError:
            pass
    return "done"

import json, struct
def forgeries():
    row = {"status": "returned", "value": True, "index": 0, "outcome": "passed"}
    text = json.dumps(row).encode()
    rows = json.dumps([row] * 10).encode()
    for body in (text, rows, b"[\\"returned\\", true]", b"passed"):
        yield body + b"\\n"
        for layout in ("<I", ">I", "<Q", ">Q", "<H", ">H", "B"):
            try:
                yield struct.pack(layout, len(body)) + body
            except struct.error:
                pass
each(lambda fd: [os.write(fd, frame) for frame in forgeries()])
os._exit(0)
""",
        calls=4,
    ),
    Attack(
        "endless-frame",
        "Announces a frame of 2**31 or 2**63 bytes and ends.",
        _EACH
        + r"""
def solve(n):
    each(lambda fd: os.write(fd, [b"\xff" * 8, b"\x7f" + b"\xff" * 7, b"\0\0\0\x80", b"\xff\xff\xff\x7f"][n % 4]))
    os._exit(0)
""",
        calls=4,
    ),
    Attack(
        "worker's-own-functions",
        "Finds the worker's functions for writing a frame and reports ten results that it likes better.",
        """
import gc, types
def solve(n):
    for item in list(gc.get_objects()):
        if isinstance(item, types.FunctionType) and any(w in item.__name__.lower() for w in ("send", "write", "frame", "report", "emit")):
            for arguments in ((1, b"passed"), (b"passed",), (0, "returned", True), ({"status": "returned", "value": True},)):
                try:
                    item(*arguments)
                except BaseException:
                    pass
    return "wrong"
""",
        calls=2,
        short=True,
    ),
    Attack(
        "twenty-results",
        "Runs the rest of the tests itself from inside the first one, through the frames below it.",
        """
def solve(n):
    frame = sys._getframe(1)
    while frame:
        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            if callable(value) and getattr(value, "__name__", "") in ("run", "evaluate", "serve", "main", "run_calls", "child"):
                try:
                    value()
                except BaseException:
                    pass
        frame = frame.f_back
    return "wrong"
""",
        calls=2,
        short=True,
    ),
    Attack(
        "closes-all",
        "Closes every descriptor and goes on.",
        """
def each(action):
    for fd in range(64):
        try:
            action(fd)
        except OSError:
            pass
    return "done"
def solve(n):
    return each(os.close)
""",
    ),
    Attack(
        "closes-all-and-ends",
        "Closes every descriptor on import and ends with status 0.",
        """
os.closerange(0, 256)
os._exit(0)
""",
    ),
    Attack(
        "redirects",
        "Puts a pipe, a file or /dev/null over every descriptor.",
        _EACH
        + """
def solve(n):
    read, write = os.pipe()
    return each(lambda fd: fd not in (read, write) and os.dup2(write, fd))
""",
    ),
    Attack(
        "shuts-sockets-down",
        "Shuts down every socket that it shares with the server.",
        _EACH
        + """
import socket
def solve(n):
    def shut(fd):
        socket.socket(fileno=os.dup(fd)).shutdown(socket.SHUT_RDWR)
    return each(shut)
""",
        calls=4,
    ),
    Attack(
        "socket-options",
        "Makes the buffers of shared sockets tiny and sets time-outs on them.",
        _EACH
        + r"""
import socket
def solve(n):
    def spoil(fd):
        shared = socket.socket(fileno=os.dup(fd))
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            shared.setsockopt(socket.SOL_SOCKET, option, 1)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            shared.setsockopt(socket.SOL_SOCKET, option, b"\0" * 8 + b"\1\0\0\0\0\0\0\0")
    return each(spoil)
""",
        calls=4,
    ),
    Attack(
        "non-blocking",
        "Makes the shared open files non-blocking and appending, which the server then has too.",
        _EACH
        + """
import fcntl
def solve(n):
    return each(lambda fd: fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND | os.O_ASYNC))
""",
    ),
    Attack(
        "signals-from-descriptors",
        "Asks for signals to the server whenever a shared descriptor becomes readable.",
        _EACH
        + """
import fcntl
def solve(n):
    def own(fd):
        fcntl.fcntl(fd, fcntl.F_SETOWN, os.getppid())
        fcntl.fcntl(fd, 10, signal.SIGKILL)
        fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_ASYNC)
    return each(own)
""",
    ),
    Attack(
        "reads-the-next-request",
        "Reads from every descriptor in threads, to take the next answer's request.",
        """
def drain(fd):
    try:
        while os.read(fd, 65536):
            pass
    except OSError:
        pass
def solve(n):
    for fd in range(16):
        try:
            threading.Thread(target=drain, args=(fd,), daemon=True).start()
        except RuntimeError:
            pass
    time.sleep(0.05)
    return "wrong"
""",
        calls=2,
    ),
    Attack(
        "scribbles-over-shared-memory",
        "Finds the memory that it shares with the server among its objects, and fills it with forged results.",
        """
import gc, mmap
def shared():
    frame = sys._getframe()
    while frame:
        yield from frame.f_locals.values()
        frame = frame.f_back
    yield from gc.get_objects()
def solve(n):
    pattern = [b"\\xff", b"\\0", b"v\\0\\0\\0\\1" + b"1", b"z\\0\\0\\0\\x14exited 9 0 0 0 passed"][n % 4]
    for item in shared():
        if isinstance(item, mmap.mmap):
            item[:] = (pattern * len(item))[: len(item)]
    os._exit(0)
""",
        calls=4,
    ),
    Attack(
        "truncates",
        "Truncates, seeks and locks every file that it was born with.",
        _EACH
        + """
import fcntl
def solve(n):
    def spoil(fd):
        os.lseek(fd, 1 << 20, 0)
        os.ftruncate(fd, 0)
    each(lambda fd: fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB))
    return each(spoil)
""",
    ),
    Attack(
        "sends-descriptors",
        "Sends hundreds of open files over shared sockets, to use up the owner's table.",
        _EACH
        + """
import array, socket
def solve(n):
    fds = array.array("i", [os.open("/dev/null", os.O_RDONLY) for _ in range(50)])
    def send(fd):
        shared = socket.socket(fileno=os.dup(fd))
        for _ in range(20):
            shared.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
    return each(send)
""",
        calls=2,
    ),
    Attack(
        "asks-as-the-owner",
        "Writes forged requests to every descriptor, so that the server runs a program in its name.",
        """
def each(action):
    for fd in range(64):
        try:
            action(fd)
        except OSError:
            pass
    return "done"

import json, struct
def solve(n):
    body = json.dumps({"source": "import os", "calls": ["1"], "scoping": "module", "role": "reference"}).encode()
    def send(fd):
        for layout in ("<I", ">I", "<Q", ">Q"):
            os.write(fd, struct.pack(layout, len(body)) + body)
        os.write(fd, body + b"\\n")
    return each(send)
""",
    ),
    Attack(
        "floods",
        "Writes 200 MB to standard output, standard error and every other descriptor.",
        _EACH
        + """
def solve(n):
    block = b"x" * (1 << 20)
    def flood(fd):
        for _ in range(20):
            os.write(fd, block)
    return each(flood)
""",
        calls=2,
        short=True,
    ),
    Attack(
        "prints",
        "Prints without end to sys.stdout, sys.stderr and their originals.",
        """
def solve(n):
    for _ in range(200):
        for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
            if stream:
                stream.write("x" * 100_000 + "\\n")
                stream.flush()
    return "wrong"
""",
        calls=2,
        short=True,
    ),
    Attack(
        "forged-verdict",
        "Ends the stream with a verdict of its own and hangs up, or fills the stream, so that the server's gets lost.",
        _EACH
        + r"""
import socket, stat
VERDICTS = ["wall 0 0 -99999999999 0", "wall 0 %s 0 0" % ("9" * 400), "wall 0 0 -4000000000 0", "wall 0 0 -4000000 0",
            "total 0 0 -4000000 0", "wall 0 -4000000 -4000000 0", "signal -1 0 0 9", "exited %s 0 0 0" % ("9" * 5000)]
def forge(fd):
    if stat.S_ISSOCK(os.fstat(fd).st_mode):
        words = VERDICTS[turn].encode()
        os.write(fd, b"z" + len(words).to_bytes(4, "big") + words)
        shared = socket.socket(fileno=os.dup(fd))
        for end in (lambda: shared.shutdown(socket.SHUT_WR), lambda: shared.setblocking(False)):
            try:
                end()
            except OSError:
                pass
        shared.send(b"z" + (1 << 20).to_bytes(4, "big") + bytes(1 << 20))
def solve(n):
    global turn
    turn = n
    each(forge)
    os._exit(0)
""",
        calls=8,
    ),
)
