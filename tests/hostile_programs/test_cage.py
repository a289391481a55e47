"""The cage hides what programs may write, and nothing that the tests need, wherever they lie."""

import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from . import cage


@pytest.mark.parametrize("user", ["root", "ordinary"])
def test_a_clone_below_tmp_can_be_imported_and_nothing_else_there_be_seen(user):
    token = f"colbench-cage-{secrets.token_hex(4)}"
    with tempfile.TemporaryDirectory() as clone, tempfile.NamedTemporaryFile() as other:
        Path(clone).chmod(0o755)
        (Path(clone) / "lies_below_tmp.py").write_text("NUMBER = 42\n")
        try:
            words = cage.command(user, token)
        except LookupError as error:
            pytest.skip(str(error))
        code = f"import lies_below_tmp, os; print(lies_below_tmp.NUMBER, os.path.exists({other.name!r}))"
        environment = cage.environment()
        environment["PYTHONPATH"] += f":{clone}"
        done = subprocess.run([*words, sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        cage.remove_groups(token)
    assert done.stdout == "42 False\n", done.stderr
