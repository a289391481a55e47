"""Load the judge of a SWEET-RL run, for its own scores and for best-of-N evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colbench_gym.errors import InputFileError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.judges import AdvantageJudge, Aggregation, HeadJudge, Judge, LLMJudge, Logprobs
from colbench_gym.models.unfinished import RUN_FILE

if TYPE_CHECKING:
    from transformers import PreTrainedModel

CRITIC_FOLDER = "critic"  # within a SWEET-RL run


@dataclass(frozen=True)
class JudgeSettings:
    """Choice of the judge that a run uses.

    Attributes:
        kind: ``critic``, ``regression``, ``value`` or ``llm``.
        model: the initial model.
        critic: the trained critic.
        privileged: the judge sees training-time information.
        released: the critic scores as the released code does.
        aggregation: of the log-ratios of a turn.
    """

    kind: str
    model: str
    critic: str
    privileged: bool
    released: bool
    aggregation: Aggregation

    @classmethod
    def of_run(cls, run: Path) -> JudgeSettings:
        """Read the settings of a SWEET-RL run.

        Raises:
            InputFileError: there is no such run.
        """
        try:
            return cls.of_options(json.loads((run / RUN_FILE).read_text(encoding="utf-8"))["options"], run)
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise InputFileError(
                f"{run / RUN_FILE}: no SWEET-RL run ({e!r}); name the --out of colbench train sweet"
            ) from e

    @classmethod
    def of_options(cls, options: Mapping[str, Any], run: Path) -> JudgeSettings:  # Any: JSON
        """Choose by the options of a SWEET-RL run, by name."""
        return cls(
            kind=options["judge"],
            model=options["model"],
            critic=str(run / CRITIC_FOLDER),
            privileged=options["privileged"],
            released=options["recipe"] == "released",
            aggregation="mean" if options["length_normalisation"] else "sum",
        )


def load_judge(
    settings: JudgeSettings,
    tokens: ChatTokens,
    load: Callable[[str, bool], PreTrainedModel],
    served: tuple[Logprobs, Logprobs | None] | None = None,
) -> Judge:
    """Load the models that a judge needs.

    Args:
        settings: which judge.
        tokens: the models' chat template.
        load: loads a model by its path onto its device; the second argument asks for a head.
        served: log-probabilities under critic and initial model, where a server has them.
    """
    if settings.kind == "llm":
        return LLMJudge(load(settings.model, False), tokens, settings.privileged)
    if settings.kind == "critic":
        from colbench_gym.models.scoring import said_logprobs

        critic, reference = served or (
            partial(said_logprobs, load(settings.critic, False)),
            partial(said_logprobs, load(settings.model, False)),
        )
        return AdvantageJudge(critic, reference, tokens, settings.privileged, settings.released, settings.aggregation)
    return HeadJudge(load(settings.critic, True), tokens, settings.privileged)
