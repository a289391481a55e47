"""Every loss against an independent float64 computation, on ragged batches of more than one."""

import math
from functools import cache

import pytest
from support.tiny import make_model, make_tokenizer, make_trajectory

from colbench_gym.baselines.tokenized_dialogue import agent_turns
from colbench_gym.models.chat_template import ChatTokens

pytestmark = pytest.mark.train

BETA, NLL_WEIGHT, TOLERANCE = 0.1, 0.01, 1e-5


@pytest.fixture
def parts(tokenizer):
    """Four dialogues of different shape: several turns, one turn, hidden thinking (so several rows)."""
    tokens = ChatTokens(tokenizer)
    played = [
        make_trajectory(["What is x?", "And y?", "I WANT TO ANSWER: def f(x): return 2 * x"]),
        make_trajectory(["I think.\nOUTPUT: Why?", "I WANT TO ANSWER: def f(x): return x"]),
        make_trajectory(["I WANT TO ANSWER: 1"]),
        make_trajectory(["Is the range of x, or of f(x), bounded in any way?", "end"]),
    ]
    return [tokens.rows(agent_turns(t)) for t in played], [tokens.rows(agent_turns(t, privileged=True)) for t in played]


@cache
def logprobs64(seed, ids):
    """log pi(token | all before it) in float64, by the definition; NaN for the first, which has no predecessor."""
    import numpy as np
    import torch

    with torch.no_grad():
        logits = make_model(make_tokenizer(), seed).double()(torch.tensor([ids])).logits[0].numpy()
    norms = np.logaddexp.reduce(logits, axis=1)
    return [math.nan, *(float(logits[at - 1, ids[at]] - norms[at - 1]) for at in range(1, len(ids)))]


def turn_ratios(model, reference, dialogue):
    """{turn: [log-ratio of each of its tokens]}"""
    ratios = {}
    for row in dialogue.rows:
        ours, theirs = logprobs64(model, row.ids), logprobs64(reference, row.ids)
        for at, turn in enumerate(row.turns):
            if turn >= 0:
                ratios.setdefault(turn, []).append(ours[at] - theirs[at])
    return ratios


def score(ratios, aggregation):
    everything = [value for values in ratios.values() for value in values]
    if aggregation == "sum":
        return sum(everything)
    if aggregation == "mean":
        return sum(everything) / len(everything)
    return sum(sum(values) / len(values) for values in ratios.values())


def nll(model, dialogue, over):
    said = []
    for row in dialogue.rows:
        values = logprobs64(model, row.ids)
        said += [values[at] for at in range(1, len(row.ids)) if over == "sequence" or row.turns[at] >= 0]
    return -sum(said) / len(said)


def neglogsigmoid(x):
    return math.log1p(math.exp(-x))


def trainer_for(
    tokenizer, tmp_path, rows, nll_weight, precompute=True, model=None, reference=None, cls=None, **special
):
    from datasets import Dataset
    from trl import DPOConfig

    from colbench_gym.baselines.training.trainers import DialoguePairCollator, DialoguePreferenceTrainer

    args = DPOConfig(
        output_dir=str(tmp_path), use_cpu=True, bf16=False, gradient_checkpointing=False, report_to="none", beta=BETA,
        precompute_ref_log_probs=precompute, max_length=None, per_device_train_batch_size=len(rows), disable_tqdm=True, **special,
    )  # fmt: skip
    extra = {}
    if cls is None:
        extra = {"nll_weight": nll_weight, "data_collator": DialoguePairCollator(tokenizer.pad_token_id)}
    return (cls or DialoguePreferenceTrainer)(
        model=model or make_model(tokenizer, 1), ref_model=reference or make_model(tokenizer, 2), args=args,
        train_dataset=Dataset.from_list(rows), processing_class=tokenizer, **extra,
    )  # fmt: skip


def batch_loss(trainer):
    batch = next(iter(trainer.get_train_dataloader()))
    trainer.model.train()
    return trainer.compute_loss(trainer.model, batch), batch


