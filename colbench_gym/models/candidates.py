"""Candidates for each turn of stored dialogues: sampled here or by a server, and paired by their scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

import numpy as np

from colbench_gym.concurrency import Progress
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import ChatError, UnknownNameError, UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.judges import Candidate
from colbench_gym.models.sampling import LocalSampler, Request, message_seed
from colbench_gym.models.server import CONCURRENCY, ModelServer
from colbench_gym.models.turn_store import TurnKey, TurnStore

PAIRS_PER_TURN = 4  # released code (its README)
_TOKEN_ID = "token_id:"  # how vLLM writes a token when asked for ids
_TURNS_OF_A_CALL = 4  # ours: for each that is written at once, so that ended messages are replaced

TurnRule = Literal["halves", "extremes"]
TURN_RULES: tuple[TurnRule, TurnRule] = ("halves", "extremes")


@dataclass(frozen=True)
class TurnToSample:
    """Turn of a stored dialogue, with what the agent was given there."""

    key: TurnKey
    messages: tuple[ChatMessage, ...]


class CandidateSource(Protocol):
    """Samples candidates for a turn."""

    concurrency: int  # calls at once
    turns_at_once: int  # of one call

    def sample(
        self, turns: Sequence[TurnToSample], n: int, seed: int, temperature: float
    ) -> list[tuple[Candidate, ...]]:
        """Sample N candidates for each turn.

        Raises:
            ChatError: the server failed.
            PolicyError: the local model failed.
        """


class LocalCandidates:
    """Sampler that runs the initial model on this machine.

    Args:
        sampler: of the initial model.
        at_once: turns whose candidates are written together; a call takes more, which enter as soon as these end.
    """

    concurrency = 1

    def __init__(self, sampler: LocalSampler, at_once: int = 1) -> None:
        self._sampler, self._at_once = sampler, at_once
        self.turns_at_once = _TURNS_OF_A_CALL * at_once

    def sample(
        self, turns: Sequence[TurnToSample], n: int, seed: int, temperature: float
    ) -> list[tuple[Candidate, ...]]:
        """Sample N candidates a turn; the seed of each depends on its turn and on nothing else."""
        requests = [
            Request(prompt, message_seed(seed, turn.key, number), temperature)
            for turn in turns
            for prompt in [self._sampler.tokens.prompt_ids(turn.messages)]
            for number in range(n)
        ]
        made = [Candidate(s.text, s.ids, s.logprob) for s in self._sampler.sample(requests, self._at_once * n)]
        return [tuple(made[start : start + n]) for start in range(0, len(made), n)]


class ServerCandidates:
    """Any OpenAI-compatible server whose chat completions come with log-probabilities (vLLM and others).

    Ids are kept as sampled where the server tells them (vLLM does); else the text is tokenized here.

    Args:
        spec: ``openai:MODEL@BASE_URL``.
        tokens: the chat template of the same model.
        max_new_tokens: per candidate at most.
    """

    concurrency = CONCURRENCY
    turns_at_once = 1

    def __init__(self, spec: str, tokens: ChatTokens, max_new_tokens: int) -> None:
        self._server = ModelServer(spec, "sampler")
        self._tokens, self._max_new_tokens = tokens, max_new_tokens

    def sample(
        self, turns: Sequence[TurnToSample], n: int, seed: int, temperature: float
    ) -> list[tuple[Candidate, ...]]:
        """Sample N candidates a turn, in one request each."""
        return [self._sample(turn, n, seed, temperature) for turn in turns]

    def _sample(self, turn: TurnToSample, n: int, seed: int, temperature: float) -> tuple[Candidate, ...]:
        answer = self._server.chat(
            messages=list(turn.messages),
            n=n,
            temperature=temperature,
            max_tokens=self._max_new_tokens,
            seed=message_seed(seed, turn.key) >> 32,  # servers take 31 bits
        )
        candidates = tuple(self._candidate(choice) for choice in answer.choices)
        if len(candidates) != n:
            raise ChatError(
                f"got {len(candidates)} candidates from {self._server.model!r}; expected {n} (the server ignores n)"
            )
        return candidates

    def _candidate(self, choice: Any) -> Candidate:  # Any: the client's own type
        parts = choice.logprobs.content if choice.logprobs else None
        if not parts:
            raise ChatError(
                f"the server gave no log-probabilities for {self._server.model!r}; start it with them, or sample here"
            )
        text = choice.message.content or ""
        named = [str(part.token) for part in parts]
        if all(token.startswith(_TOKEN_ID) for token in named):
            ids = tuple(int(token.removeprefix(_TOKEN_ID)) for token in named)
            if choice.finish_reason == "stop" and ids[-1] != self._tokens.stop_id:
                ids = (*ids, *self._tokens.end_ids)
        else:
            ids = self._tokens.turn_ids(text)
        return Candidate(text, ids, sum(float(part.logprob) for part in parts))


def sample_candidates(
    turns: Sequence[TurnToSample], source: CandidateSource, store: TurnStore, n: int, seed: int, temperature: float,
    progress: Progress,
) -> None:  # fmt: skip
    """Fill the store with candidates for the turns that it does not have yet, together with the other processes.

    Raises:
        ChatError: the server failed; what was sampled is kept.
        PolicyError: the local model failed; likewise.
    """
    keyed = [(turn.key, turn) for turn in turns]
    # Batches are cut from all turns, so that neither the number of processes nor a stop changes what is sampled.
    batches = [keyed[start : start + source.turns_at_once] for start in range(0, len(turns), source.turns_at_once)]

    def sample(batch: Sequence[TurnToSample]) -> list[dict[str, Any]]:
        sampled = source.sample(batch, n, seed, temperature)
        return [{"candidates": [asdict(candidate) for candidate in candidates]} for candidates in sampled]

    store.fill(batches, sample, progress, source.concurrency)


def read_candidates(store: TurnStore) -> Mapping[TurnKey, tuple[Candidate, ...]]:
    """Return all candidates of a store, by turn."""
    return {
        key: tuple(Candidate(c["text"], tuple(c["ids"]), c["logprob"]) for c in row["candidates"])
        for key, row in store.rows().items()
    }


@dataclass(frozen=True)
class TurnPair:
    """Positions of two candidates of one turn, and by how much the first scored higher."""

    chosen: int
    rejected: int
    margin: float


@dataclass(frozen=True)
class TurnPairs:
    """Pairs of candidates, by turn, and how many were dropped because both said the same."""

    by_turn: Mapping[tuple[int, int], tuple[TurnPair, ...]]
    identical: int

    def summary(self) -> dict[str, int]:
        """Return the counts, for printing and for the run's file."""
        pairs = sum(map(len, self.by_turn.values()))
        barren = sum(not pairs for pairs in self.by_turn.values())
        return {"turns": len(self.by_turn), "pairs": pairs, "turns_without_pair": barren, "identical": self.identical}


