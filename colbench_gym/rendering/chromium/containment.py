"""Find a Chromium, and start it where it has no network, no privileges and nothing of the user's."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import stat
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

from colbench_gym.concurrency.leftovers import LockedFolder
from colbench_gym.errors import RendererError

VARIABLE = "COLBENCH_CHROMIUM"
NOBODY = 65534
MAX_DATA_BYTES = 1024**3  # ours: private memory of one process of the browser
INSTALLED = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "google-chrome-stable")
HOW_TO_GET_ONE = (
    "Get one with: playwright install --with-deps chromium (or: apt-get install chromium), or name one in "
    f"the variable {VARIABLE}"
)
HOW_TO_GET_THE_BEST = (
    "Install util-linux (unshare, setpriv) and let processes make namespaces: "
    "sysctl kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0; "
    "in a container add to docker run: --cap-add SYS_ADMIN --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined --security-opt systempaths=unconfined"
)
_warned: set[str] = set()  # the names that were warned of in this process
_SCRIPT_BYTES = 64 * 1024
_END_S = 5.0
_ENDED_FROM_OUTSIDE = {128 + signal.SIGKILL, 128 + signal.SIGTERM, 128 + signal.SIGHUP, 128 + signal.SIGINT}
_UNSHARE_FAILED = 1  # of unshare: its child was ended by SIGKILL, which it cannot pass on
ZYGOTE, NETWORK = b"--type=zygote", b"--utility-sub-type=network."  # in the command lines of a browser's helpers


@dataclass(frozen=True)
class Containment:
    """One way to start a browser.

    Attributes:
        name: for people.
        command: what stands before the browser's own command line.
        as_nobody: whether root is dropped on the way, so that the profile must belong to nobody.
        own_sandbox: whether Chromium's own sandbox is on too; never off without namespaces around the browser.
    """

    name: str
    command: str
    as_nobody: bool = False
    own_sandbox: bool = True


_DIE_WITH_PARENT = "setpriv --pdeathsig KILL --"
# A script cannot ask to die with its parent, so it starts itself again through something that can.
_OUTLIVE_NOBODY = f'[ "$1" = again ] || exec {_DIE_WITH_PARENT} "$0" again "$@"\nshift\n'
_SPACES = "unshare --net --pid --ipc --uts --mount --fork --kill-child --mount-proc"
_NOBODY = (
    f"setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "
    "--pdeathsig KILL --"
)
_BWRAP = (
    "bwrap --die-with-parent --unshare-user --unshare-net --unshare-pid --unshare-ipc --unshare-uts --dev /dev "
    "--proc /proc --tmpfs /tmp --bind {profile} {profile} --ro-bind {program_folder} {program_folder} "
    + " ".join(f"--ro-bind-try {place} {place}" for place in ("/usr", "/bin", "/lib", "/lib64", "/etc/fonts"))
    + " --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --ro-bind-try /var/cache/fontconfig /var/cache/fontconfig --"
)

AS_ROOT = (
    Containment("namespaces and Chromium's sandbox", f"{_DIE_WITH_PARENT} {_SPACES} -- {{open}} {_NOBODY}", True),
    Containment("bubblewrap", f"{_DIE_WITH_PARENT} {_NOBODY} {_BWRAP}", True, own_sandbox=False),
    Containment("Chromium's sandbox only", f"{_DIE_WITH_PARENT} {_NOBODY}", True),
)
AS_USER = (
    Containment(
        "namespaces and Chromium's sandbox",
        f"{_DIE_WITH_PARENT} {_SPACES} --map-current-user -- setpriv --pdeathsig KILL --",
    ),
    Containment("bubblewrap", _BWRAP, own_sandbox=False),
    Containment("Chromium's sandbox only", _DIE_WITH_PARENT),
    Containment("Chromium's sandbox only", ""),
)


def ways() -> tuple[Containment, ...]:
    """Return the ways to start a browser here, the best first; one that does not work fails when it is tried."""
    return AS_ROOT if os.geteuid() == 0 else AS_USER


def warn_if_weaker(name: str) -> None:
    """Warn, once in a process, when browsers are contained in another way than the best one."""
    best = ways()[0].name
    if name == best or name in _warned:
        return
    _warned.add(name)
    warnings.warn(
        f"browsers run in: {name}; expected: {best}. Pages are still contained, by fewer layers. {HOW_TO_GET_THE_BEST}",
        RuntimeWarning,
        stacklevel=2,
    )


def find_executable(playwright_build: str = "") -> str:
    """Return the program of the browser to use.

    Args:
        playwright_build: where Playwright's own build is, if it is installed.

    Raises:
        RendererError: there is none; the message says how to get one.
    """
    named = os.environ.get(VARIABLE)
    if named:
        program = shutil.which(named)
        if program is None:
            raise RendererError(f"{VARIABLE}={named!r} is no program that can be run. {HOW_TO_GET_ONE}")
        return _behind_wrapper(program)
    if playwright_build and os.access(playwright_build, os.X_OK):
        return playwright_build
    for name in INSTALLED:
        program = shutil.which(name)
        if program is not None:
            return _behind_wrapper(program)
    raise RendererError(f"no Chromium found. {HOW_TO_GET_ONE}")


def _behind_wrapper(program: str) -> str:
    """Return the real program where ``program`` is a distribution's script, whose settings would change pixels."""
    path = Path(program).resolve()
    with path.open("rb") as file:
        head = file.read(_SCRIPT_BYTES)
    if not head.startswith(b"#!"):
        return str(path)
    text = head.decode("utf-8", "replace")
    folder = re.search(r"^LIBDIR=(\S+)$", text, re.MULTILINE)
    places = [Path(folder[1].replace("$APPNAME", path.name))] if folder else []
    for place in (*places, path.parent):
        for name in (path.name, "chromium", "chrome"):
            real = place / name
            if real != path and real.is_file() and os.access(real, os.X_OK):
                return str(real)
    return str(path)


