"""Where a package for local models is missing, the message names that one."""

import importlib.util
import subprocess
import sys

import pytest

PROGRAM = """
import sys
sys.modules[sys.argv[1]] = None  # as if it were not installed
from colbench_gym.errors import MissingExtraError
from colbench_gym.policies import make_policy
try:
    make_policy("hf:nope")
except MissingExtraError as e:
    print(e)
"""


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_local_model_names_the_package_that_is_missing(package):
    if package == "transformers" and not importlib.util.find_spec("torch"):
        pytest.skip("needs the package 'torch', which is asked for first")
    done = subprocess.run([sys.executable, "-c", PROGRAM, package], capture_output=True, text=True, check=True)
    assert f"a local model needs the package {package!r}" in done.stdout
    assert 'pip install "colbench-gym[train]"' in done.stdout
