"""A finished dialogue as frozen data, and its JSONL form: a superset of the official one, both ways."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from colbench_gym.action import extract_page
from colbench_gym.dialogue import OFFICIAL_ROLE, ChatMessage, Dialogue, FirstMessages, Turn
from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.jsonl import encodable, read_rows, text_field, write_rows, wrong_type
from colbench_gym.rules import RULES, Rules, Track
from colbench_gym.tasks import BackendTask, Task
from colbench_gym.tasks.official import row_id, task_from_row

SCHEMA = 2
_SEAT = {role: seat for seat, role in OFFICIAL_ROLE.items()}
_GRADED = ("answered", "out_of_turns")
# How chat templates show a brief (Llama 3, whose dates a template adds again; ChatML), and how it stands without one.
_BRIEFS = (
    re.compile(
        r"<\|start_header_id\|>system<\|end_header_id\|>\n\n(?:Cutting Knowledge Date: [^\n]*\nToday Date: [^\n]*\n\n)?"
        r"(.*?)<\|eot_id\|>",
        re.DOTALL,
    ),
    re.compile(r"<\|im_start\|>system\n(.*?)<\|im_end\|>", re.DOTALL),
    re.compile(r"\Asystem:(.*?)\n{4}user:", re.DOTALL),
)


def _number(value: Any, least: float = -sys.float_info.max, most: float = sys.float_info.max) -> bool:  # Any: JSON
    return type(value) in (int, float) and least <= value <= most


def _integer(value: Any, least: int = -(2**63)) -> bool:  # Any: JSON
    return type(value) is int and least <= value < 2**63


def _text(value: object) -> bool:
    return isinstance(value, str)


def _share(value: object) -> bool:
    return value is None or _number(value, 0, 1)


def _named(value: object, fits: Callable[[object], bool] = lambda _: True) -> bool:
    return isinstance(value, dict) and all(map(fits, value.values()))


_FIELDS: Mapping[str, tuple[Callable[[object], bool], str]] = {  # of "colbench_gym" in a row of our format
    "rules": (_named, "an object"),
    "env_id": (_text, "a string"),
    "repeat": (partial(_integer, least=0), "a whole number from 0 on, below 2**63"),
    "seed": (_integer, "a whole number of 64 bits"),
    "outcome": (_text, "a string"),
    "success": (lambda value: isinstance(value, bool), "true or false"),
    "pass_rate": (_share, "a number from 0 to 1, or null"),
    "similarity": (_share, "a number from 0 to 1, or null"),
    "metric": (_text, "a string"),
    "test_outcomes": (lambda value: isinstance(value, list) and all(map(_text, value)), "a list of strings"),
    "leak": (partial(_named, fits=_number), "an object of numbers"),
    "versions": (partial(_named, fits=_text), "an object of strings"),
    "error": (_text, "a string"),
}


@dataclass(frozen=True)
class Trajectory:
    """One dialogue from its opening to its end.

    Attributes:
        task: what was to be built, hidden reference included.
        dialogue: everything said.
        answer: the final answer ("" where none was reached).
        reward: what the environment paid; None where our side failed before a grade.
        env_id: the environment it was played in; "" for one read from the official format.
        repeat: which repetition of the task, from 0.
        seed: the seed of this dialogue.
        rules: the rules it was played under.
        outcome: ``answered``, ``out_of_turns``, ``human_error`` or ``grader_error``.
        success: all tests passed.
        pass_rate: backend: the fraction of tests passed; None where there is no grade.
        similarity: frontend: the similarity; None where there is no grade.
        metric: name and version of what was measured.
        test_outcomes: backend: how each test ended.
        leak: what the human's replies gave away (see :mod:`colbench_gym.humans.leaks`).
        versions: of the packages that can change a number in it.
        error: what failed, where something of ours did.
        seconds: that it took, where known; this and ``tokens`` stand beside the row in a run's folder, not in it.
        tokens: that the models of both seats read and wrote; None where none did, or nobody knows.
    """

    task: Task
    dialogue: Dialogue
    answer: str
    reward: float | None
    rules: Rules
    outcome: str
    success: bool = False
    pass_rate: float | None = None
    similarity: float | None = None
    metric: str = ""
    test_outcomes: tuple[str, ...] = ()
    env_id: str = ""
    repeat: int = 0
    seed: int = 0
    leak: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    error: str = ""
    seconds: float | None = field(default=None, compare=False)
    tokens: int | None = field(default=None, compare=False)

    @property
    def score(self) -> float | None:
        """``pass_rate`` or ``similarity``, whichever the track has."""
        return self.pass_rate if self.rules.track == "backend" else self.similarity

    def to_row(self) -> dict[str, Any]:  # Any: JSON
        """Return the row of our own format: the official fields, and everything else under ``colbench_gym``.

        Prompts that the brief and the dialogue give again are left out; :func:`from_row` puts them back.
        """
        row = _official_fields(self)
        brief = _brief(self.dialogue)
        prompts = _prompts(brief or "", self.dialogue)
        for turn, prompt, message in zip(self.dialogue.turns, prompts, row["dialogue_history"], strict=True):
            if brief is not None and turn.input == prompt:
                message.pop("input", None)
            if turn.token_ids is not None:
                message["token_ids"] = list(turn.token_ids)
        row["reward"] = self.reward
        values = {name: getattr(self, name) for name in _FIELDS} | {"rules": asdict(self.rules)}
        values |= {"test_outcomes": list(self.test_outcomes), "leak": dict(self.leak), "versions": dict(self.versions)}
        first = {"schema": SCHEMA, "env_id": self.env_id, "task_id": self.task.task_id, "brief": brief}
        row["colbench_gym"] = {**first, "repeat": self.repeat, "seed": self.seed, **values}
        return row

    def to_official_row(self) -> dict[str, Any]:  # Any: JSON
        """Return the row of the official format, whose ``reward`` is the pass rate (or similarity).

        Raises:
            UsageError: the dialogue was never graded, which the official format cannot say.
        """
        if self.score is None:
            raise UsageError(
                f"task {self.task.task_id!r} ended as {self.outcome!r} without a grade; the official format has no "
                "word for that: leave such rows out, or finish them with --resume"
            )
        return _official_fields(self) | {"reward": self.score}


def _official_fields(trajectory: Trajectory) -> dict[str, Any]:  # Any: JSON
    return {
        "task": task_row(trajectory.task),
        "dialogue_history": [_message(turn) for turn in trajectory.dialogue.turns],
        "answer": trajectory.answer,
    }


def _brief(dialogue: Dialogue) -> str | None:
    """Return the agent's brief where all its prompts were recorded and began with it."""
    prompts = [turn.input for turn in dialogue.turns if turn.seat == "agent"]
    first = [prompt[0] if prompt else ChatMessage(role="", content="") for prompt in prompts]
    briefs = [part["content"] for part in first if part["role"] == "system" and isinstance(part["content"], str)]
    return briefs[0] if len(briefs) == len(prompts) and len(set(briefs)) == 1 else None