class BrowserProfile:
    """The folder of one browser: the script that starts it, and a user profile that belongs to the browser's user."""

    def __init__(self, executable: str, containment: Containment) -> None:
        within = None if not containment.as_nobody or _open_to_all(Path(tempfile.gettempdir())) else "/tmp"
        self._locked = LockedFolder("chromium", within)
        self.folder = self._locked.path
        self.folder.chmod(0o711)
        self.profile = self.folder / "profile"
        self.profile.mkdir(mode=0o700)
        if containment.as_nobody:
            os.chown(self.profile, NOBODY, NOBODY)
        self.start = self.folder / "start"
        self.start.write_text(self._script(executable, containment), encoding="utf-8")
        self.start.chmod(0o755)
        self._unshared = "unshare" in containment.command
        self._helpers: dict[bytes, dict[Path, _Process | None]] = {}

    def _script(self, executable: str, containment: Containment) -> str:
        """Return the script that Playwright starts. The browser's user cannot write it."""
        program, opening = executable, ""
        if containment.as_nobody and "{open}" in containment.command and not _open_to_all(Path(executable)):
            folder = self.folder / "program"  # mounted for this browser only, before root is dropped
            folder.mkdir()
            program = str(folder / Path(executable).name)
            line = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
            opening = shlex.join(["sh", "-c", line, "sh", str(Path(executable).parent), str(folder)])
        command = containment.command.format(
            open=opening,
            profile=shlex.quote(str(self.profile)),
            program_folder=shlex.quote(str(Path(executable).parent)),
        )
        return (
            "#!/bin/sh\n"
            f"{_OUTLIVE_NOBODY if 'setpriv' in command else ''}"
            f'echo $$ >"{self.folder}/pid"\n'
            f"ulimit -S -c 0; ulimit -d {MAX_DATA_BYTES // 1024}\n"
            f'{command} {shlex.quote(program)} "$@" {shlex.quote(f"--user-data-dir={self.profile}")}\n'
            f'echo $? >"{self.folder}/status"\n'
        )

    @property
    def environment(self) -> dict[str, str]:
        """Return the whole environment of the browser, which holds nothing of the user's."""
        return {
            "HOME": str(self.profile),
            "TMPDIR": str(self.profile),
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
        }

    def process_group(self) -> int:
        """Return the process group of the browser, or 0 before it has started."""
        return _number(self.folder / "pid")

    def ended_from_outside(self) -> bool:
        """Return whether someone killed it, as far as its exit status tells."""
        status = _number(self.folder / "status", missing=128 + signal.SIGKILL)
        return status in _ENDED_FROM_OUTSIDE or (self._unshared and status == _UNSHARE_FAILED)

    def note_helpers(self) -> None:
        """Remember the processes that a browser which has started needs, and no page can end."""
        processes = {place: _process(place) for place in Path("/proc").glob("[0-9]*")}
        mine = {
            place: process for place, process in processes.items() if process and process[0] == self.process_group()
        }
        self._helpers = {kind: {p: mine[p] for p in mine if kind in _command(p)} for kind in (ZYGOTE, NETWORK)}

    def lost(self, kind: bytes) -> bool:
        """Return whether a helper of that kind has ended since."""
        return any(_process(place) != process for place, process in self._helpers.get(kind, {}).items())

    def remove(self) -> None:
        """Kill what still runs, and remove the folder. Ends when nothing is left; a second call does nothing."""
        if not self.folder.exists():
            return
        group = self.process_group()
        end = time.monotonic() + _END_S
        if group:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
            while _alive(group) and time.monotonic() < end:
                time.sleep(0.005)
        self._locked.close()


_Process = tuple[int, str]  # its group, and when it started


def _process(place: Path) -> _Process | None:
    """Return what is known of a running process."""
    try:
        state, *fields = (place / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if state in "ZX" else (int(fields[1]), fields[18])


def _command(place: Path) -> bytes:
    try:
        return (place / "cmdline").read_bytes()
    except OSError:
        return b""


def _alive(group: int) -> bool:
    """Return whether a process of the group still runs."""
    return any((found := _process(place)) and found[0] == group for place in Path("/proc").glob("[0-9]*"))


def _number(path: Path, missing: int = 0) -> int:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return missing


def _open_to_all(path: Path) -> bool:
    """Return whether everyone may reach and run ``path``."""
    return all(place.stat().st_mode & stat.S_IXOTH for place in (path, *path.parents))
