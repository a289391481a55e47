"""The processes below another one, and how they were started."""

import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path


def descendants(pid):
    """The processes below ``pid``, by their ids."""
    children = defaultdict(list)
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            parent = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]
            children[int(parent)].append(int(process.name))
    below = [pid]
    for ancestor in below:  # which grows
        below += children[ancestor]
    return sorted(below[1:])


def is_over(pid):
    """Return whether a process is gone, or dead and only waiting to be looked at."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] in "ZX"
    except (OSError, IndexError):
        return True


def wait_until(condition, timeout_s=20.0):
    """Wait until a condition holds, but no longer than so; returns whether it does."""
    end = time.monotonic() + timeout_s
    while not (holds := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return bool(holds)


def settled_descendants(pid):
    """The processes below ``pid``, as soon as they are the same for half a second: an earlier test's may still end."""
    now = descendants(pid)
    for _ in range(40):
        time.sleep(0.5)
        earlier, now = now, descendants(pid)
        if now == earlier:
            break
    return now


def command_of(pid):
    """The command line of a process; nothing when it has ended."""
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""
