"""Sample from a local model in batches: one seed a message, so that what is drawn does not depend on its neighbours."""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colbench_gym.concurrency import BatchedCalls
from colbench_gym.errors import MissingExtraError, PolicyError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.loading import context_limit, inference_device, load_causal_model, load_tokenizer
from colbench_gym.models.packing import PADDING, PackedPrompts, pad_left, read_prompts

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

BATCH_SIZE = 16  # messages generated at once
MAX_NEW_TOKENS = 1024  # ours: enough for a page of code; a message is cut there
_GATHER_S = 0.01  # how long a batch that is not full waits for others to arrive


@dataclass(frozen=True)
class Request:
    """Message to sample.

    Attributes:
        prompt: token ids of all that comes before it.
        seed: of its own stream of random numbers.
        temperature: 0 takes the likeliest token.
    """

    prompt: tuple[int, ...]
    seed: int
    temperature: float


@dataclass(frozen=True)
class Sampled:
    """Sampled message.

    Attributes:
        text: without the end of its turn.
        ids: as sampled; the end of the turn is the last one where it was reached.
        logprob: natural log of its probability under the model at temperature 1, summed over ``ids``.
        finished: the turn ended by itself, not at the limit of new tokens.
    """

    text: str
    ids: tuple[int, ...]
    logprob: float
    finished: bool


@dataclass(frozen=True)
class Throughput:
    """Totals of a sampler.

    Attributes:
        messages: sampled.
        batches: they were sampled in.
        prompt_tokens: read.
        new_tokens: written.
        seconds: spent generating.
    """

    messages: int = 0
    batches: int = 0
    prompt_tokens: int = 0
    new_tokens: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        rate = self.new_tokens / self.seconds if self.seconds else 0.0
        mean = self.messages / self.batches if self.batches else 0.0
        return (
            f"{self.messages} messages, {self.new_tokens} tokens in {self.seconds:.1f} s of generation: "
            f"{rate:.0f} tokens/s, {mean:.1f} messages a batch"
        )


