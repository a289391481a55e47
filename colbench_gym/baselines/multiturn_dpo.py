"""Multi-turn DPO: prefer the whole dialogue that did better (paper, section 5)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from colbench_gym.baselines.data import OfflineData, read_held_out, read_offline_data
from colbench_gym.baselines.options import MultiTurnDPO
from colbench_gym.baselines.pairs import pair_dialogues
from colbench_gym.baselines.training.folder import begin
from colbench_gym.baselines.training.job import TrainingJob
from colbench_gym.baselines.training.pair_trainer import Aggregation, pair_row
from colbench_gym.baselines.training.processes import explained_shortage, say, weights_dtype
from colbench_gym.errors import UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.loading import load_causal_model, load_tokenizer, token_limit
from colbench_gym.models.tokenized_dialogue import tokenize_dialogues

ALGORITHM = "Multi-turn DPO"


def pair_rows(
    data: OfflineData,
    tokens: ChatTokens,
    limit: int,
    aggregation: Aggregation,
    privileged: bool = False,
    released: bool = False,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return rows for the trainer from all pairs whose dialogues both fit, and the counts.

    Raises:
        UsageError: there is no pair, or none fits.
    """
    paired = pair_dialogues(data.trajectories)
    used = sorted({position for pair in paired.pairs for position in (pair.chosen, pair.rejected)})
    made, counts = tokenize_dialogues(
        [data.trajectories[position] for position in used], tokens, limit, data.prompts, privileged, released
    )
    by_position = dict(zip(used, made, strict=True))
    both = [(by_position[pair.chosen], by_position[pair.rejected]) for pair in paired.pairs]
    kept = [(chosen, rejected) for chosen, rejected in both if chosen is not None and rejected is not None]
    if not kept:
        raise UsageError(f"in all {len(both)} pairs a dialogue is longer than {limit} tokens; raise --max-tokens")
    fitting = {**asdict(counts), "pairs_kept": len(kept), "pairs_too_long": len(both) - len(kept)}
    rows = [pair_row(chosen, rejected, aggregation) for chosen, rejected in kept]
    return rows, {"pairs": paired.summary(), "tokens": fitting}


@explained_shortage()
def train(options: MultiTurnDPO) -> None:
    """Train and write the model to ``options.out``.

    Raises:
        UsageError: no pair, no such model, no chat template, or memory ran out.
    """
    folder = begin(options, ALGORITHM)
    data = read_offline_data(options)
    pair_dialogues(data.trajectories)  # fails before the model is loaded
    tokenizer = load_tokenizer(options.model, options.chat_template)
    tokens = ChatTokens(tokenizer)
    model = load_causal_model(options.model, weights_dtype(options))
    limit = token_limit(model, tokenizer, options.max_tokens)
    rows, summary = pair_rows(data, tokens, limit, options.aggregation)
    held_out = read_held_out(options, data.track)
    evaluated = None if held_out is None else pair_rows(held_out, tokens, limit, options.aggregation)[0]
    say(f"{ALGORITHM}: {summary}")

    with folder.open(options):
        # -log sigmoid(beta [sum over agent tokens of rho, chosen - rejected]) + 0.01 NLL(chosen), rho = log pi/pi_ref.
        job = TrainingJob(model, tokenizer, options, folder, data.track, summary, held_out=evaluated)
        job.prefer(rows, options.beta, options.nll_weight)