RECIPES = {
    "multi-turn DPO": ("sum", NLL_WEIGHT, "chosen", False),
    "multi-turn DPO, mean over the dialogue": ("mean", NLL_WEIGHT, "chosen", False),
    "critic, paper": ("turn_means", NLL_WEIGHT, "chosen", True),
    "critic, released": ("mean", 0.0, "chosen", True),
    "critic without length normalisation": ("sum", NLL_WEIGHT, "chosen", True),
    "actor, released": ("sum", NLL_WEIGHT, "sequence", False),
}


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("precompute", [True, False])
def test_dialogue_preference_losses(name, precompute, parts, tokenizer, tmp_path):
    from colbench_gym.baselines.training.trainers import preference_row

    aggregation, nll_weight, over, privileged = RECIPES[name]
    dialogues = parts[1] if privileged else parts[0]
    pairs = [(dialogues[0], dialogues[2]), (dialogues[1], dialogues[3]), (dialogues[3], dialogues[0])]
    rows = [preference_row(chosen, rejected, aggregation, over) for chosen, rejected in pairs]
    trainer = trainer_for(tokenizer, tmp_path, rows, nll_weight, precompute)
    loss, _ = batch_loss(trainer)
    model, reference = 1, 2  # seeds
    expected = 0.0
    for chosen, rejected in pairs:
        margin = score(turn_ratios(model, reference, chosen), aggregation)
        margin -= score(turn_ratios(model, reference, rejected), aggregation)
        expected += (neglogsigmoid(BETA * margin) + nll_weight * nll(model, chosen, over)) / len(pairs)
    assert loss.item() == pytest.approx(expected, abs=TOLERANCE)
    logged = {key: values[-1] for key, values in trainer._metrics["train"].items()}
    sums = [
        score(turn_ratios(model, reference, c), "sum") - score(turn_ratios(model, reference, r), "sum")
        for c, r in pairs
    ]
    assert logged["rewards/margins"] == pytest.approx(BETA * sum(sums) / len(sums), abs=1e-4)
    assert logged["loss/nll"] == pytest.approx(sum(nll(model, c, over) for c, _ in pairs) / len(pairs), abs=TOLERANCE)


def test_the_actors_loss_is_trls_and_right(parts, tokenizer, tmp_path):
    from colbench_gym.baselines.training.trainers import TurnPreferenceTrainer

    prompts = [parts[0][0].rows[0].ids[:30], parts[0][3].rows[0].ids[:41]]
    said = [((7, 8, 9, 3), (10, 3)), ((11, 3), (12, 13, 14, 15, 16, 3))]
    rows = [
        {"prompt_ids": list(p), "chosen_ids": list(c), "rejected_ids": list(r)}
        for p, (c, r) in zip(prompts, said, strict=True)
    ]
    trainer = trainer_for(
        tokenizer,
        tmp_path,
        rows,
        None,
        cls=TurnPreferenceTrainer,
        loss_type=["sigmoid", "sft"],
        loss_weights=[1.0, NLL_WEIGHT],
    )
    loss, _ = batch_loss(trainer)
    model, reference = 1, 2  # seeds
    preference, chosen_nll = [], []
    for prompt, (chosen, rejected) in zip(prompts, said, strict=True):
        total = {}
        for kind, ids in (("chosen", chosen), ("rejected", rejected)):
            ours, theirs = (
                logprobs64(model, (*prompt, *ids))[len(prompt) :],
                logprobs64(reference, (*prompt, *ids))[len(prompt) :],
            )
            total[kind] = sum(ours) - sum(theirs)
            chosen_nll += [-value for value in ours] if kind == "chosen" else []
        preference.append(neglogsigmoid(BETA * (total["chosen"] - total["rejected"])))
    expected = sum(preference) / 2 + NLL_WEIGHT * sum(chosen_nll) / len(chosen_nll)
    assert loss.item() == pytest.approx(expected, abs=TOLERANCE)


def test_one_turn_dialogues_equal_trls_own_dpo(parts, tokenizer, tmp_path):
    from colbench_gym.baselines.training.trainers import TurnPreferenceTrainer, preference_row

    chosen, rejected = parts[0][2], parts[0][2].__class__((parts[0][3].rows[0],))
    row, other = chosen.rows[0], chosen.rows[0]
    start = row.spans[0][1]
    worse = type(row)((*row.ids[:start], 9, 9, 3), (*row.turns[:start], 0, 0, 0))
    ours = trainer_for(tokenizer, tmp_path, [preference_row(chosen, type(rejected)((worse,)), "sum")], 0.0)
    theirs = trainer_for(
        tokenizer, tmp_path,
        [{"prompt_ids": list(row.ids[:start]), "chosen_ids": list(other.ids[start:]), "rejected_ids": [9, 9, 3]}],
        None, cls=TurnPreferenceTrainer, loss_type=["sigmoid"],
    )  # fmt: skip
    assert batch_loss(ours)[0].item() == pytest.approx(batch_loss(theirs)[0].item(), abs=1e-6)


def test_filtered_bc_loss(parts, tokenizer, tmp_path):
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    from colbench_gym.baselines.training.trainers import sft_rows

    rows = sft_rows(parts[0])
    args = SFTConfig(
        output_dir=str(tmp_path), use_cpu=True, bf16=False, gradient_checkpointing=False, report_to="none", max_length=None,
        per_device_train_batch_size=2, gradient_accumulation_steps=3, max_steps=1, learning_rate=0.0, disable_tqdm=True,
        dataset_kwargs={"skip_prepare_dataset": True}, logging_steps=1,
    )  # fmt: skip
    trainer = SFTTrainer(
        model=make_model(tokenizer, 1), args=args, train_dataset=Dataset.from_list(rows), processing_class=tokenizer
    )
    trainer.train()
    assert len(rows) == 5  # three micro-batches, ragged
    every = [
        -value
        for dialogue in parts[0]
        for row in dialogue.rows
        for value, turn in zip(logprobs64(1, row.ids), row.turns, strict=True)
        if turn >= 0
    ]
    assert trainer.state.log_history[0]["loss"] == pytest.approx(sum(every) / len(every), abs=TOLERANCE)