def _brief_in_text(dialogue: Dialogue) -> str | None:
    """Return the agent's brief where its prompts were recorded as one text each, as the official scripts do."""
    recorded = next((turn.input for turn in dialogue.turns if turn.input), ())
    if len(recorded) != 1 or not isinstance(recorded[0]["content"], str):
        return None
    found = (brief.search(recorded[0]["content"]) for brief in _BRIEFS)
    return next((match[1] for match in found if match), None)


def _prompts(brief: str, dialogue: Dialogue) -> Iterable[FirstMessages]:
    """Yield what the agent saw before each turn; the prompts share their messages."""
    messages = (ChatMessage(role="system", content=brief), *dialogue.messages("agent"))
    return (FirstMessages(messages, at + 1) for at in range(len(dialogue.turns)))


def _with_prompts(brief: str, dialogue: Dialogue) -> Dialogue:
    """Return the dialogue with the prompts that were left out of its row."""
    return Dialogue(
        tuple(
            replace(turn, input=prompt) if turn.seat == "agent" and turn.input is None else turn
            for turn, prompt in zip(dialogue.turns, _prompts(brief, dialogue), strict=True)
        )
    )


def _message(turn: Turn) -> dict[str, Any]:  # Any: JSON
    message: dict[str, Any] = {"role": OFFICIAL_ROLE[turn.seat], "content": turn.content}
    if turn.input is not None:
        message["input"] = [dict(part) for part in turn.input]
    if turn.output is not None:
        message["output"] = turn.output
    return message


