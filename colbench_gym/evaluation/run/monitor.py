"""View of a run while it goes on: ``run.json``, refreshed by a thread, and lines in a log."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from colbench_gym.errors import InputFileError
from colbench_gym.evaluation.run.budget import requests, tokens
from colbench_gym.evaluation.run_folder import LOG_FILE
from colbench_gym.evaluation.statistics.intervals import Estimate

REFRESH_S = 2.0  # ours: between two writings of run.json
MAX_SHARE = 0.02  # ours: of the time that may go into writing; a run of a million dialogues is written less often
LOG_S = 30.0  # ours: between two lines of the log
LATE_S = {"gone": 5.0, "elsewhere": 30.0, "here": 600.0}  # ours: lateness after which a run is dead, by its process

Json = dict[str, Any]  # Any: JSON


class Monitor:
    """Thread that calls ``write`` every few seconds while the ``with`` block runs, and appends to the log.

    A state that cannot be written is left out: the journal of dialogues says what is wrong with the disk.

    Args:
        write: writes ``run.json`` with this as its ``progress`` and returns its content.
        folder: of the run.
        refresh_s: between two writings at least.
    """

    def __init__(self, write: Callable[[Json], Json], folder: Path, refresh_s: float = REFRESH_S) -> None:
        self._write, self._folder, self._refresh_s = write, folder, refresh_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="monitor", daemon=True)

    def __enter__(self) -> Monitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def log(self, run: Mapping[str, Any]) -> None:  # Any: JSON
        """Append a line about the content of ``run.json``."""
        line = f"{datetime.now().astimezone().isoformat(timespec='seconds')} {state_line(run)}\n"
        with suppress(OSError), (self._folder / LOG_FILE).open("a", encoding="utf-8") as log:
            log.write(line)

    def _run(self) -> None:
        every_s, logged = self._refresh_s, -LOG_S
        while True:
            began = time.monotonic()
            process = {"pid": os.getpid(), "host": socket.gethostname()}
            with suppress(InputFileError):
                run = self._write({"refreshed": time.time(), "next_after_s": round(every_s, 3), **process})
                if began - logged >= LOG_S or logged < 0:
                    logged = began
                    self.log(run)
            took_s = time.monotonic() - began
            if self._ended.wait(every_s):  # as long as the file says; what this writing cost counts from the next on
                return
            every_s = max(self._refresh_s, took_s / MAX_SHARE)


def seconds_left(done: int, running: int, rest: int, seconds: float) -> float | None:
    """Return how long the rest of a session will take: dialogues under way count half; None before any is done."""
    if not done:
        return None
    return round(seconds * (rest - running / 2) / (done + running / 2), 1) if rest else 0.0


def silent_for_s(run: Mapping[str, Any], now: float | None = None) -> float | None:  # Any: JSON
    """Return for how long a run that has died was not refreshed; None where it is not running, or seems alive.

    A process that is gone may be in another container; one that is there may be stopped, or another one under the same
    number: so it only says how late a refresh may be.
    """
    progress = run.get("progress", {})
    if run["status"] != "running" or not progress:
        return None
    silent_s = (time.time() if now is None else now) - float(progress["refreshed"])
    late_s = silent_s - float(progress.get("next_after_s", REFRESH_S))
    return silent_s if late_s > LATE_S[_process(progress)] else None


def _process(progress: Mapping[str, Any]) -> str:  # Any: JSON
    """Return where the process of a run is: ``here``, ``gone``, or ``elsewhere``, on another machine."""
    if progress.get("host") != socket.gethostname():
        return "elsewhere"
    try:
        os.kill(int(progress["pid"]), 0)
    except OSError as e:  # else it is somebody else's
        return "gone" if isinstance(e, ProcessLookupError) else "here"
    return "here"


def state_line(run: Mapping[str, Any]) -> str:  # Any: JSON
    """Return the state of a run in one line."""
    return "; ".join(f"{name} {text}" for name, text in state(run))


def state(run: Mapping[str, Any]) -> list[tuple[str, str]]:  # Any: JSON
    """Return the state of a run for people: names and texts, from the content of ``run.json``."""
    progress, coverage, used = run.get("progress", {}), run.get("coverage", {}), run.get("used", {})
    planned, done = coverage.get("planned", 0), coverage.get("played", 0)
    earlier = f" ({progress['kept']} by earlier sessions)" if progress.get("kept") else ""
    shown = [("dialogues", f"{done} of {planned} done{earlier}")]
    if progress:
        waiting = ", ".join(f"{kind} {count}" for kind, count in progress["waiting"].items() if count)
        shown.append(("under way", f"{progress['running']}{waiting and f' (waiting for {waiting})'}"))
    for name, label in (("success", "success"), ("pass_rate", "tests passed"), ("similarity", "similarity")):
        mean = run.get("metrics", {}).get(name)
        if mean is not None:
            shown.append((label, Estimate(mean["mean"], mean["low"], mean["high"]).percent()))
    if failed := sum(coverage.get("not_counted", {}).values()):
        shown.append(("failed on our side", str(failed)))
    if requests(used):
        shown.append(("models", f"{tokens(used):,} tokens in {requests(used):,} requests"))
    if "cost" in run:
        shown.append(("cost", f"{run['cost']['total']:.4g}"))
    shown.append(("time", duration(used.get("seconds", 0))))
    if progress.get("seconds_left") is not None:
        shown.append(("time left", f"about {duration(progress['seconds_left'])}"))
    if run["status"] != "running":
        shown.append(("status", run["status"] + (f": {run['stopped']}" if run.get("stopped") else "")))
    return shown


def duration(seconds: float) -> str:
    """Return a time for people, such as ``2 h 05 min``."""
    whole = round(seconds)
    minutes, hours = whole // 60, whole // 3600
    if not minutes:
        return f"{whole} s"
    return f"{hours} h {minutes % 60:02} min" if hours else f"{minutes} min {whole % 60:02} s"
