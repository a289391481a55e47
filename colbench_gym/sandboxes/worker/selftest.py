"""Attack from inside a confined child what must be contained, and try what honest programs need."""

from __future__ import annotations

import _thread
import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AREAS = ("files", "network", "other processes", "the worker", "the kernel", "the environment")
REFUSED = (1, 38)  # EPERM, ENOSYS: anything else comes from a call that was let through

# name, x86_64, aarch64 (- where the machine has no such call), by area
_CALLS = {
    "network": "socket 41 198; bind 49 200; connect 42 203; listen 50 201; accept4 288 242; sendmsg 46 211",
    "the worker": "shutdown 48 210; setsockopt 54 208",
    "other processes": """ptrace 101 117; process_vm_readv 310 270; process_vm_writev 311 271; pidfd_open 434 434;
        pidfd_getfd 438 438; pidfd_send_signal 424 424; kill 62 129; tkill 200 130; tgkill 234 131; kcmp 312 272;
        rt_sigqueueinfo 129 138; fork 57 -; vfork 58 -; clone3 435 435; execve 59 221; execveat 322 281;
        setpriority 141 140; sched_setaffinity 203 122; shmget 29 194; shmat 30 196; msgget 68 186; semget 64 190;
        mq_open 240 180; memfd_create 319 279; add_key 248 217; keyctl 250 219; setsid 112 157; setpgid 109 154""",
    "the kernel": """unshare 272 97; setns 308 268; mount 165 40; umount2 166 39; pivot_root 155 41; chroot 161 51;
        open_tree 428 428; move_mount 429 429; fsopen 430 430; mount_setattr 442 442; bpf 321 280;
        perf_event_open 298 241; userfaultfd 323 282; io_uring_setup 425 425; init_module 175 105; personality 135 92;
        open_by_handle_at 304 265; fanotify_init 300 262; inotify_init1 294 26; setuid 105 146; setgid 106 144;
        setresuid 117 147; capset 126 91; prctl 157 167; seccomp 317 277; sethostname 170 161; settimeofday 170 170;
        reboot 169 142; swapon 167 224; iopl 172 -; setxattr 188 5; flock 73 32; mlock 149 228; splice 275 76""",
}


def partial(function: Callable[..., object], *arguments: object) -> Callable[[], object]:
    """Return the call to make later (functools imports much, for which every fork would pay)."""
    return lambda: function(*arguments)


def breaches(files: bool, packages: list[str]) -> Iterator[tuple[str, str]]:
    """Attack, and yield the area and the attack for each that gets through.

    Args:
        files: whether reading this file system is a breach (in a container of our own it is not).
        packages: what programs must be able to import.
    """
    yield from _open_calls()
    for area, name, attack in _attacks(files):
        try:
            attack()
        except OSError:
            continue
        yield area, name
    if os.getuid() == 0 or os.geteuid() == 0:
        yield "the kernel", "it runs as root"
    for descriptor in range(64):
        try:
            kind = os.fstat(descriptor).st_mode & 0o170000
        except OSError:
            continue
        if descriptor > 2 and kind != 0o010000:  # the pipe of this report
            yield "the worker", f"file descriptor {descriptor} is open"
    for name in os.environ:
        if name not in ENVIRONMENT_NAMES:
            yield "the environment", f"the variable {name} is set"
    yield from _missing(packages)


def _open_calls() -> Iterator[tuple[str, str]]:
    column = {"x86_64": 1, "aarch64": 2}[os.uname().machine]
    call = ctypes.CDLL(None, use_errno=True).syscall
    for area, table in _CALLS.items():
        for entry in table.replace("\n", " ").split(";"):
            words = entry.split()
            if words[column] != "-":
                ctypes.set_errno(0)
                result = call(ctypes.c_long(int(words[column])), *([ctypes.c_long(0)] * 6))
                if result != -1 or ctypes.get_errno() not in REFUSED:
                    yield area, f"the system call {words[0]} is open"


ENVIRONMENT_NAMES = (
    *("HOME", "LANG", "TMPDIR", "TZ", "PYTHONHASHSEED"),
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
)


