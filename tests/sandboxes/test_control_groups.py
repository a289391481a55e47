"""Workers get a control group where one may be made; what the kernel's files say is read right."""

from __future__ import annotations

import pytest

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
