"""One trainer for everything that compares dialogues: critic, multi-turn DPO, actor, and a head in their place.

A dialogue's score is linear in what a model says of its tokens, S = sum of weight * (log pi_theta - log pi_ref), and
the loss of a pair depends on the two scores alone. So rows can be run a few at a time: when a pair has more rows than
are held at once, a first pass without gradients finds the scores and the slopes of the loss in them, a second one runs
the rows again and adds up slope * gradient of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal
from zlib import crc32

import torch
import torch.nn.functional as F  # noqa: N812  the field's name for it
from accelerate.utils import DistributedType, gather_object
from datasets import Dataset
from transformers import Trainer

from colbench_gym.baselines.training.losses import preference_loss
from colbench_gym.baselines.training.processes import number, progress, wait
from colbench_gym.baselines.training.token_logprobs import token_logprobs
from colbench_gym.errors import UsageError
from colbench_gym.jsonl import append_row, ready_to_append
from colbench_gym.models.chat_template import NOT_AGENT, TokenizedDialogue
from colbench_gym.models.scoring import pad_rows
from colbench_gym.models.turn_store import whole_rows

Aggregation = Literal["sum", "mean", "turn_means"]
NllOver = Literal["chosen", "sequence"]
Batch = Mapping[str, torch.Tensor]
Sums = list[list[float]]  # score and plain sum of a pair's sides
SIDES = ("chosen", "rejected")


def pair_row(
    chosen: TokenizedDialogue, rejected: TokenizedDialogue, aggregation: Aggregation, nll_over: NllOver = "chosen"
) -> dict[str, Any]:
    """Return one row for :class:`PairTrainer`."""
    sides = {"chosen": chosen, "rejected": rejected}
    ids = {f"{side}_ids": [list(row.ids) for row in dialogue.rows] for side, dialogue in sides.items()}
    turns = {f"{side}_turns": [list(row.turns) for row in dialogue.rows] for side, dialogue in sides.items()}
    return {**ids, **turns, "aggregation": aggregation, "nll_over": nll_over}


def token_weights(turns: Sequence[Sequence[int]], aggregation: Aggregation) -> list[list[float]]:
    """Return the weight of each token's log-ratio in a dialogue's score.

    ``sum``: 1 (multi-turn DPO; "without length normalisation" in Table 3). ``mean``: one over the agent tokens of the
    dialogue (released code). ``turn_means``: one over the agent tokens of the turn (paper, eq. 3, summed as in eq. 2).
    """
    counts: dict[int, int] = {}
    for row in turns:
        for turn in row:
            counts[turn] = counts.get(turn, 0) + 1
    total = sum(count for turn, count in counts.items() if turn != NOT_AGENT)
    each = {turn: 1.0 if aggregation == "sum" else 1.0 / (total if aggregation == "mean" else count)
            for turn, count in counts.items()} | {NOT_AGENT: 0.0}  # fmt: skip
    return [[each[turn] for turn in row] for row in turns]


def nll_weights(turns: Sequence[Sequence[int]], over: NllOver) -> list[list[float]]:
    """Return weights that sum to one over a dialogue, on what the agent said or on every token with a predecessor."""
    if over == "chosen":
        return token_weights(turns, "mean")
    total = sum(len(row) - 1 for row in turns)
    return [[0.0] + [1.0 / total] * (len(row) - 1) for row in turns]


class PairCollator:
    """Stacks the rows of all dialogues of a batch, those of a pair one after the other.

    Returns ``input_ids``, ``attention_mask``  # (rows, tokens); ``weights``: of the score, of the plain sum and of the
    additive loss  # (rows, tokens, 3); ``dialogue``  # (rows,), twice the example's number in the batch, plus one for
    the rejected side; ``number``: of the example in the data set; ``success`` where examples have one.

    Args:
        pad_token_id: its value does not matter, it is masked.
    """

    def __init__(self, pad_token_id: int) -> None:
        self._pad = pad_token_id

    def __call__(self, examples: Sequence[Mapping[str, Any]]) -> dict[str, torch.Tensor]:
        """Make the batch."""
        ids: list[Sequence[int]] = []
        weights: list[list[list[float]]] = [[], [], []]
        dialogue: list[int] = []
        for at, example in enumerate(examples):
            for side in SIDES:
                turns: Sequence[Sequence[int]] = example[f"{side}_turns"]
                ids += example[f"{side}_ids"]
                weights[0] += self.score_weights(turns, example)
                weights[1] += self.plain_weights(turns)
                weights[2] += self.loss_weights(turns, example, side)
                dialogue += [2 * at + SIDES.index(side)] * len(turns)
        batch = {
            "input_ids": pad_rows(ids, self._pad, torch.long),
            "attention_mask": pad_rows([[1] * len(row) for row in ids], 0, torch.long),
            "weights": torch.stack([pad_rows(each, 0.0, torch.float32) for each in weights], dim=-1),
            "dialogue": torch.tensor(dialogue),
            "number": torch.tensor([example["number"] for example in examples]),
        }
        if "success" in examples[0]:
            batch["success"] = torch.tensor([float(example["success"]) for example in examples])
        return batch

    def score_weights(self, turns: Sequence[Sequence[int]], example: Mapping[str, Any]) -> list[list[float]]:
        """Return the weights in the dialogue's score."""
        return token_weights(turns, example["aggregation"])

    def plain_weights(self, turns: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return the weights in the plain sum, which is logged."""
        return token_weights(turns, "sum")

    def loss_weights(self, turns: Sequence[Sequence[int]], example: Mapping[str, Any], side: str) -> list[list[float]]:
        """Return the weights in the loss that is a sum over tokens: the likelihood of the chosen dialogue."""
        return nll_weights(turns, example["nll_over"]) if side == "chosen" else [[0.0] * len(row) for row in turns]


def logprob_sums(model: Any, rows: Batch) -> torch.Tensor:
    """Return for each row the weighted sums of its tokens' log-probabilities, the third negated.  # (rows, 3)"""
    needed = (rows["weights"][:, 1:] != 0).any(dim=-1).any(dim=0)
    places = needed.nonzero().squeeze(1) + 1
    if not len(places):  # a row that stands in for another process's
        places = torch.ones(1, dtype=torch.long, device=needed.device)
    logprobs = token_logprobs(model, rows["input_ids"], rows["attention_mask"], places)
    sums = (logprobs.unsqueeze(-1) * rows["weights"][:, places]).sum(dim=1)
    return sums * sums.new_tensor([1.0, 1.0, -1.0])


class PairTrainer(Trainer):
    """Preference training on pairs of dialogues of one or more rows; an actor's pair is two one-turn dialogues.

    ``loss = -log sigmoid(beta * (S(chosen) - S(rejected))) + nll_weight * NLL(chosen)``, mean over pairs, with S from
    the weights of :func:`token_weights`. The reference's sums are those of the weights that training starts from (under
    LoRA, of the base): computed before the first step, by all processes, and kept in a file for a run that goes on.

    Args:
        args: for ``transformers.Trainer``; handed through like all other keyword arguments.
        beta: how strongly the reference binds.
        nll_weight: weight of the likelihood of the chosen dialogue.
        reference_file: beginning of the names of JSONL files where the reference's sums are kept; None keeps them in
            memory.
    """

    row_sums: Callable[[Any, Batch], torch.Tensor] = staticmethod(logprob_sums)
    has_reference = True

    def __init__(
        self, *args: Any, beta: float, nll_weight: float, reference_file: Path | None = None, **kwargs: Any
    ) -> None:
        for name in ("train_dataset", "eval_dataset"):
            if kwargs.get(name) is not None:
                kwargs[name] = kwargs[name].add_column("number", list(range(len(kwargs[name]))))
        super().__init__(*args, **kwargs)
        self.beta, self.nll_weight = beta, nll_weight
        self._reference_file = reference_file
        self._references: dict[str, torch.Tensor] = {}
        self._recorded: dict[str, list[dict[str, float]]] = {"train": [], "eval": []}
        for module in self.model.modules():  # policy and reference must not differ by chance
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0

    def pair_loss(self, totals: torch.Tensor, reference: torch.Tensor, inputs: Batch) -> torch.Tensor:  # noqa: ARG002
        """Return the loss of a batch from the sums of its dialogues and the reference's.

        Args:
            totals: score, plain sum and additive loss.  # (pairs, sides, 3)
            reference: score and plain sum.  # (pairs, sides, 2)
            inputs: the batch.
        """
        return preference_loss(totals, reference, self.beta, self.nll_weight)

    def training_step(self, model: Any, inputs: Any, num_items_in_batch: Any = None) -> torch.Tensor:  # noqa: ARG002
        """Add the gradient of a micro-batch; return its loss, divided by the micro-batches of a step."""
        model.train()
        reference = self._reference("train", model, inputs)
        chunks = self._chunks(inputs)
        totals = self._totals(model, inputs, chunks) if len(chunks) > 1 else None
        of_step = torch.zeros(())
        for at, chunk in enumerate(chunks):
            with self._synchronized(model, at == len(chunks) - 1):
                mine = self._sums(model, inputs, chunk)
                known = (mine if totals is None else totals).detach().requires_grad_()
                loss = self.pair_loss(known, reference, inputs)
                (slopes,) = torch.autograd.grad(loss, known, allow_unused=True)
                share = (mine * slopes).sum() / self.current_gradient_accumulation_steps
                deepspeed = self.accelerator.distributed_type == DistributedType.DEEPSPEED
                self.accelerator.backward(share, **({"scale_wrt_gas": False} if deepspeed else {}))
            of_step = loss.detach() / self.current_gradient_accumulation_steps
        self._record("train", known.detach(), reference, inputs)
        return of_step

    def prediction_step(self, model: Any, inputs: Any, *_: Any, **__: Any) -> tuple[torch.Tensor, None, None]:
        """Return the loss of a batch that is held out, and record its numbers."""
        reference = self._reference("eval", model, inputs)
        totals = self._totals(model, inputs, self._chunks(inputs))
        self._record("eval", totals, reference, inputs)
        return self.pair_loss(totals, reference, inputs), None, None

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Add the means of what was recorded since the last time, over all processes."""
        kind = "eval" if "eval_loss" in logs else "train"
        recorded = self._recorded[kind]
        if recorded:
            values = torch.tensor([list(numbers.values()) for numbers in recorded], device=self.accelerator.device)
            means = self.accelerator.gather(values.mean(dim=0, keepdim=True)).mean(dim=0).tolist()
            prefix = "eval_" if kind == "eval" else ""
            logs.update({prefix + name: value for name, value in zip(recorded[0], means, strict=True)})
            recorded.clear()
        super().log(logs, start_time)

    def _chunks(self, inputs: Batch) -> list[torch.Tensor]:
        """Return the numbers of the rows that are run at once: as many as a batch of one-row dialogues has.

        All processes get the same number of chunks, because models that are shared out are run together.
        """
        lengths = inputs["attention_mask"].sum(dim=1)
        at_once = 2 * self.args.per_device_train_batch_size
        chunks = list(lengths.argsort(descending=True, stable=True).split(at_once))
        if self.args.world_size > 1:
            most = int(self.accelerator.gather(torch.tensor([len(chunks)], device=lengths.device)).max())
            chunks += [chunks[-1][:0]] * (most - len(chunks))
        return chunks

    def _sums(self, model: Any, inputs: Batch, chunk: torch.Tensor) -> torch.Tensor:
        """Return what the rows of a chunk add to the sums of their dialogues.  # (pairs, sides, 3)"""
        pairs = len(inputs["number"])
        sums = inputs["weights"].new_zeros(2 * pairs, 3)
        stand_in = not len(chunk)
        chunk = inputs["dialogue"].new_zeros(1) if stand_in else chunk
        longest = int(inputs["attention_mask"][chunk].sum(dim=1).max())
        columns = {"input_ids", "attention_mask", "weights"}
        rows = {name: inputs[name][chunk, :longest] for name in columns}
        by_row = self.row_sums(model, rows) * (0.0 if stand_in else 1.0)
        return sums.to(by_row.dtype).index_add(0, inputs["dialogue"][chunk], by_row).view(pairs, 2, 3)

    def _totals(self, model: Any, inputs: Batch, chunks: Sequence[torch.Tensor]) -> torch.Tensor:
        with torch.no_grad():
            return torch.stack([self._sums(model, inputs, chunk) for chunk in chunks]).sum(dim=0)

    @contextmanager
    def _synchronized(self, model: Any, last: bool) -> Iterator[None]:
        """Let gradients be exchanged, and DeepSpeed step, with the last chunk of the last micro-batch only."""
        due = self.accelerator.sync_gradients
        held_back: AbstractContextManager[Any] = nullcontext()
        if due and not last:
            held_back = self.accelerator.no_sync(model)
        self.accelerator.sync_gradients = due and last
        try:
            with held_back:
                yield
        finally:
            self.accelerator.sync_gradients = due

    def _reference(self, kind: str, model: Any, inputs: Batch) -> torch.Tensor:
        """Return the reference's score and plain sum of the batch's dialogues.  # (pairs, sides, 2)"""
        if not self.has_reference:
            return inputs["weights"].new_zeros(len(inputs["number"]), 2, 2)
        if not self._references:
            for name, data in (("train", self.train_dataset), ("eval", self.eval_dataset)):
                if data is not None:
                    self._references[name] = self._read_reference(name, model, data)
        return self._references[kind][inputs["number"].cpu()].to(inputs["weights"])

    def _read_reference(self, kind: str, model: Any, data: Dataset) -> torch.Tensor:
        file = self._reference_file and self._reference_file.with_name(f"{self._reference_file.name}.{kind}")
        have: dict[int, Sums] = {}
        for kept in () if file is None else sorted(file.parent.glob(f"{file.name}.*.jsonl")):
            rows = (row for row in whole_rows(kept) if row["number"] < len(data))
            have |= {
                row["number"]: row["sums"]
                for row in rows
                if row.get("row") == crc32(repr(data[row["number"]]).encode())
            }
        if self.state.global_step and len(have) < len(data):
            raise UsageError(
                f"{file}.*.jsonl are not there any more, or of other data, and cannot be made from trained weights; "
                "start a new --out"
            )
        wait()  # until all have read, before anyone appends
        return self.reference_sums(model, data, have, file and file.with_name(f"{file.name}.{number()}.jsonl"))

    def reference_sums(
        self, model: Any, data: Dataset, have: Mapping[int, Sums] = MappingProxyType({}), file: Path | None = None
    ) -> torch.Tensor:
        """Return score and plain sum of each dialogue under the weights as they are.  # (examples, sides, 2)

        Batches are shared among processes, each of which runs equally many.

        Args:
            model: with these weights.
            data: examples.
            have: sums that are known, by the number of the example; the same in all processes.
            file: where those of this process are appended as they are found.
        """
        at_once, processes = self.args.per_device_train_batch_size, self.args.world_size
        missing = [at for at in range(len(data)) if at not in have]
        batches = [missing[start : start + at_once] for start in range(0, len(missing), at_once)]
        batches += batches[:1] * (-len(batches) % processes)
        found: dict[int, Sums] = {}
        report = progress("log-probabilities before training, batches")
        if file and batches:
            ready_to_append(file)
        with ExitStack() as stack:
            adapted = self.accelerator.unwrap_model(model)
            if hasattr(adapted, "peft_config"):
                stack.enter_context(adapted.disable_adapter())
            for done, batch in enumerate(batches[self.args.process_index :: processes], start=1):
                stacked = self.data_collator([data[at] for at in batch])
                inputs = {name: value.to(self.accelerator.device) for name, value in stacked.items()}
                of_batch = dict(
                    zip(batch, self._totals(model, inputs, self._chunks(inputs))[..., :2].tolist(), strict=True)
                )
                for at, sums in of_batch.items():
                    if file:
                        append_row(file, {"number": at, "row": crc32(repr(data[at]).encode()), "sums": sums})
                found |= of_batch
                report(done, len(batches) // processes)
        every = {**have, **dict(gather_object(list(found.items())))}
        return torch.tensor([sums for _, sums in sorted(every.items())], dtype=torch.float64)

    def _record(self, kind: str, totals: torch.Tensor, reference: torch.Tensor, inputs: Batch) -> None:
        self._recorded[kind].append({name: float(value) for name, value in self.numbers(totals, reference, inputs)})

    def numbers(
        self,
        totals: torch.Tensor,
        reference: torch.Tensor,
        inputs: Batch,  # noqa: ARG002
    ) -> Iterator[tuple[str, torch.Tensor]]:
        """Yield what is logged: ``score/*`` in the loss's own aggregation, ``rewards/*`` as TRL has them."""
        ratios = totals[..., :2] - reference
        margins = ratios[:, 0] - ratios[:, 1]
        yield "loss/preference", -F.logsigmoid(self.beta * margins[:, 0]).mean()
        yield "loss/nll", totals[:, 0, 2].mean()
        for at, (group, scale) in enumerate((("score", 1.0), ("rewards", self.beta))):
            plural = "s" if group == "rewards" else ""
            yield f"{group}/chosen", scale * ratios[:, 0, at].mean()
            yield f"{group}/rejected", scale * ratios[:, 1, at].mean()
            yield f"{group}/margin{plural}", scale * margins[:, at].mean()
            yield f"{group}/accurac{'ies' if plural else 'y'}", (margins[:, at] > 0).float().mean()
