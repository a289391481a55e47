"""Confine the worker and its children with the kinds of isolation that the kernel offers.

``namespaces``  user, mount, process, network and IPC namespaces, Landlock where there is one, and seccomp
``landlock``    Landlock and seccomp, where namespaces are closed; needs ``--scratch DIR``, a folder of its own
``bubblewrap``  the same two, and limits on threads, inside bubblewrap, with the ``--scratch DIR`` that it made
``container``   the same two inside a container, with the ``--scratch DIR`` that it made
``none``        resource limits only: for programs that one would run oneself
"""

from __future__ import annotations

import os
import resource
import sys
import time
from resource import RLIMIT_AS, RLIMIT_CPU, RLIMIT_NPROC, setrlimit

from . import scratch as scratch_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Iterator
else:
    import _signal as signal

LINUX = sys.platform == "linux"
if LINUX or TYPE_CHECKING:
    from . import kernel, landlock, namespaces, seccomp
    from .file_access import SCRATCH, FileAccess, import_only, mapped_files

KINDS = ("namespaces", "bubblewrap", "landlock", "container", "none")
MAX_OPEN_FILES = 64
MAX_FILE_BYTES = 16 << 20
MAX_THREADS = 64  # of one program
# Landlock alone: the kernel counts all threads of the user there, so that this bounds what a program can start before
# the server sees that it has too many, and must be more than the user will start while a worker lives.
MAX_MORE_THREADS_OF_USER = 2048
CLEANING_S = 1.0  # how long a verdict waits for the scratch folder; a worker that needs longer is replaced
PROOF_MEMORY_MIB = 512
PROOF_MS = 10_000
NOT_CONFINED = int(signal.SIGUSR1)
CHILD_ENDED = (signal.SIGCHLD,)


