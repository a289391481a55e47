"""Let a model write backend tasks, and keep the healthy ones (paper, section 3.2)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from colbench_gym.chat import ChatModel, Sampling, in_dialogue
from colbench_gym.concurrency import map_in_threads
from colbench_gym.curation.drafts import Unusable, read_draft
from colbench_gym.curation.program_checks import check_tasks
from colbench_gym.dialogue import ChatMessage
from colbench_gym.episode import clean
from colbench_gym.errors import ChatError, InputFileError
from colbench_gym.jsonl import append_row, read_rows, ready_to_append, text_field
from colbench_gym.python_code.syntax import parse_module
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.official import row_id, task_from_row
from colbench_gym.trajectory import task_row

TEMPERATURE = 1.0  # ours: every text is asked about once, so that variety is worth more than the likeliest function
TEXT_CHARS = 4000  # ours: of a text; inspiration needs no more, and every model's context holds it
PATIENCE = 5  # model failures in a row after which the server counts as down
_ID = "text_id"


@dataclass(frozen=True)
class Text:
    """Something to be inspired by."""

    text_id: str
    text: str


@dataclass(frozen=True)
class SynthesisReport:
    """Counts of what became of the texts, those of earlier sessions included.

    Attributes:
        kept: tasks in the file.
        dropped: how many texts gave no task, by reason.
        failed: texts for which the model failed; they are tried again when the command is run again.
        before: texts that an earlier session had dealt with.
    """

    kept: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    failed: int = 0
    before: int = 0


def read_texts(path: str | Path) -> tuple[Text, ...]:
    """Return the texts of a JSONL file: ``text``, and ``text_id``, ``task_id`` or ``index`` (else the position from 0).

    Raises:
        InputFileError: a row is broken, an id is used twice, or there is no row.
    """
    file = Path(path)
    texts: dict[str, Text] = {}
    for position, (number, row) in enumerate(read_rows(file)):
        named = {"task_id": row[_ID]} if _ID in row else row
        text_id = row_id(named, file, number, position)
        if text_id in texts:
            raise InputFileError(f"{file}, line {number}: the id {text_id!r} is used twice; give every text its own")
        texts[text_id] = Text(text_id, text_field(file, number, row, "text"))
    if not texts:
        raise InputFileError(f"{file}: no text in it; expected one JSON object with a 'text' a line")
    return tuple(texts.values())


def dropped_path(out: str | Path) -> Path:
    """Return the file beside ``out`` that says which texts gave no task, and why."""
    path = Path(out)
    return path.with_name(path.name + ".dropped.jsonl")


def synthesize(
    texts: Sequence[Text],
    chat: ChatModel,
    sandbox: Sandbox,
    out: str | Path,
    *,
    seed: int = 0,
    concurrency: int = 4,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> SynthesisReport:
    """Ask the model for a task about each text, and append those that pass the health check to ``out``.

    Tasks are written in the order of the texts, the moment they have passed; texts that gave none go to
    :func:`dropped_path`. Texts that stand in one of the two files already are not asked about again.

    Args:
        texts: what to be inspired by.
        chat: the model that writes.
        sandbox: where its functions run.
        out: a task file in the official format, each row with its ``text_id``.
        seed: handed to the model.
        concurrency: texts at work at once.
        progress: called with texts done and texts in all.

    Raises:
        ChatError: the model failed for PATIENCE texts in a row; what was kept is kept.
        InputFileError: a file cannot be written, or holds what this function did not write.
        SandboxError: the sandbox failed.
    """
    files = _Files(Path(out))
    todo = [text for text in texts if text.text_id not in files.done]
    before = len(texts) - len(todo)
    failures = failed = 0

    def draft(text: Text) -> BackendTask | Unusable | ChatError:
        return _draft(text, chat, sandbox, seed)

    drafts = map_in_threads(draft, todo, threads=concurrency, name="synthesis", ahead=2 * concurrency)
    with closing(drafts):  # no thread asks the model after an error
        for done, (text, result) in enumerate(drafts, start=before + 1):
            if isinstance(result, ChatError):
                failures, failed = failures + 1, failed + 1
                if failures == min(PATIENCE, len(todo)):
                    raise result
            else:
                failures = 0
                files.add(text.text_id, result)
            progress(done, len(texts))
    return SynthesisReport(files.kept, dict(sorted(files.dropped.items())), failed, before)


def _draft(text: Text, chat: ChatModel, sandbox: Sandbox, seed: int) -> BackendTask | Unusable | ChatError:
    prompt = resources.files("colbench_gym.prompts").joinpath("backend_synthesis.txt").read_text(encoding="utf-8")
    before, after = prompt.replace("{calls}", str(TESTS_PER_TASK)).split("{text}")
    brief = before + clean(text.text)[:TEXT_CHARS] + after
    try:
        with in_dialogue(f"text {text.text_id}"):
            written = chat.complete([ChatMessage(role="user", content=brief)], Sampling(TEMPERATURE, seed=seed))
    except ChatError as e:
        return e
    draft = read_draft(written.text, f"synthesized-{text.text_id}")
    if isinstance(draft, Unusable):
        return draft
    findings = check_tasks([draft], sandbox, threads=1)
    if findings:
        return Unusable(findings[0].kind, findings[0].text)
    return draft


class _Files:
    """The task file and the file of what was dropped, both appended to line by line."""

    def __init__(self, out: Path) -> None:
        self._out, self._dropped = out, dropped_path(out)
        self.done: set[str] = set()
        self.kept = 0
        self.dropped: Counter[str] = Counter()
        self._seen: set[str] = set()
        for path in (self._out, self._dropped):
            ready_to_append(path)
        for position, (number, row) in enumerate(read_rows(self._out)):
            self.done.add(text_field(self._out, number, row, _ID))
            self._seen.add(_shape(task_from_row(row, "backend", self._out, number, position).reference))
            self.kept += 1
        for number, row in read_rows(self._dropped):
            self.done.add(text_field(self._dropped, number, row, _ID))
            self.dropped[text_field(self._dropped, number, row, "reason")] += 1

    def add(self, text_id: str, result: BackendTask | Unusable) -> None:
        if isinstance(result, BackendTask) and _shape(result.reference) in self._seen:
            result = Unusable("duplicate", "the same function as an earlier one")
        if isinstance(result, Unusable):
            self.dropped[result.reason] += 1
            append_row(self._dropped, {_ID: text_id, "reason": result.reason, "detail": clean(result.detail)})
        else:
            self.kept += 1
            self._seen.add(_shape(result.reference))
            append_row(self._out, {_ID: text_id} | task_row(result))


def _shape(reference: str) -> str:
    """Return the function without its layout and comments."""
    return ast.dump(parse_module(reference))
