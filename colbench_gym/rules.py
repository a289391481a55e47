"""The rules of the game: every official number once, with its source.

"Official protocol" is the behaviour of the code released with arXiv 2503.15478 (SWEET-RL); "paper" is the paper itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from colbench_gym.errors import UnknownNameError, UsageError

Track = Literal["backend", "frontend"]

TESTS_PER_TASK = 10  # paper, section 3.1: ten hidden unit tests per backend task
MAX_MESSAGE_CHARS = 200_000  # ours: a longer message is a mistake of the caller, not a move in the game
TRACKS: tuple[Track, ...] = ("backend", "frontend")


def check_track(track: str) -> Track:
    """Return the track of that name.

    Raises:
        UnknownNameError: no such track.
    """
    for known in TRACKS:
        if track == known:
            return known
    raise UnknownNameError.among("track", str(track), TRACKS)


@dataclass(frozen=True)
class Rules:
    """Rules of a track, as far as Episode needs them.

    Attributes:
        track: ``backend`` or ``frontend``.
        max_turns: agent turns; the last one is the answer whatever it says. 1 is the single-turn setting.
        human_chars: characters after which a human reply is cut.
        thinking_marker: everything before the first one, and from the second one on, is hidden from both seats.
        answer_marker: ends the dialogue; the answer stands between the first and the second one.
        max_message_chars: a longer message is refused with an error.
        max_questions: how many questions the human answers in all, however many messages they stand in; None: no
            limit, as in the official game.
        official_addresses: frontend: of the addresses of pictures only the two that the official code knows become
            the one stand-in's; if not, all that name a size (see :func:`~colbench_gym.action.extract_page`).
    """

    track: Track
    human_chars: int
    max_turns: int = 10  # paper, section 3.1 (Table 2 "single turn" is 1)
    thinking_marker: str = "OUTPUT:"  # official protocol
    answer_marker: str = "I WANT TO ANSWER:"  # official protocol
    max_message_chars: int = MAX_MESSAGE_CHARS
    official_addresses: bool = False
    max_questions: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.max_turns, bool) or not isinstance(self.max_turns, int) or self.max_turns < 1:
            raise UsageError(
                f"max_turns is {self.max_turns!r}; expected an integer of at least 1 (10 is the official game, "
                "1 the single-turn setting of Table 2)"
            )
        if self.max_questions is not None and (type(self.max_questions) is not int or self.max_questions < 0):
            raise UsageError(
                f"max_questions is {self.max_questions!r}; expected an integer of at least 0, or None for no limit"
            )
        check_track(self.track)
        for name in ("human_chars", "max_message_chars"):
            if type(chars := getattr(self, name)) is not int or chars < 0:
                raise UsageError(f"{name} is {chars!r:.80}; expected a number of characters from 0")
        for name in ("thinking_marker", "answer_marker"):
            if not isinstance(marker := getattr(self, name), str) or not marker:
                raise UsageError(f"{name} is {marker!r:.80}; expected a text of at least one character")


BACKEND = Rules(track="backend", human_chars=400)  # official protocol
FRONTEND = Rules(track="frontend", human_chars=1000)  # official protocol
RULES: dict[Track, Rules] = {"backend": BACKEND, "frontend": FRONTEND}

# Grading of backend answers.
# Official protocol: an answer with one of them anywhere scores 0 without being run.
_REFUSED = "import os|from os|import sys|from sys|sudo|transformers|exit(|quit(|argparse"
PAPER_REFUSED_WORDS = tuple(_REFUSED.split("|"))
PAPER_WALL_S_PER_TEST = 1.0  # official protocol: an alarm of one second per test, on the answer only
STRICT_CPU_S_PER_TEST = 1.0  # ours: the official second, of CPU time, so that a busy machine cannot fail an answer
STRICT_WALL_S_PER_TEST = 5.0  # ours: bounds sleeping
STRICT_TOTAL_S = 15.0  # ours: the whole answer, loading included
MEMORY_BYTES = 512 * 1024 * 1024  # ours: the whole answer

# The agent, when it is a language model (official protocol).
AGENT_TEMPERATURE = 1.0
AGENT_MAX_TOKENS = 1024

# The human simulator, when it is a language model (official protocol).
HUMAN_TEMPERATURE = 0.0
HUMAN_MAX_TOKENS = 4096

ENV_IDS: dict[Track, str] = {"backend": "ColBench-Backend-v0", "frontend": "ColBench-Frontend-v0"}  # Gymnasium ids
MENU_IDS: dict[Track, str] = {"backend": "ColBench-BackendMenu-v0", "frontend": "ColBench-FrontendMenu-v0"}
