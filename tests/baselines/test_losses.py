"""Every loss against an independent float64 computation, on ragged batches of more than one."""

import math
from functools import cache

import pytest
from support.lazily import Lazily
from support.tables import values
from support.tiny import make_model, make_tokenizer, make_trajectory

from colbench_gym.models.chat_template import NOT_AGENT, ChatTokens, TokenizedDialogue, TokenRow
from colbench_gym.models.tokenized_dialogue import agent_turns

pytestmark = pytest.mark.train

TRAINING = "colbench_gym.baselines.training"
job, pair_trainer = Lazily(f"{TRAINING}.job"), Lazily(f"{TRAINING}.pair_trainer")
datasets, transformers = Lazily("datasets"), Lazily("transformers")
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


def arguments_for(out, at_once, **special):
    return transformers.TrainingArguments(
        output_dir=str(out), use_cpu=True, report_to="none", per_device_train_batch_size=at_once, disable_tqdm=True,
        **special,
    )  # fmt: skip


def trainer_for(tokenizer, tmp_path, rows, nll_weight, model=None, at_once=None):
    """A trainer whose reference is another model than the one that is trained, so that no ratio is one."""
    import torch

    args = arguments_for(tmp_path, at_once or len(rows), remove_unused_columns=False)
    trainer = pair_trainer.PairTrainer(
        model=make_model(tokenizer, 2), args=args, train_dataset=datasets.Dataset.from_list(rows), processing_class=tokenizer,
        data_collator=pair_trainer.PairCollator(tokenizer.pad_token_id), beta=BETA, nll_weight=nll_weight,
    )  # fmt: skip
    trainer._references["train"] = trainer.reference_sums(trainer.model, trainer.train_dataset)
    trainer.model = trainer.model_wrapped = model or make_model(tokenizer, 1)
    trainer.current_gradient_accumulation_steps = 1
    assert all(module.p == 0 for module in trainer.model.modules() if isinstance(module, torch.nn.Dropout))
    return trainer


def batch_of(trainer):
    return trainer.data_collator([trainer.train_dataset[at] for at in range(len(trainer.train_dataset))])


def batch_loss(trainer):
    return trainer.training_step(trainer.model, batch_of(trainer))


RECIPES = dict(values(__file__, "recipes_of_losses.txt", {"NLL_WEIGHT": NLL_WEIGHT}))


@pytest.mark.parametrize("name", RECIPES)
def test_pair_losses(name, parts, tokenizer, tmp_path):
    aggregation, nll_weight, over, privileged = RECIPES[name]
    dialogues = parts[1] if privileged else parts[0]
    pairs = [(dialogues[0], dialogues[2]), (dialogues[1], dialogues[3]), (dialogues[3], dialogues[0])]
    rows = [pair_trainer.pair_row(chosen, rejected, aggregation, over) for chosen, rejected in pairs]
    trainer = trainer_for(tokenizer, tmp_path, rows, nll_weight)
    loss = batch_loss(trainer)
    model, reference = 1, 2  # seeds
    expected = 0.0
    for chosen, rejected in pairs:
        margin = score(turn_ratios(model, reference, chosen), aggregation)
        margin -= score(turn_ratios(model, reference, rejected), aggregation)
        expected += (neglogsigmoid(BETA * margin) + nll_weight * nll(model, chosen, over)) / len(pairs)
    assert loss.item() == pytest.approx(expected, abs=TOLERANCE)
    (logged,) = trainer._recorded["train"]
    sums = [
        score(turn_ratios(model, reference, c), "sum") - score(turn_ratios(model, reference, r), "sum")
        for c, r in pairs
    ]
    assert logged["rewards/margins"] == pytest.approx(BETA * sum(sums) / len(sums), abs=1e-4)
    assert logged["loss/nll"] == pytest.approx(sum(nll(model, c, over) for c, _ in pairs) / len(pairs), abs=TOLERANCE)


