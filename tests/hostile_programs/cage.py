"""A process namespace with a process limit around the corpus, so that a hole in a sandbox cannot take the machine down.

``command(user, token)`` gives the words before a command line; run as a program, this file finishes the cage from the
inside: it limits processes and memory, makes every file system read-only but for empty ones on ``/tmp`` and the like,
cuts the network, covers folders that the ordinary user may not enter, and drops root.
"""

import contextlib
import ctypes
import fcntl
import os
import resource
import shutil
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

ORDINARY_UID = 65533  # neither a user of the machine nor the uid of containers
MAX_PROCESSES = 1500
MAX_MEMORY_BYTES = 8 << 30
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 1, 64
EMPTY = ("/tmp", "/var/tmp", "/dev/shm", "/run")
TESTS = Path(__file__).resolve().parents[1]


def command(user: str, token: str) -> list[str]:
    """Return what stands before a command so that it runs caged as ``root`` or as ``ordinary``.

    Raises:
        LookupError: this machine, or this user, cannot do that; the text says why.
    """
    unshare = shutil.which("unshare")
    if unshare is None:
        raise LookupError("no unshare(1) here")
    words = [unshare, "--pid", "--fork", "--kill-child", "--mount", "--ipc", "--uts", "--net", "--mount-proc"]
    if os.geteuid() == 0:
        return [*words, sys.executable, "-B", __file__, user, token]
    if user == "root":
        raise LookupError("needs root")
    return [*words, "--user", "--map-current-user", sys.executable, "-B", __file__, "as-is", token]


def environment() -> dict[str, str]:
    """The environment for a caged command: the tests and the package can be imported."""
    paths = [str(TESTS), str(TESTS.parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in paths if path), "PYTHONDONTWRITEBYTECODE": "1"}


def _groups(token: str) -> Iterator[tuple[Path, dict[str, int]]]:
    """The control groups to make: of version 1 for each controller, or one of version 2."""
    top = Path("/sys/fs/cgroup")
    if (top / "cgroup.controllers").exists():
        yield top / token, {"pids.max": MAX_PROCESSES, "memory.max": MAX_MEMORY_BYTES}
    else:
        yield top / "pids" / token, {"pids.max": MAX_PROCESSES}
        yield top / "memory" / token, {"memory.limit_in_bytes": MAX_MEMORY_BYTES}


def remove_groups(token: str) -> None:
    """Remove the control groups of a cage that is empty."""
    for group, _ in _groups(token):
        with contextlib.suppress(OSError):
            group.rmdir()


def _limit(token: str) -> None:
    for group, values in _groups(token):
        with contextlib.suppress(OSError):  # no control groups: the process limit below is what is left
            group.mkdir(exist_ok=True)
            for file, value in values.items():
                (group / file).write_text(str(value))
            (group / "cgroup.procs").write_text("0")
    resource.setrlimit(resource.RLIMIT_NPROC, (MAX_PROCESSES, MAX_PROCESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _mount(source: str, target: Path, kind: str | None, flags: int, data: str | None = None) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    words = [text.encode() if text is not None else None for text in (source, str(target), kind)]
    if libc.mount(*words, ctypes.c_ulong(flags), data.encode() if data else None):
        raise OSError(ctypes.get_errno(), f"mount {source} on {target}")


def _set_read_only(path: str, read_only: bool, flags: int) -> None:
    attributes = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY * read_only, MOUNT_ATTR_RDONLY * (not read_only), 0, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(number) for number in (MOUNT_SETATTR, AT_FDCWD)]
    if libc.syscall(*words, path.encode(), ctypes.c_long(flags), ctypes.byref(attributes), ctypes.c_long(32)):
        raise OSError(ctypes.get_errno(), f"mount_setattr of {path}")


def _protect_the_machine() -> None:
    """Make all file systems read-only, put empty ones where programs write, and leave only a loopback network."""
    _mount("none", Path("/"), None, MS_REC | MS_PRIVATE)
    _set_read_only("/", True, AT_RECURSIVE)
    _set_read_only("/proc", False, 0)  # namespaces are set up by writing there
    for place in EMPTY:
        folder = Path(place).resolve()
        if folder.is_dir():
            _cover(folder, {path for path in _needed() if folder in path.parents}, "mode=1777,size=4g")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP | IFF_RUNNING))


def _open_closed_homes() -> None:
    """Cover each folder that others may not enter by one of the ordinary user's own, just as closed, with what is needed.

    So the interpreter lies in a home that only that user may enter.
    """
    closed: dict[Path, set[Path]] = {}
    for path in _needed():
        for parent in reversed([path, *path.parents]):
            if parent.is_dir() and not parent.stat().st_mode & 0o001:
                closed.setdefault(parent, set()).add(path)
                break
    for home, paths in closed.items():
        _cover(home, paths, f"mode=700,uid={ORDINARY_UID},gid={ORDINARY_UID}")


def _needed() -> set[Path]:
    """Return where the interpreter, the package and the tests lie."""
    needed = {Path(p).resolve() for p in (sys.prefix, sys.base_prefix, sys.executable, TESTS.parent, *sys.path) if p}
    return needed | {Path(sys.prefix), Path(os.__file__).parent}


def _cover(folder: Path, kept: set[Path], options: str) -> None:
    """Mount an empty file system on a folder, and in it what it held of ``kept``."""
    outermost = [p for p in kept if not any(q in p.parents for q in kept)]
    held = {path: os.open(path, os.O_PATH) for path in outermost if path.exists() and path != folder}
    _mount("cover", folder, "tmpfs", 0, options)
    for path, fd in held.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if Path(f"/proc/self/fd/{fd}").is_dir():
            path.mkdir()
        else:
            path.touch()
        _mount(f"/proc/self/fd/{fd}", path, None, MS_BIND | MS_REC)
        os.close(fd)


def main(user: str, token: str, *words: str) -> None:
    """Finish the cage and become the command."""
    _limit(token)
    if user != "as-is":
        _protect_the_machine()
    if user == "ordinary":
        _open_closed_homes()
        os.setgroups([])
        os.setresgid(ORDINARY_UID, ORDINARY_UID, ORDINARY_UID)
        os.setresuid(ORDINARY_UID, ORDINARY_UID, ORDINARY_UID)
    _be_init()
    os.execv(words[0], words)


def _be_init() -> None:
    """Return in a child; this process stays as the namespace's first one, which reaps what loses its parent."""
    child = os.fork()
    if child:
        while True:
            pid, status = os.wait()
            if pid == child:
                os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    main(*sys.argv[1:])
