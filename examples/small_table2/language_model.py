"""The small Table 2 by a language model: python language_model.py --model tiny|PATH; --help lists the options.

It reads the request as text and writes as text what kind of matter it asks about; of the matters that may be asked for
it takes each as often as it finds its kind likely. PATH is any model with a chat template. `tiny` is a transformer with
random weights and words of its own that first reads requests of other tasks. Needs the extra train; a run's folder and
its results are as those of `colbench small-table2`.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
import tyro
from transformers import PreTrainedModel

from colbench_gym.dialogue import ChatMessage
from colbench_gym.learning.dialogues import Played, by_policy, play
from colbench_gym.learning.encoder import other_tasks
from colbench_gym.learning.experiment import Experiment
from colbench_gym.learning.methods import Data, Loss, fitted, imitation, judged, log_ratios, preference, turn_preference
from colbench_gym.learning.options import SmallTable2
from colbench_gym.learning.policy import Floats, Menu, MenuPolicy, Numbers, Tasks, Turns
from colbench_gym.learning.summary import (
    BASE,
    DPO,
    ORDER,
    RANDOM,
    RESULTS,
    SWEET,
    ZERO,
    differences,
    markdown,
    read_lines,
)
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.loading import inference_device, load_causal_model, load_chat_tokens
from colbench_gym.models.packing import pad_left
from colbench_gym.tasks.generated_backend.drafts import Draft

TINY = "tiny"
WIDTH, LAYERS, HEADS, CONTEXT = 96, 2, 4, 256  # of the tiny model
AT_ONCE = 32  # requests that are read at once
WANTED = "Name one matter to ask about."
PAIRS = ((ZERO, RANDOM), (BASE, RANDOM), (DPO, RANDOM), (SWEET, RANDOM), *ORDER[:-1])
TEMPLATE = (
    "{% for m in messages %}{% if m.role == 'assistant' %}<ask>{{ m.content }}<end>{% else %}{{ m.content }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<ask>{% endif %}"
)


@dataclass(frozen=True)
class Options(SmallTable2):
    """Options of the experiment, and of its language model.

    Attributes:
        model: ``tiny``, or a folder or name of a model with a chat template.
        read: positions of other tasks whose requests the tiny model reads at first; one of four has a request.
        reading_rate: learning rate there.
        bc_rate: learning rate of filtered BC; 1e-5 suits a model that was trained before, here and below.
        dpo_rate: learning rate of multi-turn DPO.
        sweet_rate: learning rate of SWEET-RL.
        batch: tasks of a step.
        passes: over the dialogues, at most.
        patience: passes that may be no better on held-out tasks.
    """

    out: Path = Path("runs/language-model")
    seeds: int = 2
    unseen_tasks: int = 0
    train_tasks: int = 1500
    test_tasks: int = 600
    first_test: int = 70_000
    dialogues: int = 4
    model: str = TINY
    read: int = 12_000
    reading_rate: float = 2e-3
    bc_rate: float = 5e-4
    dpo_rate: float = 1e-3
    sweet_rate: float = 2e-3
    batch: int = 32
    passes: int = 5
    patience: int = 1


def prompt_of(tokens: ChatTokens, description: str) -> tuple[int, ...]:
    """Return the request without its signature, and what is wanted, in a model's tokens."""
    request = description.partition(" The signature of the function is:")[0]
    content = f"{request}\n\n{WANTED}"
    return tokens.prompt_ids([ChatMessage(role="user", content=content)])