def one_turn(prompt, said):
    return TokenizedDialogue((TokenRow((*prompt, *said), (NOT_AGENT,) * len(prompt) + (0,) * len(said)),))


def actor_pairs(parts):
    prompts = [parts[0][0].rows[0].ids[:30], parts[0][3].rows[0].ids[:41]]
    return list(zip(prompts, [((7, 8, 9, 3), (10, 3)), ((11, 3), (12, 13, 14, 15, 16, 3))], strict=True))


def actor_rows(pairs):
    return [
        pair_trainer.pair_row(*(one_turn(prompt, said) for said in chosen_and_rejected), "sum")
        for prompt, chosen_and_rejected in pairs
    ]


def test_an_actors_pair_is_two_dialogues_of_one_turn(parts, tokenizer, tmp_path):
    pairs = actor_pairs(parts)
    loss = batch_loss(trainer_for(tokenizer, tmp_path, actor_rows(pairs), NLL_WEIGHT))
    expected = 0.0
    for prompt, said in pairs:
        sums = {}
        for seed in (1, 2):
            for side, ids in zip(("chosen", "rejected"), said, strict=True):
                sums[seed, side] = sum(logprobs64(seed, (*prompt, *ids))[len(prompt) :])
        margin = sums[1, "chosen"] - sums[2, "chosen"] - sums[1, "rejected"] + sums[2, "rejected"]
        expected += (neglogsigmoid(BETA * margin) - NLL_WEIGHT * sums[1, "chosen"] / len(said[0])) / len(pairs)
    assert loss.item() == pytest.approx(expected, abs=TOLERANCE)


def test_one_turn_pairs_equal_trls_own_dpo(parts, tokenizer, tmp_path):
    trl = pytest.importorskip("trl", reason="the comparison with TRL's DPOTrainer needs it: pip install trl")

    class OnTokenIds(trl.DPOTrainer):
        def _prepare_dataset(self, dataset, *_):
            return dataset

    pairs = actor_pairs(parts)
    ids = [
        {"prompt_ids": list(prompt), "chosen_ids": list(chosen), "rejected_ids": list(rejected)}
        for prompt, (chosen, rejected) in pairs
    ]
    args = trl.DPOConfig(
        output_dir=str(tmp_path), use_cpu=True, bf16=False, gradient_checkpointing=False, report_to="none", beta=BETA,
        precompute_ref_log_probs=True, max_length=None, per_device_train_batch_size=2, disable_tqdm=True,
    )  # fmt: skip
    theirs = OnTokenIds(
        model=make_model(tokenizer, 1), ref_model=make_model(tokenizer, 2), args=args, train_dataset=datasets.Dataset.from_list(ids),
        processing_class=tokenizer,
    )  # fmt: skip
    theirs.model.train()
    loss = theirs.compute_loss(theirs.model, next(iter(theirs.get_train_dataloader())))
    loss.backward()
    ours = trainer_for(tokenizer, tmp_path, actor_rows(pairs), 0.0)
    assert batch_loss(ours).item() == pytest.approx(loss.item(), abs=1e-6)
    for (name, mine), other in zip(ours.model.named_parameters(), theirs.model.parameters(), strict=True):
        assert (mine.grad - other.grad).abs().max() < 1e-6, name


