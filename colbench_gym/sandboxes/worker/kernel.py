"""The system calls that the standard library has no function for."""

from __future__ import annotations

import ctypes
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
else:
    import _signal as signal  # signal imports enum, for which every fork would pay

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 36, 38
SECCOMP_MODE_FILTER = 2

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2

_NUMBERS = {"x86_64": (155, 126, 157, 72), "aarch64": (41, 91, 167, 25)}  # pivot_root, capset, prctl, fcntl
_F_OFD_SETLK = 37
_WHOLE_FILE_SHARED = bytes(32)  # a struct flock: F_RDLCK, SEEK_SET, from 0 to the end, no process
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long
_quick_syscall = ctypes.CDLL(None).syscall  # does not keep errno, which takes a dictionary
_prctl = _libc.prctl
_prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def system_call(number: int, *arguments: object) -> int:
    """Make system call ``number``; pointers are bytes or None, everything else an int (passed as a long)."""
    converted = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(_syscall(ctypes.c_long(number), *converted), f"system call {number}")


def prctl(option: int, second: int = 0, third: int = 0) -> None:
    """Set a property of this process."""
    _checked(_prctl(option, second, third, 0, 0), f"prctl {option}")


def _number(column: int) -> int:
    machine = os.uname().machine
    if machine not in _NUMBERS:
        raise OSError(f"no system call numbers for the machine {machine!r}; known are {', '.join(_NUMBERS)}")
    return _NUMBERS[machine][column]


def drop_capabilities() -> None:
    """Give up every capability, those over one's own user namespace included."""
    header = _CAPABILITY_VERSION_3.to_bytes(4, "little") + bytes(4)
    system_call(_number(1), header, bytes(24))


def prepared_call(number: int, *arguments: int) -> Callable[[], object]:
    """Return a function that makes one system call; its arguments are converted now, as children call it often."""
    converted = [ctypes.c_long(argument) for argument in (number, *arguments)]

    def call() -> None:
        if _quick_syscall(*converted) != 0:
            raise OSError(f"system call {number} failed")

    return call


def death_with_parent() -> None:
    """Have the kernel end this process when its parent ends."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def share_lock(descriptor: int) -> bool:
    """Lock a file so that nobody can lock it exclusively while it is open here; False when somebody has done so."""
    try:
        system_call(_number(3), descriptor, _F_OFD_SETLK, _WHOLE_FILE_SHARED)
    except (BlockingIOError, PermissionError):  # EAGAIN or EACCES, by kind of file
        return False
    return True


def filter_installation(program: bytes) -> Callable[[], object]:
    """Return a function that puts its process under a seccomp filter, an array of ``struct sock_filter``, for good."""
    instructions = ctypes.create_string_buffer(program, len(program))
    address = ctypes.addressof(instructions).to_bytes(ctypes.sizeof(ctypes.c_void_p), "little")
    counted = ctypes.create_string_buffer((len(program) // 8).to_bytes(2, "little") + bytes(6) + address, 16)
    _kept.extend((instructions, counted))
    return prepared_call(_number(2), PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(counted), 0, 0)


_kept: list[object] = []  # what the kernel is given addresses of


def unshare(flags: int) -> None:
    """Leave the namespaces named by CLONE_NEW flags for new ones."""
    _checked(_libc.unshare(flags), f"unshare {flags:#x}")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount ``source`` on ``target``."""
    arguments = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    _checked(_libc.mount(*arguments, ctypes.c_ulong(flags), data.encode()), f"mount {target}")


def unmount(target: str) -> None:
    """Detach the mount at ``target``."""
    _checked(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """Make ``new`` the root of this mount namespace, and hang the old root at ``old``."""
    system_call(_number(0), os.fsencode(new), os.fsencode(old))


def set_host_name(name: bytes) -> None:
    """Name this machine, in its own UTS namespace."""
    _checked(_libc.sethostname(name, len(name)), "sethostname")
