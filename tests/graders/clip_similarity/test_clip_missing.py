"""Where PyTorch is missing, asking for the paper's similarity says how to get it."""

import importlib.util
import subprocess
import sys

from support.tables import program


def test_a_missing_package_is_an_error_with_the_pip_line():
    """Never another metric in its place."""
    for module, package in (("torch", "torch"), ("PIL", "pillow"), ("transformers", "transformers")):
        if module == "transformers" and not importlib.util.find_spec("torch"):
            continue  # torch is asked for first
        command = [sys.executable, "-c", program(__file__, "clip_missing.txt"), module]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert f"needs the package {package!r}" in done.stdout
        assert 'pip install "colbench-gym[clip]"' in done.stdout