@pytest.mark.parametrize("name", RECIPES)
def test_gradients_row_by_row_equal_those_of_the_whole_dialogue(name, parts, tokenizer, tmp_path):
    """In float64, against the loss by its definition: one graph through all rows of all dialogues."""
    import torch
    from torch.nn.functional import logsigmoid

    aggregation, nll_weight, over, privileged = RECIPES[name]
    dialogues = parts[1] if privileged else parts[0]
    pairs = [(dialogues[1], dialogues[3]), (dialogues[0], dialogues[1])]  # dialogue 1 has a row a turn
    rows = [pair_trainer.pair_row(chosen, rejected, aggregation, over) for chosen, rejected in pairs]
    trainer = trainer_for(tokenizer, tmp_path, rows, nll_weight, make_model(tokenizer, 1).double(), at_once=1)
    batch = batch_of(trainer)
    assert len(trainer._chunks(batch)) > 1
    loss = trainer.training_step(trainer.model, batch)

    whole = make_model(tokenizer, 1).double()

    def logprobs(row):
        values = whole(torch.tensor([row.ids])).logits[0, :-1].log_softmax(-1)
        return values.gather(1, torch.tensor(row.ids[1:])[:, None])[:, 0]

    expected = 0.0
    for (chosen, rejected), references in zip(pairs, trainer._references["train"], strict=True):
        scores = []
        for dialogue, reference in zip((chosen, rejected), references, strict=True):
            weights = pair_trainer.token_weights([row.turns for row in dialogue.rows], aggregation)
            parts_of = [
                (logprobs(r) * torch.tensor(w[1:]).double()).sum() for r, w in zip(dialogue.rows, weights, strict=True)
            ]
            scores.append(sum(parts_of) - reference[0])
        marks = [[1.0 if over == "sequence" or turn >= 0 else 0.0 for turn in row.turns[1:]] for row in chosen.rows]
        said = sum((logprobs(r) * torch.tensor(m).double()).sum() for r, m in zip(chosen.rows, marks, strict=True))
        nll = -said / sum(map(sum, marks))
        expected = expected - logsigmoid(BETA * (scores[0] - scores[1])) / len(pairs) + nll_weight * nll / len(pairs)
    expected.backward()
    assert loss.item() == pytest.approx(expected.item(), abs=1e-6)
    largest = 0.0
    for (name_of, mine), other in zip(trainer.model.named_parameters(), whole.parameters(), strict=True):
        assert (mine.grad - other.grad).abs().max() < 1e-6, name_of
        largest = max(largest, float(other.grad.abs().max()))
    assert largest > 1e-3


def test_memory_is_bounded_by_the_longest_row_and_not_by_the_dialogue(parts, tokenizer, tmp_path):
    """Twenty rows a side: never more than two of them are in one forward pass."""
    row = parts[0][2].rows[0]
    many = TokenizedDialogue(
        tuple(type(row)(row.ids, tuple(at if t >= 0 else t for t in row.turns)) for at in range(20))
    )
    trainer = trainer_for(tokenizer, tmp_path, [pair_trainer.pair_row(many, many, "turn_means")], NLL_WEIGHT, at_once=1)
    sizes = []
    trainer.model.register_forward_pre_hook(
        lambda _, args, inputs: sizes.append(tuple(inputs["input_ids"].shape)), with_kwargs=True
    )
    batch_loss(trainer)
    assert len(sizes) == 2 * 20  # once for the scores, once for the gradients
    assert set(sizes) == {(2, len(row.ids))}


def test_filtered_bc_loss(parts, tokenizer, tmp_path):
    rows = job.bc_rows(parts[0])
    args = arguments_for(tmp_path, 2, gradient_accumulation_steps=3, max_steps=1, learning_rate=0.0, logging_steps=1)
    trainer = transformers.Trainer(
        model=make_model(tokenizer, 1), args=args, train_dataset=datasets.Dataset.from_list(rows),
        data_collator=job.LabelCollator(tokenizer.pad_token_id),
    )  # fmt: skip
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


