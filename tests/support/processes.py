"""The processes below another one, and how they were started."""

import time
from pathlib import Path


def descendants(pid):
    """The processes below ``pid``, by their ids."""
    below = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            below += [int(process.name), *descendants(int(process.name))]
    return sorted(below)


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
