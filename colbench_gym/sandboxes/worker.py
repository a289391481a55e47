"""The warm worker: forks one child per program, which reads its request itself and answers in frames.

How to embed it. Standard library only, any Python >= 3.8 on Linux (macOS: ``--isolation none``). Copy ``worker*.py``
into one folder and start ``python -s -S worker.py`` with a clean environment and one way to be reached::

    --fd N          N is a connected SOCK_SEQPACKET or SOCK_DGRAM pair: each message carries one connection (SCM_RIGHTS)
    --listen PATH   binds a unix stream socket at PATH (mode 0666) and accepts connections
    --stdio         one connection after another over standard input and output, through a relay process

and optionally ``--isolation KIND`` with ``--scratch DIR`` (see worker_isolation.py; default ``none``), and, repeatable,
``--path DIR`` (added to sys.path), ``--package PATH`` (what programs may read there), ``--preload A,B``. Once it can
serve it says ``ready ...``, or ``refused: WHY``, in one line: with ``--fd`` as a message, otherwise on standard output.

One connection is one program. The client writes a request: ten big-endian 32-bit numbers (MAGIC; scoping, 0 module or
1 official; the number of calls; per call CPU ms and wall ms; total wall ms; memory MiB; bytes of one result; seed;
length of the body), then the body: the source and the calls, each as a 32-bit length and that many bytes of UTF-8
(surrogatepass). The answer is a frame per call, in order, and a last one by the server when the child is dead. A frame
is one byte of kind, a 32-bit length, and a payload: ``v`` a value (worker_values.py), ``x`` raised, ``u`` not data;
``z`` is the server's: words ``END CALL CPU_MS WALL_MS DETAIL`` with END one of exited, signal, cpu, wall, total,
closed; CALL the call that was running (-1: the program's own top level); CPU_MS what that call used; WALL_MS what the
program took; DETAIL the exit status or the signal. Then the connection is closed. Everything before ``z`` was written
by untrusted code. Closing the connection ends the program. Over ``--stdio`` the answer is cut into chunks, each with a
32-bit length before it; a chunk of length 0 ends it.
"""

from __future__ import annotations

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))  # (pathlib would make every fork dearer)
if HERE not in sys.path:
    sys.path.insert(0, HERE)

import _socket as socket
import gc
import mmap
import random
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from colbench_gym.sandboxes import worker_isolation, worker_values
else:
    import worker_isolation
    import worker_values

MAGIC = 0xC01BE4C1
HEADER_NUMBERS = 10
HEADER_BYTES = 4 * HEADER_NUMBERS
TICK_S = 0.05  # how late a limit may be noticed
NOT_STARTED = -2
TOP_LEVEL = -1
MODULE_NAME = "answer"
ENVIRONMENT = {  # the whole of it, alike for references and answers
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0"),
    "TZ": "UTC",
    **{library + "_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")},
}
EMPTY_PAGE = bytes(4096)


class Request:
    """What the server may know of a program: its limits, never its text."""

    def __init__(self, header: bytes) -> None:
        numbers = [int.from_bytes(header[at : at + 4], "big") for at in range(0, HEADER_BYTES, 4)]
        magic, self.official, self.calls, cpu_ms, wall_ms, total_ms, memory_mib, self.result_bytes = numbers[:8]
        self.seed, self.length = numbers[8:]
        if magic != MAGIC:
            raise ValueError("not a request")
        self.cpu_s, self.wall_s, self.total_s = cpu_ms / 1000, wall_ms / 1000, total_ms / 1000
        self.memory_bytes = memory_mib << 20


# In the child.


def read_exactly(fd: int, length: int) -> bytes:
    """Read ``length`` bytes, or fewer when the other side closed."""
    pieces, missing = [], length
    while missing:
        piece = os.read(fd, missing)
        if not piece:
            break
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