@pytest.mark.parametrize("judge", ["regression", "value"])
def test_head_losses(judge, parts, tokenizer, tmp_path, tiny_model):
    import torch

    from colbench_gym.baselines.training.head_trainer import TurnHeadCollator, TurnHeadTrainer
    from colbench_gym.models.loading import load_head_model

    transformers.set_seed(0)
    model = load_head_model(str(tiny_model), torch.float32)
    dialogues, successes = parts[0], [1.0, 0.0, 0.0, 1.0]
    pairs = [(dialogues[0], dialogues[2]), (dialogues[3], dialogues[1])]
    if judge == "regression":
        rows = [pair_trainer.pair_row(chosen, rejected, "sum") for chosen, rejected in pairs]
    else:
        empty = TokenizedDialogue(())
        rows = [
            pair_trainer.pair_row(d, empty, "sum") | {"success": s} for d, s in zip(dialogues, successes, strict=True)
        ]
    args = arguments_for(tmp_path, len(rows), remove_unused_columns=False, learning_rate=1e-4)
    trainer = TurnHeadTrainer(
        model=model, args=args, train_dataset=datasets.Dataset.from_list(rows), processing_class=tokenizer,
        data_collator=TurnHeadCollator(tokenizer.pad_token_id), head_learning_rate=1e-2, beta=BETA,
    )  # fmt: skip
    trainer.current_gradient_accumulation_steps = 1
    groups = trainer.create_optimizer().param_groups
    at_heads_rate = sum(p.numel() for group in groups for p in group["params"] if group["lr"] == 1e-2)
    assert at_heads_rate == sum(p.numel() for name, p in model.named_parameters() if "score" in name)
    loss = batch_loss(trainer).item()
    model.double().eval()

    def heads(dialogue):
        """The head on the mean of the last hidden states of all tokens up to the end of each turn."""
        values = []
        for row in dialogue.rows:
            for _, _, end in row.spans:
                hidden = model.model(torch.tensor([row.ids[:end]])).last_hidden_state[0]
                values.append(model.score(hidden.mean(dim=0)).item())
        return values

    if judge == "regression":
        expected = sum(neglogsigmoid(BETA * (sum(heads(c)) - sum(heads(r)))) for c, r in pairs) / len(pairs)
    else:
        per_dialogue = []
        for dialogue, target in zip(dialogues, successes, strict=True):
            each = [target * neglogsigmoid(h) + (1 - target) * neglogsigmoid(-h) for h in heads(dialogue)]
            per_dialogue.append(sum(each) / len(each))
        expected = sum(per_dialogue) / len(per_dialogue)
    assert loss == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("aggregation", ["sum", "mean", "turn_means"])
def test_no_human_and_no_prompt_token_gets_gradient(aggregation, parts, tokenizer, tmp_path, monkeypatch):
    """The gradient of the loss with respect to each token's own log-probability."""
    dialogues = [parts[0][0], parts[0][1], parts[0][3], parts[0][2]]
    rows = [pair_trainer.pair_row(*dialogues[:2], aggregation), pair_trainer.pair_row(*dialogues[2:], aggregation)]
    trainer = trainer_for(tokenizer, tmp_path, rows, NLL_WEIGHT, at_once=8)
    held = []
    compute = pair_trainer.token_logprobs

    def watched(model, ids, mask, places):
        values = compute(model, ids, mask, places)
        values.retain_grad()
        held.append((ids, places, values))
        return values

    monkeypatch.setattr(f"{TRAINING}.pair_trainer.token_logprobs", watched)
    batch_loss(trainer)
    ((ids, places, values),) = held
    marks = {tuple(row.ids): row.turns for dialogue in dialogues for row in dialogue.rows}
    agents = 0
    for row, of_row in zip(ids.tolist(), values.grad, strict=True):
        length = next(len(known) for known in marks if tuple(row[: len(known)]) == known and not any(row[len(known) :]))
        turns = marks[tuple(row[:length])]
        for place, gradient in zip(places.tolist(), of_row.tolist(), strict=True):
            said = place < length and turns[place] >= 0
            assert (gradient != 0) == said
            agents += said
    assert agents == sum(len(dialogue.agent_ids) for dialogue in dialogues)


def test_filtered_bc_labels_are_the_agents_tokens_alone(parts):
    rows = [row for dialogue in parts[0] for row in dialogue.rows]
    for made, row in zip(job.bc_rows(parts[0]), rows, strict=True):
        assert [label != -100 for label in made["labels"]] == [bool(m) for m in row.mask]
        assert all(label in (-100, i) for label, i in zip(made["labels"], row.ids, strict=True))