class Writer(MenuPolicy):
    """Policy of a language model: how likely it is to write a kind of matter behind the request.

    Args:
        model: a causal language model.
        tokens: of its chat template.
        kinds: that it may write.
    """

    def __init__(self, model: PreTrainedModel, tokens: ChatTokens, kinds: Sequence[str]) -> None:
        torch.nn.Module.__init__(self)
        self.model, self.tokens, self.head = model, tokens, False
        self.names = [tokens.turn_ids(kind) for kind in kinds]

    def likely(self, descriptions: Sequence[str]) -> torch.Tensor:
        """Return the log-likelihood of each kind behind each request.  # (requests, kinds)

        All kinds stand behind the request in one row; each sees the request and itself.
        """
        read, real = pad_left([prompt_of(self.tokens, one) for one in descriptions], 0)
        written = torch.tensor([token for name in self.names for token in name])
        kind = torch.tensor([at for at, name in enumerate(self.names) for _ in name])
        place = torch.tensor([at for name in self.names for at in range(len(name))])
        rows, longest = read.shape
        width = torch.arange(longest + len(written))
        own = torch.cat([torch.full((longest,), -1), kind])
        sees = (width[:, None] >= width) & ((own == -1) | (own[:, None] == own))
        allowed = sees & torch.cat([real.bool(), torch.ones(rows, len(written), dtype=torch.bool)], 1)[:, None]
        allowed |= torch.eye(len(width), dtype=torch.bool)  # padding has to look at something
        device, ids = self.model.device, torch.cat([read, written.expand(rows, -1)], 1)
        position = torch.cat([(real.cumsum(1) - 1).clamp(min=0), real.sum(1, keepdim=True) + place], 1)
        lowest = torch.finfo(self.model.dtype).min
        mask = torch.zeros(allowed.shape, dtype=self.model.dtype).masked_fill(~allowed, lowest)[:, None]
        logits = self.model(ids.to(device), mask.to(device), position.to(device), use_cache=False).logits
        foretold_at = torch.where(place == 0, longest - 1, width[longest:] - 1)
        logprobs = logits[:, foretold_at].float().log_softmax(-1).cpu()
        of_tokens = logprobs.gather(2, written.expand(rows, -1)[..., None])[..., 0]
        return torch.zeros(rows, len(self.names)).index_add(1, kind, of_tokens)

    def of_tasks(self, tasks: Tasks, which: Numbers) -> torch.Tensor:
        """Return the log-likelihood of each kind at some tasks.  # (which, kinds)"""
        return self.likely([tasks.outcomes.replies[at].task.description for at in which])

    def logprobs(self, tasks: Tasks, turns: Turns) -> torch.Tensor:
        """Return the log-probabilities of all actions, natural log.  # (turns, places + 1)"""
        which, back = np.unique(turns.task, return_inverse=True)
        kinds = torch.from_numpy(tasks.kind[turns.task])
        closed = (kinds < 0) | torch.from_numpy(turns.done)
        weights = self.of_tasks(tasks, which)[torch.from_numpy(back)].gather(1, kinds.clamp(min=0))
        answer = torch.zeros(len(kinds), 1).masked_fill(~closed.all(dim=1, keepdim=True), -torch.inf)
        return torch.cat([weights.masked_fill(closed, -torch.inf), answer], 1).log_softmax(1)


class Known(Writer):
    """Policy of a writer that learns no more: what it finds likely at all tasks of some splits."""

    def __init__(self, writer: Writer, splits: Sequence[Tasks]) -> None:
        torch.nn.Module.__init__(self)
        self.head, self.known = False, dict[int, torch.Tensor]()
        with torch.no_grad():
            for tasks in splits:
                parts = np.split(np.arange(len(tasks)), range(AT_ONCE, len(tasks), AT_ONCE))
                self.known[id(tasks)] = torch.cat([writer.of_tasks(tasks, some) for some in parts])

    def of_tasks(self, tasks: Tasks, which: Numbers) -> torch.Tensor:
        """Return the log-likelihood of each kind at some tasks.  # (which, kinds)"""
        return self.known[id(tasks)][torch.from_numpy(which)]


