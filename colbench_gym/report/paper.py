"""The numbers of the paper's Table 2, and what keeps a run from standing beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from colbench_gym.rules import AGENT_TEMPERATURE, RULES, Track

Json = Mapping[str, Any]  # Any: JSON

# Models that play the human: arXiv 2503.15478, section 3.
HUMANS: Mapping[Track, str] = {"backend": "Llama-3.1-70B-Instruct", "frontend": "Qwen2-VL-72B-Instruct"}
_OFFICIAL: Mapping[Track, tuple[str, ...]] = {
    "backend": ("official", "official:test"),
    "frontend": ("websight", "websight:test"),
}


@dataclass(frozen=True)
class PaperRow:
    """One row of Table 2, in percent.

    Attributes:
        method: as the paper names it.
        turns: 1 in the single-turn setting, else 10.
        tests_passed, success: backend.
        similarity, win_rate: frontend; the win rate is against GPT-4o in ten turns.
    """

    method: str
    turns: int
    tests_passed: float
    success: float
    similarity: float
    win_rate: float


TABLE_2 = (  # arXiv 2503.15478, Table 2
    PaperRow("Llama-3.1-8B-Instruct, single turn", 1, 11.8, 6.9, 63.1, 13.6),
    PaperRow("Llama-3.1-70B-Instruct, single turn", 1, 24.2, 14.8, 61.8, 13.2),
    PaperRow("o1-mini, single turn", 1, 22.4, 13.1, 70.2, 23.8),
    PaperRow("GPT-4o, single turn", 1, 27.6, 16.2, 68.6, 23.8),
    PaperRow("Llama-3.1-70B-Instruct", 10, 48.0, 35.0, 73.7, 39.8),
    PaperRow("o1-mini", 10, 43.2, 30.3, 77.5, 47.2),
    PaperRow("GPT-4o", 10, 54.6, 40.4, 78.1, 50.0),
    PaperRow("Llama-3.1-8B-Instruct", 10, 34.2, 22.4, 72.4, 33.8),
    PaperRow("Llama-3.1-8B, rejection fine-tuning", 10, 40.9, 28.2, 75.2, 38.6),
    PaperRow("Llama-3.1-8B, multi-turn DPO", 10, 48.0, 34.4, 76.9, 42.8),
    PaperRow("Llama-3.1-8B, SWEET-RL", 10, 56.8, 40.4, 77.7, 48.2),
)


def differences(track: Track, settings: Json) -> tuple[str, ...]:
    """Return in words what differs from the paper's set-up in a run of ``colbench eval``.

    Args:
        track: of the run.
        settings: its configuration, as run.json has it; empty where a file says nothing of how it was played.

    Returns:
        One clause for each difference; none where the numbers can be compared.
    """
    if not settings:
        return ("the file does not say how it was played",)
    return tuple(text for holds, text in _checks(track, settings) if not holds)


def _checks(track: Track, settings: Json) -> list[tuple[bool, str]]:
    """Return each condition of a comparable run with what to say where it does not hold."""

    def got(name: str) -> str:
        return str(settings.get(name, "unknown"))

    human, tasks, turns = got("human"), got("tasks"), got("max_turns")
    checks = [
        (tasks in _OFFICIAL[track], f"tasks {tasks}, not the official test tasks"),
        (settings.get("n") is None, f"the first {got('n')} tasks only"),
        (not settings.get("exclude_findings"), f"without the tasks that are {got('exclude_findings')}"),
        (HUMANS[track].lower() in human.lower(), f"human {human}, not {HUMANS[track]}"),
        (settings.get("prompts") is not None, "our wording of both seats, not the official prompts"),
        (turns in ("1", str(RULES[track].max_turns)), f"{turns} turns"),
        (
            settings.get("temperature") == AGENT_TEMPERATURE,
            f"agent's temperature {got('temperature')}, not {AGENT_TEMPERATURE}",
        ),
    ]
    if human.startswith("openai:"):
        checks.append((got("leaks") == "count", "replies that show the reference are withheld"))
        checks.append((got("human_knows") == "source", "the human is told claims, not the source"))
    if track == "backend":
        checks.append((got("grading") == "paper", f"grading {got('grading')}, not paper"))
    else:
        checks.append((got("similarity") == "clip", f"similarity {got('similarity')}, not clip"))
        checks.append((False, "pictures of Chromium, 1280 wide, not of Firefox, 1366 wide"))
    return checks