def task_row(task: Task) -> dict[str, Any]:  # Any: JSON
    """Return a task in the official format, its other fields kept."""
    row: dict[str, Any] = {**task.row, "problem_description": task.description, "ground_truth": task.reference}
    if isinstance(task, BackendTask):
        row["test_cases"] = dict(zip(task.test_names, task.calls, strict=True))
        row["hidden_information"] = task.hidden_information
    if "task_id" not in row and str(row.get("index")) != task.task_id:
        row["task_id"] = task.task_id
    return row


class RepeatedTasks:
    """Tasks of rows without ids, known again by their text: official files hold all tasks, then all of them again."""

    def __init__(self) -> None:
        self._seen: dict[str, list[int]] = {}  # first position, and how often since

    def place(self, row: Mapping[str, Any], position: int) -> tuple[int, int]:  # Any: JSON
        """Return the position at which the row's task came first, and how often it came before this row."""
        task = row.get("task")
        if not isinstance(task, dict) or not {"task_id", "index"}.isdisjoint(task):
            return position, 0
        seen = self._seen.setdefault(f"{task.get('problem_description')}\0{task.get('ground_truth')}", [position, -1])
        seen[1] += 1
        return seen[0], seen[1]


def answer_of(row: Mapping[str, Any], track: Track, path: Path, number: int) -> str:  # Any: JSON
    """Return the answer in a row of dialogue, of our format or the official one.

    An official answer may be null: then nothing was answered. An official page stands in the dialogue: the answer is
    the path of its picture, on the machine where it was made.

    Raises:
        InputFileError: the field is missing or of the wrong type.
    """
    official = "colbench_gym" not in row and isinstance(row.get("dialogue_history"), list)
    if official and row.get("answer", "") is None:
        return ""
    answer = text_field(path, number, row, "answer")
    if not official or track == "backend" or not answer.lower().endswith(".png"):
        return answer
    said = (turn.content for turn in reversed(list(_turns(row, path, number))) if turn.seat == "agent")
    return next((page for text in said if (page := extract_page(text, official=True)) is not None), "")


def from_row(row: Mapping[str, Any], path: Path, number: int, position: int = 0, repeat: int = 0) -> Trajectory:
    """Read the trajectory in one row, of our format or the official one.

    Args:
        row: the row.
        path, number: file and line, for errors.
        position: the task's id where the row has none.
        repeat: which repetition an official row is; rows of our format say it themselves.

    Raises:
        InputFileError: a field is missing or of the wrong type; file, line and field are named.
    """
    row = encodable(row)
    if not isinstance(row.get("task"), dict):
        raise wrong_type(path, number, "task", row.get("task"), "a task object")
    ours = row.get("colbench_gym", {})
    if not isinstance(ours, dict):
        raise wrong_type(path, number, "colbench_gym", ours, "an object")
    if ours.get("schema", SCHEMA) != SCHEMA:
        raise InputFileError(
            f"{path}, line {number}: got schema {ours['schema']!r}, expected {SCHEMA}; read it with the version of "
            "colbench-gym that wrote it"
        )
    task_fields = row["task"]
    track: Track = "backend" if "test_cases" in task_fields else "frontend"
    task = task_from_row(task_fields, track, path, number, position)
    brief = ours.get("brief")
    if not (brief is None or isinstance(brief, str)):
        raise wrong_type(path, number, "colbench_gym.brief", brief, "a string or null")
    dialogue = Dialogue(tuple(_turns(row, path, number)))
    answer = answer_of(row, track, path, number)
    reward = row.get("reward")
    if not (reward is None or _number(reward)):
        raise wrong_type(path, number, "reward", reward, "a number or null")
    if not ours and not _share(reward):  # it is a pass rate or a similarity
        raise wrong_type(path, number, "reward", reward, "a number from 0 to 1, or null")
    if not ours:
        return _official(reward, task, dialogue, answer, repeat)
    for name, (fits, expected) in _FIELDS.items():
        if name not in ours or not fits(ours[name]):
            raise wrong_type(path, number, f"colbench_gym.{name}", ours.get(name), expected)
    try:
        rules = Rules(**ours["rules"])
    except (TypeError, UsageError) as e:
        raise InputFileError(f"{path}, line {number}: field 'colbench_gym.rules' is broken ({e})") from e
    if (agent_turns := dialogue.count("agent")) > rules.max_turns:
        raise InputFileError(
            f"{path}, line {number}: field 'dialogue_history' has {agent_turns} turns of the agent; expected at most "
            f"{rules.max_turns}, the max_turns of the row's rules"
        )
    dialogue = dialogue if brief is None else _with_prompts(brief, dialogue)
    fields = {name: ours[name] for name in _FIELDS} | {"rules": rules, "test_outcomes": tuple(ours["test_outcomes"])}
    return Trajectory(task=task, dialogue=dialogue, answer=answer, reward=reward, **fields)