def write_tiny(folder: Path, menu: Menu, general: Floats, options: Options, seed: int) -> None:
    """Write a small transformer that has read requests of other tasks, each with one kind of its matters.

    That is drawn by how often kinds are open in general, whatever the trade: it learns to name them, and no habit.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    drafts = other_tasks("habits", options.read, 2 * 10**6)  # behind those that taught the general weights
    raw = Tokenizer(models.WordLevel(unk_token="<unknown>"))
    raw.normalizer = normalizers.Lowercase()
    raw.pre_tokenizer = pre_tokenizers.Split(Regex(r"[a-z]+|\d|[^a-z\d\s]"), behavior="removed", invert=True)
    marks = ["<pad>", "<unknown>", "<ask>", "<end>"]
    texts = [one.description for one in drafts] + [WANTED, *menu.kinds] * 3
    trainer = trainers.WordLevelTrainer(special_tokens=marks, min_frequency=3, show_progress=False)
    raw.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="<pad>", unk_token="<unknown>", eos_token="<end>",
        additional_special_tokens=["<ask>"],
    )  # fmt: skip
    tokenizer.chat_template, tokenizer.model_max_length = TEMPLATE, CONTEXT
    torch.manual_seed(seed)
    model = LlamaForCausalLM(LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=WIDTH, intermediate_size=3 * WIDTH, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, max_position_embeddings=CONTEXT, tie_word_embeddings=True,
        pad_token_id=0, bos_token_id=None, eos_token_id=tokenizer.eos_token_id,
    ))  # fmt: skip
    tokens, rng = ChatTokens(tokenizer), np.random.default_rng(seed)
    rows = [prompt_of(tokens, one.description) + tokens.turn_ids(_drawn(one, menu, general, rng)) for one in drafts]
    optimizer = torch.optim.AdamW(model.parameters(), options.reading_rate)
    batches = [rows[at : at + options.batch] for at in range(0, len(rows), options.batch)]
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, options.reading_rate, total_steps=len(batches), pct_start=0.1)
    for some in batches:
        ids, real = pad_left([row[::-1] for row in some], 0)
        ids, real = ids.flip(1), real.flip(1)  # padded on the right
        optimizer.zero_grad()
        loss = model(input_ids=ids, labels=ids.masked_fill(real == 0, -100)).loss
        loss.backward()
        optimizer.step()
        plan.step()
    print(f"{model.num_parameters():,} parameters, {len(tokenizer):,} words, {len(rows):,} requests; loss {loss:.2f}")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _drawn(one: Draft, menu: Menu, general: Floats, rng: np.random.Generator) -> str:
    silent = [m.kind for m in one.matters if m.key not in one.stated and not m.told and m.kind in menu.kinds]
    chances = np.exp([general[menu.kinds.index(kind)] for kind in silent])
    return str(rng.choice(silent, p=chances / chances.sum()))


def part(data: Data, which: Numbers) -> Data:
    """Return the dialogues of some tasks."""
    played = data.played
    kept = np.flatnonzero(np.isin(played.task, which))
    number = np.full(len(played.task), -1)
    number[kept] = np.arange(len(kept))
    turns = played.turns.take(number[played.turns.dialogue] >= 0)
    turns = replace(turns, dialogue=number[turns.dialogue])
    some = Played(turns, played.task[kept], played.success[kept], played.questions[kept], played.useful[kept])
    return Data(data.tasks, some, number[data.pairs[number[data.pairs[:, 0]] >= 0]], data.labelled)


def parts(data: Data, size: int, seed: int) -> list[Data]:
    """Return the dialogues of some tasks after the other; tasks without a pair teach nothing."""
    order = np.random.default_rng(seed).permutation(len(data.tasks))
    some = [part(data, which) for which in np.split(order, range(size, len(order), size))]
    return [one for one in some if len(one.pairs)]


def taught(start: Writer, losses: Sequence[Loss], held_out: Sequence[Loss], rate: float, options: Options) -> Writer:
    """Return what losses, a step each, teach a writer, as it was after the pass that held-out losses like best."""
    policy, reached, since = copy.deepcopy(start), [float("inf")], 0
    best, optimizer = start, torch.optim.AdamW(policy.parameters(), rate)
    while len(reached) <= options.passes and since < options.patience:
        policy.train()
        for at in torch.randperm(len(losses)).tolist():
            optimizer.zero_grad()
            losses[at](policy).backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimizer.step()
        policy.eval()
        with torch.no_grad():
            now = float(np.mean([float(loss(policy)) for loss in held_out]))
        since = since + 1 if now >= min(reached) else 0
        best = best if since else copy.deepcopy(policy)
        reached.append(now)
    print(f"held-out loss after each pass: {', '.join(f'{one:.3f}' for one in reached[1:])}", flush=True)
    return best


class WriterExperiment(Experiment):
    """The experiment with a language model in place of a table of trades and kinds.

    What it tells of its losses and of the CPU's time goes to standard output.
    """

    options: Options

    def _learned(self, seed: int) -> tuple[dict[str, MenuPolicy], dict[str, float], dict[str, MenuPolicy]]:
        o, (tasks, menu, general) = self.options, self._splits
        began, splits = time.process_time(), list(tasks.values())
        name = o.model
        if name == TINY:
            name = str(o.out / f"{TINY}-{seed}")
            write_tiny(Path(name), menu, general, o, seed)
        model = load_causal_model(name, torch.float32).to(inference_device()[0])
        writer = Writer(model.eval(), load_chat_tokens(name), menu.kinds)
        initial = Known(writer, splits)
        both = []
        for split, draw in (("train", 1000 + seed), ("validation", 2000 + seed)):
            played = play(tasks[split], by_policy(initial, tasks[split]), o.questions, draw, o.dialogues)
            both.append(Data.of(tasks[split], played))
        first = self._initial(reads=True)  # the critic is that of the small Table 2, which reads programs
        critic = fitted(first, [preference(data, first, o) for data in both], o)
        right: list[float] = []

        def by_turns(data: Data) -> Loss:
            pairs = judged(data, initial, log_ratios(critic, first, data), o, seed)
            right.append(pairs.right)
            return turn_preference(data.tasks, pairs, initial, o)

        policies: dict[str, MenuPolicy] = {ZERO: initial}
        torch.manual_seed(seed)
        for method, loss, rate in (
            (BASE, imitation, o.bc_rate),
            (DPO, lambda data: preference(data, initial, o), o.dpo_rate),
            (SWEET, by_turns, o.sweet_rate),
        ):
            print(f"seed {seed}, {method}, after {time.process_time() - began:.0f} s of CPU", flush=True)
            train, held_out = ([loss(one) for one in parts(data, o.batch, seed)] for data in both)
            policies[method] = Known(taught(writer, train, held_out, rate, o), splits)
        print(f"seed {seed} learned after {time.process_time() - began:.0f} s of CPU", flush=True)
        return policies, {SWEET: float(np.mean(right))}, {}


if __name__ == "__main__":
    options = tyro.cli(Options, description=__doc__)
    WriterExperiment(options).run()
    for split, lines in read_lines(options.out / RESULTS).items():
        print(f"{split}\n\n{markdown(lines)}\n")
    print(differences(options.out / RESULTS, pairs=PAIRS))
