"""The folder of one run: its configuration, each dialogue the moment it ends, and at the end the sorted result."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from io import FileIO
from itertools import chain
from pathlib import Path
from typing import Any

from colbench_gym.concurrency.leases import ClosedAtExit
from colbench_gym.errors import ConfigurationChangedError, InputFileError, UsageError
from colbench_gym.jsonl import dump_row, read_rows, ready_to_append, replacing, write_rows, writing, wrong_type
from colbench_gym.models.unfinished import unfinished
from colbench_gym.trajectory import Trajectory, from_row

SCHEMA = 1
RUN_FILE = "run.json"
TRAJECTORIES_FILE = "trajectories.jsonl"
SPENT_FILE = "spent.jsonl"
_MAX_SPENT = 1e15  # of seconds or tokens; more is no measurement
LOG_FILE = "progress.log"
_JOURNAL_FILE = "unfinished.jsonl"
# Settings that are mere names, and the setting that has the hash of what they name.
_NAMED_BY_CONTENT = {"tasks": "tasks_hash", "prompts": "prompts_hash", "official": "prompts_hash"}

Json = dict[str, Any]  # Any: JSON
Key = tuple[str, int]


def trajectories_file(run: Path) -> Path:
    """Return the file of trajectories that a run's folder holds, or the file that was named itself.

    Raises:
        InputFileError: nothing is there, a folder without a run, or a run that is not finished.
    """
    holds = (run / RUN_FILE, run / TRAJECTORIES_FILE) if run.is_dir() else (run,)
    if not any(file.exists() for file in holds):
        problem = "no run in it" if run.is_dir() else "no such run"
        raise InputFileError(
            f"{run}: {problem}; expected a folder of colbench eval or a file of trajectories; check the path, or play "
            "one with: colbench eval ENV_ID --out FOLDER"
        )
    file = run / TRAJECTORIES_FILE if run.is_dir() else run
    if file.name == TRAJECTORIES_FILE and (file.parent / RUN_FILE).is_file():
        status = read_run_file(file.parent)["status"]
        if status != "finished":
            raise InputFileError(
                f"{file.parent}: the run is {status}, expected a finished one; finish it with --resume"
            )
    return file


def read_run_file(folder: Path) -> Json:
    """Return the content of ``run.json``.

    Raises:
        InputFileError: the folder holds no run.
    """
    file = folder / RUN_FILE
    try:
        run = json.loads(file.read_text(encoding="utf-8"))
        if "algorithm" in run:
            raise TypeError(f"a training run: {unfinished(folder) or run['algorithm']}; play it as hf:{folder}")
        if not isinstance(run["configuration"], dict) or not isinstance(run["status"], str):
            raise TypeError("no configuration, or no status")
    except OSError as e:
        raise InputFileError(f"{file}: cannot be read ({e.strerror}); expected a folder of colbench eval") from e
    except (ValueError, KeyError, TypeError) as e:
        raise InputFileError(
            f"{file}: is no run of colbench-gym ({e!r}); name a folder of colbench eval, or another one with --out"
        ) from e
    return dict(run)


def content_hash(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a short name for JSON data: equal data, equal hash."""
    digest = hashlib.blake2b(digest_size=8)
    for row in rows:
        digest.update(json.dumps(row, sort_keys=True, ensure_ascii=True).encode("ascii") + b"\n")
    return digest.hexdigest()


