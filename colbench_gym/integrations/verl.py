"""verl: our episodes as an agent loop, by the name ``colbench``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from uuid import uuid4

from colbench_gym.errors import MissingExtraError
from colbench_gym.integrations.shared_scenarios import episode_of_row, shared_scenario
from colbench_gym.integrations.token_dialogue import TokenDialogue
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.scenario import Scenario

try:
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput
    from verl.utils.profiler import simple_timer
except ImportError as e:
    raise MissingExtraError.of(e.name or "verl", "verl", "the bridge to verl") from e

AGENT_NAME = "colbench"
Json = dict[str, Any]  # Any: rows and options as verl hands them over


def verl_rows(scenario: Scenario, n: int | None = None) -> list[Json]:
    """Return the first ``n`` tasks, or all, as rows of a verl data set; write them to a Parquet file."""
    return [
        {
            "prompt": row["prompt"],
            "data_source": AGENT_NAME,
            "agent_name": AGENT_NAME,
            "reward_model": {"style": "rule", "ground_truth": ""},  # asked for by verl; the loop brings the reward
            "extra_info": {"index": index, "task_id": row["task_id"]},
        }
        for index, row in enumerate(scenario.rows(n))
    ]


class ColBenchAgentLoop(AgentLoopBase):
    """Agent loop that plays one episode, and pays its reward.

    ``actor_rollout_ref.rollout.agent.agent_loop_config_path`` names a YAML file such as::

        - name: colbench
          _target_: colbench_gym.integrations.verl.ColBenchAgentLoop
          scenario: {track: backend, tasks: "generated:train", reward: pass_rate}

    verl takes the loop from there, with its options; to register it on import would forget them.

    An outage of the human or the grader is raised by :meth:`run`, which ends the training: verl has no reward that does
    not count.

    Args:
        scenario: ``track`` and the options of :func:`open_scenario`; equal ones are opened once a process.
        framework: what verl hands to every agent loop.
    """

    def __init__(self, *, scenario: Mapping[str, Any] | None = None, **framework: Any) -> None:  # Any: verl's
        super().__init__(**framework)
        self._scenario = shared_scenario(_plain(scenario or {}))
        self._tokens = _chat_tokens(self.tokenizer, tuple(sorted(dict(self.apply_chat_template_kwargs).items())))

    async def run(self, sampling_params: Json, **row: Any) -> AgentLoopOutput:  # Any: columns of the data set
        """Play the episode of a row.

        Args:
            sampling_params: for the server.
            row: its columns; ``task_id`` or ``seed``, or either in ``extra_info``, names the task.

        Raises:
            HumanError, GraderError: an outage.
            UsageError: the row names no task, or the prompt is longer than ``rollout.prompt_length``.
        """
        episode = episode_of_row(self._scenario, row)
        limits = self.rollout_config
        dialogue = TokenDialogue(
            episode,
            self._tokens,
            room=limits.response_length,
            context=limits.prompt_length + limits.response_length,
            longest_prompt=limits.prompt_length,
        )
        metrics: Json = {}
        session = uuid4().hex  # of one server, which keeps the prefix
        known = True
        while dialogue.going:
            with simple_timer("generate_sequences", metrics):
                sampled = await self.server_manager.generate(
                    request_id=session, prompt_ids=dialogue.ids, sampling_params=sampling_params
                )
            known = known and sampled.log_probs is not None
            dialogue.say(sampled.token_ids, sampled.log_probs)
            with simple_timer("tool_calls", metrics):
                await asyncio.to_thread(dialogue.hear)
        return AgentLoopOutput(
            prompt_ids=dialogue.prompt_ids,
            response_ids=dialogue.completion_ids,
            response_mask=dialogue.mask,
            response_logprobs=dialogue.logprobs if known else None,
            reward_score=dialogue.reward,
            num_turns=len(episode.episode.dialogue.turns),
            metrics=AgentLoopMetrics(**metrics),
            extra_fields={"outcome": dialogue.outcome, "turn_scores": [], "tool_rewards": []},
        )


@lru_cache(maxsize=8)
def _chat_tokens(tokenizer: Any, settings: tuple[tuple[str, Any], ...]) -> ChatTokens:  # Any: Hugging Face's
    """Return the segments of a tokenizer's template, once a process."""
    return ChatTokens(tokenizer, dict(settings))


def _plain(options: Mapping[str, Any]) -> Json:
    """Return options without OmegaConf's types, in which hydra hands them over."""
    from omegaconf import DictConfig, OmegaConf

    if not isinstance(options, DictConfig):
        return dict(options)
    plain: Json = OmegaConf.to_container(options, resolve=True)
    return plain
