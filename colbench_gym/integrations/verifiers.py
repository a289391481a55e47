"""verifiers 0.4: tasks, environment and agent of ``vf-eval colbench-vf``, which the top-level ``colbench_vf`` exports.

    vf-eval colbench-vf -m MODEL -n 20 -r 4 --env.taskset.track frontend --env.taskset.human scripted

An outage is the error of its rollout, which then has no reward. The agent is a chat loop in this process: it needs
neither `uv` nor a download, as the harnesses of verifiers do, and sees its own messages as the human does, without
their hidden thinking.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from colbench_gym.action import parse_action
from colbench_gym.errors import MissingExtraError
from colbench_gym.integrations.run_scenario import RunScenario
from colbench_gym.rules import BACKEND
from colbench_gym.task_episode import TaskEpisode

try:
    import verifiers.v1 as vf
except ImportError as e:
    raise MissingExtraError.of("verifiers", "verifiers", "the bridge to verifiers") from e

__all__ = ["ColBenchEnv", "ColBenchHarness", "ColBenchTaskset"]

_NO_CONNECTION = 97  # verifiers' MODEL_TRANSPORT_ERROR_EXIT_CODE: the model could not be reached


class ColBenchTasksetConfig(vf.TasksetConfig):
    """Options of the scenario of either track, None for their defaults."""

    track: Literal["backend", "frontend"] = "backend"
    tasks: str = "generated"
    human: str | None = None
    leaks: str | None = None
    human_knows: str | None = None
    human_temperature: float | None = None
    human_max_tokens: int | None = None
    human_extra_body: dict[str, Any] | None = None  # Any: JSON
    human_api_key_var: str | None = None
    max_turns: int | None = None
    max_questions: int | None = None
    prompts: str | None = None
    profile: str | None = None
    official: str | None = None
    sandbox: str | None = None
    grading: str | None = None
    reward: str | None = None
    similarity: str | None = None
    renderer: str | None = None

    def scenario(self) -> RunScenario:
        """Return the scenario that these options describe, not opened yet."""
        own = set(ColBenchTasksetConfig.model_fields) - set(vf.TasksetConfig.model_fields)
        return RunScenario(**{name: getattr(self, name) for name in own})


class ColBenchTask(vf.Task[vf.TaskData]):
    """A task as the agent knows it; its reference and tests stay in the scenario."""

    @property
    def key(self) -> str:
        """Task's id, which does not depend on the wording of the brief."""
        return str(self.data.id)


class ColBenchTaskset(vf.Taskset[ColBenchTask, ColBenchTasksetConfig]):
    """The tasks of a scenario in their order; endless where the scenario's are."""

    def __init__(self, config: ColBenchTasksetConfig) -> None:
        super().__init__(config)
        self.shared = config.scenario()

    @property
    def INFINITE(self) -> bool:  # noqa: N802  # verifiers' name
        """True where the tasks have no end."""
        return self.shared.open().tasks.size is None

    def load(self) -> Iterator[ColBenchTask]:
        """Yield the tasks one by one."""
        scenario, index = self.shared.open(), 0
        while scenario.tasks.size is None or index < scenario.tasks.size:
            task = scenario.tasks.at(index)
            brief, request = scenario.episode_of(task).messages
            data = vf.TaskData(
                id=task.task_id, name=task.task_id, system_prompt=brief["content"], prompt=request["content"]
            )
            yield ColBenchTask(data, self.config.task)
            index += 1


class ColBenchEnvConfig(vf.EnvConfig):
    """Configuration of the environment: the agent, which runs in this process."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime={"type": "subprocess"})


class ColBenchEnv(vf.Env[ColBenchEnvConfig]):
    """Dialogues of the agent with the scenario's human, with the reward of the graded answer."""

    taskset: ColBenchTaskset

    async def start(self) -> None:
        """Open the scenario before the first rollout."""
        await asyncio.to_thread(self.taskset.shared.open)

    async def stop(self) -> None:
        """Close the scenario after the last rollout."""
        await asyncio.to_thread(self.taskset.shared.close)

    async def run(self, task: ColBenchTask, agents: vf.Agents) -> None:
        """Play one dialogue. A failing human, grader or model is raised, so that the rollout has no reward."""
        scenario = await asyncio.to_thread(self.taskset.shared.open)
        episode = scenario.episode(task_id=task.data.id)
        async with agents.agent.interaction(task) as interaction:
            said = await interaction.turn()
            while not said.terminated:
                reply = await episode.asay(said.messages[-1].content or "")
                if reply is None:
                    break
                said = await interaction.turn(reply)
            if episode.over or not interaction.trace.errors:
                interaction.trace.record_reward(episode.reward_kind, episode.reward)
                interaction.trace.record_metrics(_metrics(episode))


class ColBenchHarness(vf.Harness[vf.HarnessConfig]):
    """A chat loop in this process: one request to the model for each message of the agent."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,  # noqa: ARG002
        runtime: vf.Runtime,  # noqa: ARG002
        endpoint: str,
        secret: str,
        mcp_urls: Mapping[str, str],  # noqa: ARG002
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Send the dialogue to the model through verifiers' endpoint, which records the reply."""
        import openai

        system, prompt = self.resolve_prompt(data)
        said = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else prompt or []
        messages: list[Any] = [{"role": "system", "content": system}] if system else []  # Any: the client's unions
        messages += [{"role": message.role, "content": _shown(message)} for message in said]
        try:
            async with openai.AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
                await client.chat.completions.create(model=ctx.model, messages=messages)
        except openai.APIConnectionError as e:
            return vf.ProgramResult(exit_code=_NO_CONNECTION, stdout="", stderr=str(e))
        except openai.OpenAIError as e:
            return vf.ProgramResult(exit_code=1, stdout="", stderr=str(e))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


def _shown(message: vf.Message) -> object:
    """Return a message's content as both seats see it. The markers of both tracks are the same."""
    if message.role != "assistant":
        return message.content
    return parse_action(message.content or "", BACKEND).speech


def _metrics(episode: TaskEpisode) -> dict[str, float]:
    info: Mapping[str, Any] = episode.info  # Any: a type for each key
    names = ("success", "pass_rate") if "pass_rate" in info else ("similarity",)
    return {
        **{name: float(info[name]) for name in names if name != episode.reward_kind},
        "turns": float(info["turn"]),
        "answered": float(episode.over),
        **{f"leak_{name}": float(amount) for name, amount in info["leak"].items()},
    }
