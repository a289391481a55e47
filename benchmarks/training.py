"""How fast the trainers and the sampler are, against TRL's own DPOTrainer and transformers' generate, in one run.

python benchmarks/training.py [--rounds 3] [--steps 2] [--hidden 128] [--layers 2] [--json FILE]

Training: the same model, the same sequences and the same number of optimizer steps; both sides read all tokens of both
dialogues and compute the reference's log-probabilities before the clock starts. TRL's own trainer takes everything
after the opening as one completion: it cannot tell the human's words from the agent's.
On a CPU, seconds are CPU seconds of the process.
Sampling: as many dialogues at once as the batch holds, against one message after another.
"""

from __future__ import annotations

import argparse
import logging
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TQDM_DISABLE", "1")
warnings.filterwarnings("ignore")

import numpy as np  # noqa: E402
import torch  # noqa: E402
from datasets import Dataset, disable_progress_bars  # noqa: E402
from harness import print_table, take_turns, write_json  # noqa: E402
from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast  # noqa: E402
from trl import DPOConfig  # noqa: E402

from colbench_gym.baselines.training.trainers import (  # noqa: E402
    DialoguePairCollator,
    DialoguePreferenceTrainer,
    TurnPreferenceTrainer,
    preference_row,
)
from colbench_gym.models.chat_template import NOT_AGENT, TokenizedDialogue, TokenRow  # noqa: E402
from colbench_gym.models.sampling import LocalSampler, Request  # noqa: E402

