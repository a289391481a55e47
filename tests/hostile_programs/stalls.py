"""Exits, signals, and calls that do not come back."""

from __future__ import annotations

from .attack import Attack

_KILL = """
def attack():
    return first([lambda t=t, s=s: os.kill(t, s) or f"sent {s} to {t}" for t in TARGETS for s in SIGNALS])
"""

ATTACKS = (
    Attack(
        "exit-on-import",
        "Ends with status 0 while it is loaded.",
        """
import sys
sys.exit(0)
""",
    ),
    Attack(
        "exit-in-call",
        "Raises SystemExit in every call.",
        "def solve(n): raise SystemExit(0)",
    ),
    Attack(
        "hard-exit",
        "Ends the process with status 0 in the middle of the tests.",
        "def solve(n): os._exit(0)",
    ),
    Attack(
        "hard-exit-late",
        "Answers four tests and ends.",
        "def solve(n): return os._exit(0) if n == 4 else 'wrong'",
    ),
    Attack(
        "interrupt",
        "Raises KeyboardInterrupt and GeneratorExit.",
        "def solve(n): raise [KeyboardInterrupt, GeneratorExit][n % 2]",
    ),
    Attack(
        "abort",
        "Aborts.",
        "def solve(n): os.abort()",
        calls=2,
    ),
    Attack(
        "segmentation-fault",
        "Reads address zero.",
        "def solve(n): return ctypes.string_at(0)",
        calls=2,
    ),
    Attack(
        "kills-itself",
        "Kills itself.",
        "def solve(n): os.kill(os.getpid(), signal.SIGKILL)",
        calls=2,
    ),
    Attack(
        "stops-itself",
        "Stops itself, so that nobody waits for its end.",
        "def solve(n): os.kill(os.getpid(), signal.SIGSTOP)",
        calls=2,
        short=True,
    ),
    Attack(
        "kills-the-server",
        "Kills, stops and interrupts the server and the owner.",
        """
TARGETS = [os.getppid(), @OWNER@, 1]
SIGNALS = [9, 19, 2, 15, 6, 11]
def attack():
    return first([lambda t=t, s=s: os.kill(t, s) or f"sent {s} to {t}" for t in TARGETS for s in SIGNALS])
""",
        calls=2,
    ),
    Attack(
        "kills-everybody",
        "Kills every process that it may, its group and its session.",
        """
TARGETS = [-1, 0, -os.getppid(), *pids()]
SIGNALS = [9]
def attack():
    return first([lambda t=t, s=s: os.kill(t, s) or f"sent {s} to {t}" for t in TARGETS for s in SIGNALS])
""",
        calls=2,
    ),
    Attack(
        "kills-by-other-calls",
        "Signals by tgkill, rt_sigqueueinfo, pidfd_send_signal and a timer for another process.",
        """
def attack():
    server = os.getppid()
    def by_pidfd(pid):
        return syscall(424, syscall(434, pid, 0), 9, None, 0) == 0 and f"ESCAPED: {pid}"
    return first([lambda: syscall(234, server, server, 9) == 0 and "ESCAPED: tgkill",
                  lambda: syscall(200, server, 9) == 0 and "ESCAPED: tkill", lambda: by_pidfd(server),
                  lambda: syscall(129, server, 9, ctypes.create_string_buffer(128)) == 0 and "ESCAPED: sigqueue"])
""",
        calls=2,
    ),
    Attack(
        "loop",
        "Loops.",
        """
def solve(n):
    while True: pass
""",
        calls=2,
    ),
    Attack(
        "loop-on-import",
        "Loops while it is loaded.",
        "while True: pass",
        calls=2,
    ),
    Attack(
        "loop-that-ignores-signals",
        "Loops with every signal ignored, blocked and its handler replaced.",
        """
def ignore():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
def solve(n):
    ignore()
    while True: pass
""",
        calls=2,
    ),
    Attack(
        "loop-that-catches-everything",
        "Loops, and swallows whatever is raised into it.",
        """
def solve(n):
    while True:
        try:
            while True: pass
        except BaseException:
            pass
""",
        calls=2,
    ),
    Attack(
        "timers-reset",
        "Stops every timer and alarm, then loops.",
        """
def solve(n):
    signal.alarm(0)
    for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(which, 0)
    for timer in range(16):
        libc.syscall(226, timer)
    while True: pass
""",
        calls=2,
    ),
    Attack(
        "clock-turned-back",
        "Finds the times that it shares with the server, says that it has only just begun, for ever, and loops.",
        """
import mmap
def solve(n):
    frame = sys._getframe()
    while frame:
        for item in list(frame.f_locals.values()):
            if isinstance(item, memoryview) and item.format == "q":
                item[0], item[1], item[2] = n, 2 ** 62, 2 ** 62
            if isinstance(item, mmap.mmap):
                item[8:24] = b"\\xff" * 7 + b"\\x3f" + b"\\xff" * 7 + b"\\x3f"
        frame = frame.f_back
    while True: pass
""",
        calls=2,
        short=True,
    ),
    Attack(
        "sleep",
        "Sleeps for an hour.",
        "def solve(n): time.sleep(3600)",
        calls=2,
        short=True,
    ),
    Attack(
        "sleep-in-the-kernel",
        "Waits for input, for a lock it holds itself, and for a pipe nobody writes.",
        """
def solve(n):
    lock = threading.Lock()
    read, write = os.pipe()
    [lambda: (lock.acquire(), lock.acquire()), lambda: os.read(read, 1)][n % 2]()
""",
        calls=2,
        short=True,
    ),
    Attack(
        "waits-for-input",
        "Reads standard input.",
        "def solve(n): return sys.stdin.read() or input()",
        calls=2,
        short=True,
    ),
    Attack(
        "regular-expression",
        "Backtracks for ever in the regular expression engine, which holds the interpreter.",
        'def solve(n): return re.match(r"(a|a?)+$", "a" * 60 + "b")',
        calls=2,
    ),
    Attack(
        "big-integer",
        "Computes a number with billions of digits.",
        "def solve(n): return 9 ** 9 ** 9",
        calls=2,
    ),
    Attack(
        "factorial",
        "Computes a factorial inside C code.",
        """
import math
def solve(n): return math.factorial(10 ** 9)
""",
        calls=2,
    ),
    Attack(
        "integer-text",
        "Writes out a huge number.",
        """
sys.set_int_max_str_digits(0)
def solve(n): return str(7 ** 10 ** 7)
""",
        calls=2,
    ),
    Attack(
        "endless-iterator",
        "Sorts and sums iterators without end.",
        """
import itertools
def solve(n): return max(itertools.count())
""",
        calls=2,
    ),
    Attack(
        "thread-that-loops",
        "Returns at once and leaves threads that eat the time of the next tests.",
        """
def spin():
    while True: pass
def solve(n):
    for _ in range(4):
        threading.Thread(target=spin, daemon=True).start()
    return "wrong"
""",
        calls=4,
    ),
    Attack(
        "thread-that-must-end",
        "Leaves a thread that the interpreter waits for at its end.",
        """
def solve(n):
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return "wrong"
""",
        calls=2,
    ),
    Attack(
        "exit-handler",
        "Loops in an exit handler.",
        """
import atexit
from itertools import count
atexit.register(lambda: max(count()))
def solve(n): return 'wrong'
""",
        calls=2,
    ),
    Attack(
        "compiles-for-ever",
        "Compiles a text that takes the compiler minutes.",
        'def solve(n): return compile("-" * 90_000 + "4" if n else "((" * 80 + "))" * 80, "x", "eval") and "wrong"',
        calls=2,
    ),
    Attack(
        "text-search",
        "Searches texts for which the library is quadratic.",
        'def solve(n): return sum(("a" * 10**6 + "b") in ("a" * 2 * 10**6) for _ in range(10**6))',
        calls=2,
    ),
    Attack(
        "real-time-signals-flood",
        "Floods itself and the server with queued signals until the queue is full.",
        """
def attack():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(34, 65))
    sent = 0
    for pid in (os.getpid(), os.getppid()):
        for _ in range(20_000):
            if libc.sigqueue(pid, 40, None) != 0:
                break
            sent += 1
    return "blocked" if libc.sigqueue(os.getppid(), 40, None) else "ESCAPED: queued for the server"
""",
        calls=2,
    ),
    Attack(
        "pushes-the-clock",
        "Finds the clock that the server reads in the frames below, and sets it far ahead, so that no call is over time.",
        """
def solve(n):
    frame = sys._getframe()
    while frame and "clock" not in frame.f_locals:
        frame = frame.f_back
    clock = frame.f_locals["clock"]
    for number in (1, 2):
        clock[number] += 10**18
    began = time.process_time()
    while time.process_time() < began + 1:
        pass
    return "ESCAPED: five times the CPU that a call may have"
""",
        calls=1,
    ),
)
