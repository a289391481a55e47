"""``colbench report``, ``show`` and ``export``: runs in a browser, in a terminal and in the formats of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, arg

from colbench_gym.cli.tables import AsJson, named_runs, print_dialogue, print_note, to_json
from colbench_gym.errors import AssetError, MissingExtraError, RendererError, UnknownTaskError, UsageError
from colbench_gym.evaluation.compare_runs import check_alike
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.run_folder import TRAJECTORIES_FILE, trajectories_file
from colbench_gym.evaluation.scored_runs import read_dialogues, read_run, read_settings
from colbench_gym.report.run_names import names_apart
from colbench_gym.trajectory import read_trajectories

REPORT_FILE = "report.html"
PICTURES_S = 60.0  # ours: at 6 pages a second those of some 100 dialogues, besides all that the run still remembers
MAX_BYTES = 50_000_000  # ours: of trajectories, some 8,000 dialogues, of which eval makes a report by itself


def report(
    runs: Annotated[Positional[tuple[str, ...]], arg(metavar="[NAME=]RUN [...]")],
    out: Path | None = None,
    pictures: bool = True,
) -> None:
    """Run ``colbench report``."""
    from colbench_gym.rendering import open_renderer
    from colbench_gym.report.page import write_report

    if not runs:
        raise UsageError("got no run; expected at least one folder of colbench eval")
    given, paths = zip(*named_runs(runs), strict=True)
    read, scored = zip(*map(read_dialogues, paths), strict=True)
    if not any(read):
        raise UsageError(f"got no dialogue in {', '.join(map(str, paths))}; expected folders of colbench eval")
    names = _names(given, [run.settings.get("agent", "") if run else "" for run in scored], paths)
    out = out or (paths[0] if paths[0].is_dir() else paths[0].parent) / REPORT_FILE
    check_writable(out)
    known = {name: run for name, run in zip(names, scored, strict=True) if run is not None}
    write_report(dict(zip(names, read, strict=True)), known, out, open_renderer if pictures else None)
    print_note(f"{sum(map(len, read))} dialogues written to {out}")


def report_of_runs(named: Mapping[str, Path], out: Path, pictures: bool) -> str:
    """Write the report of runs that have just ended and return a line about it.

    Pages are drawn for PICTURES_S at most, and left out where none can be drawn; large runs get no report, as no
    browser opens it well.
    """
    from colbench_gym.rendering import open_renderer
    from colbench_gym.report.page import write_report

    with_more = f"colbench report {' '.join(map(str, named.values()))}"
    try:
        if sum((folder / TRAJECTORIES_FILE).stat().st_size for folder in named.values()) > MAX_BYTES:
            return f"no report of so large a run; write one with: {with_more}"
        read = {name: read_dialogues(folder) for name, folder in named.items()}
        scored = {name: run for name, (_, run) in read.items() if run is not None}
        write = partial(write_report, {name: dialogues for name, (dialogues, _) in read.items()}, scored, out)
        if not pictures:
            return f"{write(None).path}"
        try:
            report = write(open_renderer, within_s=PICTURES_S)
        except (MissingExtraError, RendererError, AssetError) as e:
            return f"{write(None).path} (without pictures: {e}; with them: {with_more})"
    except (UsageError, OSError) as e:
        return f"no report.html: {e}; then: {with_more}"
    left_out = f" ({report.not_drawn} pages are not drawn; with all of them: {with_more})" if report.not_drawn else ""
    return f"{report.path}{left_out}"


def _names(given: Sequence[str], agents: Sequence[str], paths: Sequence[Path]) -> list[str]:
    """Name runs as they were named, else by their agents where these are known and differ, else by their paths."""
    differ = all(agents) and len(set(agents)) == len(agents)
    names = [
        name or own
        for name, own in zip(given, names_apart(agents if differ else [str(path) for path in paths]), strict=True)
    ]
    if len(set(names)) < len(names):
        raise UsageError(f"got the names {', '.join(names)}; expected a name of its own for each run")
    return names


def show(
    source: Annotated[Positional[Path], arg(metavar="RUN")],
    task_id: Annotated[Positional[str | None], arg(metavar="[TASK]")] = None,
    json: AsJson = False,
) -> None:
    """Run ``colbench show``."""
    trajectories = read_trajectories(trajectories_file(source))
    if task_id is None:
        turns = ((t, t.dialogue.count("agent")) for t in trajectories)
        lines = [_Line(t.task.task_id, t.repeat, t.outcome, t.success, t.score, count) for t, count in turns]
        print_note(to_json(lines) if json else "\n".join(map(str, lines)))
        return
    chosen = [trajectory for trajectory in trajectories if trajectory.task.task_id == task_id]
    if not chosen:
        raise UnknownTaskError(
            f"{source} has no dialogue about task {task_id!r}; list what it has with: colbench show {source}"
        )
    if json:
        print_note(to_json([trajectory.to_row() for trajectory in chosen]))
        return
    for trajectory in chosen:
        print_dialogue(trajectory)


@dataclass(frozen=True)
class _Line:
    """One dialogue in a line."""

    task_id: str
    repeat: int
    outcome: str
    success: bool
    score: float | None
    turns: int

    def __str__(self) -> str:
        score = "no grade" if self.score is None else f"{self.score:.0%}"
        repeat = f", repeat {self.repeat}" if self.repeat else ""
        return f"{self.task_id}{repeat}: {self.outcome}, {score}, {self.turns} turns"


def export(
    sources: Annotated[Positional[tuple[Path, ...]], arg(metavar="RUN [...]")],
    out: Path,
    format: Literal["official", "trl-sft", "trl-dpo", "parquet", "minari"] = "official",
    chat_template: str | None = None,
    min_score: float = 0.0,
) -> None:
    """Run ``colbench export``."""
    from colbench_gym.rendering import OFFICIAL_WINDOW, open_renderer
    from colbench_gym.report import export as formats

    if not 0 <= min_score <= 1:
        raise UsageError(f"got --min-score {min_score}, expected a number from 0 to 1")
    if min_score and format != "trl-sft":
        raise UsageError(f"got --min-score with --format {format}, expected trl-sft; leave one of them out")
    if chat_template is not None and format != "official":
        raise UsageError(f"got --chat-template with --format {format}, expected official; leave it out")
    several = format in formats.COLUMNS
    if not sources or (len(sources) > 1 and not several):
        wanted = "at least one run" if several else f"one run for --format {format}"
        raise UsageError(f"got {len(sources)} runs, expected {wanted}")
    (formats.check_minari_folder if format == "minari" else check_writable)(out)
    card = formats.card_of(out) if several else None
    for other in sources[1:]:
        check_alike(read_run(sources[0]), read_run(other), tasks=format == "trl-dpo")
    trajectories = [t for source in sources for t in read_trajectories(trajectories_file(source))]
    settings = [read_settings(source) for source in sources]
    opener = partial(open_renderer, window=OFFICIAL_WINDOW)
    written = {
        "official": lambda: formats.export_official(
            trajectories, out, opener, formats.read_template(chat_template, str(settings[0].get("agent", "")))
        ),
        "trl-sft": lambda: formats.export_conversations(trajectories, out, min_score),
        "trl-dpo": lambda: formats.export_pairs(trajectories, out),
        "parquet": lambda: formats.export_parquet(trajectories, out),
        "minari": lambda: formats.export_minari(trajectories, out, settings[0]),
    }[format]()
    dialogues = f"pairs of {len(trajectories)}" if format == "trl-dpo" else f"of {len(trajectories)}"
    print_note(f"{written} {dialogues} dialogues written to {out}")
    if card is not None:
        formats.write_card(card, out, format, written, trajectories, settings)
        print_note(f"what it is and what it was made of stands in {card}")
    if format == "official" and written < len(trajectories):
        print_note(
            "the others were not graded, or are of a task that lacks a graded repeat; finish the run with --resume"
        )
