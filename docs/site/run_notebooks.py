"""Run the tutorial notebooks in a kernel, and compare what they print with what they hold.

    python docs/site/run_notebooks.py [--update]     --update: save the outputs instead

Exit status 1: an output differs, or a cell raised.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

TUTORIALS = Path(__file__).parents[1] / "tutorials"
CELL_S = 300  # one of them trains


def printed(cell: nbformat.NotebookNode) -> str:
    """Return what a cell printed."""
    return "".join(output.get("text", "") for output in cell.get("outputs", ()))


def run(path: Path, update: bool) -> list[str]:
    """Run a notebook; return one line for each output that differs from the saved one."""
    saved = nbformat.read(path, as_version=4)
    played = nbformat.read(path, as_version=4)
    client = NotebookClient(played, kernel_name="python3", timeout=CELL_S, coalesce_streams=True)
    client.create_kernel_manager().transport = "ipc"  # a socket file, no port
    client.execute()
    for cell in played.cells:
        cell.metadata.clear()  # times
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                output.pop("execution_count", None)
    if update:
        path.write_text(nbformat.writes(played, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return []
    pairs = zip(saved.cells, played.cells, strict=True)
    return [
        f"{path.name}, cell {place}: got {printed(now)!r}, expected {printed(before)!r}"
        for place, (before, now) in enumerate(pairs)
        if printed(before) != printed(now)
    ]


def main() -> int:
    """Run all of them."""
    update = sys.argv[1:] == ["--update"]
    notebooks = sorted(TUTORIALS.glob("*.ipynb"))
    differences = [line for path in notebooks for line in run(path, update)]
    sys.stdout.write("".join(f"{line}\n" for line in differences))
    sys.stdout.write(f"{len(notebooks)} notebooks run, {len(differences)} outputs differ\n")
    return int(bool(differences) or not notebooks)


if __name__ == "__main__":
    sys.exit(main())
