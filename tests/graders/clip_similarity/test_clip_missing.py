"""Where PyTorch is missing, asking for the paper's similarity says how to get it."""

import importlib.util
import subprocess
import sys
import textwrap


def test_a_missing_package_is_an_error_with_the_pip_line():
    """Never another metric in its place."""
    program = """
    import sys
    sys.modules[sys.argv[1]] = None  # as if it were not installed
    from colbench_gym.errors import MissingExtraError
    from colbench_gym.graders.clip_similarity import ClipSimilarity
    try:
        ClipSimilarity(None)
    except MissingExtraError as e:
        print(e)
    """
    for module, package in (("torch", "torch"), ("PIL", "pillow"), ("transformers", "transformers")):
        if module == "transformers" and not importlib.util.find_spec("torch"):
            continue  # torch is asked for first
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program), module], capture_output=True, text=True, check=True
        )
        assert f"needs the package {package!r}" in done.stdout
        assert 'pip install "colbench-gym[clip]"' in done.stdout