def pair_candidates(
    texts: Mapping[tuple[int, int], Sequence[str]],
    scores: Mapping[tuple[int, int], Sequence[float]],
    seed: int,
    rule: TurnRule = "halves",
    pairs_per_turn: int = PAIRS_PER_TURN,
    keep_identical: bool = False,
    distinct: bool = False,
    kind: Callable[[str], str] | None = None,
) -> TurnPairs:
    """Pair the scored candidates of each turn (paper, section 4).

    Args:
        texts: the candidates of each turn, by (dialogue, turn).
        scores: their scores.
        seed: each turn draws from a stream of its own, so that a turn's pairs do not depend on the other turns.
        rule: ``halves``: a random one of the top half against a random one of the bottom half; of an odd number the
            middle one is left out. ``extremes``: the best against the worst, once.
        pairs_per_turn: how many pairs ``halves`` draws.
        keep_identical: keep pairs whose texts are equal, as the released code does.
        distinct: rank each text once, with the first of its scores.
        kind: of a text; texts of different kinds are not paired, and each kind is ranked for itself.

    Raises:
        UsageError: no pair at all.
    """
    if rule not in TURN_RULES:
        raise UnknownNameError.among("turn pairing rule", rule, TURN_RULES)
    by_turn: dict[tuple[int, int], tuple[TurnPair, ...]] = {}
    identical = 0
    for key, said in texts.items():
        rng = np.random.default_rng([seed, *key])
        ranked = [at for at, text in enumerate(said) if not distinct or text not in said[:at]]
        kinds = [kind(said[at]) if kind else "" for at in ranked]
        groups = [[at for at, of in zip(ranked, kinds, strict=True) if of == one] for one in sorted(set(kinds))]
        paired = [group for group in groups if len(group) > 1]
        shares = [pairs_per_turn // len(paired) + (at < pairs_per_turn % len(paired)) for at in range(len(paired))]
        drawn = [p for group, n in zip(paired, shares, strict=True) for p in _drawn(group, scores[key], rng, rule, n)]
        kept = tuple(p for p in drawn if keep_identical or said[p.chosen] != said[p.rejected])
        identical += len(drawn) - len(kept)
        by_turn[key] = kept
    if not any(by_turn.values()):
        raise UsageError(
            f"no pair of turns: all of the {identical} pairs drawn at {len(texts)} turns say the same; sample with a "
            "higher temperature or more candidates"
        )
    return TurnPairs(by_turn, identical)


def _drawn(
    group: Sequence[int], scores: Sequence[float], rng: np.random.Generator, rule: TurnRule, pairs: int
) -> list[TurnPair]:
    order = sorted(group, key=lambda i: -scores[i])  # stable: equal scores keep their order
    half = len(order) // 2
    if rule == "extremes":
        picks = [(order[0], order[-1])]
    else:
        top, bottom = order[:half], order[len(order) - half :]
        picks = [(top[int(rng.integers(half))], bottom[int(rng.integers(half))]) for _ in range(pairs)]
    return [TurnPair(chosen, rejected, scores[chosen] - scores[rejected]) for chosen, rejected in picks]
