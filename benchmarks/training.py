"""Speed of training, scoring and sampling: against TRL's DPOTrainer, and against a prompt read for each candidate.

python benchmarks/training.py [--rounds 3] [--steps 2] [--hidden 128] [--layers 2] [--only training] [--json FILE]

Training: the same model, the same sequences and the same number of optimizer steps; both sides read all tokens of both
dialogues and compute the reference's log-probabilities before the clock starts. TRL's own trainer takes everything
after the opening as one completion: it cannot tell the human's words from the agent's.
Needs TRL. On a CPU, seconds are CPU seconds of the process, and memory is what its resident set grew by at most.
Scoring: 16 candidates of 50 tokens behind one prompt of 2,000. Sampling: 16 candidates of 64 new tokens behind it.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TQDM_DISABLE", "1")
warnings.filterwarnings("ignore")

import numpy as np  # noqa: E402
import torch  # noqa: E402
from datasets import Dataset, disable_progress_bars  # noqa: E402
from harness import Measured, print_table, take_turns, write_json  # noqa: E402
from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, TrainingArguments  # noqa: E402

from colbench_gym.baselines.training.pair_trainer import PairCollator, PairTrainer, pair_row  # noqa: E402
from colbench_gym.models.chat_template import NOT_AGENT, TokenizedDialogue, TokenRow  # noqa: E402
from colbench_gym.models.sampling import LocalSampler, Request  # noqa: E402
from colbench_gym.models.scoring import said_logprobs  # noqa: E402

TEMPLATE = (
    "{% for m in messages %}<|start|>{{ m.role }}\n{{ m.content }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
PROMPT, CANDIDATES, CANDIDATE = 2000, 16, 50
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
    settings = {
        "output_dir": folder,
        "per_device_train_batch_size": options.micro,
        "gradient_accumulation_steps": 4 // options.micro,
        "max_steps": options.steps,
        "report_to": "none",
        "save_strategy": "no",
        "logging_steps": 1,
        "disable_tqdm": True,
        "log_level": "error",
        "bf16": torch.cuda.is_available(),
        "learning_rate": 2e-7,
    }
    common = {"model": new_model(options, len(tokenizer)), "processing_class": tokenizer}
    if kind == "trl":
        return trl_trainer(pairs, settings, common)
    rows = [pair_row(chosen, rejected, "sum") for chosen, rejected in pairs]
    return PairTrainer(
        args=TrainingArguments(remove_unused_columns=False, **settings),
        train_dataset=Dataset.from_list(rows),
        data_collator=PairCollator(tokenizer.pad_token_id),
        beta=0.1,
        nll_weight=0.01,
        **common,
    )


def trl_trainer(pairs: list, settings: dict[str, Any], common: dict[str, Any]) -> Any:
    from trl import DPOConfig, DPOTrainer

    class OnTokenIds(DPOTrainer):
        def _prepare_dataset(self, dataset: Dataset, *_: object) -> Dataset:
            return dataset

    rows = [
        {
            "prompt_ids": list(chosen.rows[0].ids[:OPENING]),
            "chosen_ids": list(chosen.rows[0].ids[OPENING:]),
            "rejected_ids": list(rejected.rows[0].ids[OPENING:]),
        }
        for chosen, rejected in pairs
    ]
    args = DPOConfig(
        max_length=None,
        precompute_ref_log_probs=True,
        gradient_checkpointing=False,
        loss_type=["sigmoid", "sft"],
        loss_weights=[1.0, 0.01],
        **settings,
    )
    return OnTokenIds(train_dataset=Dataset.from_list(rows), args=args, **common)


def tokens_trained(pairs: list, options: argparse.Namespace) -> int:
    return options.steps * 4 * sum(len(d.rows[0].ids) for pair in pairs for d in pair) // len(pairs)


def training_speed(kind: str, pairs: list, options: argparse.Namespace, memory: dict[str, list[float]]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        made = trainer(kind, pairs, options, folder)
        if kind != "trl":
            made._references["train"] = made.reference_sums(made.model.to(made.args.device), made.train_dataset)
        made.log = lambda *_, **__: None
        gc.collect()
        before = reset_peak()
        started = clock()
        made.train()
        seconds = clock() - started
        memory.setdefault(kind, []).append(peak_mb() - before)
        return tokens_trained(pairs, options) / seconds


def reset_peak() -> float:
    """Forget the greatest use of memory so far; return the use now, in MB."""
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()
        return torch.cuda.memory_allocated() / 1e6
    Path("/proc/self/clear_refs").write_text("5")
    return peak_mb()


def peak_mb() -> float:
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated() / 1e6
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1e3


def scoring(model: Any, rng: np.random.Generator, share: bool) -> Callable[[], int]:
    prompt = list(map(int, rng.integers(3, 250, PROMPT)))
    said = [list(map(int, rng.integers(3, 250, CANDIDATE))) for _ in range(CANDIDATES)]
    return lambda: len(said_logprobs(model, prompt, said, share))


def candidate_sampling(model: Any, tokenizer: Any, rng: np.random.Generator, share: bool) -> Callable[[], int]:
    sampler = LocalSampler(model, tokenizer, max_new_tokens=64, share_prompts=share)
    prompt = tuple(map(int, rng.integers(3, 250, PROMPT)))
    return lambda: len(sampler.sample([Request(prompt, seed, 1.0) for seed in range(CANDIDATES)]))


def rate(run: Callable[[], int]) -> float:
    started = clock()
    return run() / (clock() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    defaults = {"rounds": 3, "steps": 2, "hidden": 128, "layers": 2, "vocabulary": 4096, "threads": 1, "micro": 2}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", choices=("training", "candidates"), help="one part alone")
    parser.add_argument("--json", type=Path, help="a file for all rounds")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    logging.disable(logging.WARNING)
    disable_progress_bars()
    rng = np.random.default_rng(0)
    pairs = [(dialogue(rng, 3 + at % 6), dialogue(rng, 2 + at % 4)) for at in range(PAIRS)]
    device = "GPU" if torch.cuda.is_available() else f"CPU, {torch.get_num_threads()} threads"
    print(f"{device}; {sum(p.numel() for p in new_model(options, 259).parameters()) / 1e6:.1f} M parameters")
    measured: list[Measured] = []
    if options.only in (None, "training"):
        measured += measure_training(pairs, options)
    tokenizer = byte_tokenizer()
    model = new_model(options, len(tokenizer)).eval()
    model = model.to("cuda") if torch.cuda.is_available() else model
    if options.only in (None, "candidates"):
        measured += measure_candidates(model, tokenizer, options.rounds, rng)
    write_json(options.json, "training", measured, **vars(options))


def measure_training(pairs: list, options: argparse.Namespace) -> list[Measured]:
    names = {"trl": "TRL's DPOTrainer", "dpo": "multi-turn DPO"}
    memory: dict[str, list[float]] = {}
    training_speed("trl", pairs, argparse.Namespace(**{**vars(options), "steps": 1}), {})  # warm up
    ways = {name: lambda kind=kind: training_speed(kind, pairs, options, memory) for kind, name in names.items()}
    speed = take_turns(ways, options.rounds, "tokens/s")
    peaks = {kind: Measured(name, "MB at most", tuple(memory[kind])) for kind, name in names.items()}
    print_table("Training", list(speed.values()), [speed[names["trl"]]])
    print_table("Memory of training", list(peaks.values()), [peaks["trl"]])
    return [*speed.values(), *peaks.values()]


def measure_candidates(model: Any, tokenizer: Any, rounds: int, rng: np.random.Generator) -> list[Measured]:
    measured: list[Measured] = []
    for title, make in (
        ("Scoring", lambda share: scoring(model, rng, share)),
        ("Sampling", lambda share: candidate_sampling(model, tokenizer, rng, share)),
    ):
        apart, shared = make(False), make(True)
        shared()
        ways = {"the prompt read for each": partial(rate, apart), "the prompt read once": partial(rate, shared)}
        found = list(take_turns(ways, rounds, "candidates/s").values())
        print_table(f"{title} {CANDIDATES} candidates of a prompt of {PROMPT} tokens", found, found[:1])
        measured += found
    return measured


if __name__ == "__main__":
    main()
