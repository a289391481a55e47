"""The ``process`` sandbox inside a container: the way that its profile leaves, a warning, and what lifts the limit."""

import os
import shlex
import sysconfig
from contextlib import closing
from pathlib import Path

import pytest
from support.tables import program

import colbench_gym
from colbench_gym.sandboxes import process
from colbench_gym.sandboxes.docker import connect, ensure_image
from colbench_gym.sandboxes.docker.image import PYTHON

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

CODE = program(__file__, "inside_a_container_code.txt")


def inside(*security_options):
    """Lines that the code says in a container with the engine's default profile, but for these options."""
    places = {"/code": Path(colbench_gym.__file__).parents[1], "/packages": Path(sysconfig.get_path("purelib"))}
    with closing(connect()) as client:
        said = client.containers.run(
            ensure_image(client), ["-B", "-c", CODE], entrypoint=[PYTHON],
            environment={"PYTHONPATH": os.pathsep.join(places)}, network_mode="none", remove=True,
            security_opt=list(security_options), stderr=True, user="0:0",
            volumes={str(path): {"bind": place, "mode": "ro"} for place, path in places.items()},
        )  # fmt: skip
    return said.decode().splitlines()


def test_the_default_profile_leaves_landlock_and_a_warning_says_once_what_is_missing():
    lines = inside()
    warnings = [line for line in lines if line.startswith("programs are contained by landlock")]
    assert [line for line in lines if line not in warnings] == ["landlock 42"] * 2
    assert len(warnings) == 1
    assert f"docker run {process.CONTAINER_OPTIONS}" in warnings[0]


def test_what_the_warning_says_brings_the_strongest_way():
    options = shlex.split(process.CONTAINER_OPTIONS)[1::2]
    assert inside(*options) == ["namespaces 42"] * 2
