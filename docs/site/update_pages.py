"""Run the pages of the documentation, and save what their blocks print: the counterpart of tests/test_docs_code.py.

python docs/site/update_pages.py PAGE [PAGE ...]     such as docs/quick_start.md
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
from support.command import colbench_here  # noqa: E402  of the tests' folder
from support.documents import blocks, command_lines  # noqa: E402
from test_docs_code import ELSEWHERE, NOT_OUTPUT, run_code  # noqa: E402


def update(page: Path) -> int:
    """Run a page in an empty folder and write its outputs anew; return how many changed."""
    text, changed, printed = page.read_text(encoding="utf-8"), 0, ""
    namespace = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        sys.path.insert(0, name)
        for block in blocks(page):
            if ELSEWHERE.fullmatch(block.note):
                continue
            if "." in block.title and " " not in block.title:
                (folder / block.title).write_text(block.code, encoding="utf-8")
            if block.language == "python":
                printed = run_code(block, page, namespace)
            elif block.title == "Output":
                before, now = (
                    f'title="Output"\n{NOT_OUTPUT.sub("", t).strip(chr(10))}\n```' for t in (block.code, printed)
                )
                if before not in text:
                    raise SystemExit(f"{page}, line {block.line}: the output stands there in another form")
                changed += before != now
                text = text.replace(before, now, 1)
            elif block.language == "sh" and block.note == "run":
                for words in command_lines(block.code):
                    printed = colbench_here(*words[1:], cwd=folder).stdout
        os.chdir(ROOT)
        sys.path.remove(name)
        for module in [key for key, m in sys.modules.items() if str(getattr(m, "__file__", "")).startswith(name)]:
            del sys.modules[module]
    page.write_text(text, encoding="utf-8")
    return changed


if __name__ == "__main__":
    for argument in map(Path, sys.argv[1:]):
        sys.stdout.write(f"{argument}: {update(argument.resolve())} outputs changed\n")