def write_all(fd: int, data: bytes) -> None:
    """Write all of ``data`` to a blocking descriptor."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def split_body(body: bytes) -> list[str]:
    """The source and the calls."""
    texts, at = [], 0
    while at < len(body):
        end = at + 4 + int.from_bytes(body[at : at + 4], "big")
        texts.append(body[at + 4 : end].decode("utf-8", "surrogatepass"))
        at = end
    return texts


def seed_randomness(seed: int) -> None:
    """Give every call the same random numbers, whatever ran before it."""
    random.seed(seed)
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed(seed)


def run_program(fd: int, request: Request, clock: memoryview) -> None:
    """Read the program from ``fd``, run it, and write one frame per call. Everything it does wrong ends as a frame."""
    source, *calls = split_body(read_exactly(fd, request.length))
    module = type(sys)(MODULE_NAME)
    space = module.__dict__
    space["__builtins__"] = __builtins__
    sys.modules[MODULE_NAME] = module
    clock[1], clock[2] = time.process_time_ns(), time.monotonic_ns()
    clock[0] = TOP_LEVEL
    try:
        code = compile(source, "<answer>", "exec", dont_inherit=True)
        if not request.official:
            seed_randomness(request.seed)
            exec(code, space)
    except BaseException:  # whatever the program raises, SystemExit included, is its own
        write_all(fd, b"x\0\0\0\0" * len(calls))
        return
    for index, call in enumerate(calls):
        clock[1], clock[2] = time.process_time_ns(), time.monotonic_ns()
        clock[0] = index
        kind, payload = evaluate(call, code, space, request)
        write_all(fd, kind + len(payload).to_bytes(4, "big") + payload)


def evaluate(call: str, code: object, space: dict[str, object], request: Request) -> tuple[bytes, bytes]:
    """Evaluate one call expression and encode its value: the kind and payload of its frame."""
    try:
        seed_randomness(request.seed)
        if request.official:
            # The official grader calls exec() inside a function: names defined by the source are local there, and
            # its own functions cannot see them. Passing both namespaces says so on every version of Python.
            local: dict[str, object] = {}
            exec(code, space, local)  # type: ignore[arg-type]  # a code object
            value = eval(call, space, local)
        else:
            value = eval(call, space)
    except BaseException:
        return b"x", b""
    try:
        return b"v", worker_values.encode(value, request.result_bytes)
    except BaseException:  # not data, or a hostile value
        return b"u", b""


# In the server.


class Server:
    """Runs one program at a time, each in a forked child, and outlives all of them."""

    def __init__(self, isolation: worker_isolation.Isolation) -> None:
        self.isolation = isolation
        self.page = mmap.mmap(-1, len(EMPTY_PAGE))  # shared with the child, which says when each call began
        self.clock = memoryview(self.page).cast("q")
        self.private_fds: list[int] = []  # closed in every child

    def serve(self, fd: int) -> None:
        """Serve the program on connection ``fd`` to its end, and close it."""
        header = read_exactly(fd, HEADER_BYTES)
        if len(header) < HEADER_BYTES:
            os.close(fd)
            return
        request = Request(header)
        self.page[:] = EMPTY_PAGE
        self.clock[0] = NOT_STARTED
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            try:
                for private in self.private_fds:
                    os.close(private)
                self.isolation.confine(request.memory_bytes, request.total_s)
                run_program(fd, request, self.clock)
            finally:
                os._exit(0)
        end, cpu_s, detail = self.supervise(pid, fd, request, started)
        clean = self.isolation.clean(pid)
        wall_ms = round((time.monotonic() - started) * 1000)
        verdict = b"%s %d %d %d %d" % (end.encode(), self.clock[0], round(cpu_s * 1000), wall_ms, detail)
        try:
            write_all(fd, b"z" + len(verdict).to_bytes(4, "big") + verdict)
        except OSError:  # the client hung up
            pass
        os.close(fd)
        if not clean:
            sys.exit("a program left something that could not be removed")

    def supervise(self, pid: int, fd: int, request: Request, started: float) -> tuple[str, float, int]:
        """Wait for the child, or kill it at its limits: how it ended, CPU seconds of its last call, and the detail."""
        end = ""
        pause = TICK_S
        while True:
            worker_isolation.wait_for_child(pause)
            reaped, status, usage = os.wait4(pid, 0 if end else os.WNOHANG)
            cpu_s = self.clock[1] / 1e9
            if reaped:
                if not end:
                    end = "signal" if os.WIFSIGNALED(status) else "exited"
                if end == "signal" and os.WTERMSIG(status) == worker_isolation.NOT_CONFINED:
                    sys.exit("a child could not be confined")
                detail = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
                return end, max(0.0, usage.ru_utime + usage.ru_stime - cpu_s), detail
            now = time.monotonic()
            call_wall_s = now - (self.clock[2] / 1e9 if self.clock[0] != NOT_STARTED else started)
            left = {
                "cpu": request.cpu_s - (worker_isolation.cpu_seconds(pid) - cpu_s),
                "wall": request.wall_s - call_wall_s,
                "total": started + request.total_s - now,
            }
            end = next((limit for limit, seconds in left.items() if seconds <= 0), "")
            if not end and hung_up(fd):
                end = "closed"
            if end:
                os.kill(pid, signal.SIGKILL)
            pause = max(0.001, min(TICK_S, *left.values()))


def hung_up(fd: int) -> bool:
    """Whether the client closed its side (bytes the child has not read yet say no)."""
    connection = socket.socket(fileno=os.dup(fd))
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.close()


def receive_descriptor(control: socket.socket) -> int | None:
    """The next connection that the client passed; None when it closed the control socket."""
    while True:
        data, ancillary, _, _ = control.recvmsg(64, socket.CMSG_SPACE(4))
        if ancillary:
            return int.from_bytes(ancillary[0][2][:4], sys.byteorder)
        if not data:
            return None


def relay_standard_streams(control: socket.socket) -> None:
    """Carry one connection after another between standard input and output and the server behind ``control``."""
    while True:
        header = read_exactly(0, HEADER_BYTES)
        if len(header) < HEADER_BYTES:
            return
        body = read_exactly(0, Request(header).length)
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        control.sendmsg([b"c"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, far.fileno().to_bytes(4, sys.byteorder))])
        far.close()
        near.sendall(header + body)
        while True:
            chunk = near.recv(1 << 16)
            write_all(1, len(chunk).to_bytes(4, "big") + chunk)
            if not chunk:
                break
        near.close()


def prepare(options: dict[str, list[str]]) -> worker_isolation.Isolation:
    """Import what is asked for, isolate this process, and attack the isolation before anyone else does.

    Raises:
        OSError: the kernel refuses something, or the self-test got through.
    """
    kind, packages = options.get("--isolation", ["none"])[0], options.get("--package", [])
    scratch = options.get("--scratch", [""])[0]
    if kind != "none":
        import worker_selftest  # type: ignore[import-not-found]  # of this folder, while it can be read
    sys.path[:] = [path for path in sys.path if path and path != HERE] + options.get("--path", [])
    for name in ",".join(options.get("--preload", [])).split(","):
        if name:
            __import__(name)
    isolation = worker_isolation.enter(kind, packages, scratch)
    os.environ.clear()
    os.environ.update(ENVIRONMENT, HOME=isolation.scratch or "/", TMPDIR=isolation.scratch or "/")
    time.tzset()
    if kind != "none":
        isolation.prove(worker_selftest.breaches)
    return isolation


def main(arguments: list[str]) -> None:
    """Parse ``arguments``, isolate this process, say so, and serve until the client is gone."""
    options: dict[str, list[str]] = {}
    words = iter(arguments)
    for word in words:
        options.setdefault(word, []).append("" if word == "--stdio" else next(words))
    control = None
    if "--fd" in options:
        control = socket.socket(fileno=int(options["--fd"][0]))
    elif "--stdio" in options:
        near, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork():
            control.close()
            write_all(1, near.recv(4096))
            relay_standard_streams(near)
            os._exit(0)
        near.close()
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1):
            os.dup2(null, standard)
        os.close(null)
    else:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(options["--listen"][0])
        os.chmod(options["--listen"][0], 0o666)
        listener.listen(16)

    def report(line: str) -> None:
        if control is not None:
            control.send(line.encode() + b"\n")
        else:
            write_all(1, line.encode() + b"\n")

    try:
        isolation = prepare(options)
    except (OSError, ImportError, ValueError) as error:
        report(f"refused: {error}")
        sys.exit(1)
    report("ready " + isolation.summary)
    server = Server(isolation)
    server.private_fds.append(control.fileno() if control is not None else listener.fileno())
    gc.collect()
    gc.freeze()
    while True:
        if control is not None:
            connection = receive_descriptor(control)
            if connection is None:
                return
        else:
            connection, _ = listener._accept()  # type: ignore[attr-defined]  # of the C module: a bare descriptor
        server.serve(connection)


if __name__ == "__main__":
    main(sys.argv[1:])
