"""Everything of docs/small_table2.md, leaderboard.md and training_from_scratch.md anew: rerun.py [PART ...] --out DIR.

Parts, all of them where none is named: `main` (colbench small-table2), `algorithms` (the leaderboard's other rows),
`plain` (plain tasks, the control), `data` and `labelled` (how much data, and labels), `tiny` (language_model.py), and
`pages`, which writes rows to this folder, and tables and pictures to docs/. What DIR has already is not made again; a
table of which it has nothing stays as it is.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from colbench_gym.learning.experiment import OPTIONS, Experiment
from colbench_gym.learning.options import SmallTable2
from colbench_gym.learning.summary import (
    BASE,
    BLIND,
    CEILING,
    DPO,
    ORDER,
    RANDOM,
    RESULTS,
    SWEET,
    ZERO,
    differences,
    draw,
    leaderboard,
    markdown,
    read_lines,
)

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
SHORT: dict[str, Any] = {"test_tasks": 500, "unseen_tasks": 0, "seeds": 2, "online_turns": 500}
RUNS: dict[str, dict[str, dict[str, Any]]] = {  # by part and folder; options that are not the defaults
    "main": {"main": {}},
    "plain": {"plain": {**SHORT, "level": "default", "train_tasks": 300, "validation_tasks": 100, "test_tasks": 400}},
    "data": {f"data-{n}": {**SHORT, "train_tasks": n, "dialogues": 3} for n in (100, 300, 1000)},
    "labelled": {f"labelled-{n}": {**SHORT, "labelled_tasks": n, "dialogues": 3} for n in (100, 300)},
}
ALGORITHMS = [
    "random",
    "asker",
    "in_order",
    "constant",
    "ceiling",
    "bandit",
    "REINFORCE",
    "PPO",
    "DQN",
    "DQN, masked",
    "MaskablePPO",
]
REGRESSION, PERFECT, ONLINE, PAID = (
    "SWEET-RL, regression head",
    "SWEET-RL, perfect critic",
    "online",
    "online, paid a turn",
)
PARTS_OF_IT = (  # what each part of a method is worth
    (BLIND, DPO),
    (REGRESSION, SWEET),
    (PERFECT, SWEET),
    (SWEET, ONLINE),
    (ONLINE, DPO),
    (PAID, ONLINE),
    ("labels of the training tasks", SWEET),
    (CEILING, SWEET),
)
FROM_SCRATCH = tuple((name, RANDOM) for name in (ZERO, BASE, DPO, SWEET)) + ORDER[:-1]  # as language_model.py prints
METHODS = (ZERO, BASE, DPO, BLIND, SWEET)  # of the tables of data and labels


def play(folder: Path, options: dict[str, Any], main: Path) -> None:
    """Run the experiment with some options; replies and grades of the same tasks are those of the main run."""
    folder.mkdir(parents=True, exist_ok=True)
    if options.get("level", "habits") == "habits" and folder != main:
        for file in (*main.glob("replies-*.jsonl"), *main.glob("grades-*.jsonl")):
            if not (folder / file.name).exists():
                shutil.copy(file, folder)
    Experiment(
        SmallTable2(out=folder, **options), lambda done, of: print(f"{folder}: {done} of {of}", flush=True)
    ).run()


def tables_into(page: str, heading: str, tables: Sequence[str]) -> str:
    """Return a page with the tables of the section under a heading replaced, in their order."""
    start = page.index(f"\n## {heading}\n")
    end = page.find("\n## ", start + 1)
    end = len(page) if end < 0 else end
    left = iter(tables)
    section, number = re.subn(r"(?m)(^\|.*\n)+", lambda _: next(left, "") + "\n", page[start:end])
    if number != len(tables):
        raise SystemExit(f"got {number} tables under {heading!r}, expected {len(tables)}; mend the page")
    return page[:start] + section + page[end:]


def row_of_data(folder: Path, first: Sequence[str]) -> str:
    """Return a row of the tables of data and labels."""
    lines = {line.method: line for line in read_lines(folder / RESULTS)["test"]}
    gained = differences(folder / RESULTS, pairs=((SWEET, DPO),)).splitlines()[-1].split(" | ")[1]
    labels = ", ".join(f"{100 * (lines[name].labels or 0.0):.0f}" for name in (BLIND, SWEET))
    shares = [f"{100 * lines[name].success.mean:.1f}" for name in METHODS]
    return f"| {' | '.join([*first, *shares, gained.rstrip(' |'), labels])} |"


def data_table(rows: Sequence[tuple[Sequence[str], Path]], first: Sequence[str]) -> str:
    """Return such a table."""
    head = f"| {' | '.join([*first, *METHODS, f'{SWEET} minus {DPO}', 'labels without c, with c %'])} |"
    rule = "|---" * (len(first) + len(METHODS) + 2) + "|"
    return "\n".join([head, rule, *(row_of_data(folder, named) for named, folder in rows)])


def without_way(table: str) -> str:
    """Return a table of results without its column of the way, which says nothing where nothing can be learned."""
    return "\n".join("|".join(cell for at, cell in enumerate(row.split("|")) if at != 4) for row in table.splitlines())


def learning_table(curves: Path, rows: Path) -> str:
    """Return a table of how the algorithms of the menu have learned: turns that validation chose, and seconds."""
    chosen: dict[str, dict[int, int]] = {}
    for row in map(json.loads, rows.read_text("utf-8").splitlines()):
        chosen.setdefault(row["method"], {})[row["seed"]] = row["turns"]
    points = [json.loads(line) for line in curves.read_text("utf-8").splitlines()]
    shown = [
        "| | turns that validation chose, a seed | success on validation there % | seconds of learning, all turns |"
    ]
    for method, turns in chosen.items():
        its = {(p["seed"], p["turns"]): p for p in points if p["method"] == method}
        if max(turn for _, turn in its):
            seconds = [max(p["seconds"] for (s, _), p in its.items() if s == seed) for seed in turns]
            best = [its[one]["success"] for one in turns.items()]
            cells: list[tuple[Sequence[float], Callable[[float], str]]] = [
                ([*turns.values()], lambda x: f"{x:,.0f}"),
                (best, lambda x: f"{100 * x:.1f}"),
                (seconds, lambda x: f"{x:.0f}"),
            ]
            shown.append(f"| {method} | {' | '.join(', '.join(map(say, of)) for of, say in cells)} |")
    return "\n".join([shown[0], "|---" * 4 + "|", *shown[1:]])


def write_pages(out: Path) -> None:
    """Write rows to this folder, and tables and pictures to docs/."""
    main, names = out / "main", ("small_table2", "leaderboard", "training_from_scratch")
    pages = {name: DOCS / f"{name}.md" for name in names}
    text = {name: file.read_text("utf-8") for name, file in pages.items()}
    copied = [main / name for name in (RESULTS, OPTIONS, "algorithms.jsonl", "curves.jsonl")]
    if missing := [
        str(file) for file in copied if not file.exists()
    ]:  # rows of other tasks must not stand beside these
        raise SystemExit(f"got no {', '.join(missing)}, expected the parts main and algorithms; run them first")
    for file in copied:
        shutil.copy(file, HERE)
    lines = read_lines(HERE / RESULTS)
    orders = [differences(HERE / RESULTS), differences(HERE / RESULTS, pairs=PARTS_OF_IT)]
    of_pages: list[tuple[str, str, list[str]]] = [
        ("small_table2", "Test tasks", [markdown(lines["test"])]),
        ("small_table2", "The paper's order", orders),
        ("small_table2", "Trades that nobody saw (`test_domains`)", [markdown(lines["test_domains"])]),
    ]
    ranked = leaderboard(read_lines(HERE / RESULTS, HERE / "algorithms.jsonl"))
    of_pages += [
        ("leaderboard", heading, [markdown(ranked[split])])
        for split, heading in (("test", "Test"), ("test_domains", "Trades that nobody saw (`test_domains`)"))
    ]
    learned = learning_table(HERE / "curves.jsonl", HERE / "algorithms.jsonl")
    of_pages.append(("leaderboard", "How the algorithms of the menu learn", [learned]))
    if (plain := out / "plain" / RESULTS).exists():
        tables = [
            without_way(markdown(read_lines(plain)["test"])),
            differences(plain).replace("| test |", "| plain tasks |"),
        ]
        of_pages.append(("small_table2", "Plain tasks, the other control", tables))
    data = [((f"{n:,}", f"{3 * n:,}"), out / f"data-{n}") for n in (100, 300, 1000)]
    labelled = [((f"{n:,} of 1,000",), out / f"labelled-{n}") for n in (100, 300)]
    for heading, rows, first in (
        ("How much data", [*data, (("1,000", "8,000"), main)], ("training tasks", "dialogues")),
        ("Tasks without labels", [*labelled, (("all 1,000",), out / "data-1000")], ("labelled tasks",)),
    ):
        if all((folder / RESULTS).exists() for _, folder in rows):
            of_pages.append(("small_table2", heading, [data_table(rows, first)]))
    if (tiny := out / "tiny" / RESULTS).exists():
        shutil.copy(tiny, HERE / "tiny.jsonl")
        tables = [markdown(read_lines(tiny)["test"]), differences(tiny, pairs=FROM_SCRATCH)]
        of_pages.append(("training_from_scratch", "What came out", tables))
    for name, heading, tables in of_pages:
        text[name] = tables_into(text[name], heading, tables)
        print(f"{name}.md: {heading}")
    for name, file in pages.items():
        file.write_text(text[name], "utf-8")
    draw(lines, DOCS / "assets" / "small_table2.png")
    subprocess.run([sys.executable, HERE / "algorithms.py", "draw", "--out", HERE], check=True)
    (HERE / "menu_curves.png").replace(DOCS / "assets" / "menu_curves.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help="main, algorithms, plain, data, labelled, tiny or pages"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    chosen = parser.parse_args()
    parts = ["main", "algorithms", "plain", "data", "labelled", "tiny", "pages"]
    if unknown := set(chosen.parts) - set(parts):
        parser.error(f"got the part {', '.join(sorted(unknown))}, expected some of {', '.join(parts)}")
    for part in [part for part in parts if part in (chosen.parts or parts)]:
        for folder, given in RUNS.get(part, {}).items():
            play(chosen.out / folder, given, chosen.out / "main")
        if part == "algorithms":
            command = [sys.executable, HERE / "algorithms.py", *ALGORITHMS, "--out", chosen.out / "main"]
            subprocess.run(command, check=True)
        if part == "tiny":
            command = [sys.executable, HERE / "language_model.py", "--out", chosen.out / "tiny"]
            subprocess.run(command, check=True)
        if part == "pages":
            write_pages(chosen.out)