def _attacks(files: bool) -> Iterator[tuple[str, str, Callable[[], object]]]:
    worker = os.path.abspath(__file__)
    parent = os.getppid()
    if files:
        for path in (worker, "/etc/passwd", "/etc/hostname", "/etc/shadow"):
            yield "files", f"{path} can be read", partial(os.open, path, os.O_RDONLY)
        for path in ("/root", "/home", "/etc", "/var", "/sys"):
            yield "files", f"{path} can be listed", partial(os.listdir, path)
        for path in ("/proc/self/status", "/proc/1/environ", "/proc/sys/kernel/hostname"):
            yield "other processes", f"{path} can be read", partial(os.open, path, os.O_RDONLY)
    flags = os.O_CREAT | os.O_WRONLY
    for folder in ("/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/run", os.path.dirname(os.__file__)):
        if os.path.realpath(folder) != os.getcwd():
            name = f"{folder}/colbench-self-test"
            yield "files", f"{folder} can be written", partial(os.open, name, flags)
    yield "files", "modes can be changed", lambda: os.chmod(".", 0o700)  # Landlock has no rule for that
    yield "files", "modes of open files can be changed", _change_mode_of_open_file
    yield "files", f"{worker} can be cut", lambda: os.truncate(worker, os.stat(worker).st_size)
    yield "files", "the standard library can be changed", lambda: os.open(os.__file__, os.O_WRONLY)
    yield "the worker", "its memory can be opened", lambda: os.open(f"/proc/{parent}/mem", os.O_RDWR)
    yield "other processes", "it can start processes", os.fork
    yield "other processes", "it can run programs", lambda: os.execv(sys.executable, ["python"])
    yield "the worker", "its limits can be changed", lambda: _prlimit(parent)
    yield "the kernel", "urgent data can be sent", _send_urgent_data
    yield "files", "locks of files can be looked at", _look_at_lock
    for device in ("null", "zero", "full", "random", "urandom"):
        yield "other processes", f"/dev/{device} can be locked", partial(_lock_exclusively, f"/dev/{device}")


def _change_mode_of_open_file() -> None:
    folder = os.open(".", os.O_RDONLY)
    try:
        os.fchmod(folder, 0o700)
    finally:
        os.close(folder)


def _send_urgent_data() -> None:
    import _socket

    ours, theirs = _socket.socketpair()
    try:
        ours.send(b"u", _socket.MSG_OOB)
    finally:
        ours.close()
        theirs.close()


def _look_at_lock() -> None:
    import fcntl

    library = os.open(os.__file__, os.O_RDONLY)
    try:
        fcntl.fcntl(library, fcntl.F_GETLK, bytes(32))
    finally:
        os.close(library)


def _lock_exclusively(path: str) -> None:
    import fcntl

    with open(path, "wb", buffering=0) as file:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _prlimit(process: int) -> None:
    import resource

    resource.prlimit(process, resource.RLIMIT_CPU)


def _missing(packages: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the needs of honest programs that cannot be met here."""
    try:
        import colorsys  # a file of the standard library that nothing else imports, and small: every worker does
        import unicodedata  # a compiled one
    except ImportError as error:
        yield "", f"the standard library cannot be imported ({error}); is the interpreter in a folder closed to others?"
        return
    try:
        with open("colbench-self-test", "w") as file:
            file.write(str(colorsys.rgb_to_hsv(0, 0, 0)) + unicodedata.name("a"))
        os.unlink("colbench-self-test")
    except OSError as error:
        yield "", f"the working directory cannot be written ({error})"
    ended = _thread.allocate_lock()
    ended.acquire()
    try:
        _thread.start_new_thread(ended.release, ())
        ended.acquire()
    except RuntimeError as error:  # others used up the user's threads meanwhile
        yield "", f"no thread can be started ({error})"
    for package in packages:
        path = f"{package}/__init__.py" if os.path.isdir(package) else package
        if not os.access(path, os.R_OK) and not package.endswith(".libs"):
            yield "", f"{package} cannot be read; is it in a folder closed to others?"