@pytest.mark.parametrize("head_loss", ["pairwise", "value"])
def test_head_losses(head_loss, parts, tokenizer, tmp_path, tiny_model):
    import torch
    from datasets import Dataset
    from transformers import TrainingArguments, set_seed

    from colbench_gym.baselines.training.trainers import TurnHeadCollator, TurnHeadTrainer, preference_row
    from colbench_gym.models.loading import load_head_model

    dialogues, scores = parts[1], [1.0, 0.3, 0.0, 0.7]
    pairs = [(dialogues[0], dialogues[2]), (dialogues[1], dialogues[3])]
    if head_loss == "pairwise":
        rows = [preference_row(c, r, "turn_means") for c, r in pairs]
    else:
        rows = [
            {"chosen_ids": [list(r.ids) for r in d.rows], "chosen_turns": [list(r.turns) for r in d.rows], "score": s}
            for d, s in zip(dialogues, scores, strict=True)
        ]
    set_seed(5)
    model = load_head_model(str(tiny_model), torch.float32).eval()
    args = TrainingArguments(
        output_dir=str(tmp_path),
        use_cpu=True,
        report_to="none",
        per_device_train_batch_size=len(rows),
        disable_tqdm=True,
    )
    trainer = TurnHeadTrainer(
        model=model, args=args, train_dataset=Dataset.from_list(rows), processing_class=tokenizer,
        data_collator=TurnHeadCollator(tokenizer.pad_token_id), head_loss=head_loss, beta=BETA,
    )  # fmt: skip
    batch = next(iter(trainer.get_train_dataloader()))
    loss = trainer.compute_loss(model, batch).item()
    model.double()

    def heads(dialogue):
        return [
            model(torch.tensor([row.ids])).logits[0, end - 1, 0].item()
            for row in dialogue.rows
            for _, _, end in row.spans
        ]

    if head_loss == "pairwise":
        expected = sum(neglogsigmoid(BETA * (sum(heads(c)) - sum(heads(r)))) for c, r in pairs) / len(pairs)
    else:
        per_dialogue = []
        for dialogue, target in zip(dialogues, scores, strict=True):
            each = [target * neglogsigmoid(h) + (1 - target) * neglogsigmoid(-h) for h in heads(dialogue)]
            per_dialogue.append(sum(each) / len(each))
        expected = sum(per_dialogue) / len(per_dialogue)
    assert loss == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("aggregation", ["sum", "mean", "turn_means"])
def test_no_human_and_no_prompt_token_gets_gradient(aggregation, parts, tokenizer, tmp_path):
    """The gradient of the loss with respect to each token's own log-probability."""
    import torch

    from colbench_gym.baselines.training.trainers import preference_row

    rows = [
        preference_row(parts[0][0], parts[0][1], aggregation),
        preference_row(parts[0][3], parts[0][2], aggregation),
    ]
    trainer = trainer_for(tokenizer, tmp_path, rows, NLL_WEIGHT)
    held = []
    scores = trainer._scores

    def watched(model, inputs, reference=False):
        outcome = {}

        class Watching:
            def __call__(self, **kwargs):
                out = model(**kwargs)
                out.log_probs.retain_grad()
                held.append(out.log_probs)
                outcome["out"] = out
                return out

        return scores(Watching(), inputs, reference)

    trainer._scores = watched
    loss, batch = batch_loss(trainer)
    loss.backward()
    (logprobs,) = held
    agent = torch.tensor(
        [
            [row[at] >= 0 if at < len(row) else False for at in range(1, logprobs.shape[1] + 1)]
            for side in ("chosen_turns", "rejected_turns")
            for row in [turns for example in _in_batch_order(trainer, batch, rows) for turns in example[side]]
        ]
    )
    assert (logprobs.grad[~agent] == 0).all()
    assert (logprobs.grad[agent] != 0).all()


def _in_batch_order(trainer, batch, rows):
    ids = batch["input_ids"].tolist()
    return sorted(
        rows,
        key=lambda row: next(
            at for at, got in enumerate(ids) if got[: len(row["chosen_ids"][0])] == row["chosen_ids"][0]
        ),
    )


def test_filtered_bc_labels_are_the_agents_tokens_alone(parts):
    from colbench_gym.baselines.training.trainers import sft_rows

    rows = [row for dialogue in parts[0] for row in dialogue.rows]
    for made, row in zip(sft_rows(parts[0]), rows, strict=True):
        assert [label != -100 for label in made["labels"]] == [bool(m) for m in row.mask]
        assert all(label in (-100, i) for label, i in zip(made["labels"], row.ids, strict=True))
