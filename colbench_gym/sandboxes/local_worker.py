"""Start a worker process on this machine under one kind of isolation, and hand it connections."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import math
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from colbench_gym.concurrency.leftovers import LockedFolder
from colbench_gym.errors import SandboxUnavailableError
from colbench_gym.sandboxes.control_groups import delegated_group, make_group, remove_group
from colbench_gym.sandboxes.pool import END_S, PACKAGES, Kind, worker_environment
from colbench_gym.sandboxes.retries import WorkerFailedError
from colbench_gym.sandboxes.worker.file_access import SCRATCH, FileAccess
from colbench_gym.sandboxes.worker.scratch import remove_all

QUICK_CLEANING_S = 0.2  # for the folder of a worker that is thrown away; a thread does the rest
START_S = 60.0  # a worker that is not ready by then has failed
PACKAGE_FILES = ("numpy", "numpy.libs", "bs4", "soupsieve", "typing_extensions.py")  # and what these need
WORKER = Path(__file__).with_name("worker")
STARTED = str(WORKER / "__main__.py")  # a folder would be started by runpy, whose modules make every fork dearer
SCRATCH_BYTES = 16 << 20
GROUPED = ("namespaces", "landlock")  # bubblewrap shows the worker no control groups; "none" limits nothing but times
CONTAINED = ("namespaces", "bubblewrap", "landlock")  # strongest first; worker/isolation.py says what each one is


def process_environment(hash_seed: int) -> dict[str, str]:
    """Return the environment of a local worker: also what the interpreter may need to find its libraries.

    The worker keeps its own modules compiled where this process does: compiling them is a third of its start.
    """
    needed = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "PYTHONHOME") if name in os.environ}
    environment = worker_environment(hash_seed) | needed  # the worker sets one of its own before it serves
    if not sys.dont_write_bytecode:
        del environment["PYTHONDONTWRITEBYTECODE"]
    if sys.pycache_prefix:
        environment["PYTHONPYCACHEPREFIX"] = str(Path(sys.pycache_prefix).resolve())  # the worker is in another folder
    return environment


@functools.cache
def package_files() -> tuple[str, ...]:
    """Return where the packages that programs may import lie on this machine."""
    files = []
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).parent.parent
            files += [str(folder / name) for name in PACKAGE_FILES if (folder / name).exists()]
    return tuple(dict.fromkeys(files))


class LocalWorker:
    """One worker process of this machine and the control socket that hands it connections.

    Args:
        isolation: one of CONTAINED, or ``none``.
        kind: what it is for.

    Raises:
        SandboxUnavailableError: a program that this isolation needs is missing.
    """

    def __init__(self, isolation: str, kind: Kind) -> None:
        on_disk = isolation not in ("namespaces", "bubblewrap")
        self._folder = LockedFolder("scratch", remove=_remove) if on_disk else None
        self._scratch = str(self._folder.path) if self._folder else ""
        self._group = _group() if isolation in GROUPED else None
        self._control, theirs = socket.socketpair(socket.AF_UNIX, getattr(socket, "SOCK_SEQPACKET", socket.SOCK_DGRAM))
        with theirs:
            arguments = ["--fd", str(theirs.fileno()), "--isolation", isolation]
            arguments += ["--scratch", SCRATCH if isolation == "bubblewrap" else self._scratch]
            for path in package_files():
                arguments += ["--package", path]
            for path in dict.fromkeys(str(Path(path).parent) for path in package_files()):
                arguments += ["--path", path]
            arguments += ["--preload", kind.preloaded]
            arguments += ["--group", str(self._group / "cgroup.procs")] if self._group is not None else []
            try:
                self._process = subprocess.Popen(
                    [*(_bubblewrap() if isolation == "bubblewrap" else _python()), *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=process_environment(kind.hash_seed),
                    cwd="/",
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,  # Ctrl-C in the terminal is for us, who then close the worker
                )
            except BaseException:
                self._forget()
                raise

    def wait_until_ready(self) -> str:
        """Return what the worker says of its isolation; see :class:`~colbench_gym.sandboxes.pool.Worker`."""
        self._control.settimeout(START_S)
        try:
            word, _, rest = self._control.recv(1 << 16).decode("utf-8", "replace").strip().partition(" ")
        except OSError as error:
            raise WorkerFailedError(f"a worker did not start: {error}") from error
        if word == "ready":
            return rest
        if word == "refused:":
            self.kill()
            raise SandboxUnavailableError(rest)
        try:
            status = self._process.wait(END_S)
        except subprocess.TimeoutExpired as error:
            raise WorkerFailedError("a worker closed its connection at its start and hangs") from error
        raise WorkerFailedError(f"a worker ended at its start (exit status {status})")

    def alive(self) -> bool:
        """Return whether its process still runs."""
        return self._process.poll() is None

    def connect(self) -> socket.socket:
        """Return a connection for one program; closing it ends the program."""
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self._control, [b"c"], [theirs.fileno()])
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return ours

    def close(self) -> None:
        """End the worker, once the program in it has ended."""
        self._control.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._forget(cleaning_s=END_S)

    def kill(self) -> None:
        """End the worker, and the program in it, at once."""
        self._process.kill()
        self._process.wait()
        self._forget()

    def abandon_after_fork(self) -> None:
        """Let go of the parent's worker in a forked child."""
        self._control.close()
        self._process.returncode = 0  # not our child: nothing to wait for

    def _forget(self, cleaning_s: float = QUICK_CLEANING_S) -> None:
        """Let go of the socket and the folder; a folder that takes long to remove is left to a thread."""
        self._control.close()
        group, self._group = self._group, None
        if group is not None:
            remove_group(group)
        folder, self._folder = self._folder, None
        if folder is not None and _remove(self._scratch, time.monotonic() + cleaning_s):
            folder.close()
        elif folder is not None:
            threading.Thread(target=folder.close, name="scratch-removal").start()


def _group() -> Path | None:
    parent = delegated_group()
    return None if parent is None else make_group(parent)


def _remove(folder: str, deadline: float = math.inf) -> bool:
    """Remove a folder with all it holds, and return whether it is gone."""
    if not remove_all(folder, deadline):
        return time.monotonic() < deadline  # what cannot be removed at all cannot be later
    with contextlib.suppress(OSError):
        Path(folder).rmdir()
    return True


def _python() -> list[str]:
    return [sys.executable, "-s", "-S", STARTED]


def _bubblewrap() -> list[str]:
    """Return the command that starts the worker in bubblewrap, with the files that it needs and no others."""
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxUnavailableError("bubblewrap (bwrap) is not installed")
    if os.geteuid() == 0:
        raise SandboxUnavailableError("bubblewrap does not drop root")
    access = FileAccess(list(package_files()), SCRATCH, mapped=[])
    python = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    command = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += ["--hostname", "sandbox"]
    for path in access.readable:
        link = Path(path).is_symlink() and path.count("/") == 1
        command += ["--symlink", str(Path(path).readlink()), path] if link else ["--ro-bind", path, path]
    for path in access.hidden:
        command += ["--tmpfs", path]
    for path in (*access.packages, python, str(WORKER)):
        command += ["--ro-bind", path, path]
    for path in access.devices:
        command += ["--dev-bind", path, path]
    command += ["--perms", "0700", "--size", str(SCRATCH_BYTES), "--tmpfs", SCRATCH, "--chdir", SCRATCH]
    return [*command, "--", python, "-s", "-S", STARTED]
