"""Give this process a file system, network, process and IPC world of its own, holding only what Python needs."""

from __future__ import annotations

import os

from . import kernel
from .file_access import FileAccess

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal

NOBODY = 65534
OTHER_SPACES = kernel.CLONE_NEWIPC | kernel.CLONE_NEWNET | kernel.CLONE_NEWPID | kernel.CLONE_NEWUTS
HOST_NAME = b"sandbox"
_CAP_CHOWN, _CAP_SETGID, _CAP_SETUID, _CAP_SYS_ADMIN = 0, 6, 7, 21
SCRATCH_OPTIONS = "size=16m,nr_inodes=1024,mode=700"  # the whole of what programs can write
ROOT_OPTIONS = "size=4m,mode=755"
PLAIN = kernel.MS_NOSUID | kernel.MS_NODEV
_LOCKED = {2: kernel.MS_NOSUID, 4: kernel.MS_NODEV, 8: kernel.MS_NOEXEC, 1024: 1024, 2048: 2048, 4096: 1 << 21}


def enter(access: FileAccess) -> None:
    """Move into new namespaces, as an unprivileged user, and return in a child that is their first process.

    The calling process stays behind and ends when the child does. A root caller can use an interpreter under a home
    that is closed to others, because what is needed is mounted before root is dropped. A root that cannot become
    another user (that of ``unshare -r``, or of a container without the right to mount) is called one in a user
    namespace of its own.
    """
    root = os.geteuid() == 0 and can_drop_root() and _has(_CAP_SYS_ADMIN)
    user, group = os.geteuid() or NOBODY, os.getegid() or NOBODY
    outer_user, outer_group = os.geteuid(), os.getegid()
    if root:
        kernel.unshare(kernel.CLONE_NEWNS | OTHER_SPACES)
    else:
        kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS | OTHER_SPACES)
        _map_ids("/proc/self", (user, outer_user), (group, outer_group), None)
    kernel.set_host_name(HOST_NAME)
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    _build_root(access, user, group)
    if root:
        drop_root()
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # the kernel lets only dumpable processes write their maps
        try:
            kernel.unshare(kernel.CLONE_NEWUSER)  # so that limits on threads count ours alone
            _map_ids("self", (user, user), (group, group), proc)
        except OSError:
            pass  # root needs no user namespace for the other ones
    os.close(proc)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    child = os.fork()
    if child:
        _wait_for(child)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def drop_root() -> None:
    """Become nobody, for good."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def _wait_for(child: int) -> None:
    """Stay as the parent of the first process of the namespaces, holding nothing."""
    os.closerange(3, 256)
    _, status = os.waitpid(child, 0)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1)


def can_drop_root() -> bool:
    """Return whether root here may become NOBODY, and that user exists in this user namespace."""
    with open("/proc/self/uid_map") as users, open("/proc/self/gid_map") as groups:
        known = all(
            any(first <= NOBODY < first + count for first, _, count in (map(int, line.split()) for line in ids))
            for ids in (users, groups)
        )
    return known and all(map(_has, (_CAP_CHOWN, _CAP_SETGID, _CAP_SETUID)))


def _has(capability: int) -> bool:
    with open("/proc/self/status") as status:
        effective = next(line for line in status if line.startswith("CapEff:"))
    return bool(int(effective.split()[1], 16) >> capability & 1)


def _map_ids(process: str, user: tuple[int, int], group: tuple[int, int], folder: int | None) -> None:
    """Map the one user and the one group of a user namespace: (inside, outside)."""
    users, groups = f"{user[0]} {user[1]} 1", f"{group[0]} {group[1]} 1"
    for name, text in (("setgroups", "deny"), ("uid_map", users), ("gid_map", groups)):
        descriptor = os.open(f"{process}/{name}", os.O_WRONLY, dir_fd=folder)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)


def _build_root(access: FileAccess, user: int, group: int) -> None:
    """Mount what ``access`` names, read-only, under a new root, with an empty scratch folder as working directory."""
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    base = "/tmp"  # any folder that exists: the mount hides it from this process alone
    kernel.mount("tmpfs", base, "tmpfs", PLAIN, ROOT_OPTIONS)
    os.mkdir(base + "/old")
    kernel.pivot_root(base, base + "/old")
    os.chdir("/")
    os.mkdir("/new")
    kernel.mount("tmpfs", "/new", "tmpfs", PLAIN, ROOT_OPTIONS)
    for path in access.readable:
        _show(path)
    for path in access.hidden:
        kernel.mount("tmpfs", "/new" + path, "tmpfs", PLAIN, ROOT_OPTIONS)
    for path in access.packages:
        _show(path)
    for path in access.hidden:
        _set_flags("/new" + path, kernel.MS_RDONLY)
    for path in access.devices:
        _show(path)
    scratch = "/new" + access.scratch
    os.makedirs(scratch)
    kernel.mount("tmpfs", scratch, "tmpfs", PLAIN | kernel.MS_NOEXEC, SCRATCH_OPTIONS)
    os.chown(scratch, user, group)
    os.chdir("/new")
    kernel.pivot_root(".", ".")
    kernel.unmount(".")
    os.chdir("/")
    _set_flags("/", kernel.MS_RDONLY)
    os.chdir(access.scratch)


def _show(path: str) -> None:
    """Mount the old root's ``path`` read-only at the same place of the new one; a link stays a link."""
    old, new = "/old" + path, "/new" + path
    if not os.path.lexists(old) or os.path.lexists(new):
        return
    os.makedirs(os.path.dirname(new), 0o755, exist_ok=True)
    if os.path.islink(old) and path.count("/") == 1:  # /lib -> usr/lib
        os.symlink(os.readlink(old), new)
        return
    source = "/old" + _resolve(path)
    if os.path.isdir(source):
        os.mkdir(new)
    else:
        os.close(os.open(new, os.O_CREAT | os.O_WRONLY))
    kernel.mount(source, new, None, kernel.MS_BIND | kernel.MS_REC)
    _set_flags(new, kernel.MS_RDONLY)


def _resolve(path: str) -> str:
    """Return the real path of ``path`` in the old root, whose absolute links point into the new one."""
    resolved = ""
    parts = path.split("/")[1:]
    for _ in range(1000):
        if not parts:
            break
        step = resolved + "/" + parts.pop(0)
        if os.path.islink("/old" + step):
            target = os.readlink("/old" + step)
            joined = target if target.startswith("/") else resolved + "/" + target
            parts = [part for part in os.path.normpath(joined).split("/")[1:] if part] + parts
            resolved = ""
        else:
            resolved = step
    return resolved


def _set_flags(path: str, flags: int) -> None:
    """Remount with ``flags``, nosuid, and what the mount has already (which an unprivileged user must keep)."""
    has = os.statvfs(path).f_flag
    kept = sum(mount_flag for bit, mount_flag in _LOCKED.items() if has & bit)
    kernel.mount(None, path, None, kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_NOSUID | flags | kept)