TEMPLATE = (
    "{% for m in messages %}<|start|>{{ m.role }}\n{{ m.content }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
PAIRS, OPENING, TURN, REPLY, ANSWER = 8, 300, 30, 25, 200  # tokens of the parts of a dialogue, as in ColBench


def clock() -> float:
    """Seconds: on a CPU those that the process worked, as others may keep it busy; on a GPU those that passed."""
    return time.perf_counter() if torch.cuda.is_available() else time.process_time()


def byte_tokenizer() -> PreTrainedTokenizerFast:
    special = ["<|pad|>", "<|end|>", "<|start|>"]
    vocabulary = {token: at for at, token in enumerate([*special, *sorted(pre_tokenizers.ByteLevel.alphabet())])}
    raw = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    raw.add_special_tokens(special)
    made = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<|pad|>", eos_token="<|end|>")
    made.chat_template = TEMPLATE
    made.model_max_length = 4096
    return made


def new_model(options: argparse.Namespace, words: int, seed: int = 0) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    heads = max(1, options.hidden // 32)
    config = LlamaConfig(
        vocab_size=max(words, options.vocabulary),
        hidden_size=options.hidden,
        intermediate_size=3 * options.hidden,
        num_hidden_layers=options.layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=4096,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config)


def dialogue(rng: np.random.Generator, questions: int) -> TokenizedDialogue:
    ids, turns = list(rng.integers(3, 250, OPENING)), [NOT_AGENT] * OPENING
    for turn in range(questions + 1):
        said = TURN if turn < questions else ANSWER
        ids += list(rng.integers(3, 250, said))
        turns += [turn] * said
        if turn < questions:
            ids += list(rng.integers(3, 250, REPLY))
            turns += [NOT_AGENT] * REPLY
    return TokenizedDialogue((TokenRow(tuple(map(int, ids)), tuple(turns)),))


def trainer(kind: str, pairs: list, options: argparse.Namespace, folder: str) -> Any:
    tokenizer = byte_tokenizer()
    losses = {"loss_type": ["sigmoid", "sft"], "loss_weights": [1.0, 0.01]} if kind == "trl" else {}
    args = DPOConfig(
        output_dir=folder,
        per_device_train_batch_size=2,
        gradient_accumulation_steps=2,
        max_steps=options.steps,
        report_to="none",
        max_length=None,
        precompute_ref_log_probs=True,
        gradient_checkpointing=False,
        save_strategy="no",
        logging_steps=1,
        disable_tqdm=True,
        log_level="error",
        bf16=torch.cuda.is_available(),
        learning_rate=2e-7,
        **losses,
    )
    common = {"model": new_model(options, len(tokenizer)), "args": args, "processing_class": tokenizer}
    if kind == "trl":
        rows = [
            {
                "prompt_ids": list(chosen.rows[0].ids[:OPENING]),
                "chosen_ids": list(chosen.rows[0].ids[OPENING:]),
                "rejected_ids": list(rejected.rows[0].ids[OPENING:]),
            }
            for chosen, rejected in pairs
        ]
        return TurnPreferenceTrainer(train_dataset=Dataset.from_list(rows), **common)
    aggregation = "turn_means" if kind == "critic" else "sum"
    rows = [preference_row(chosen, rejected, aggregation) for chosen, rejected in pairs]
    collator = DialoguePairCollator(tokenizer.pad_token_id)
    return DialoguePreferenceTrainer(
        train_dataset=Dataset.from_list(rows), data_collator=collator, nll_weight=0.01, **common
    )


def training_speed(kind: str, pairs: list, options: argparse.Namespace) -> float:
    with tempfile.TemporaryDirectory() as folder:
        made = trainer(kind, pairs, options, folder)
        made.log = lambda *_, **__: None
        started = clock()
        made.train()
        return made._total_train_tokens / (clock() - started)


def batched_sampling(sampler: LocalSampler, prompts: list[tuple[int, ...]]) -> Callable[[], int]:
    requests = [Request(prompt, seed, 1.0) for seed, prompt in enumerate(prompts)]
    return lambda: sum(len(sampled.ids) for sampled in sampler.sample(requests))


def turn_by_turn(sampler: LocalSampler, prompts: list[tuple[int, ...]]) -> Callable[[], int]:
    def run() -> int:
        written = 0
        for prompt in prompts:
            ids = torch.tensor([prompt], device=sampler.model.device)
            out = sampler.model.generate(
                ids, do_sample=True, top_k=0, max_new_tokens=sampler.max_new_tokens, pad_token_id=0, eos_token_id=1
            )
            written += out.shape[1] - len(prompt)
        return written

    return run


def rate(run: Callable[[], int]) -> float:
    started = clock()
    return run() / (clock() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    defaults = {"rounds": 3, "steps": 2, "hidden": 128, "layers": 2, "vocabulary": 4096, "batch": 16, "threads": 1}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--json", type=Path, help="a file for all rounds")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    logging.disable(logging.WARNING)
    disable_progress_bars()
    rng = np.random.default_rng(0)
    pairs = [(dialogue(rng, 3 + at % 6), dialogue(rng, 2 + at % 4)) for at in range(PAIRS)]
    device = "GPU" if torch.cuda.is_available() else f"CPU, {torch.get_num_threads()} threads"
    print(f"{device}; {sum(p.numel() for p in new_model(options, 259).parameters()) / 1e6:.1f} M parameters")
    training_speed("trl", pairs, argparse.Namespace(**{**vars(options), "steps": 1}))  # warm up
    names = {"trl": "TRL's DPOTrainer", "dpo": "multi-turn DPO", "critic": "SWEET's critic"}
    ways = {name: lambda kind=kind: training_speed(kind, pairs, options) for kind, name in names.items()}
    trained = take_turns(ways, options.rounds, "tokens/s")
    print_table("Training", list(trained.values()), [trained[names["trl"]]])

    tokenizer = byte_tokenizer()
    model = new_model(options, len(tokenizer)).eval()
    sampler = LocalSampler(model.to("cuda") if torch.cuda.is_available() else model, tokenizer, max_new_tokens=64)
    prompts = [tuple(map(int, rng.integers(3, 250, OPENING + 11 * at))) for at in range(options.batch)]
    ours, theirs = batched_sampling(sampler, prompts), turn_by_turn(sampler, prompts)
    rate(ours)
    plain = "generate, turn by turn"
    batched = f"hf, {options.batch} dialogues at once"
    sampled = take_turns({plain: lambda: rate(theirs), batched: lambda: rate(ours)}, options.rounds, "tokens/s")
    print_table("Sampling", list(sampled.values()), [sampled[plain]])
    write_json(options.json, "training", [*trained.values(), *sampled.values()], **vars(options))


if __name__ == "__main__":
    main()
