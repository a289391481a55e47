"""What contains programs can be seen wherever a number is reported."""

import shutil
import subprocess
import sys
from contextlib import closing

import pytest
from hostile_programs import cage
from support.doubles import Closeable
from support.tables import program

from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.sandboxes import CallOutcome, containment_of, open_sandbox
from colbench_gym.sandboxes.local_worker import CONTAINED

AS_ROOT_OF_ITSELF = program(__file__, "as_root_of_itself.txt")


class Scripted(Closeable):
    def run(self, program):
        return (CallOutcome("returned", 1),) * len(program.calls)


@pytest.mark.parametrize(("spec", "contained"), [("process", CONTAINED), ("unsafe", ("none",))])
def test_a_lease_and_a_grader_name_it(spec, contained):
    with closing(open_sandbox(spec)) as sandbox:
        assert containment_of(sandbox) in contained
        versions = {"grading": "strict-3", "containment": containment_of(sandbox)}
        assert UnitTestGrader(sandbox).versions == versions


def test_a_sandbox_that_does_not_say_is_unknown():
    assert containment_of(Scripted()) == "unknown"


@pytest.mark.skipif(shutil.which("unshare") is None, reason="no unshare(1) here")
def test_root_of_a_user_namespace_of_its_own_runs_programs_as_another_user():
    words = ["unshare", "--map-root-user", sys.executable, "-c", AS_ROOT_OF_ITSELF]
    done = subprocess.run(words, env=cage.environment(), capture_output=True, text=True)
    if "unshare failed" in done.stderr:
        pytest.skip(done.stderr)
    first, second = done.stdout.splitlines()
    assert first.split() == [first.split()[0], "True"], first
    assert first.split()[0] in CONTAINED
    assert second.startswith("refused") and "it would stay root" in second  # noqa: PT018
    assert "Traceback" not in done.stderr
