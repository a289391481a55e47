"""Outcomes of real tasks that are kept: the human's reply to each question, the grade of each answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from colbench_gym.errors import TaskError
from colbench_gym.jsonl import append_row, read_rows, ready_to_append
from colbench_gym.policies.asker.phrasing import question_about
from colbench_gym.policies.asker.reading import told, waved_off
from colbench_gym.scenario import Scenario
from colbench_gym.tasks import BackendTask, backend_task, load_tasks
from colbench_gym.tasks.generated_backend.matters import Matter, Settings
from colbench_gym.tasks.generated_backend.requests import as_settings, may_be_open, read_request, told_in
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan
from colbench_gym.tasks.generated_backend.shapes.registry import matters_of, source
from colbench_gym.tasks.permutation import Draw

GRADERS = 4  # answers that are graded at once
STEP = 50  # tasks between two writings of the file


@lru_cache(maxsize=8192)
def readable(description: str) -> tuple[Plan, tuple[Matter, ...], Settings]:
    """Return the plan, the matters and what is told of a request, as anybody reads them who knows the grammar.

    Raises:
        TaskError: it is no request of the grammar.
    """
    plan = read_request(description)
    if plan is None:
        raise TaskError(f"got a request that is none of the generated ones, {description[:60]!r}; load `generated`")
    matters = matters_of(plan)
    return plan, matters, as_settings(told_in(description, matters))


@dataclass(frozen=True)
class Replies:
    """Replies of a task's human to a question about each matter that the request may leave open.

    Attributes:
        task: with its hidden parts: it is kept too, as it takes longer to make than to play.
        trade: what the request is about.
        keys: of the matters, in the order of the grammar.
        kinds: of the matters, the same words in all tasks.
        heard: the alternatives that the reply to each question tells, of that matter and of others.
        waved: keys of matters that it says there is nothing about.
        open: hidden: whether the human has decided something there; for labels alone, no policy sees it.
    """

    task: BackendTask
    trade: str
    keys: tuple[str, ...]
    kinds: tuple[str, ...]
    heard: tuple[Mapping[str, str], ...]
    waved: tuple[tuple[str, ...], ...]
    open: tuple[bool, ...] = field(repr=False)

    @property
    def settled_by(self) -> tuple[frozenset[int], ...]:
        """Places of the matters that nobody need ask for after each question."""
        return tuple(
            frozenset(place for place, key in enumerate(self.keys) if key in heard or key in waved) | {asked}
            for asked, (heard, waved) in enumerate(zip(self.heard, self.waved, strict=True))
        )

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Replies:  # Any: JSON
        """Return what a row of the file says."""
        fields: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in row.items()}
        fields["waved"] = tuple(map(tuple, row["waved"]))
        fields["task"] = load_tasks([row["task"]]).at(0)
        return cls(**fields)

    def to_row(self) -> Mapping[str, Any]:  # Any: JSON
        """Return the row of the file."""
        return {**vars(self), "task": self.task.row}


def ask_everything(task: BackendTask, scenario: Scenario, all_matters: bool) -> Replies:
    """Ask the human of a task about each matter, one question in a dialogue of its own.

    Args:
        task: of the grammar.
        scenario: with the human.
        all_matters: whether requests of this level point at nothing, so that all that is not told may be open.
    """
    plan, every, _ = readable(task.description)
    known = told_in(task.description, every)
    silent = [m for m in every if m.key not in known and not m.told]
    matters = silent if all_matters else may_be_open(task.description, every)
    heard, waved = [], []
    for matter in matters:
        reply = scenario.episode(task_id=task.task_id).say(question_about([matter], [0], task.description, 0)) or ""
        heard.append(told(every, reply, [matter]))
        waved.append(tuple(m.key for m in [matter] if m.key not in heard[-1] and waved_off(m, reply)))
    decided = {d.key: d.says for d in task.decisions}
    return Replies(
        task,
        plan.domain.key,
        tuple(m.key for m in matters),
        tuple(m.kind for m in matters),
        tuple(heard),
        tuple(waved),
        tuple(any(o.says == decided[m.key] for o in m.options) for m in matters),
    )


def append_all(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:  # Any: JSON
    """Add rows to a file."""
    for row in rows:
        append_row(file, row)


def kept_replies(file: Path, scenario: Scenario, number: int, first: int = 0) -> list[Replies]:
    """Return the replies of the tasks from a position on; those that the file does not have are asked for and added."""
    ready_to_append(file)
    kept = [Replies.from_row(row) for _, row in read_rows(file)] if file.exists() else []
    all_matters = scenario.tasks.spec.endswith(":habits")
    while len(kept) < number:
        positions = range(first + len(kept), first + min(len(kept) + STEP, number))
        new = [ask_everything(backend_task(scenario.tasks.at(at)), scenario, all_matters) for at in positions]
        append_all(file, (replies.to_row() for replies in new))
        kept += new
    return kept[:number]


@dataclass
class Outcomes:
    """Tasks of one split with their kept replies, and the grades of answers, each graded once.

    Attributes:
        scenario: with the tasks and the grader.
        replies: of the tasks.
        file: where the grades are kept.
    """

    scenario: Scenario
    replies: Sequence[Replies]
    file: Path

    @cached_property
    def _grades(self) -> dict[tuple[str, str], bool]:
        ready_to_append(self.file)
        if not self.file.exists():
            return {}
        return {(row["task_id"], row["answer"]): row["success"] for _, row in read_rows(self.file)}

    @cached_property
    def _of_questions(self) -> dict[tuple[int, frozenset[int]], bool]:
        return {}

    def answer(self, at: int, asked: frozenset[int]) -> str:
        """Return the program that follows from what was told; what no program can do without is guessed."""
        replies = self.replies[at]
        plan, matters, stated = readable(replies.task.description)
        settings = dict(stated)
        for place in sorted(asked):
            settings |= replies.heard[place]
        guesses = {m.key: Draw("guess", plan.signature, m.key).pick(m.options).code for m in matters if m.core}
        return source(plan, {**guesses, **settings})

    def successes(self, dialogues: Sequence[tuple[int, frozenset[int]]]) -> list[bool]:
        """Return whether the answers after some questions pass all tests; (task, questions) for each."""
        missing: dict[tuple[str, str], tuple[int, str]] = {}
        digests = {}
        for at, asked in dict.fromkeys(dialogues):
            if (at, asked) not in self._of_questions:
                answer = self.answer(at, asked)
                digest = blake2b(answer.encode(), digest_size=8).hexdigest()
                digests[at, asked] = key = (self.replies[at].task.task_id, digest)
                if key not in self._grades:
                    missing[key] = (at, answer)
        with ThreadPoolExecutor(GRADERS) as pool:
            graded = list(pool.map(lambda one: self._grade(*one), missing.values()))
        rows = ((*key, won) for key, won in zip(missing, graded, strict=True))
        append_all(self.file, ({"task_id": task, "answer": digest, "success": won} for task, digest, won in rows))
        self._grades.update(zip(missing, graded, strict=True))
        self._of_questions.update({dialogue: self._grades[key] for dialogue, key in digests.items()})
        return [self._of_questions[dialogue] for dialogue in dialogues]

    def _grade(self, at: int, answer: str) -> bool:
        return self.scenario.grader.grade(self.replies[at].task, answer).success