class Isolation:
    """Measures that are taken for every child, and after it."""

    def __init__(self, kind: str, scratch: str, packages: list[str]) -> None:
        self.kind = kind
        self.scratch = scratch
        self.packages = packages
        self.ruleset = -1
        self.locked: list[int] = []  # devices, held open by the server
        self.max_threads = 0
        self.counts_threads = False
        self.steps: list[Callable[[], object]] = []  # to take in each child, in this order
        self.parts: list[str] = []

    @property
    def summary(self) -> str:
        """Description of what contains a program."""
        return " + ".join(self.parts)

    def confine(self, memory_mib: int, total_ms: int) -> None:
        """Confine this child, before it reads its request.

        A child that could not be confined must not run, and that must not be taken for the program's failure: it ends
        by a signal that no program can send.
        """
        try:
            setrlimit(RLIMIT_AS, (memory_mib << 20, memory_mib << 20))
            setrlimit(RLIMIT_CPU, (total_ms // 1000 + 2, total_ms // 1000 + 2))
            if self.max_threads:
                setrlimit(RLIMIT_NPROC, (self.max_threads, self.max_threads))
            for step in self.steps:
                step()
        except BaseException:  # whatever it was, the program must not run
            os.kill(os.getpid(), NOT_CONFINED)
            os._exit(70)

    def let_go_of_devices(self) -> None:
        """Close the locked devices in a child; the server's locks stay."""
        for device in self.locked:
            os.close(device)

    def prove(self, breaches: Callable[[bool, list[str]], Iterator[tuple[str, str]]]) -> None:
        """Run the attacks of the self-test in a confined child.

        Raises:
            OSError: some got through, or what honest programs need is missing.
        """
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            for descriptor in set(range(3, 64)) - {writer, self.ruleset, *self.locked}:
                try:
                    os.close(descriptor)
                except OSError:
                    continue
            self.confine(PROOF_MEMORY_MIB, PROOF_MS)
            lines = [f"{area}: {name}" if area else name for area, name in breaches(self.ruleset >= 0, self.packages)]
            os.write(writer, "\n".join([*lines[:20], "end"]).encode())
            os._exit(0)
        os.close(writer)
        with open(reader) as report:
            lines = report.read().split("\n")
        _, status = os.waitpid(child, 0)
        if lines.pop() != "end":
            raise OSError(f"the self-test did not finish (wait status {status})")
        if lines:
            raise OSError("not contained: " + "; ".join(lines))

    def clean(self, child: int) -> bool:
        """Remove what the last program left, and return whether nothing stays; within CLEANING_S."""
        os.set_blocking(0, True)  # the one flag that programs can set on the open file that they share
        if self.kind == "none":
            end_strays(child)
        if not self.scratch or not os.listdir(self.scratch):
            return True
        return scratch_folder.remove_all(self.scratch, time.monotonic() + CLEANING_S)

    def has_too_many_threads(self, child: int) -> bool:
        """Return whether a program runs more threads than it may, where the kernel does not see to that."""
        if not self.counts_threads:
            return False
        try:
            return os.stat(f"/proc/{child}/task").st_nlink > MAX_THREADS + 2  # two links of the folder's own
        except OSError:  # it has just ended
            return False


def enter(kind: str, packages: list[str], scratch: str) -> Isolation:
    """Isolate this process, and return what its children need.

    Args:
        kind: one of KINDS.
        packages: files and folders that programs may import, beside the standard library.
        scratch: the folder that programs may write; empty for none. ``namespaces`` makes its own.

    Raises:
        OSError: the kernel refuses something; what it was, and why.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown isolation {kind!r}; known are {', '.join(KINDS)}")
    if LINUX:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, MAX_OPEN_FILES),
        (resource.RLIMIT_FSIZE, MAX_FILE_BYTES),
    ):
        resource.setrlimit(limit, (value, value))
    os.umask(0o022)
    isolation = Isolation(kind, SCRATCH if kind == "namespaces" else scratch, packages)
    if kind == "none":
        isolation.parts.append("resource limits only")
        if LINUX:
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        isolation.steps.append(os.setsid)
        os.chdir(scratch or "/")
    else:
        _contain(isolation)
    return isolation


def _contain(isolation: Isolation) -> None:  # noqa: C901  the order of these steps is what contains
    if not LINUX:
        raise OSError("this system is not Linux: it has no namespaces, no Landlock and no seccomp")
    access = FileAccess(isolation.packages, isolation.scratch, mapped_files())
    import_only(isolation.packages)
    if isolation.kind == "namespaces":
        namespaces.enter(access)
    elif os.geteuid() == 0 and not namespaces.can_drop_root():
        raise OSError("this is root without the right to become another user: it would stay root")
    elif os.geteuid() == 0:
        if isolation.scratch:
            os.chown(isolation.scratch, namespaces.NOBODY, namespaces.NOBODY)
        namespaces.drop_root()
    if isolation.kind == "landlock":
        isolation.counts_threads = True
        wanted = threads_of_user() + MAX_MORE_THREADS_OF_USER
        allowed = resource.getrlimit(RLIMIT_NPROC)[1]
        isolation.max_threads = wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
    elif isolation.kind != "container":  # a user namespace counts its own; a container limits them itself
        isolation.max_threads = MAX_THREADS
    os.chdir(isolation.scratch or "/")
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.drop_capabilities()
    if isolation.kind != "landlock":
        isolation.parts.append(isolation.kind)
    if isolation.kind != "namespaces":
        isolation.steps.append(kernel.death_with_parent)
    version = landlock.abi()
    if isolation.kind == "landlock" and version < landlock.TRUNCATE_ABI:
        raise OSError(f"this kernel's Landlock (version {version}) cannot keep programs from cutting files")
    if version or isolation.kind == "landlock":
        readable = access.readable + access.packages
        listable: list[str] = []
        if isolation.kind != "namespaces":  # where mounts hide nothing
            readable, listable = access.without_hidden()
        isolation.ruleset = landlock.make_ruleset(readable, listable, isolation.scratch, access.devices)
        isolation.parts.append(f"Landlock {version}")
        isolation.steps.append(landlock.restriction(isolation.ruleset))
        isolation.steps.append(lambda: os.close(isolation.ruleset))
    isolation.locked = lock_devices(access.devices)
    isolation.steps.append(isolation.let_go_of_devices)
    kernel.filter_installation(seccomp.server_filter())()
    isolation.steps.append(kernel.filter_installation(seccomp.child_filter()))
    isolation.parts.append("seccomp")
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def lock_devices(paths: list[str]) -> list[int]:
    """Return descriptors of the devices, each with a shared lock.

    Devices are the only files that several programs can write, so that an exclusive lock of one program would be seen
    by the next. The lock of any server that runs keeps all programs of the machine from it.
    """
    devices = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in paths if os.path.exists(path)]
    for device in devices:
        kernel.share_lock(device)
    return devices


def threads_of_user() -> int:
    """Return how many threads this user runs now, all over the machine."""
    count = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue  # it ended meanwhile
    return count


def end_strays(child: int) -> None:
    """End what an unconfined program started: its session, and (on Linux) whatever became ours when it ended."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    while LINUX:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        with open("/proc/thread-self/children") as children:
            for stray in children.read().split():
                os.kill(int(stray), signal.SIGKILL)


def wait_for_child(timeout_s: float) -> None:
    """Sleep until a child ends, or for ``timeout_s``."""
    if LINUX:
        signal.sigtimedwait(CHILD_ENDED, timeout_s)
    else:
        time.sleep(min(timeout_s, 0.002))


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that the running process ``pid`` has used."""
    return time.clock_gettime((~pid << 3) | 2)
