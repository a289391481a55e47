"""Leaving the working folder in a state that takes long, or seems impossible, to clean."""

from __future__ import annotations

from .attack import Attack

_BUSY = """
def busy(work):
    end = time.monotonic() + 0.7
    made = 0
    while time.monotonic() < end:
        try: work(made)
        except OSError: break
        made += 1
    return made
"""


def _mess(name: str, tries: str, source: str) -> Attack:
    return Attack(name, tries, _BUSY + source, calls=2)


ATTACKS = (
    _mess(
        "combs",
        "Leaves folders in folders, each with many side folders.",
        """
def solve(n):
    def comb(k):
        os.mkdir("d")
        os.chdir("d")
        for name in "stuvwxyz": os.mkdir(name)
    return busy(comb)
""",
    ),
    _mess(
        "closed-combs",
        "Leaves a tree in which every folder forbids its owner everything.",
        """
def solve(n):
    def closed(k):
        os.makedirs(f"{k}/b/c")
        os.mkdir(f"{k}/b/c/x", 0)
        os.mkdir(f"{k}/y", 0o100)
    return busy(closed)
""",
    ),
    _mess(
        "names-of-any-bytes",
        "Leaves names of 255 bytes that are no text, with line ends and escapes.",
        """
def solve(n):
    return busy(lambda k: os.mkdir(bytes([255 - k % 100, 10, 27, 13]) * 60 + b"%d" % k))
""",
    ),
    _mess(
        "names-like-the-cleaners",
        "Leaves folders whose names are those that cleaning might use.",
        """
def solve(n):
    return busy(lambda k: os.makedirs(f"{time.time_ns()}-{os.urandom(8).hex()}/{time.time_ns()}"))
""",
    ),
    _mess(
        "folder-removed-below",
        "Removes its working folder, or a folder that it stands in.",
        """
def solve(n):
    here = os.getcwd()
    os.mkdir("inner"); os.chdir("inner")
    try: os.rmdir("../inner"); os.rmdir(here)
    except OSError: pass
    return busy(lambda k: os.mkdir(str(k)))
""",
    ),
    _mess(
        "moved-while-cleaned",
        "Leaves a thread that moves folders about until it is killed.",
        """
def solve(n):
    os.makedirs("a/b/c"); os.mkdir("z")
    def move():
        while True:
            try: os.rename("a/b", "z/b"); os.rename("z/b", "a/b")
            except OSError: pass
    threading.Thread(target=move, daemon=True).start()
    return busy(lambda k: os.mkdir(f"m{k}"))
""",
    ),
    _mess(
        "holes",
        "Leaves files with holes up to the largest size.",
        """
def solve(n):
    def hole(k):
        with open(f"hole{k}", "wb") as file: file.truncate(16 << 20)
    return busy(hole)
""",
    ),
    _mess(
        "open-and-unlinked",
        "Fills the folder with files that have no name any more and stay open.",
        """
HELD = []
def solve(n):
    def hold(k):
        HELD.append(os.open("held", os.O_CREAT | os.O_RDWR))
        os.write(HELD[-1], b"x" * 100_000)
        os.unlink("held")
    return busy(hold)
""",
    ),
    _mess(
        "mapped-and-cut",
        "Maps a file, cuts it, and reads what is no longer there.",
        """
import mmap
def solve(n):
    with open("mapped", "wb+") as file:
        file.truncate(1 << 20)
        m = mmap.mmap(file.fileno(), 1 << 20)
        file.truncate(0)
    return m[70_000]
""",
    ),
    _mess(
        "working-folder-elsewhere",
        "Goes to folders that it can only enter, and leaves relative names there.",
        """
def attack():
    reached = []
    for place in ("/", "/tmp", "/dev", os.path.dirname(os.__file__), "/proc/self", ".."):
        try:
            os.chdir(place)
            os.mkdir("left-by-a-program")
        except OSError: continue
        if os.getcwd() not in ("/sandbox", "/scratch"): reached.append(os.getcwd())
    return [p for p in reached if not p.startswith("/tmp/colbench-") and not p.endswith("/sandbox")] and f"ESCAPED: {reached}"
""",
    ),
)
