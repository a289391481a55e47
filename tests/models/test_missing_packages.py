"""Where a package for local models is missing, the message names that one."""

import importlib.util
import subprocess
import sys

import pytest
from support.tables import program

PROGRAM = program(__file__, "missing_packages_program.txt")


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_local_model_names_the_package_that_is_missing(package):
    if package == "transformers" and not importlib.util.find_spec("torch"):
        pytest.skip("needs the package 'torch', which is asked for first")
    done = subprocess.run([sys.executable, "-c", PROGRAM, package], capture_output=True, text=True, check=True)
    assert f"a local model needs the package {package!r}" in done.stdout
    assert 'pip install "colbench-gym[train]"' in done.stdout
