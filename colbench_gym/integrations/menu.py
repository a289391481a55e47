"""Menu: a wrapper for learners without language, such as those of Stable-Baselines3 and RLlib.

Gymnasium's learners refuse text spaces. Here an action is a number, the place of a message on a menu, and the
observation counts which words were said.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Any, Protocol

import gymnasium
import numpy as np
import numpy.typing as npt

from colbench_gym.dialogue import ChatMessage
from colbench_gym.envs.backend import BackendEnv
from colbench_gym.errors import UsageError, check_instance
from colbench_gym.policies.asker import GENERIC, Asker
from colbench_gym.policies.asker.phrasing import question_about
from colbench_gym.policies.asker.reading import told, waved_off
from colbench_gym.rules import BACKEND
from colbench_gym.tasks.generated_backend.matters import Matter
from colbench_gym.tasks.generated_backend.requests import read_request
from colbench_gym.tasks.generated_backend.shapes.registry import matters_of, source
from colbench_gym.tasks.permutation import Draw

WORDS = 512  # hash buckets, half of them for what the agent said; collisions cost a little, a vocabulary would go stale
QUESTIONS = 8  # on the menu of the generated tasks, of which few leave more matters open

Words = npt.NDArray[np.float32]  # (words,), 1.0 where one of the bucket's words was said
_WORD = re.compile(r"\w+")


class MessageMenu(Protocol):
    """Messages that an agent without language chooses among."""

    @property
    def size(self) -> int:
        """Number of entries, the same on every turn."""

    def __call__(self, messages: Sequence[ChatMessage]) -> Sequence[str]:
        """Return the entries after these messages, the brief (role ``system``) and the dialogue so far."""


class AskerMenu:
    """Menu for the generated backend tasks: the answer that follows from what was told, then one question a matter.

    It reads the request with the public grammar of the tasks, as ``asker:K`` does, and nothing hidden. A matter that
    the answer needs and that was not told is guessed. The order of the matters is that of the grammar, so that a place
    on the menu means the same in tasks of one kind. Other tasks get the general questions of ``asker:K``.

    Args:
        questions: on the menu; places without a matter ask whether there is anything else.
    """

    def __init__(self, questions: int = QUESTIONS) -> None:
        self.questions = questions

    @property
    def size(self) -> int:
        """Number of entries."""
        return self.questions + 1

    def __call__(self, messages: Sequence[ChatMessage]) -> list[str]:
        """Return the menu after these messages: the answer first."""
        said = [message for message in messages if message["role"] != "system"]
        description, turns = said[0]["content"], said[1:]
        plan = read_request(description)
        if plan is None:
            return [Asker(0).act(said[:1]), *self._filled([])]
        matters = matters_of(plan)
        known = told(matters, description)
        asked_before = dict.fromkeys((matter.key for matter in matters), 0)
        for question, reply in zip(turns[::2], turns[1::2], strict=True):
            asked = [matter for matter in matters if _asks_about(question["content"], matter)]
            known |= told(matters, reply["content"], asked)
            known |= {matter.key: "" for matter in asked if waved_off(matter, reply["content"])}
            asked_before |= {matter.key: asked_before[matter.key] + 1 for matter in asked}
        questions = [
            question_about([matter], [asked_before[matter.key]], description, 0) for matter in matters[: self.questions]
        ]
        draw = Draw("guess", plan.signature, *(turn["content"] for turn in turns))
        guesses = {m.key: draw.pick(m.options).code for m in matters if m.core and m.key not in known}
        settings = {key: code for key, code in known.items() if code} | guesses
        return [f"{BACKEND.answer_marker}\n{source(plan, settings)}", *self._filled(questions)]

    def _filled(self, questions: Sequence[str]) -> list[str]:
        """Return as many questions as there are places."""
        general = GENERIC[:-1] if not questions else ()
        return [*questions, *general, *[GENERIC[-1]] * self.questions][: self.questions]


def _asks_about(question: str, matter: Matter) -> bool:
    heard = question.lower()
    return any(words.lower() in heard for words in (*matter.asks, *matter.about))


class Menu(  # Any: Gymnasium gives the wrapped environment the wrapper's types
    gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs
):
    """Wrapper of ``ColBench-Backend-v0`` with numbers for actions and a bag of words for observations.

    Action space: ``Discrete(menu.size)``; action ``i`` says entry ``i`` of the menu. Observation space: ``Box`` of 0
    and 1 with a hash bucket for each word; what the agent said and what the human said are in halves of their own.
    Rewards, ends and infos are those of the environment, as are its errors: an outage is raised by ``step`` and ends
    a training.

    Args:
        env: a ``ColBench-Backend-v0``, wrapped or not.
        menu: what can be said; :class:`AskerMenu` by default.
        words: size of the observation.

    Raises:
        UsageError: another environment, no menu, or an odd number of words.
    """

    def __init__(
        self, env: gymnasium.Env[dict[str, str], str], menu: MessageMenu | None = None, words: int = WORDS
    ) -> None:
        if not (isinstance(env, gymnasium.Env) and isinstance(env.unwrapped, BackendEnv)):
            raise UsageError(
                f"got the environment {env}, expected one of the backend track; write for example "
                'Menu(gymnasium.make("ColBench-Backend-v0"))'
            )
        check_instance("menu", menu)
        if menu is not None and not (callable(menu) and hasattr(menu, "size")):
            raise UsageError(
                f"got a menu of type {type(menu).__name__}, expected an object with `size` that is called with the "
                "chat messages; write a class with both, or leave the menu out"
            )
        gymnasium.utils.RecordConstructorArgs.__init__(self, menu=menu, words=words)
        super().__init__(env)
        if words < 2 or words % 2:
            raise UsageError(f"got words={words}, expected an even number, as each seat has half of them")
        self.menu = AskerMenu() if menu is None else menu
        self.entries: Sequence[str] = ()
        self._words = words
        self.action_space = gymnasium.spaces.Discrete(self.menu.size)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (words,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Words, dict[str, Any]]:  # Any: as in gymnasium
        """Begin an episode, as the environment does.

        Raises:
            UsageError: as the environment, or the menu has not ``size`` entries.
        """
        _, info = self.env.reset(seed=seed, options=options)
        return self._seen(info["messages"]), info

    def step(self, action: np.int64) -> tuple[Words, float, bool, bool, dict[str, Any]]:  # Any: as in gymnasium
        """Say an entry of the menu.

        Raises:
            UsageError: as the environment; no such entry, or the next menu has not ``size`` entries.
            HumanError, GraderError: as the environment.
        """
        if not self.action_space.contains(action):
            raise UsageError(
                f"got the action {action!r}, expected an integer from 0 to {self.menu.size - 1}, the place of an entry "
                "on the menu; env.entries shows them"
            )
        if not self.entries:
            raise UsageError("step() was called before reset(); call reset() first")
        _, reward, terminated, truncated, info = self.env.step(self.entries[int(action)])
        return self._seen(info["messages"]), float(reward), terminated, truncated, info

    def _seen(self, messages: Sequence[ChatMessage]) -> Words:
        """Take the menu of the next turn, and return the words said so far."""
        seen: Words = np.zeros(self._words, np.float32)
        for message in messages[1:]:
            half = self._words // 2 if message["role"] == "assistant" else 0
            for word in _WORD.findall(message["content"].lower()):
                seen[half + zlib.crc32(word.encode()) % (self._words // 2)] = 1.0
        if messages[-1]["role"] != "assistant":  # else the dialogue is over
            self.entries = self.menu(messages)
            if len(self.entries) != self.menu.size:
                raise UsageError(
                    f"the menu has {len(self.entries)} entries after {len(messages)} messages, expected its size, "
                    f"{self.menu.size}; fill the places that are left with any message, such as a general question"
                )
        return seen