class LocalSampler:
    """Samples messages from a causal language model, with its key-value cache. Not thread-safe; see :class:`Batcher`.

    Args:
        model: in memory, on its device.
        tokenizer: with a chat template.
        max_new_tokens: per message at most.
        share_prompts: read a prompt once for all messages of a batch that follow it, where the cache allows it.

    Raises:
        UsageError: no chat template.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        max_new_tokens: int = MAX_NEW_TOKENS,
        share_prompts: bool = True,
    ) -> None:
        self.share_prompts = share_prompts
        self.model, self.tokenizer, self.tokens = model, tokenizer, ChatTokens(tokenizer)
        self.max_new_tokens = max_new_tokens
        self.limit = context_limit(model, tokenizer)
        ends = getattr(model.generation_config, "eos_token_id", None)
        known = [self.tokens.stop_id, tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])]
        self._stops = sorted({i for i in known if isinstance(i, int)})
        self.throughput = Throughput()

    @classmethod
    def load(cls, path: str, max_new_tokens: int = MAX_NEW_TOKENS, cpu: bool = False) -> LocalSampler:
        """Load a model by its folder or hub name onto the fastest device there is.

        Raises:
            UsageError: there is no such model, or it has no chat template.
            MissingExtraError: torch or transformers is not installed.
        """
        try:
            import torch  # noqa: F401  both are needed below
            import transformers  # noqa: F401
        except ImportError as e:
            raise MissingExtraError.of((e.name or "torch").partition(".")[0], "train", "a local model") from e
        tokenizer = load_tokenizer(path)
        ChatTokens(tokenizer)  # fails before the weights are read
        device, dtype = inference_device(cpu)
        model: Any = load_causal_model(path, dtype)  # Any: .to() is typed for one device kind only
        return cls(model.to(device).eval(), tokenizer, max_new_tokens)

    def sample(self, requests: Sequence[Request], at_once: int | None = None) -> list[Sampled]:
        """Sample one message for each request.

        Args:
            requests: in any order.
            at_once: how many messages are written together at most; others enter as soon as these end. All when None.

        Raises:
            PolicyError: a prompt leaves no room in the model's context.
        """
        started = time.perf_counter()
        longest = max(len(request.prompt) for request in requests)
        if self.limit <= longest:
            raise PolicyError(
                f"got a prompt of {longest} tokens, and the model takes {self.limit} in all; use a model with a "
                "longer context, or fewer turns"
            )
        at_once = at_once or len(requests)
        made = self._packed(requests, at_once) if self.share_prompts else None
        if made is None:
            parts = [requests[start : start + at_once] for start in range(0, len(requests), at_once)]
            made = [row for part in parts for row in self._generated(part)]
        result = [self._sampled(*row) for row in made]
        was = self.throughput
        self.throughput = Throughput(
            was.messages + len(requests),
            was.batches + 1,
            was.prompt_tokens + sum(len(request.prompt) for request in requests),
            was.new_tokens + sum(len(sampled.ids) for sampled in result),
            was.seconds + time.perf_counter() - started,
        )
        return result

    def _room(self, requests: Sequence[Request]) -> int:
        """Return how many tokens the messages behind some prompts may have."""
        return min(self.max_new_tokens, self.limit - max(len(request.prompt) for request in requests))

    def _generated(self, requests: Sequence[Request]) -> list[tuple[list[int], list[float]]]:
        """Return tokens and log-probabilities of each message, from a batch with a row a message."""
        import torch
        from transformers import GenerationConfig

        pad: Any = self.tokenizer.pad_token_id  # Any: the tokenizer's own type allows lists
        ids, mask = pad_left([request.prompt for request in requests], pad)  # all messages start together
        device: Any = self.model.device
        noise = _GumbelNoise(requests, device)
        config = GenerationConfig(
            max_new_tokens=self._room(requests), do_sample=False, eos_token_id=self._stops, pad_token_id=pad
        )
        with torch.no_grad():
            out = self.model.generate(
                input_ids=ids.to(device),
                attention_mask=mask.to(device),
                generation_config=config,
                logits_processor=[noise],
                past_key_values=self._read(requests) if self.share_prompts else None,
            )
        logprobs = torch.stack(noise.logprobs, dim=1).tolist()
        return list(zip(out[:, ids.shape[1] :].tolist(), logprobs, strict=True))

    def _packed(self, requests: Sequence[Request], at_once: int) -> list[tuple[list[int], list[float]]] | None:
        """Return the same from a batch with a row a prompt; None where that saves nothing or is not possible.

        A message that has ended takes part in no further step, and a prompt that waits enters as soon as all of its
        messages fit.
        """
        by_prompt: dict[tuple[int, ...], list[int]] = {}
        for number, request in enumerate(requests):
            by_prompt.setdefault(request.prompt, []).append(number)
        if len(by_prompt) == len(requests) or min(map(len, by_prompt)) < 2:
            return None
        noise = _GumbelNoise(requests, self.model.device)
        made: list[tuple[list[int], list[float]]] = [([request.prompt[-1]], []) for request in requests]
        starts = [len(request.prompt) - 1 for request in requests]
        rooms = [self._room([request]) for request in requests]
        waiting, going = deque(by_prompt), list[list[int]]()
        packed: PackedPrompts | None = None
        while waiting or going:
            entering = list[tuple[int, ...]]()
            while waiting and (not going or sum(map(len, going)) + len(by_prompt[waiting[0]]) <= at_once):
                entering.append(waiting.popleft())
                going.append(by_prompt[entering[-1]])
            if entering:
                read = PackedPrompts.read(self.model, [prompt[:-1] for prompt in entering])
                if read is None:
                    return None
                packed = packed.joined(read) if packed else read
            assert packed is not None
            numbers = [number for row in going for number in row]
            columns = max(map(len, going))
            padded: list[list[int | None]] = [[*row, *[None] * (columns - len(row))] for row in going]
            logits = packed.extend(
                [[0 if number is None else made[number][0][-1] for number in row] for row in padded],
                [[PADDING if number is None else number for number in row] for row in padded],
                [[0 if number is None else starts[number] + len(made[number][1]) for number in row] for row in padded],
            )
            places = [(at, column) for at, row in enumerate(going) for column in range(len(row))]
            at, column = zip(*places, strict=True)
            chosen, logprobs = noise.draw(logits[list(at), list(column)], numbers)
            for number, token, logprob in zip(numbers, chosen.tolist(), logprobs.tolist(), strict=True):
                made[number][0].append(token)
                made[number][1].append(logprob)
            going = [
                [n for n in row if made[n][0][-1] not in self._stops and len(made[n][1]) < rooms[n]] for row in going
            ]
            left = [at for at, row in enumerate(going) if row]
            packed = packed.kept(left) if left else None
            going = [going[at] for at in left]
        return [(ids[1:], logprobs) for ids, logprobs in made]

    def _read(self, requests: Sequence[Request]) -> Any | None:  # Any: a transformers cache
        """Read every prompt that several messages follow once; None where that saves nothing or is not possible."""
        import torch

        prompts = sorted({request.prompt for request in requests})
        if len(prompts) == len(requests) or min(map(len, prompts)) < 2:
            return None
        cache = read_prompts(self.model, [prompt[:-1] for prompt in prompts])[0]
        if cache is not None:
            rows = {prompt: row for row, prompt in enumerate(prompts)}
            cache.batch_select_indices(torch.tensor([rows[r.prompt] for r in requests], device=self.model.device))
        return cache

    def _sampled(self, row: list[int], logprobs: list[float]) -> Sampled:
        end = next((at for at, i in enumerate(row) if i in self._stops), None)
        ids = tuple(row if end is None else row[: end + 1])
        said = ids if end is None else ids[:-1]
        return Sampled(self.tokens.text(said), ids, sum(logprobs[: len(ids)]), end is not None)


class _GumbelNoise:
    """Adds noise to the scores so that the greatest of them is a sample (the Gumbel-max trick).

    Each row draws from a generator of its own, so that neighbours, padding and order change nothing.
    """

    def __init__(self, requests: Sequence[Request], device: Any) -> None:
        import torch

        self.logprobs: list[torch.Tensor] = []
        self._temperatures = [request.temperature for request in requests]
        self._generators = [torch.Generator(device).manual_seed(request.seed) for request in requests]

    def __call__(self, _input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        noised = self._noised(scores.float(), range(len(scores)))
        chosen = noised.argmax(dim=-1)
        self.logprobs.append(_logprobs_of(scores, chosen))
        return noised

    def draw(self, scores: torch.Tensor, rows: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a token for each of some rows, and its log-probability at temperature 1."""
        chosen = self._noised(scores.float(), rows).argmax(dim=-1)
        return chosen, _logprobs_of(scores, chosen)

    def _noised(self, scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:
        import torch

        noised = scores.clone()
        for at, row in enumerate(rows):
            if self._temperatures[row] > 0:
                exponential = torch.empty_like(scores[at]).exponential_(generator=self._generators[row])
                noised[at] = scores[at] / self._temperatures[row] - exponential.clamp_min(1e-20).log()
        return noised


def _logprobs_of(scores: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    return scores.float().log_softmax(dim=-1).gather(1, chosen[:, None]).squeeze(1)


def message_seed(seed: int, prompt: Sequence[int], number: int = 0) -> int:
    """Return the seed of one message: 63 bits of the dialogue's seed, the prompt and the sample's number."""
    text = f"{seed}/{number}/{','.join(map(str, prompt))}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


class Batcher:
    """Puts requests from many threads into the batches of one sampler.

    Args:
        sampler: what samples.
        batch_size: messages at once at most.
    """

    def __init__(self, sampler: LocalSampler, batch_size: int = BATCH_SIZE) -> None:
        self.sampler = sampler
        self._sample_together = BatchedCalls(self._sample, batch_size, _GATHER_S, alone_after=(PolicyError,))
        self.closed = False

    def submit(self, requests: Sequence[Request]) -> list[Sampled]:
        """Sample and wait.

        Raises:
            PolicyError: sampling failed, or the batcher is closed.
        """
        if self.closed:
            raise PolicyError("the local model is closed; build another policy")
        return self._sample_together(requests)

    def close(self) -> None:
        """Refuse requests from now on; those that wait are answered. A second call does nothing."""
        self.closed = True

    def _sample(self, requests: Sequence[Request]) -> list[Sampled]:
        try:
            return self.sampler.sample(requests)
        except (RuntimeError, ValueError, IndexError) as e:  # what torch and transformers raise, out of memory included
            words = str(e).strip().splitlines()[0] if str(e).strip() else ""
            raise PolicyError(
                f"the local model failed on {len(requests)} messages ({type(e).__name__}: {words}); if memory ran "
                "out, lower the concurrency or use a smaller model"
            ) from e
