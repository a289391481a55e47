"""TRL: `GRPOTrainer` with our episodes, as tools (:class:`ToolEnv`) or as plain dialogue (:class:`DialogueRollout`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from colbench_gym.concurrency import map_in_threads
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import HumanError, InfrastructureError, MissingExtraError, TaskError, UsageError
from colbench_gym.integrations.shared_scenarios import episode_of_row
from colbench_gym.integrations.token_dialogue import TokenDialogue
from colbench_gym.jsonl import read_toml
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.scenario import Scenario, first_tasks
from colbench_gym.task_episode import TaskEpisode

try:
    from trl import GRPOTrainer
except ImportError as e:
    raise MissingExtraError.of("trl", "trl", "the bridge to TRL") from e

Outages = Literal["raise", "leave_out"]

_TOOL_BRIEFS: Mapping[str, str] = read_toml(Path(__file__).with_suffix(".toml"))


def tool_rows(scenario: Scenario, n: int | None = None) -> list[dict[str, Any]]:  # Any: as data sets take them
    """Return the first ``n`` tasks, or all, as rows of a data set for :class:`ToolEnv`: ``task_id`` and ``prompt``.

    The brief speaks of tools, as that of :meth:`Scenario.rows` tells the agent to write a marker instead.
    """
    brief = _TOOL_BRIEFS[scenario.rules.track].format(questions=scenario.rules.max_turns - 1)
    return [
        {
            "task_id": task.task_id,
            "prompt": [ChatMessage(role="system", content=brief), ChatMessage(role="user", content=task.description)],
        }
        for task in first_tasks(scenario.tasks, n)
    ]


class ToolEnv:
    """Episode whose turns are tool calls, for ``GRPOTrainer(environment_factory=partial(ToolEnv, scenario))``.

    TRL makes the public methods tools, resets instances with a row of the data set (:func:`tool_rows`), and asks for
    the reward once a rollout. It shows the model whatever a tool raises and goes on; so an outage of the human or the
    grader is kept, and :meth:`get_reward` raises it, which stops the training.

    Args:
        scenario: stays the caller's.
        outages: ``leave_out`` makes the reward of such a rollout None, which TRL counts neither in its group nor in
            the loss, in place of stopping.
    """

    def __init__(self, scenario: Scenario, outages: Outages = "raise") -> None:
        self._scenario = scenario
        self._outages = outages
        self._episode: TaskEpisode | None = None
        self._outage: Exception | None = None

    def reset(self, **row: object) -> None:
        """Begin the episode of a row: its ``task_id``, or the task that its ``seed`` draws.

        Raises:
            UsageError: the row has neither.
            UnknownTaskError: no such task.
        """
        self._outage = None
        self._episode = episode_of_row(self._scenario, row)

    def ask(self, question: str) -> str:
        """Ask the person one question and wait for the reply.

        Args:
            question: The question, in words that the person understands.

        Returns:
            The reply of the person.
        """
        episode = self._current()
        if not episode.over and episode.episode.turn + 1 >= episode.episode.rules.max_turns:
            return "Not sent: there are no questions left. Call the tool answer."
        return self._say(str(question), before="")

    def answer(self, code: str) -> str:
        """Hand in the finished work, which ends the conversation.

        Args:
            code: The complete code.

        Returns:
            A confirmation.
        """
        return self._say(str(code), before=f"{self._current().episode.rules.answer_marker}\n")

    def get_reward(self) -> float | None:
        """Return what the scenario pays for the rollout; 0.0 where the agent never answered.

        Raises:
            InfrastructureError: the human or the grader failed, and ``outages`` is ``raise``.
        """
        if self._outage is None:
            return self._current().reward
        if self._outages == "leave_out" and isinstance(self._outage, InfrastructureError):
            return None
        raise self._outage

    def _current(self) -> TaskEpisode:
        if self._episode is None:
            raise UsageError("got a call before reset; call reset(task_id=...) first")
        return self._episode

    def _say(self, text: str, before: str) -> str:
        """Say it in the episode. What the game would not let through goes back to the model and costs no turn."""
        episode = self._current()
        if self._outage is not None:
            return "Not sent: the person cannot be reached."
        if episode.over:
            return "Not sent: the conversation is over."
        rules = episode.episode.rules
        for marker in (rules.thinking_marker, rules.answer_marker):
            if marker in text:
                return f"Not sent: it may not contain {marker!r}. Write it without, and call the tool again."
        if len(before + text) > rules.max_message_chars:
            return f"Not sent: it may have at most {rules.max_message_chars - len(before)} characters."
        try:
            reply = episode.say(before + text)
        except Exception as e:  # TRL would show it to the model and count the rollout as one without success
            self._outage = e
            raise
        return "The work is handed in, and the conversation is over." if reply is None else reply


class DialogueRollout:
    """Whole dialogues, for ``GRPOTrainer(rollout_func=rollout, reward_funcs=paid_reward)`` on :attr:`rows`.

    The agent speaks as in every other part of this package: plain messages under the brief of the scenario. All
    dialogues of a batch go on together, turn by turn. ``env_mask`` keeps replies out of the loss. A dialogue without
    room left in ``max_completion_length``, or in the model's context, ends unanswered and is paid 0.0.

    Args:
        scenario: stays the caller's.
        n: how many tasks; all of them when None.
        outages: an outage of the human or the grader stops the training; ``leave_out`` makes the reward None instead,
            which TRL counts neither in its group nor in the loss.

    Raises:
        UsageError: the tasks have no end, or not as many.
        TaskError: two different tasks begin with the same words; TRL hands over nothing else to tell them by.
    """

    def __init__(self, scenario: Scenario, n: int | None = None, outages: Outages = "raise") -> None:
        self._scenario = scenario
        self._outages = outages
        self._task_ids: dict[tuple[tuple[str, str], ...], str] = {}
        self.rows: list[dict[str, Any]] = [{**row} for row in scenario.rows(n)]  # Any: as data sets take them
        for row in self.rows:
            known = self._task_ids.setdefault(_key(row["prompt"]), row["task_id"])
            if scenario.tasks.get(known).reference != scenario.tasks.get(row["task_id"]).reference:
                raise TaskError(
                    f"tasks {known!r} and {row['task_id']!r} begin with the same words; expected tasks that TRL can "
                    "tell apart by their prompts; leave one of them out"
                )

    def __call__(self, prompts: Sequence[Any], trainer: GRPOTrainer) -> dict[str, Any]:
        """Play a dialogue for each prompt.

        Args:
            prompts: chat messages (TRL's own type says strings) of :attr:`rows`, each as often as its group is large.
            trainer: samples.

        Returns:
            ``prompt_ids``, ``completion_ids``, ``env_mask`` and ``logprobs`` (None where the trainer samples without),
            and for reward functions ``episode_reward`` and ``outcome``; one of each a prompt.

        Raises:
            InfrastructureError: the human or the grader failed, and ``outages`` is ``raise``.
            UsageError: a prompt that is not in :attr:`rows`.
        """
        tokenizer: Any = getattr(trainer.processing_class, "tokenizer", trainer.processing_class)  # Any: TRL's
        tokens = ChatTokens(tokenizer, trainer.chat_template_kwargs)
        room, context = trainer.max_completion_length, trainer.model.config.get_text_config().max_position_embeddings
        dialogues = [TokenDialogue(self._episode(prompt), tokens, room, context) for prompt in prompts]
        outages: dict[int, InfrastructureError] = {}  # by the place of the dialogue
        known = True
        while going := [at for at, dialogue in enumerate(dialogues) if dialogue.going and at not in outages]:
            contexts = [dialogues[at].ids for at in going]
            sampled, logprobs = trainer._generate_single_turn(contexts, None, {}, num_generations=1)
            known = logprobs is not None
            for at, ids, values in zip(going, sampled, logprobs or [None] * len(going), strict=True):
                dialogues[at].say(ids, values)
            replies = map_in_threads(lambda at: self._hear(dialogues[at]), going, threads=len(going), name="rollout")
            outages |= {at: outage for at, outage in replies if outage is not None}
        return {
            "prompt_ids": [dialogue.prompt_ids for dialogue in dialogues],
            "completion_ids": [dialogue.completion_ids for dialogue in dialogues],
            "env_mask": [dialogue.mask for dialogue in dialogues],
            "logprobs": [dialogue.logprobs for dialogue in dialogues] if known else None,
            "episode_reward": [None if at in outages else dialogue.reward for at, dialogue in enumerate(dialogues)],
            "outcome": [
                _outcome_of(outages[at]) if at in outages else dialogue.outcome for at, dialogue in enumerate(dialogues)
            ],
        }

    def _hear(self, dialogue: TokenDialogue) -> InfrastructureError | None:
        """Add the reply; return what failed on our side, unless it is to be raised."""
        try:
            dialogue.hear()
        except InfrastructureError as e:
            if self._outages == "raise":
                raise
            return e
        return None

    def _episode(self, prompt: Sequence[ChatMessage]) -> TaskEpisode:
        task_id = self._task_ids.get(_key(prompt))
        if task_id is None:
            raise UsageError(
                f"got a prompt that ends with {prompt[-1]['content'][:80]!r}, expected one of the {len(self.rows)} of "
                "this rollout; train on Dataset.from_list(rollout.rows)"
            )
        return self._scenario.episode(task_id)


def paid_reward(episode_reward: list[float | None], **_columns: object) -> list[float | None]:
    """Return what the scenario paid for each dialogue of a :class:`DialogueRollout`: the trainer's reward function."""
    return episode_reward


def _key(prompt: Sequence[ChatMessage]) -> tuple[tuple[str, str], ...]:
    return tuple((message["role"], message["content"]) for message in prompt)


def _outcome_of(outage: InfrastructureError) -> str:
    return "human_error" if isinstance(outage, HumanError) else "grader_error"
