"""Filtered behaviour cloning: imitate the dialogues that succeeded (paper, section 5; of pages: ours)."""

from __future__ import annotations

from dataclasses import asdict

from colbench_gym.baselines.data import read_held_out, read_offline_data
from colbench_gym.baselines.options import FilteredBC, refuse_without_effect
from colbench_gym.baselines.training.folder import begin
from colbench_gym.baselines.training.job import TrainingJob, bc_rows
from colbench_gym.baselines.training.processes import explained_shortage, say, weights_dtype
from colbench_gym.errors import UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.loading import load_causal_model, load_tokenizer, token_limit
from colbench_gym.models.tokenized_dialogue import tokenize_dialogues
from colbench_gym.rules import Track
from colbench_gym.trajectory import Trajectory

ALGORITHM = "Filtered behaviour cloning"


def good_dialogues(trajectories: tuple[Trajectory, ...], track: Track, min_score: float) -> tuple[Trajectory, ...]:
    """Return the dialogues to imitate.

    Raises:
        UsageError: there is none.
    """
    if track == "backend":
        good = tuple(t for t in trajectories if t.success)
        wanted = "at least one dialogue that passes all tests"
    else:
        good = tuple(t for t in trajectories if t.score is not None and t.score >= min_score)
        wanted = f"at least one dialogue with a similarity of {min_score} (--min-score)"
    if not good:
        best = max((t.score for t in trajectories if t.score is not None), default=None)
        raise UsageError(
            f"no successful dialogue among {len(trajectories)} (best score: {best}); filtered behaviour cloning "
            f"expects {wanted}. Collect more: colbench eval … --repeats K with a temperature, or a stronger agent"
        )
    return good


@explained_shortage()
def train(options: FilteredBC) -> None:
    """Train and write the model to ``options.out``.

    Raises:
        UsageError: no successful dialogue, no such model, no chat template, or memory ran out.
    """
    folder = begin(options, ALGORITHM)
    data = read_offline_data(options)
    good = good_dialogues(data.trajectories, data.track, options.min_score)
    held_out = read_held_out(options, data.track)
    evaluated = () if held_out is None else good_dialogues(held_out.trajectories, data.track, options.min_score)
    if data.track == "backend":
        refuse_without_effect(options, "the backend track imitates successes only", "min_score")
    tokenizer = load_tokenizer(options.model, options.chat_template)
    tokens = ChatTokens(tokenizer)
    model = load_causal_model(options.model, weights_dtype(options))

    limit = token_limit(model, tokenizer, options.max_tokens)
    made, counts = tokenize_dialogues(good, tokens, limit, data.prompts)
    dialogues = [dialogue for dialogue in made if dialogue is not None]
    if not dialogues:
        raise UsageError(f"all {len(good)} successful dialogues are longer than {limit} tokens; raise --max-tokens")
    summary = {"read": len(data.trajectories), "successful": len(good), **asdict(counts)}
    say(f"{ALGORITHM}: {summary}")

    kept = [d for d in tokenize_dialogues(evaluated, tokens, limit, data.prompts)[0] if d is not None]
    with folder.open(options):
        job = TrainingJob(model, tokenizer, options, folder, data.track, summary, held_out=bc_rows(kept) or None)
        job.clone(bc_rows(dialogues))
