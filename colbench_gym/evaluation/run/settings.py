"""Settings of ``colbench eval``: what is played, what limits it, and which of them can change a number."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.chat import MODEL_KINDS, ChatOptions
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.evaluation.grading_flags import GradingFlags, ModelFlags
from colbench_gym.evaluation.rollout import KINDS, ConcurrencyLimits
from colbench_gym.evaluation.run.budget import BudgetFlags
from colbench_gym.policies import is_model
from colbench_gym.prompts import default_prompts
from colbench_gym.rules import ENV_IDS, Track
from colbench_gym.scenario import MODEL_SETTINGS, BackendOptions, FrontendOptions, Options, check_options, given_options
from colbench_gym.scenario.paper import check_agrees, profile_named

Json = dict[str, Any]  # Any: JSON
_NOT_PART_OF_RESULT = {
    *("concurrency", "agent_concurrency", "human_concurrency", "sandbox_concurrency"),
    *("out", "report", "ray", "resume", "overwrite", "record", "label"),
    *("profile", "official"),  # these two stand among the scenario's settings where there is a profile
    *(flag.name for flags in (BudgetFlags, GradingFlags, ModelFlags) for flag in fields(flags)),
    "reward",
}


@dataclass(frozen=True)
class EvalConfig(ModelFlags, GradingFlags, BudgetFlags):
    """Settings of a run.

    Attributes:
        env_id: the environment: ColBench-Backend-v0 or ColBench-Frontend-v0.
        agent: who answers: oracle, asker:K (backend), designer:K (frontend), openai:MODEL[@BASE_URL],
            openai-completions:MODEL[@BASE_URL], hf:PATH, best_of:N:RUN, replay:FILE, console, web,
            python:module:factory.
        n: how many tasks, the first of the spec; all of them when not given (generated tasks have no end).
        exclude_findings: leave out backend tasks with such findings: of weak, constant and random, comma-separated.
        repeats: dialogues per task.
        seed: of the whole run; each dialogue derives its own from it.
        concurrency: dialogues played at once.
        agent_concurrency: calls of the agent at once; as many as dialogues when not given.
        human_concurrency: calls of the human at once; as many as dialogues when not given.
        sandbox_concurrency: gradings at once; as many as dialogues when not given.
        label: what colbench table calls the run in Table 3 and Figure 3: a method's name, or NAME@X for a point of a
            curve, such as sweet@16.
        out: the folder for run.json and trajectories.jsonl.
        resume: go on with the run in that folder; it may grow by a larger -n or --repeats.
        overwrite: replace the run in that folder.
        record: keep every exchange with a model server in that folder, for --agent or --human replay:FILE.
    """

    env_id: Annotated[Positional[str], arg(metavar="ENV_ID")]
    out: Path
    agent: str = "oracle"
    human: str = str(Options.human)
    leaks: str | None = None
    human_knows: str | None = None
    tasks: str = str(Options.tasks)
    n: Annotated[int | None, arg(aliases=["-n"], metavar="N")] = None
    exclude_findings: str = ""
    repeats: int = 1
    seed: int = 0
    concurrency: int = 8
    agent_concurrency: int | None = None
    human_concurrency: int | None = None
    sandbox_concurrency: int | None = None
    reward: str | None = None
    max_turns: int = Options.max_turns
    max_questions: int | None = None
    prompts: Path | None = None
    official: Path | None = None
    label: str = ""
    resume: FlagCreatePairsOff[bool] = False
    overwrite: FlagCreatePairsOff[bool] = False
    record: FlagCreatePairsOff[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "out", Path(self.out))  # a string, from Python
        if self.resume and self.overwrite:
            raise UsageError("got resume and overwrite, expected one of them; leave out the one that is not meant")
        if self.repeats < 1:
            raise UsageError(f"repeats is {self.repeats}; expected at least 1")
        for seat, named in (("agent", self.agent), ("human", self.human)):
            if not isinstance(named, str):
                raise UsageError(
                    f"got {seat}={named!r} of type {type(named).__name__}, expected a spec, by which a run is resumed; "
                    f"write {seat}='python:my_module:make_{seat}' for a function that returns it"
                )
        self.check_budget()
        _ = self.scenario, self.agent_settings

    @cached_property
    def scenario(self) -> BackendOptions | FrontendOptions:
        """The options of the scenario, checked: who opens it and who writes them down get the same.

        Raises:
            UnknownNameError: no such environment, or a setting of the other track was given.
            UsageError: a setting cannot be used, or contradicts the profile.
        """
        track = track_of(self.env_id)
        given = given_options(track, self)
        if self.agent in ("console", "web") and not (self.prompts or self.official or self.profile):
            given["prompts"] = default_prompts(track, person=True)
        return check_options(track, given)

    @cached_property
    def agent_settings(self) -> Json:
        """Return the arguments of :func:`~colbench_gym.policies.make_policy`, those that the profile sets among them.

        Raises:
            UsageError: a setting cannot be used, or contradicts the profile.
        """
        given: Json = {name: getattr(self, f"agent_{name}") for name in MODEL_SETTINGS}
        ChatOptions.of_seat("agent", **{**given, "extra_body": given["extra_body"] or {}})
        told = [name for name in ("temperature", "max_tokens", "seed") if getattr(self, f"agent_{name}") is not None]
        if told and not is_model(self.agent):
            raise UsageError(
                f"got settings of a model ({', '.join(told)}) for the agent {self.agent!r}, which is no language "
                "model; leave that out, or choose openai:MODEL[@BASE_URL]"
            )
        profile = profile_named(self.profile)
        if profile is not None:
            for name in ("temperature", "max_tokens"):
                agreed = getattr(profile, name)
                check_agrees(profile, f"agent_{name}", agreed if given[name] is None else given[name], agreed)
                given[name] = agreed
        return {
            **given,
            "sends_seed": profile is None if self.agent_seed is None else self.agent_seed,  # the released code: none
            "brief_role": "system" if profile is None else profile.brief_role,
        }

    def result_settings(self) -> Json:
        """Return the settings of both tracks that can change a number, as JSON."""
        settings = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NOT_PART_OF_RESULT}
        options, agent = self.scenario, self.agent_settings
        models: Json = {"max_tokens": agent["max_tokens"], "agent_extra_body": self.agent_extra_body}
        models |= {} if agent["sends_seed"] else {"agent_seed": False}
        models |= {} if agent["brief_role"] == "system" else {"brief_role": agent["brief_role"]}
        models |= {name: getattr(options, name) for name in ("human_temperature", "human_max_tokens")}
        models |= {"human_extra_body": options.human_extra_body}
        settings |= {"leaks": options.leaks, "human_knows": options.human_knows, "temperature": agent["temperature"]}
        settings |= {name: value for name, value in models.items() if value is not None}
        return {name: str(value) if isinstance(value, Path) else value for name, value in settings.items()}

    def cassette(self, seat: Literal["agent", "human"]) -> Path | None:
        """Return where the exchanges of a seat are recorded, if they are."""
        uses_model = getattr(self, seat).partition(":")[0] in MODEL_KINDS
        return self.out / f"{seat}_chat.jsonl" if self.record and uses_model else None

    def limits(self) -> ConcurrencyLimits:
        """Return the concurrency settings."""
        given = {kind: getattr(self, f"{kind}_concurrency") for kind in KINDS}
        return ConcurrencyLimits(
            self.concurrency, **{k: self.concurrency if v is None else v for k, v in given.items()}
        )


def track_of(env_id: str) -> Track:
    """Return the track of an environment id, or raise UnknownNameError."""
    tracks = {known: track for track, known in ENV_IDS.items()}
    if env_id not in tracks:
        raise UnknownNameError.among("environment", env_id, tracks)
    return tracks[env_id]
