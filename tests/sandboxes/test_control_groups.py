"""Workers get a control group where one may be made; what the kernel's files say is read right."""

import os
from pathlib import Path

import pytest
from support.workers import OUTCOMES, PROGRAM, converse, over_descriptor

from colbench_gym.sandboxes import Program
from colbench_gym.sandboxes.control_groups import (
    MAX_PROCESSES,
    MEMORY_BYTES,
    delegated_group,
    limits_in_use,
    make_group,
    remove_group,
)
from colbench_gym.sandboxes.process import ProcessSandbox

MOUNTS = ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")


@pytest.fixture
def tree(tmp_path):
    """The files of a user's session as the kernel shows them: app.slice may have children, the shell's scope may not."""
    proc, mount = tmp_path / "proc", tmp_path / "cgroup"
    proc.mkdir()
    for path, controllers in (("", ""), ("user.slice", "memory pids"), ("user.slice/shell.scope", "")):
        (mount / path).mkdir(exist_ok=True)
        (mount / path / "cgroup.subtree_control").write_text(controllers + "\n")
        (mount / path / "cgroup.procs").touch()
    lines = (f"31 23 0:27 / {mount} rw,nosuid shared:4 - cgroup2 cgroup2 rw", "24 23 0:5 / /proc rw - proc proc rw")
    (proc / "mountinfo").write_text("\n".join(lines))
    (proc / "cgroup").write_text("1:name=systemd:/\n0::/user.slice/shell.scope\n")
    return proc, mount


def test_the_nearest_group_that_may_have_limited_children(tree):
    proc, mount = tree
    assert delegated_group(proc) == mount / "user.slice"
    (mount / "user.slice" / "cgroup.subtree_control").write_text("pids\n")
    assert delegated_group(proc) is None


@pytest.mark.parametrize("gone", ["mountinfo", "cgroup"])
def test_no_group_where_the_kernel_shows_none(tree, gone):
    proc, _ = tree
    (proc / gone).unlink()
    assert delegated_group(proc) is None


def test_limits_of_a_group(tmp_path):
    group = make_group(tmp_path)
    assert (group / "memory.max").read_text() == str(MEMORY_BYTES)
    assert (group / "pids.max").read_text() == str(MAX_PROCESSES)
    for file in group.iterdir():  # the kernel's own go with the folder
        file.unlink()
    remove_group(group)
    remove_group(group)
    assert not group.exists()
    assert make_group(tmp_path / "nowhere") is None


@pytest.fixture
def kernel_group():
    """A group of the kernel's own tree of version 2, whatever controllers it has there."""
    mount = next((m for m in map(Path, MOUNTS) if (m / "cgroup.procs").exists() and os.access(m, os.W_OK)), None)
    if mount is None:
        pytest.skip("no writable tree of control groups of version 2 here")
    group = mount / f"colbench-test-{os.getpid()}"
    group.mkdir()
    yield group
    remove_group(group)


def test_the_kernels_own_groups_are_made_and_removed(kernel_group):
    made = make_group(kernel_group)
    if made is not None:  # where the kernel has the controllers of memory and processes in this tree
        assert (made / "memory.max").read_text().strip() == str(MEMORY_BYTES)
        assert (made / "pids.max").read_text().strip() == str(MAX_PROCESSES)
        remove_group(made)
    assert not [path for path in kernel_group.iterdir() if path.is_dir()]


@pytest.mark.parametrize("isolation", ["none", "namespaces"])
def test_a_worker_and_its_programs_are_in_the_group_that_it_is_given(kernel_group, isolation):
    """They join before they are isolated, after which they see no groups; the group is empty when they have ended."""
    with over_descriptor("--isolation", isolation, "--group", kernel_group / "cgroup.procs") as connect:
        members = (kernel_group / "cgroup.procs").read_text().split()
        assert members
        assert "0" not in members  # of another process namespace
        assert converse(connect(), PROGRAM).outcomes() == OUTCOMES
    remove_group(kernel_group)
    assert not kernel_group.exists()


def test_workers_are_in_their_group_where_there_can_be_one():
    parent = delegated_group()
    if parent is None:
        assert limits_in_use() == "resource limits for each program"
        return
    before = set(parent.iterdir())
    sandbox = ProcessSandbox(workers=1)
    try:
        assert sandbox.run(Program("", ("1",)))[0].value == 1
        (group,) = set(parent.iterdir()) - before
        assert (group / "cgroup.procs").read_text().split()
    finally:
        sandbox.close()
    assert set(parent.iterdir()) == before