class RunFolder(ClosedAtExit):
    """A run on disk. Use it as a context manager; it is locked against a second process meanwhile.

    While the run goes on, ``unfinished.jsonl`` holds one line a finished dialogue, written as it ends, with the token
    counts up to then. :meth:`finish` sorts them into ``trajectories.jsonl``.

    Args:
        path: the folder; made if it does not exist.
        configuration: all settings that can change a number. Equal ones may be resumed.
        resume: go on with a run that is there.
        overwrite: replace a run that is there.
        of_size: returns the configuration of the part of this run that is as large as one of an earlier configuration,
            which may be resumed by a larger one.

    Raises:
        ConfigurationChangedError: the folder holds a run of another configuration.
        UsageError: the folder holds a run and ``resume`` is off, or another process is writing to it.
        InputFileError: the folder cannot be written, or its files are broken.
    """

    def __init__(
        self,
        path: Path,
        configuration: Mapping[str, Any],
        resume: bool = False,
        overwrite: bool = False,
        of_size: Callable[[Json], Mapping[str, Any]] | None = None,
    ) -> None:
        self.path = path
        self._of_size = of_size or (lambda earlier: configuration)
        self.configuration = dict(configuration)
        self.content: Json = {}  # of run.json, as it was written last
        self.counts: Callable[[], Mapping[str, Any]] = dict  # returns what this session has used: tokens and the like
        self._adding = threading.Lock()
        self._journal: FileIO | None = None  # written without a buffer: what a full disk did not take is dropped
        self._at: dict[Key, tuple[int, int]] = {}  # where in the journal a dialogue's line is: its start and length
        self._started = time.monotonic()
        self._lock = self._locked()
        try:
            if overwrite:
                self._remove()
            self._check(resume)
            rows, self._sessions = self._load() if resume else ({}, [])
            self._write_run("running", {})
            self._open_journal(rows)
        except BaseException:
            self.close()
            raise

    def _locked(self) -> int:
        with writing(self.path, "name a folder you may write with --out"):
            self.path.mkdir(parents=True, exist_ok=True)
            folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            os.close(folder)
            raise UsageError(
                f"{self.path}: another process is writing this run; wait for it, or use another --out"
            ) from e
        return folder

    def _remove(self) -> None:
        """Remove the files of a run, and nothing else that is in the folder."""
        with writing(self.path, "name another folder with --out", "the run in it cannot be removed"):
            for name in (TRAJECTORIES_FILE, SPENT_FILE, _JOURNAL_FILE, LOG_FILE, RUN_FILE):
                (self.path / name).unlink(missing_ok=True)

    def _check(self, resume: bool) -> None:
        file = self.path / RUN_FILE
        if not file.exists():
            if any((self.path / name).exists() for name in (TRAJECTORIES_FILE, _JOURNAL_FILE)):
                raise InputFileError(
                    f"{self.path}: holds dialogues but no {RUN_FILE} that says how they were played; name another "
                    "folder with --out"
                )
            return
        if not resume:
            raise UsageError(
                f"{self.path} holds a run already; go on with it by --resume, replace it by --overwrite, or name "
                "another folder with --out"
            )
        earlier = read_run_file(self.path)["configuration"]
        wanted = json.loads(json.dumps(self._of_size(earlier)))
        for name, content in _NAMED_BY_CONTENT.items():  # the same file may be spelt in another way
            if earlier.get(content) == wanted.get(content):
                earlier.pop(name, None)
                wanted.pop(name, None)
        changed = {name for name in {*earlier, *wanted} if earlier.get(name) != wanted.get(name)}
        changed -= {"tasks_hash", "texts_hash"} if changed & {"n", "repeats"} else set()
        if changed:
            told = (f"{name} was {earlier.get(name)!r} and is now {wanted.get(name)!r}" for name in sorted(changed))
            raise ConfigurationChangedError(
                f"{self.path} holds a run of another configuration: {'; '.join(told)}. "
                "Resume it with its own settings, or larger -n and --repeats, or name another folder with --out"
            )

    def _load(self) -> tuple[dict[Key, Json], list[Json]]:
        """Read everything graded so far, and what earlier sessions used; a half-written last line is dropped."""
        rows, sessions = dict[Key, Json](), list[Json]()
        final, journal = self.path / TRAJECTORIES_FILE, self.path / _JOURNAL_FILE
        if final.exists():
            spent = read_spent(self.path)
            rows = {_key(row): {"row": row, "spent": spent.get(_key(row), {})} for _, row in read_rows(final)}
            sessions = read_run_file(self.path).get("sessions", [])
        if journal.exists():
            ready_to_append(journal)
            of_session: dict[int, Json] = {}
            for _, line in read_rows(journal):
                if "row" in line:
                    rows[_key(line["row"])] = line
                of_session[line["session"]] = line["used"]
            sessions = [of_session[number] for number in sorted(of_session)] or sessions
        return {key: line for key, line in rows.items() if line["row"]["reward"] is not None}, sessions

    def _open_journal(self, rows: Mapping[Key, Json]) -> None:
        """Start the journal anew with what is kept, so that its line numbers, sessions and offsets are true."""
        journal, number = self.path / _JOURNAL_FILE, len(self._sessions)
        sessions = ({"session": earlier, "used": used} for earlier, used in enumerate(self._sessions))
        kept = (
            {"session": number, "used": {}, "spent": line.get("spent", {}), "row": line["row"]}
            for line in rows.values()
        )
        write_rows(journal, chain(sessions, kept))  # as a whole: a stop in the middle leaves the old journal
        self._journal = journal.open("r+b", buffering=0)
        offset = 0
        with journal.open("rb") as lines:
            for key, text in zip(chain([None] * number, rows), lines, strict=True):
                if key is not None:
                    self._at[key] = offset, len(text)
                offset += len(text)

    @property
    def finished(self) -> frozenset[Key]:
        """Dialogues that need not be played again: (task id, repeat)."""
        return frozenset(self._at)

    def add(self, trajectory: Trajectory) -> None:
        """Write one finished dialogue, and what the session has used up to now."""
        row = trajectory.to_row()
        spent = {"seconds": trajectory.seconds, "tokens": trajectory.tokens}
        self._append({"session": len(self._sessions), "used": self._used(), "spent": spent, "row": row}, _key(row))

    def _append(self, line: Json, key: Key | None = None) -> None:
        text = dump_row(line).encode("utf-8")
        with self._adding, writing(self.path / _JOURNAL_FILE, "make room and go on with --resume"):
            assert self._journal is not None
            offset = self._journal.seek(0, os.SEEK_END)
            try:
                rest = memoryview(text)
                while rest:
                    rest = rest[self._journal.write(rest) :]
            except OSError:
                self._journal.truncate(offset)  # no half line in the middle, should there be room for the next one
                raise
            if key is not None:
                self._at[key] = offset, len(text)

    def _line(self, key: Key) -> Json:
        assert self._journal is not None
        offset, length = self._at[key]
        line: Json = json.loads(os.pread(self._journal.fileno(), length, offset))
        return line

    @property
    def seconds(self) -> float:
        """Seconds since this session began."""
        return time.monotonic() - self._started

    def _used(self) -> Json:
        return {"seconds": round(self.seconds, 3), **self.counts()}

    def trajectories(self) -> Iterable[Trajectory]:
        """Return everything played so far, one at a time."""
        for number, key in enumerate(tuple(self._at), start=1):
            yield from_row(self._line(key)["row"], self.path / TRAJECTORIES_FILE, number)

    def used_so_far(self) -> Json:
        """Return what all sessions have used: ``seconds`` and nested counts."""
        return sum_counts([*self._sessions, self._used()])

    def refresh(self, report: Mapping[str, Any]) -> None:
        """Write ``run.json`` while the run goes on; not for two threads at once, nor beside ``finish``."""
        self._write_run("running", report)

    def finish(self, order: Iterable[Key], report: Mapping[str, Any]) -> None:
        """Write ``trajectories.jsonl`` in this order, and ``run.json`` with ``report``; the journal is gone then."""
        keys = tuple(order)
        write_rows(self.path / TRAJECTORIES_FILE, (self._line(key)["row"] for key in keys))
        spent = ({"task_id": key[0], "repeat": key[1], **self._line(key)["spent"]} for key in keys)
        write_rows(self.path / SPENT_FILE, spent)
        self._write_run("finished", report)
        self._close_journal()
        (self.path / _JOURNAL_FILE).unlink(missing_ok=True)

    def interrupt(self, report: Mapping[str, Any]) -> None:
        """Write ``run.json`` for a run that was stopped; ``resume`` goes on with it."""
        self._append({"session": len(self._sessions), "used": self._used()})
        self._write_run("interrupted", report)

    def discard(self) -> None:
        """Remove a run in which no dialogue has ended, and the folder if nothing else is in it."""
        self._close_journal()
        self.content = {}
        self._remove()
        with suppress(OSError):
            self.path.rmdir()

    def _write_run(self, status: str, report: Mapping[str, Any]) -> None:
        sessions = [*self._sessions, self._used()]
        self.content = {
            "schema": SCHEMA,
            "status": status,
            "configuration": self.configuration,
            "configuration_hash": content_hash([self.configuration]),
            **report,
            "used": sum_counts(sessions),
            "sessions": sessions,
        }
        with writing(self.path / RUN_FILE, "make room and go on with --resume"), replacing(self.path / RUN_FILE) as out:
            out.write(json.dumps(self.content, indent=2, ensure_ascii=False) + "\n")

    def _close_journal(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def close(self) -> None:
        """Give up the lock. A second call does nothing."""
        self._close_journal()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def read_spent(folder: Path) -> dict[Key, Json]:
    """Return the seconds and tokens of each dialogue of a run; nothing where it has not recorded them.

    Raises:
        InputFileError: the file is broken.
    """
    file = folder / SPENT_FILE
    found: dict[Key, Json] = {}
    for number, row in read_rows(file) if file.is_file() else ():
        task_id, repeat = row.get("task_id"), row.get("repeat")
        spent = {name: row.get(name) for name in ("seconds", "tokens")}
        if not isinstance(task_id, str) or type(repeat) is not int:
            raise wrong_type(file, number, "task_id", task_id, "the id of a task, beside a repeat")
        for name, value in spent.items():
            if value is not None and (type(value) not in (int, float) or not 0 <= value < _MAX_SPENT):
                raise wrong_type(file, number, name, value, "a number from 0, or null")
        found[task_id, repeat] = spent
    return found


def _key(row: Json) -> Key:
    ours = row["colbench_gym"]
    return ours["task_id"], ours["repeat"]


def sum_counts(sessions: Iterable[Json]) -> Json:
    """Return nested counts, added up."""
    total: Json = {}
    for session in sessions:
        for name, value in session.items():
            if isinstance(value, dict):
                total[name] = sum_counts([total.get(name, {}), value])
            else:
                total[name] = round(total.get(name, 0) + value, 3)
    return total
