"""Multi-turn DPO: prefer the whole dialogue that did better (paper, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from colbench_gym.baselines.data import OfflineData, read_offline_data
from colbench_gym.baselines.pairs import DialoguePair, pair_dialogues
from colbench_gym.baselines.tokenized_dialogue import tokenize_dialogues
from colbench_gym.baselines.training.model_loading import explained_out_of_memory, require_training_packages
from colbench_gym.baselines.training.options import TrainingOptions
from colbench_gym.errors import UsageError
from colbench_gym.models.chat_template import ChatTokens, TokenizedDialogue
from colbench_gym.models.loading import load_causal_model, load_tokenizer, token_limit

ALGORITHM = "Multi-turn DPO"


@dataclass(frozen=True)
class MultiTurnDPO(TrainingOptions):
    """Options of multi-turn DPO.

    Attributes:
        beta: how strongly the reference binds.
        nll_weight: weight of the likelihood of the chosen dialogue.
        aggregation: how a dialogue's log-ratios become its score: their sum (the paper's multi-turn DPO), their mean
            over the dialogue, or the sum of each turn's mean (SWEET's critic).
    """

    beta: float = 0.1  # paper, Table 5
    nll_weight: float = 0.01  # paper, section 5
    aggregation: Literal["sum", "mean", "turn_means"] = "sum"


def tokenized_pairs(
    data: OfflineData, pairs: Sequence[DialoguePair], tokens: ChatTokens, limit: int, privileged: bool = False
) -> tuple[list[tuple[TokenizedDialogue, TokenizedDialogue]], dict[str, int]]:
    """Return the pairs whose dialogues both fit, and the counts.

    Raises:
        UsageError: none fits.
    """
    used = sorted({position for pair in pairs for position in (pair.chosen, pair.rejected)})
    made, counts = tokenize_dialogues(
        [data.trajectories[position] for position in used], tokens, limit, data.prompts, privileged=privileged
    )
    by_position = dict(zip(used, made, strict=True))
    both = [(by_position[pair.chosen], by_position[pair.rejected]) for pair in pairs]
    kept = [(chosen, rejected) for chosen, rejected in both if chosen is not None and rejected is not None]
    if not kept:
        raise UsageError(f"in all {len(pairs)} pairs a dialogue is longer than {limit} tokens; raise --max-tokens")
    return kept, {**asdict(counts), "pairs_kept": len(kept), "pairs_too_long": len(pairs) - len(kept)}


@explained_out_of_memory()
def train(options: MultiTurnDPO) -> None:
    """Train and write the model to ``options.out``.

    Raises:
        UsageError: no pair, no such model, no chat template, or memory ran out.
    """
    require_training_packages()
    from colbench_gym.baselines.training import folder as run
    from colbench_gym.baselines.training.preference import TrainingJob
    from colbench_gym.baselines.training.trainers import preference_row

    run.start(options)
    data = read_offline_data(options)
    paired = pair_dialogues(data.trajectories)
    tokenizer = load_tokenizer(options.model, options.chat_template)
    tokens = ChatTokens(tokenizer)
    model = load_causal_model(options.model, run.weights_dtype(options))
    limit = token_limit(model, tokenizer, options.max_tokens)
    pairs, counts = tokenized_pairs(data, paired.pairs, tokens, limit)
    summary = {"pairs": paired.summary(), "tokens": counts}
    run.say(f"{ALGORITHM}: {summary}")

    folder = run.TrainingFolder(options.out, ALGORITHM)
    folder.open(options)
    # -log sigmoid(beta [sum over agent tokens of rho, chosen - rejected]) + 0.01 NLL(chosen), rho = log pi/pi_ref.
    rows = [preference_row(chosen, rejected, options.aggregation) for chosen, rejected in pairs]
    job = TrainingJob(model, tokenizer, options, folder, data.track, options.beta, summary)
    job.train_on_dialogue_pairs(rows, options.nll_weight)
