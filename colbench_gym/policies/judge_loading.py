"""The judge of a SWEET-RL run, for its own scores and for best-of-N evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.policies.best_of_n import BestOfN
from colbench_gym.policies.chat_tokens import ChatTokens
from colbench_gym.policies.hf import HFPolicy
from colbench_gym.policies.judges import AdvantageJudge, Aggregation, HeadJudge, Judge, LLMJudge
from colbench_gym.policies.local_model import inference_device, load_causal_model, load_head_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel

RUN_FILE = "run.json"
CRITIC_FOLDER = "critic"  # within a SWEET-RL run


@dataclass(frozen=True)
class JudgeSettings:
    """Which judge a run uses.

    Attributes:
        kind: ``critic``, ``regression``, ``value`` or ``llm``.
        model: the initial model.
        critic: the trained critic.
        privileged: the judge sees training-time information.
        privileged_reference: the reference of the critic's log-ratio sees it too.
        aggregation: of the log-ratios of a turn.
    """

    kind: str
    model: str
    critic: str
    privileged: bool
    privileged_reference: bool
    aggregation: Aggregation

    @classmethod
    def of_run(cls, run: Path) -> JudgeSettings:
        """The settings of a SWEET-RL run.

        Raises:
            InputFileError: there is no such run.
        """
        try:
            options = json.loads((run / RUN_FILE).read_text(encoding="utf-8"))["options"]
            released = options["recipe"] == "released"
            return cls(
                kind=options["judge"],
                model=options["model"],
                critic=str(run / CRITIC_FOLDER),
                privileged=options["privileged"],
                privileged_reference=options["privileged"] and not released,
                aggregation="mean" if options["length_normalisation"] else "sum",
            )
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise InputFileError(
                f"{run / RUN_FILE}: no SWEET-RL run ({e!r}); name the --out of colbench train sweet"
            ) from e


def load_judge(settings: JudgeSettings, tokens: ChatTokens, load: Callable[[str, bool], PreTrainedModel]) -> Judge:
    """Load the models that a judge needs.

    Args:
        settings: which judge.
        tokens: the models' chat template.
        load: loads a model by its path onto its device; the second argument asks for a head.
    """
    if settings.kind == "llm":
        return LLMJudge(load(settings.model, False), tokens, settings.privileged)
    if settings.kind == "critic":
        return AdvantageJudge(
            load(settings.critic, False),
            load(settings.model, False),
            tokens,
            settings.privileged,
            settings.privileged_reference,
            settings.aggregation,
        )
    return HeadJudge(load(settings.critic, True), tokens, settings.privileged)


def best_of_n(spec: str, temperature: float, max_new_tokens: int | None, seed: int) -> BestOfN:
    """The policy of ``best_of:N:RUN``: N messages of the run's initial model, the run's judge chooses.

    Raises:
        UsageError: the spec lacks a part, or the temperature is 0 and all N would be alike.
        InputFileError: there is no such run.
    """
    number, _, run = spec.partition(":")
    if not (number.isascii() and number.isdigit() and int(number) and run):
        raise UsageError(
            f"the agent 'best_of:{spec}' was got; expected best_of:N:RUN, RUN the --out of colbench train sweet"
        )
    if temperature <= 0 and int(number) > 1:
        raise UsageError("best of N at temperature 0 would choose among equal messages; give --temperature 1")
    settings = JudgeSettings.of_run(Path(run))
    proposer = HFPolicy.load(settings.model, temperature=temperature, max_new_tokens=max_new_tokens, seed=seed)
    device, dtype = inference_device()

    def load(path: str, head: bool) -> PreTrainedModel:
        model: Any = load_head_model(path, dtype, settings.model) if head else load_causal_model(path, dtype)
        placed: PreTrainedModel = model.to(device).eval()  # Any above: .to() is typed for one device kind only
        return placed

    tokens = proposer.batcher.sampler.tokens
    return BestOfN(proposer, load_judge(settings, tokens, load), tokens, int(number))
