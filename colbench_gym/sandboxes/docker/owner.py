"""Owner of a container, and the removal of containers and folders whose owner is gone."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docker import DockerClient

LABEL = "colbench-gym.owner"
FOLDER_PREFIX = "colbench-docker-"
OWNER_FILE = "owner.json"
START_TIME_FIELD = 19  # in /proc/PID/stat, counted after the command name
CREATED_FOR_S = 600.0  # a container that was never started by then never will be
REMOVAL_S = 20.0


@dataclass(frozen=True)
class Owner:
    """One process on one machine, such that no other ever is the same.

    Attributes:
        machine: the machine's name.
        boot: changes when the machine starts anew; empty where there is no such thing.
        pid_space: the process namespace in which ``pid`` counts.
        pid: the process.
        started: when it was started, in the kernel's ticks; a later process with that number differs.
    """

    machine: str
    boot: str
    pid_space: str
    pid: int
    started: str

    @classmethod
    def this_process(cls) -> Owner:
        """Return the owner that is the running process."""
        return cls(_machine(), _boot(), _pid_space(), os.getpid(), _started(os.getpid()) or "")

    def is_gone(self) -> bool:
        """Return whether it has ended for certain; an owner that cannot be seen from here may still live."""
        if self.machine != _machine():
            return False
        if self.boot != _boot():
            return True
        return self.pid_space == _pid_space() and _started(self.pid) != self.started

    def to_text(self) -> str:
        """Return it as JSON, for labels and files."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Owner | None:
        """Read it back; None for what was not written by us."""
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError):
            return None


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _machine() -> str:
    return f"{platform.node()} {_read('/etc/machine-id')}".strip()


def _boot() -> str:
    return _read("/proc/sys/kernel/random/boot_id")


def _pid_space() -> str:
    try:
        return str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        return ""


def _started(pid: int) -> str | None:
    """Return when a process was started; None when there is none."""
    stat = _read(f"/proc/{pid}/stat")
    if stat:
        return stat.rpartition(")")[2].split()[START_TIME_FIELD]
    try:  # no /proc on this system: the number alone has to do
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return ""
    return "" if not Path("/proc/self/stat").exists() else None


def make_folder(owner: Owner) -> Path:
    """Return a folder of this owner that nobody else may enter."""
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    (folder / OWNER_FILE).write_text(owner.to_text())
    return folder


def reap(client: DockerClient) -> None:
    """Remove what owners left that ended without closing their sandbox.

    Containers that have stopped go whoever owns them: nobody starts one again.
    """
    from docker.errors import APIError

    for container in client.api.containers(all=True, filters={"label": LABEL}):
        owner = Owner.from_text(container["Labels"].get(LABEL, ""))
        forgotten = container["State"] == "created" and time.time() - container["Created"] > CREATED_FOR_S
        if forgotten or container["State"] in ("exited", "dead") or (owner is not None and owner.is_gone()):
            with contextlib.suppress(APIError):
                remove(client, container["Id"])
    for file in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*/{OWNER_FILE}"):
        owner = Owner.from_text(_read(str(file)))
        if owner is not None and owner.is_gone():
            shutil.rmtree(file.parent, ignore_errors=True)


def remove(client: DockerClient, container: str) -> None:
    """Remove a container with everything in it, and return when it is gone; fine when it is gone already.

    Raises:
        APIError: the engine refuses.
    """
    from docker.errors import APIError, NotFound

    deadline = time.monotonic() + REMOVAL_S
    while True:
        try:
            client.api.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            # 409: somebody else, or the engine itself, is removing it at this moment.
            if error.status_code != 409 or time.monotonic() > deadline:
                raise
        time.sleep(0.02)
