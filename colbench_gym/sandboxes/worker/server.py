"""The warm worker: forks one child per program, which reads its request itself and answers in frames.

How to embed it. Standard library only, any Python >= 3.8 on Linux (macOS: ``--isolation none``). Copy this folder
and start ``python -s -S FOLDER/__main__.py`` with a clean environment and one way to be reached::

    --fd N          N is a connected SOCK_SEQPACKET or SOCK_DGRAM pair: each message carries one connection (SCM_RIGHTS)
    --listen PATH   binds a unix stream socket at PATH (mode 0666) and accepts connections
    --stdio         one connection after another over standard input and output, through a relay process

and optionally ``--isolation KIND`` with ``--scratch DIR`` (see isolation.py; default ``none``), and, repeatable,
``--path DIR`` (added to sys.path), ``--package PATH`` (what programs may read there), ``--preload A,B``, and
``--group FILE`` (the ``cgroup.procs`` of a control group to be in). Once it can serve it says ``ready ...``, or
``refused: WHY``, in one line: with ``--fd`` as a message, otherwise on standard output.

One connection is one program. The client writes a request: ten little-endian 32-bit numbers (MAGIC;
scoping, 0 module or 1 official; the number of calls; per call CPU ms and wall ms; total wall ms; memory MiB; bytes of
one result; seed; length of the body), then the body: the lengths in characters of the source and of each call, as
32-bit numbers, and then these texts as UTF-8 (surrogatepass), one after another. The answer is a frame per call, in
order, and a last one by the server when the child is dead. A frame is one byte of kind, a big-endian 32-bit length,
and a payload: ``v`` a value (values.py), ``x`` raised, ``u`` not data; ``z`` is the server's: words ``END CALL
CPU_MS WALL_MS DETAIL CLEAN`` with END one of exited, signal, cpu, wall, total, threads, closed; CALL the call that was
running (-1: the program's own top level); CPU_MS what that call had used when it was stopped; WALL_MS what the program
took; DETAIL the exit status or the signal; CLEAN 0 when the program left what could not be removed quickly, after which
the server ends. Then the connection is closed. Everything before ``z`` was written by untrusted code.
Closing the connection ends the program. Over ``--stdio`` the answer is cut into chunks, each with a big-endian 32-bit
length before it; a chunk of length 0 ends it.
"""

from __future__ import annotations

import _socket as socket
import gc
import mmap
import os
import sys
import time

from . import isolation, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal

TICK_S = 0.05  # how late a limit may be noticed
ENVIRONMENT = {  # the whole of it, alike for references and answers
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0"),
    "TZ": "UTC",
    **{library + "_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")},
}
WARM_UP = (
    """
def f(a, b=2):
    total = 0
    for x in a:
        if x > b:
            total += x
    return {'t': total, 's': [str(x) for x in a]}
""",
    "f([1, 2, 3])",
    "f([1.5, 2.5], b=1)",
    "f(1)",
    "(f([]), 'a', None, True, 2.5)",
)


