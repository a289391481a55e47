"""A control group (version 2) per worker where this user may make one: it bounds memory and processes of all in it.

Where none can be made, resource limits bound each program alone.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path

from colbench_gym import rules

MEMORY_BYTES = rules.MEMORY_BYTES + (256 << 20)  # one program, the worker and the scratch folder, as in a container
MAX_PROCESSES = 80  # threads included: 64 of a program, and the worker's own
CONTROLLERS = {"memory", "pids"}
REMOVAL_S = 1.0  # the kernel takes a moment to empty a group whose processes were killed


def delegated_group(proc: Path = Path("/proc/self")) -> Path | None:
    """Return the nearest group around this process in which groups with limits can be made, if there is one.

    Such are the groups of a user's systemd session, of a unit with ``Delegate=yes``, and writable ones of a container.
    """
    mount = _mount_of_version_2(proc / "mountinfo")
    if mount is None:
        return None
    with contextlib.suppress(OSError, StopIteration):
        lines = (proc / "cgroup").read_text().splitlines()
        path = next(line.removeprefix("0::") for line in lines if line.startswith("0::"))
        own = mount / path.lstrip("/")
        return next(group for group in (own, *own.parents) if group.is_relative_to(mount) and _may_have_children(group))
    return None


def _mount_of_version_2(mountinfo: Path) -> Path | None:
    with contextlib.suppress(OSError):
        for line in mountinfo.read_text().splitlines():
            before, _, after = line.partition(" - ")
            if after.startswith("cgroup2 "):
                return Path(before.split()[4])
    return None


def _may_have_children(group: Path) -> bool:
    try:
        controllers = set((group / "cgroup.subtree_control").read_text().split())
    except OSError:
        return False
    return controllers >= CONTROLLERS and os.access(group, os.W_OK) and os.access(group / "cgroup.procs", os.W_OK)


def make_group(parent: Path) -> Path | None:
    """Make a group with the limits of one worker; None when the kernel refuses."""
    group = parent / f"colbench-{secrets.token_hex(8)}"
    try:
        group.mkdir()
        (group / "memory.max").write_text(str(MEMORY_BYTES))
        (group / "pids.max").write_text(str(MAX_PROCESSES))
        if (group / "memory.swap.max").exists():
            (group / "memory.swap.max").write_text("0")
    except OSError:
        remove_group(group)
        return None
    return group


def remove_group(group: Path) -> None:
    """Remove a group whose processes were ended; nothing happens when it is gone."""
    deadline = time.monotonic() + REMOVAL_S
    while group.exists():
        try:
            group.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                return
            time.sleep(0.01)


def limits_in_use() -> str:
    """Return what bounds memory and processes of local workers, in words."""
    group = delegated_group()
    return "resource limits for each program" if group is None else f"a control group for each worker, in {group}"
