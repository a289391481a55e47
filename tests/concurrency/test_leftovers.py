"""Temporary folders of processes that were killed are removed by the next one that makes such."""

import os
import signal
import subprocess
import sys

import pytest
from support.tables import cases

from colbench_gym.concurrency.leftovers import LockedFolder

MAKE = cases(__file__, "make")


@pytest.mark.parametrize("kind", MAKE)
def test_what_a_killed_process_left_is_removed_by_the_next(kind, tmp_path):
    work = f"{MAKE[kind]}; print('made', flush=True); import time; time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", work], stdout=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": str(tmp_path)}
    ) as process:
        assert process.stdout.readline() == "made\n"
        (left,) = tmp_path.iterdir()
        os.utime(left, (1, 1))
        with_owner = LockedFolder(kind, str(tmp_path))
        assert left.exists()
        os.kill(process.pid, signal.SIGKILL)
    os.utime(left, (1, 1))
    without = LockedFolder(kind, str(tmp_path))
    assert sorted(tmp_path.iterdir()) == sorted([with_owner.path, without.path])
    for folder in (with_owner, without):
        folder.close()
        folder.close()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_young_or_a_link_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "colbench-x-link").symlink_to(tmp_path / "mine")
    (tmp_path / "colbench-x-young").mkdir()
    os.utime(tmp_path / "mine", (1, 1))
    LockedFolder("x", str(tmp_path)).close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["colbench-x-link", "colbench-x-young", "mine"]