class Server:
    """Runs one program at a time, each in a forked child, and outlives all of them."""

    def __init__(self, confinement: isolation.Isolation) -> None:
        self.confinement = confinement
        self.private_fd = -1  # closed in every child

    def serve(self, fd: int) -> None:
        """Serve the program on connection ``fd`` to its end, and close it."""
        data = program.read_exactly(fd, program.HEADER_BYTES)
        if len(data) < program.HEADER_BYTES:
            os.close(fd)
            return
        header = memoryview(data).cast("I")
        if header[program.MAGIC] != program.MAGIC_NUMBER:
            os.close(fd)
            return
        page = mmap.mmap(-1, program.room_bytes(header))  # for this child alone: nobody finds in it what another left
        clock = memoryview(page).cast("q")
        clock[program.CALL] = program.NOT_STARTED
        clock[program.END_OF_FRAMES] = program.FIRST_FRAME
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(self.private_fd)
                gc.enable()
                self.confinement.confine(header[program.MEMORY_MIB] + (len(page) >> 20), header[program.TOTAL_MS])
                body = program.read_exactly(fd, header[program.LENGTH])
                os.close(fd)
                program.run_program(body, header, page, clock)
            finally:
                os._exit(0)
        isolation.wait_for_child(TICK_S)
        reaped, status = os.waitpid(pid, os.WNOHANG)
        limit, cpu_ms = b"", 0
        if not reaped:
            limit, status, cpu_ms = self.supervise(pid, fd, header, clock, started)
        clean = self.confinement.clean(pid)
        detail = status & 0x7F or status >> 8  # the signal, or the exit status
        if status & 0x7F == isolation.NOT_CONFINED and not limit:
            sys.exit("a child could not be confined")
        wall_ms = int((time.monotonic() - started) * 1000)
        end = limit or (b"signal" if status & 0x7F else b"exited")
        verdict = b"%s %d %d %d %d %d" % (end, clock[program.CALL], cpu_ms, wall_ms, detail, clean)
        frame = b"z" + len(verdict).to_bytes(4, "big") + verdict
        used = max(program.FIRST_FRAME, min(len(page) - program.VERDICT_BYTES, clock[program.END_OF_FRAMES]))
        end_of_frames = used + len(frame)
        page[used:end_of_frames] = frame
        try:
            program.write_all(fd, memoryview(page)[program.FIRST_FRAME : end_of_frames])
        except OSError:  # the client hung up
            pass
        os.close(fd)
        if not clean:
            sys.exit("a program left something that could not be removed")

    def supervise(
        self, pid: int, fd: int, header: memoryview, clock: memoryview, started: float
    ) -> tuple[bytes, int, int]:
        """Wait for a child that takes its time, or kill it at a limit: the limit, the wait status, and the CPU ms."""
        cpu_s, wall_s, total_s = (header[which] / 1000 for which in (program.CPU_MS, program.WALL_MS, program.TOTAL_MS))
        limit = b""
        call, began, cpu_before_s = program.NOT_STARTED, started, 0.0
        while True:
            now = time.monotonic()
            cpu_now_s = isolation.cpu_seconds(pid)
            if call < clock[program.CALL] < header[program.CALLS]:
                # The program can write to the clock too: it gains at most what the calls it skips would have had.
                call = clock[program.CALL]
                began = max(began, min(now, clock[program.WALL_NS] / 1e9))
                cpu_before_s = max(cpu_before_s, min(cpu_now_s, clock[program.CPU_NS] / 1e9))
            used_s = cpu_now_s - cpu_before_s
            left = {b"cpu": cpu_s - used_s, b"wall": wall_s - (now - began), b"total": started + total_s - now}
            for name, seconds in left.items():
                if seconds <= 0 and not limit:
                    limit = name
            if not limit and self.confinement.has_too_many_threads(pid):
                limit = b"threads"
            if not limit and hung_up(fd):
                limit = b"closed"
            if limit:
                os.kill(pid, signal.SIGKILL)
            else:
                isolation.wait_for_child(max(0.001, min(TICK_S, *left.values())))
            reaped, status = os.waitpid(pid, 0 if limit else os.WNOHANG)
            if reaped:
                return limit, status, int(used_s * 1000)

    def warm_up(self) -> None:
        """Run programs in this process, so that children inherit what a first run builds, and need not copy it."""
        texts = [text.encode() for text in WARM_UP]
        body = b"".join(len(text).to_bytes(4, sys.byteorder) for text in texts) + b"".join(texts)
        numbers = (program.MAGIC_NUMBER, 0, len(texts) - 1, 0, 0, 0, 0, 1 << 10, 0, len(body))
        header = memoryview(b"".join(number.to_bytes(4, sys.byteorder) for number in numbers)).cast("I")
        page = mmap.mmap(-1, program.room_bytes(header))
        clock = memoryview(page).cast("q")
        for _ in range(20):  # the interpreter specialises code that it has run often
            clock[program.END_OF_FRAMES] = program.FIRST_FRAME
            program.run_program(body, header, page, clock)
        del sys.modules[program.MODULE_NAME]