def _official(reward: float | None, task: Task, dialogue: Dialogue, answer: str, repeat: int) -> Trajectory:
    score = None if reward is None else float(reward)
    backend = task.track == "backend"
    rules = replace(RULES[task.track], official_addresses=not backend)
    last = dialogue.turns[-1].content if dialogue.turns else ""
    brief = _brief_in_text(dialogue)
    if brief is not None:
        dialogue = _with_prompts(brief, Dialogue(tuple(replace(turn, input=None) for turn in dialogue.turns)))
    return Trajectory(
        task=task,
        dialogue=dialogue,
        answer=answer,
        reward=score,
        rules=rules,
        outcome=_GRADED[0] if rules.answer_marker in last else _GRADED[1],
        success=backend and score == 1.0,
        pass_rate=score if backend else None,
        similarity=None if backend else score,
        repeat=repeat,
    )


def _turns(row: Mapping[str, Any], path: Path, number: int) -> Iterable[Turn]:
    messages = row.get("dialogue_history")
    if not isinstance(messages, list) or not messages:
        raise wrong_type(path, number, "dialogue_history", messages, "a list of messages")
    for at, message in enumerate(messages):
        name = f"dialogue_history[{at}]"
        if not isinstance(message, dict) or message.get("role") not in tuple(_SEAT):
            raise wrong_type(path, number, name, message, f"a message whose role is one of {', '.join(_SEAT)}")
        content = message.get("content")
        if not isinstance(content, str):
            raise wrong_type(path, number, f"{name}.content", content, "a string")
        output = message.get("output")
        if output is not None and not isinstance(output, str):
            raise wrong_type(path, number, f"{name}.output", output, "a string")
        ids = message.get("token_ids")
        if ids is not None and not (isinstance(ids, list) and all(_integer(one, 0) for one in ids)):
            raise wrong_type(path, number, f"{name}.token_ids", ids, "a list of numbers from 0")
        seat, kept = _SEAT[message["role"]], None if ids is None else tuple(ids)
        yield Turn(seat, content, output=output, input=_input(message.get("input")), token_ids=kept)


def _input(value: object) -> tuple[ChatMessage, ...] | None:
    """Return the recorded prompt; other shapes that official files may have are kept as one user message."""
    if value is None:
        return None
    if isinstance(value, list) and all(isinstance(part, dict) and _is_chat_message(part) for part in value):
        return tuple(cast("list[ChatMessage]", value))  # checked on the line above
    return (ChatMessage(role="user", content=value if isinstance(value, str) else str(value)),)


def _is_chat_message(part: Mapping[str, object]) -> bool:
    return _text(part.get("role")) and isinstance(part.get("content"), (str, list))  # a list of parts, with pictures


def read_trajectories(path: str | Path) -> tuple[Trajectory, ...]:
    """Read all trajectories of a file, of our format or the official one.

    Raises:
        InputFileError: a broken row; file, line and field are named and nothing is returned.
    """
    file, repeated = Path(path), RepeatedTasks()
    with closing(read_rows(file)) as rows:
        return tuple(
            from_row(row, file, number, *repeated.place(row, position)) for position, (number, row) in enumerate(rows)
        )


def write_trajectories(path: str | Path, trajectories: Iterable[Trajectory], official: bool = False) -> None:
    """Write a whole file, or leave what was there.

    Raises:
        InputFileError: the file cannot be written.
        UsageError: ``official`` and one was never graded.
    """
    write_rows(Path(path), (t.to_official_row() if official else t.to_row() for t in trajectories))


__all__ = ["SCHEMA", "Trajectory", "from_row", "read_trajectories", "row_id", "task_row", "write_trajectories"]
