"""``colbench tasks``: list, check, generate and synthesize tasks."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from colbench_gym.cli import print_error
from colbench_gym.cli.tables import AnyCount, AsJson, Count, print_note, print_rows, progress_bar, to_json
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.track_choice import TrackChoice, choose_track
from colbench_gym.jsonl import write_rows
from colbench_gym.rules import Track
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.scenario import BackendOptions, first_tasks
from colbench_gym.tasks import Task, backend_task, load_tasks
from colbench_gym.trajectory import task_row

if TYPE_CHECKING:
    from colbench_gym.curation.findings import Finding


def list_tasks(
    spec: Annotated[Positional[str], arg(metavar="SPEC")], n: AnyCount = None, track: TrackChoice = "auto"
) -> None:
    """Run ``colbench tasks list``."""
    tasks = first_tasks(load_tasks(spec, choose_track(track, spec)), n)
    print_rows(("task", "description"), ((task.task_id, " ".join(task.description.split())) for task in tasks))


def check(
    specs: Annotated[Positional[tuple[str, ...]], arg(metavar="SPEC [SPEC ...]")],
    n: AnyCount = None,
    track: TrackChoice = "auto",
    sandbox: str = str(BackendOptions.sandbox),
    json: AsJson = False,
) -> None:
    """Run ``colbench tasks check``; the exit status is 0 whatever is found: findings are data."""
    if not specs:
        raise UsageError(
            "got no tasks to check, expected at least one SPEC: a JSONL file, or a name such as generated; write "
            "for example: colbench tasks check tasks.jsonl"
        )
    of = choose_track(track, specs[0])
    named = {spec: first_tasks(load_tasks(spec, of), n) for spec in specs}
    findings = _pages(named) if of == "frontend" else _programs(named, sandbox)
    total = sum(map(len, named.values()))
    if json:
        print_note(to_json({"tasks": total, "findings": findings}))
        return
    if findings:
        print_rows(("task", "kind", "what was found"), ((of.task_id, of.kind, of.text) for of in findings))
    touched = len({finding.task_id for finding in findings})
    print_note(f"{total} tasks checked, {len(findings)} findings on {touched} of them")


def _programs(named: dict[str, tuple[Task, ...]], where: str) -> list[Finding]:
    from colbench_gym.curation.program_checks import check_tasks

    sets = {spec: tuple(map(backend_task, tasks)) for spec, tasks in named.items()}
    with closing(open_sandbox(where)) as sandbox, progress_bar("tasks") as progress:
        return check_tasks(sets, sandbox, progress)


def _pages(named: dict[str, tuple[Task, ...]]) -> list[Finding]:
    from colbench_gym.curation.page_checks import check_pages
    from colbench_gym.rendering import open_renderer

    with closing(open_renderer()) as renderer, progress_bar("tasks") as progress:
        return check_pages(named, renderer, progress)


def generate(out: Path, n: Count, split: str = "train", start: int = 0, track: Track = "backend") -> None:
    """Run ``colbench tasks generate``."""
    if n < 1 or start < 0:
        raise UsageError(f"n is {n} and start {start}; expected at least 1 task from position 0 or later")
    tasks = load_tasks(f"generated:{split}", track)
    check_writable(out)
    write_rows(out, (task_row(tasks.at(at)) for at in range(start, start + n)))
    print_note(f"{n} tasks written to {out}")


def synthesize(
    model: str,
    texts: Annotated[Path, arg(name="from")],
    out: Path,
    seed: int = 0,
    concurrency: int = 4,
    sandbox: str = str(BackendOptions.sandbox),
) -> int:
    """Run ``colbench tasks synthesize``; 1 where the model failed for texts that a second run tries again."""
    from colbench_gym.chat.spec import open_chat
    from colbench_gym.curation import synthesis

    if concurrency < 1:
        raise UsageError(f"concurrency is {concurrency}; expected at least 1")
    read = synthesis.read_texts(texts)
    check_writable(out)
    with closing(open_chat(model)) as chat, closing(open_sandbox(sandbox)) as opened, progress_bar("texts") as progress:
        report = synthesis.synthesize(read, chat, opened, out, seed=seed, concurrency=concurrency, progress=progress)
    dropped = sum(report.dropped.values())
    print_note(f"{len(read)} texts: {report.kept} tasks in {out}, {dropped} texts gave none")
    for reason, count in report.dropped.items():
        print_note(f"  {count} x {reason}")
    if dropped:
        print_note(f"why, for each text: {synthesis.dropped_path(out)}")
    if report.failed:
        print_error(f"the model failed for {report.failed} texts; run the command again to try them again")
    return int(report.failed > 0)