def hung_up(fd: int) -> bool:
    """Return whether the client closed its side (bytes the child has not read yet say no)."""
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
    """Return the next connection that the client passed; None when it closed the control socket."""
    while True:
        data, ancillary, _, _ = control.recvmsg(64, socket.CMSG_SPACE(4))
        if ancillary:
            return int.from_bytes(ancillary[0][2][:4], sys.byteorder)
        if not data:
            return None


def relay_standard_streams(control: socket.socket) -> None:
    """Carry one connection after another between standard input and output and the server behind ``control``."""
    while True:
        header = program.read_exactly(0, program.HEADER_BYTES)
        if len(header) < program.HEADER_BYTES:
            return
        body = program.read_exactly(0, memoryview(header).cast("I")[program.LENGTH])
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        control.sendmsg([b"c"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, far.fileno().to_bytes(4, sys.byteorder))])
        far.close()
        near.sendall(header + body)
        while True:
            chunk = near.recv(1 << 16)
            program.write_all(1, len(chunk).to_bytes(4, "big") + chunk)
            if not chunk:
                break
        near.close()


def prepare(options: dict[str, list[str]]) -> isolation.Isolation:
    """Import what is asked for, isolate this process, and attack the isolation before anyone else does.

    Raises:
        OSError: the kernel refuses something, or the self-test got through.
    """
    kind, packages = options.get("--isolation", ["none"])[0], options.get("--package", [])
    for path in options.get("--group", []):
        with open(path, "w") as processes:
            processes.write("0")
    scratch = options.get("--scratch", [""])[0]
    if kind != "none":
        from . import selftest  # while it can be read
    sys.dont_write_bytecode = True  # of what programs import
    sys.path[:] = [path for path in sys.path if path and path != os.path.dirname(__file__)] + options.get("--path", [])
    register, os.register_at_fork = os.register_at_fork, lambda **_: None  # random would seed itself in every child
    for name in ",".join(options.get("--preload", [])).split(","):
        if name:
            __import__(name)
    os.register_at_fork = register
    sys.meta_path.insert(0, program.SeededImports)
    confinement = isolation.enter(kind, packages, scratch)
    os.environ.clear()
    os.environ.update(ENVIRONMENT, HOME=confinement.scratch or "/", TMPDIR=confinement.scratch or "/")
    time.tzset()
    if kind != "none":
        confinement.prove(selftest.breaches)
    return confinement


def main(arguments: list[str]) -> None:  # noqa: C901  the order of these steps is what contains
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
            if "container" in options.get("--isolation", []):
                from . import kernel

                # It has the texts of many programs in its memory: no process of this user may look there.
                kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
            program.write_all(1, near.recv(4096))
            relay_standard_streams(near)
            os._exit(0)
        near.close()
    else:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(options["--listen"][0])
        os.chmod(options["--listen"][0], 0o666)
        listener.listen(16)

    def report(line: str) -> None:
        if control is not None:
            control.send(line.encode() + b"\n")
        else:
            program.write_all(1, line.encode() + b"\n")

    try:
        confinement = prepare(options)
        null = os.open(os.devnull, os.O_RDWR)
    except (OSError, ImportError, ValueError) as error:
        report(f"refused: {error}")
        sys.exit(1)
    report("ready " + confinement.summary)
    server = Server(confinement)
    server.warm_up()
    server.private_fd = control.fileno() if control is not None else listener.fileno()
    for standard in (0, 1, 2):  # one open file for all three, whose flags are put back after each program
        os.dup2(null, standard)
    os.close(null)
    gc.collect()
    gc.freeze()
    gc.disable()  # nothing here makes cycles; children turn it on again
    while True:
        if control is not None:
            connection = receive_descriptor(control)
            if connection is None:
                return
        else:
            connection, _ = listener._accept()  # type: ignore[attr-defined]  # of the C module: a bare descriptor
        server.serve(connection)
