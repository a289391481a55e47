"""What a hostile answer is, and the helpers that every one of them begins with."""

from __future__ import annotations

from dataclasses import dataclass

# Every program begins with this. A program defines attack(), whose return value says what it achieved, or solve(n).
PREAMBLE = '''
import ctypes, os, re, signal, sys, threading, time

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
CANARY = re.compile(rb"CANARY-[a-z]+-[0-9a-f]{16}")


def syscall(number, *arguments):
    """Call the kernel directly; raises OSError as os functions do."""
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *wide)
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def canary_in(data):
    """The first canary in bytes or text, as text; None when there is none."""
    hit = CANARY.search(data if isinstance(data, (bytes, bytearray)) else str(data).encode("utf-8", "replace"))
    return hit.group().decode() if hit else None


def first(attempts):
    """Return what the first attempt that succeeds achieved, else why each failed."""
    reasons = []
    for attempt in attempts:
        try:
            got = attempt()
        except Exception as error:
            reasons.append(f"{type(error).__name__}: {error}"[:80])
        else:
            if got:
                return got
            reasons.append("nothing")
    return "blocked: " + "; ".join(sorted(set(reasons)))[:400]


def pids():
    """Every process to try: those listed, and those that are likely when nothing is."""
    try:
        listed = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        listed = []
    near = range(max(1, os.getpid() - 40), os.getpid())
    return sorted({1, 2, os.getppid(), @OWNER@, *listed, *near} - {os.getpid(), 0})


'''

EPILOGUE = """

def solve(n):
    try:
        return attack()
    except Exception as error:
        return f"blocked: {type(error).__name__}: {error}"[:400]
"""


@dataclass(frozen=True)
class Attack:
    """One hostile answer. It succeeded when an outcome holds ``ESCAPED`` or a canary, or when a test passes.

    Attributes:
        name: unique in its family.
        tries: what it tries, in one sentence.
        source: what is graded; ``@HOME@`` and the like are replaced by the arena's places.
        then: a later answer of the same worker that looks for what the first one left.
        before: an earlier answer, of somebody else, that the attack is after.
        beside: somebody else's answer that runs in another worker meanwhile.
        calls: how many of the ten tests are run; two for what loops.
        teeth: succeeds where nothing is contained, which shows that the program does what it says.
        short: run under limits of a second, for what waits until it is stopped.
    """

    name: str
    tries: str
    source: str
    then: str = ""
    before: str = ""
    beside: str = ""
    calls: int = 10
    teeth: bool = False
    short: bool = False
    family: str = ""

    @property
    def id(self) -> str:
        """``family/name``."""
        return f"{self.family}/{self.name}"

    def programs(self, places: dict[str, str]) -> dict[str, str]:
        """The complete text of each part that is not empty, by the part's name."""
        parts = {"before": self.before, "beside": self.beside, "source": self.source, "then": self.then}
        return {part: complete(text, places) for part, text in parts.items() if text}


def complete(source: str, places: dict[str, str]) -> str:
    """A program with its preamble, its ``solve`` and the arena's places."""
    text = PREAMBLE + source.strip("\n") + "\n"
    if "def solve(" not in source and "solve =" not in source:
        text += EPILOGUE
    for place, value in places.items():
        text = text.replace(f"@{place}@", value)
    return text
