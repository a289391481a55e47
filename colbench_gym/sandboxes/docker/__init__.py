"""The ``docker`` sandbox: a pool of warm workers, each in a locked-down container of its own."""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlparse

from colbench_gym.concurrency import cores
from colbench_gym.errors import MissingExtraError, SandboxUnavailableError
from colbench_gym.sandboxes.docker.container import ContainerWorker, Engine, EngineAwayError
from colbench_gym.sandboxes.docker.image import build_image, image_name
from colbench_gym.sandboxes.docker.owner import Owner, make_folder, reap
from colbench_gym.sandboxes.pool import Kind, WorkerPool
from colbench_gym.sandboxes.retries import WorkerFailedError

if TYPE_CHECKING:
    from docker import DockerClient

GVISOR = "runsc"
RUNTIME_VARIABLE = "COLBENCH_DOCKER_RUNTIME"
MAX_WORKERS = 16  # by default; a container takes about 30 MB
ENGINE_S = 45.0  # how long an engine that was there may be away, as for a restart
ENGINE_PAUSE_S = 0.5
CLIENT_S = 120  # for one answer of the engine


def connect() -> DockerClient:
    """Return a client of the engine that DOCKER_HOST names.

    Raises:
        MissingExtraError: the ``docker`` package is not installed.
        SandboxUnavailableError: no engine answers.
    """
    try:
        import docker
    except ImportError as error:
        raise MissingExtraError.of("docker", "docker", 'sandbox="docker"') from error
    client = None
    try:
        client = docker.from_env(timeout=CLIENT_S)
        client.ping()
    except (docker.errors.DockerException, OSError) as error:
        if client is not None:
            client.close()
        where = os.environ.get("DOCKER_HOST", "the default address")
        raise SandboxUnavailableError(
            f"no Docker engine answers at {where} ({error}); start one (such as: systemctl start docker), "
            "name one in DOCKER_HOST, and see that this user may use it"
        ) from error
    return client


def ensure_image(client: DockerClient) -> str:
    """Return the sandbox image of this version; built, saying so on standard error, when the engine does not have it.

    Raises:
        SandboxUnavailableError: it cannot be built.
    """
    from docker.errors import ImageNotFound

    name = image_name()
    try:
        client.images.get(name)
    except ImageNotFound:
        sys.stderr.write('The docker sandbox builds its image first, once; "colbench sandbox build" does it ahead.\n')
        build_image(client, _say)
    return name


def _say(line: str) -> None:
    sys.stderr.write(f"  {line}\n")
    sys.stderr.flush()


class DockerSandbox(WorkerPool):
    """Runs programs in containers; see :class:`~colbench_gym.sandboxes.Sandbox`.

    Args:
        workers: programs that run at once; as many as cores by default, and at most MAX_WORKERS.
        runtime: the OCI runtime of the containers. By default what the variable COLBENCH_DOCKER_RUNTIME names, else
            gVisor where the engine has it, else the engine's own choice.
        sockets: talk to workers by unix sockets in a shared folder. By default where that works, else over the
            containers' standard streams, which also work with an engine on another machine.

    Raises:
        MissingExtraError: the ``docker`` package is not installed.
        SandboxUnavailableError: there is no engine, no such runtime or no image.
    """

    def __init__(self, workers: int | None = None, runtime: str | None = None, sockets: bool | None = None) -> None:
        self._first = True
        self._folder: Path | None = None
        self._only_sockets = bool(sockets)
        client = connect()
        try:
            reap(client)
            runtime = runtime or os.environ.get(RUNTIME_VARIABLE) or _strongest_runtime(client)
            owner = Owner.this_process()
            image = ensure_image(client)
            if sockets or (sockets is None and _is_local(client)):
                self._folder = make_folder(owner)
            self._engine = Engine(client, image, owner, runtime, self._folder)
            self.containment = f"docker with {runtime}" if runtime else "docker"
            super().__init__(self._start_container, workers or min(cores(), MAX_WORKERS))
        except BaseException as error:
            self._forget_folder()
            client.close()
            if isinstance(error, WorkerFailedError):
                raise SandboxUnavailableError(f"{error}. Look at: colbench sandbox check") from error
            raise

    def _start_container(self, kind: Kind) -> ContainerWorker:
        if self._first:
            worker = self._first_container(kind)
            self._first = False
            return worker
        deadline = time.monotonic() + ENGINE_S
        while True:
            try:
                return ContainerWorker(self._engine, kind)
            except EngineAwayError:
                if self._closed or time.monotonic() > deadline:
                    raise
            time.sleep(ENGINE_PAUSE_S)

    def _first_container(self, kind: Kind) -> ContainerWorker:
        """Find out whether a folder can be shared with containers; with an engine elsewhere it cannot."""
        if self._folder is not None:
            try:
                worker = ContainerWorker(self._engine, kind)
                worker.wait_until_ready()
                if worker.reachable():
                    return worker
                worker.kill()
            except WorkerFailedError:
                if self._only_sockets:
                    raise
            self._forget_folder()
            self._engine = replace(self._engine, folder=None)
        return ContainerWorker(self._engine, kind)

    def close(self) -> None:
        """Remove every container; programs that still run are ended, and their callers get a SandboxError."""
        super().close()
        self._forget_folder()
        self._engine.client.close()

    def _forget_folder(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _strongest_runtime(client: DockerClient) -> str | None:
    return GVISOR if GVISOR in client.info().get("Runtimes", {}) else None


def _is_local(client: DockerClient) -> bool:
    address = urlparse(os.environ.get("DOCKER_HOST", "") or str(client.api.base_url))
    return sys.platform.startswith("linux") and (address.scheme in ("unix", "http+unix", "http+docker"))
