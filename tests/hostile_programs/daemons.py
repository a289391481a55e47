"""Processes and threads that outlive their turn."""

from __future__ import annotations

from .attack import Attack

_THEN_FILE = (
    'def attack():\n    time.sleep(0.4)\n    return os.path.exists("/tmp/daemon-was-here") and "ESCAPED: it lives"'
)
_WORK = """
def work():
    for _ in range(100):
        try:
            open("/tmp/daemon-was-here", "w").write("x")
        except OSError:
            pass
        time.sleep(0.1)
    os._exit(0)
"""

ATTACKS = (
    Attack(
        "child",
        "Leaves a child.",
        """
def work():
    for _ in range(100):
        try:
            open("/tmp/daemon-was-here", "w").write("x")
        except OSError:
            pass
        time.sleep(0.1)
    os._exit(0)
def attack():
    if os.fork() == 0: work()
    return "planted"
""",
        then=_THEN_FILE,
        calls=2,
    ),
    Attack(
        "daemon",
        "Forks twice, in a new session, with every signal ignored.",
        _WORK
        + """
def attack():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(1, 65):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
            work()
        os._exit(0)
    return "planted"
""",
        then=_THEN_FILE,
        calls=2,
    ),
    Attack(
        "daemon-that-closes-everything",
        "Forks a daemon that closes its descriptors, then ends at once, so that nothing seems to be left.",
        """
def work():
    for _ in range(100):
        try:
            open("/tmp/daemon-was-here", "w").write("x")
        except OSError:
            pass
        time.sleep(0.1)
    os._exit(0)
def attack():
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 256)
        work()
    os._exit(0)
""",
        then=_THEN_FILE,
        calls=2,
    ),
    Attack(
        "daemon-that-keeps-the-pipe",
        "Forks a child that keeps the result pipe open and writes to it later, into the results of others.",
        """
def attack():
    if os.fork() == 0:
        os.setsid()
        for _ in range(50):
            for fd in range(32):
                try:
                    os.write(fd, b'\\x00\\x00\\x00\\x10{"status":"returned"}')
                except OSError:
                    pass
            time.sleep(0.05)
        os._exit(0)
    return "planted"
""",
        then="""
def attack():
    time.sleep(0.2)
    return "nothing"
""",
        calls=2,
    ),
    Attack(
        "command",
        "Starts commands that go on: sleep, and Python.",
        """
import subprocess
def attack():
    return first([lambda: subprocess.Popen(["/bin/sleep", "30"], start_new_session=True) and "planted",
                  lambda: subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"]) and "planted",
                  lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", "import time; time.sleep(30)"], {}) and "planted"])
""",
        calls=2,
    ),
    Attack(
        "sibling",
        "Makes a child that the kernel counts as a child of the server (CLONE_PARENT).",
        """
def attack():
    pid = syscall(56, 0x8000 | signal.SIGCHLD, None, None, None, None)
    if pid == 0:
        time.sleep(30)
        os._exit(0)
    return "planted"
""",
        calls=2,
        short=True,
    ),
    Attack(
        "clone3",
        "Clones by clone3, whose arguments a filter cannot read, with new namespaces.",
        """
def attack():
    arguments = (ctypes.c_uint64 * 11)(0x10000000 | 0x20000000, 0, 0, 0, signal.SIGCHLD)
    pid = syscall(435, ctypes.byref(arguments), 88)
    if pid == 0:
        time.sleep(30)
        os._exit(0)
    return "ESCAPED: clone3 with namespaces"
""",
        calls=2,
        short=True,
    ),
    Attack(
        "vfork",
        "Uses vfork, so that it stops until the child says so.",
        """
def attack():
    pid = syscall(58)
    if pid == 0:
        libc.sleep(30)
        libc._exit(0)
    return "planted"
""",
        calls=2,
        short=True,
    ),
    Attack(
        "subreaper",
        "Adopts orphans as a subreaper and lets grandchildren go on.",
        _WORK
        + """
def attack():
    libc.prctl(36, 1, 0, 0, 0)
    libc.prctl(1, 0, 0, 0, 0)
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            work()
        os._exit(0)
    return "planted"
""",
        then=_THEN_FILE,
        calls=2,
    ),
    Attack(
        "chain",
        "Forks in a chain, each parent ending, faster than it can be followed.",
        """
def attack():
    if os.fork() == 0:
        os.setsid()
        end = time.monotonic() + 8
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
            time.sleep(0.001)
        os._exit(0)
    return "planted"
""",
        calls=2,
    ),
    Attack(
        "thread",
        "Leaves a daemon thread that tries to write a file later.",
        """
def work():
    for _ in range(100):
        try:
            open("/tmp/daemon-was-here", "w").write("x")
        except OSError:
            pass
        time.sleep(0.1)
    pass
def attack():
    threading.Thread(target=work, daemon=True).start()
    return "planted"
""",
        then=_THEN_FILE,
        calls=2,
    ),
    Attack(
        "child-and-exec",
        "Replaces itself by another program.",
        """
def attack():
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(30)"])
""",
        calls=2,
        short=True,
    ),
    Attack(
        "program-in-memory",
        "Writes a program to anonymous memory and executes it from there.",
        """
def attack():
    fd = os.memfd_create("program", 0)
    os.write(fd, open(sys.executable, "rb").read(1 << 26))
    os.execve(fd, ["python", "-c", "import time; time.sleep(30)"], {})
""",
        calls=2,
        short=True,
    ),
)
