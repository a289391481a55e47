"""One locked-down container with a worker in it, and the ways to hand it connections."""

from __future__ import annotations

import contextlib
import select
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colbench_gym import rules
from colbench_gym.errors import SandboxUnavailableError
from colbench_gym.sandboxes.docker.image import PACKAGES, PYTHON
from colbench_gym.sandboxes.docker.owner import LABEL, Owner, remove
from colbench_gym.sandboxes.local_worker import PACKAGE_FILES
from colbench_gym.sandboxes.pool import Kind, worker_environment
from colbench_gym.sandboxes.protocol import body_length
from colbench_gym.sandboxes.retries import WorkerFailedError
from colbench_gym.sandboxes.worker.program import HEADER_BYTES

if TYPE_CHECKING:
    from docker import DockerClient

START_S = 60.0  # a container that is not ready by then has failed
PROGRAM_S = 3600.0  # beyond any program's own limit; whoever waits for it decides when to give up
NOBODY = "65534:65534"
SCRATCH = "/scratch"
SCRATCH_OPTIONS = "rw,noexec,nosuid,nodev,size=16m,nr_inodes=1024,uid=65534,gid=65534,mode=0700"
SHARED = "/run/colbench"  # in the container: where the worker's socket is
SOCKET = "worker"
MAX_PROCESSES = 80  # threads included: 64 of a program, and the worker's own
MEMORY_BYTES = rules.MEMORY_BYTES + (256 << 20)  # one program, the worker and the scratch folder
STREAM_HEAD_BYTES = 8  # of the engine's own frames: kind, three zeros, length
STANDARD_ERROR = 2


@dataclass(frozen=True)
class Engine:
    """Settings with which containers are made.

    Attributes:
        client: of the engine.
        image: what they are made from.
        owner: who they belong to.
        runtime: the OCI runtime by name; None for the engine's own choice.
        folder: where the worker's sockets are to appear on this machine; None to talk over standard streams.
    """

    client: DockerClient
    image: str
    owner: Owner
    runtime: str | None
    folder: Path | None


class EngineAwayError(WorkerFailedError):
    """The engine does not answer, or answers that it has failed; it may be restarting."""


class ContainerWorker:
    """A container with one worker.

    Its standard input stays in our hand: when this process ends, however it ends, the container ends too.

    Raises:
        WorkerFailedError: the engine cannot make it.
        EngineAwayError: it does not answer, or is about to end.
    """

    def __init__(self, engine: Engine, kind: Kind) -> None:
        from docker.errors import APIError, DockerException

        self._engine = engine
        self._api = engine.client.api
        self._container = ""
        self._stream: _Stream | None = None
        self._broken = False
        self._summary = ""
        self._shared = Path(_new_folder(engine.folder)) if engine.folder is not None else None
        try:
            self._container = self._create(kind)
            attached = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            self._stream = _Stream(self._api.attach_socket(self._container, params=attached))
            self._api.start(self._container)
        except (DockerException, OSError) as error:
            self.kill()
            refused = isinstance(error, APIError) and error.is_client_error()
            kind_of_failure = WorkerFailedError if refused else EngineAwayError
            raise kind_of_failure(f"the Docker engine could not start a container: {error}") from error

    def _create(self, kind: Kind) -> str:
        from docker.types import LogConfig, Mount

        worker = ["/opt/colbench/worker/__main__.py", "--isolation", "container", "--scratch", SCRATCH]
        worker += ["--path", PACKAGES]
        for name in PACKAGE_FILES:
            worker += ["--package", f"{PACKAGES}/{name}"]
        worker += ["--preload", kind.preloaded]
        mounts = []
        if self._shared is None:
            command = [*worker, "--stdio"]
        else:
            command = ["/opt/colbench/first_process.py", *worker, "--listen", f"{SHARED}/{SOCKET}"]
            mounts.append(Mount(SHARED, str(self._shared), type="bind", propagation="rprivate"))
        limits = self._api.create_host_config(
            auto_remove=True,
            cap_drop=["ALL"],
            ipc_mode="none",
            log_config=LogConfig(type=LogConfig.types.NONE),
            mem_limit=MEMORY_BYTES,
            memswap_limit=MEMORY_BYTES,
            mounts=mounts,
            network_mode="none",
            pids_limit=MAX_PROCESSES,
            privileged=False,
            read_only=True,
            runtime=self._engine.runtime,
            security_opt=["no-new-privileges"],
            tmpfs={SCRATCH: SCRATCH_OPTIONS},
        )
        container = self._api.create_container(
            self._engine.image,
            command,
            entrypoint=[PYTHON, "-s", "-S"],
            environment=worker_environment(kind.hash_seed),
            host_config=limits,
            hostname="sandbox",
            labels={LABEL: self._engine.owner.to_text()},
            network_disabled=True,
            stdin_open=True,
            user=NOBODY,
            working_dir=SCRATCH,
        )
        return str(container["Id"])

    def wait_until_ready(self) -> str:
        """Return what the worker says of its isolation; see :class:`~colbench_gym.sandboxes.pool.Worker`."""
        if self._summary or self._stream is None:
            return self._summary
        try:
            word, _, rest = self._stream.read_line(START_S).partition(" ")
        except OSError as error:
            raise WorkerFailedError(f"a container did not start: {error or 'it ended'}") from error
        if word == "refused:":
            raise SandboxUnavailableError(rest)
        if word != "ready":
            raise WorkerFailedError(f"a container said {word} {rest}")
        if self._shared is not None:
            self._shared.chmod(0o755)  # the socket is there: nothing in the container may write here any more
        self._summary = rest
        return rest

    def reachable(self) -> bool:
        """Return whether connections get through: a folder can be shared, and a socket in it leads to the worker."""
        try:
            with self.connect():
                return True
        except OSError:
            return False

    def alive(self) -> bool:
        """Return whether its standard streams are open; they are silent between programs."""
        return not self._broken and self._stream is not None and not self._stream.readable()

    @contextmanager
    def connect(self) -> Iterator[socket.socket]:
        """Return a connection for one program; leaving the context ends the program."""
        if self._shared is not None:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.connect(str(self._shared / SOCKET))
                yield connection
            return
        if self._stream is None:
            raise ConnectionError("the container is gone")
        ours, theirs = socket.socketpair()
        self._broken = True  # until the program's last byte is here
        carrier = threading.Thread(target=self._carry, args=(self._stream, theirs), daemon=True)
        carrier.start()
        try:
            yield ours
        finally:
            ours.close()
            if self._broken:
                self._stream.close()
            carrier.join()

    def _carry(self, stream: _Stream, connection: socket.socket) -> None:
        """Carry one program over the standard streams: the request, then chunks until an empty one.

        A program that its client gave up goes on in there; such a worker is not used again.
        """
        with connection, contextlib.suppress(OSError):
            request = _receive(connection, HEADER_BYTES)
            request += _receive(connection, body_length(request))
            stream.write(request)
            while length := int.from_bytes(stream.read(4, PROGRAM_S), "big"):
                connection.sendall(stream.read(length, START_S))
            self._broken = False

    def close(self) -> None:
        """Remove the container."""
        self.kill()

    def kill(self) -> None:
        """Remove the container, if there still is one."""
        from docker.errors import DockerException

        self._broken = True
        if self._stream is not None:
            self._stream.close()
        if self._container:
            with contextlib.suppress(DockerException, OSError):  # an engine that is gone: reap() is for that
                remove(self._engine.client, self._container)
        if self._shared is not None:
            shutil.rmtree(self._shared, ignore_errors=True)

    def abandon_after_fork(self) -> None:
        """Let go of the parent's container in a forked child."""
        if self._stream is not None:
            self._stream.close(shut_down=False)


def _new_folder(parent: Path) -> Path:
    for number in range(1 << 30):
        folder = parent / str(number)
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        folder.chmod(0o777)  # whoever the container's user is on this machine; the parent is closed to all others
        return folder
    raise AssertionError


def _receive(connection: socket.socket, length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        piece = connection.recv(length - len(received))
        if not piece:
            raise ConnectionError("the client hung up")
        received += piece
    return bytes(received)


class _Stream:
    """The standard streams of a container over one connection of the engine, in the engine's own frames."""

    def __init__(self, attached: Any) -> None:  # Any: a SocketIO, or an SSL or SSH socket, by the engine's address
        self._attached = attached
        self._socket = getattr(attached, "_sock", attached)
        self._output = bytearray()
        self._errors = bytearray()

    def write(self, data: bytes) -> None:
        """Write to standard input."""
        self._socket.settimeout(START_S)
        self._socket.sendall(data)

    def read(self, length: int, timeout_s: float) -> bytes:
        """Read that many bytes of standard output."""
        deadline = time.monotonic() + timeout_s
        while len(self._output) < length:
            self._next_frame(deadline)
        taken = bytes(self._output[:length])
        del self._output[:length]
        return taken

    def read_line(self, timeout_s: float) -> str:
        """Read a line of standard output."""
        deadline = time.monotonic() + timeout_s
        while b"\n" not in self._output:
            self._next_frame(deadline)
        line, _, rest = bytes(self._output).partition(b"\n")
        self._output[:] = rest
        return line.decode("utf-8", "replace")

    def _next_frame(self, deadline: float) -> None:
        head = self._exactly(STREAM_HEAD_BYTES, deadline)
        content = self._exactly(int.from_bytes(head[4:], "big"), deadline)
        (self._errors if head[0] == STANDARD_ERROR else self._output).extend(content)

    def _exactly(self, length: int, deadline: float) -> bytes:
        received = bytearray()
        while len(received) < length:
            self._socket.settimeout(max(0.01, deadline - time.monotonic()))
            piece = self._socket.recv(length - len(received))
            if not piece:
                said = self._errors.decode("utf-8", "replace").strip()
                raise ConnectionError(said.splitlines()[-1] if said else "the container ended")
            received += piece
        return bytes(received)

    def readable(self) -> bool:
        """Return whether unrequested data, or the end, has arrived."""
        try:
            poll = select.poll()
            poll.register(self._socket, select.POLLIN)
            return bool(poll.poll(0))
        except (OSError, ValueError):
            return True

    def close(self, shut_down: bool = True) -> None:
        """Close standard input and output; with ``shut_down`` also for processes that share the connection."""
        if shut_down:
            with contextlib.suppress(OSError, AttributeError):
                self._socket.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self._socket.close()
            self._attached.close()
