"""SWEET-RL: a critic that knows the reference tells good turns from bad ones, the actor learns from its verdicts.

Five stages, none of which interacts: critic, candidates, scores, pairs, actor (arXiv 2503.15478, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from colbench_gym.action import parse_action
from colbench_gym.baselines.data import OfflineData, read_held_out, read_offline_data
from colbench_gym.baselines.multiturn_dpo import pair_rows
from colbench_gym.baselines.pairs import pair_dialogues
from colbench_gym.baselines.sweet_options import STAGES, SweetRL
from colbench_gym.baselines.training import processes
from colbench_gym.baselines.training.folder import TrainingFolder, begin
from colbench_gym.baselines.training.job import TrainingJob
from colbench_gym.baselines.training.pair_trainer import Aggregation, NllOver, pair_row
from colbench_gym.errors import UsageError
from colbench_gym.jsonl import write_rows
from colbench_gym.models.candidates import (
    LocalCandidates,
    ServerCandidates,
    TurnPairs,
    TurnToSample,
    pair_candidates,
    read_candidates,
    sample_candidates,
)
from colbench_gym.models.chat_template import NOT_AGENT, ChatTokens, TokenizedDialogue, TokenRow
from colbench_gym.models.judge_loading import CRITIC_FOLDER, JudgeSettings, load_judge
from colbench_gym.models.judges import Candidate, Judge
from colbench_gym.models.loading import load_causal_model, load_head_model, load_tokenizer, token_limit
from colbench_gym.models.sampling import LocalSampler
from colbench_gym.models.server import CONCURRENCY, ModelServer
from colbench_gym.models.tokenized_dialogue import agent_turns, tokenize_dialogues
from colbench_gym.models.turn_store import TurnKey, TurnStore

ALGORITHM = "SWEET-RL"
FRONTEND_NOTE = (
    "The paper's frontend critic is a vision-language model that is shown the pictures of the pages. This one reads: "
    "its training-time information is the HTML of the wanted page, and no picture is there."
)


@dataclass(frozen=True)
class Sweet:
    """One run of SWEET-RL: its stages are methods that can each be resumed."""

    options: SweetRL

    @cached_property
    def data(self) -> OfflineData:
        """Dialogues to learn from."""
        return read_offline_data(self.options)

    @cached_property
    def tokens(self) -> ChatTokens:
        """Chat template of the model."""
        return ChatTokens(load_tokenizer(self.options.model, self.options.chat_template))

    def critic(self) -> None:
        """Stage 1: learn A(o_t, a_t, c) from pairs of whole dialogues (eq. 2), c in front of the history (eq. 3)."""
        o = self.options
        if o.judge == "llm":
            return
        options = replace(
            o,
            out=o.out / CRITIC_FOLDER,
            learning_rate=o.critic_learning_rate,
            epochs=o.critic_epochs,
            max_steps=o.critic_max_steps,
            batch_size=o.critic_batch_size,
            push_to_hub=None,
        )
        folder = TrainingFolder(options.out, f"{ALGORITHM} critic ({o.judge}, {o.recipe})")
        if o.resume and folder.done:
            return
        processes.start(o)
        dtype = processes.weights_dtype(o)
        model = load_causal_model(o.model, dtype) if o.judge == "critic" else load_head_model(o.model, dtype)
        limit = self._limit(model)

        # paper: sum over turns of per-turn means; released: one mean over all agent tokens of the dialogue
        normalised: Aggregation = "mean" if o.released else "turn_means"
        aggregation = normalised if o.length_normalisation else "sum"

        def rows_of(data: OfflineData) -> tuple[list[dict[str, Any]], dict[str, Any]]:
            if o.judge == "value":
                return value_rows(data, self.tokens, limit, o.privileged)
            return pair_rows(data, self.tokens, limit, aggregation, o.privileged, o.released)

        rows, summary = rows_of(self.data)
        held_out = read_held_out(o, self.data.track)
        evaluated = None if held_out is None else rows_of(held_out)[0]
        processes.say(f"{folder.algorithm}: {summary}")
        job = TrainingJob(
            model, self.tokens.tokenizer, options, folder, self.data.track, summary, self._notes, evaluated
        )
        with folder.open(options):
            if o.judge == "critic":
                # -log sigmoid(beta [sum_t A(chosen) - sum_t A(rejected)]) + NLL: paper 0.01, released code 0
                by_recipe = 0.0 if o.released else 0.01
                job.prefer(rows, o.critic_beta, by_recipe if o.critic_nll_weight is None else o.critic_nll_weight)
            else:
                job.train_head(rows, o.critic_beta, o.head_learning_rate)

    def turns(self) -> tuple[TurnToSample, ...]:
        """Return the turns of stored dialogues that the actor learns from, without c."""
        o = self.options
        count = max(1, round(o.actor_share * len(self.data.trajectories)))
        return tuple(
            TurnToSample((dialogue, turn), messages)
            for dialogue, trajectory in enumerate(self.data.trajectories[:count])
            for turn, (messages, _) in enumerate(agent_turns(trajectory, self.data.prompts))
        )

    def candidates(self) -> None:
        """Stage 2: at each turn sample candidates from the initial policy, without c."""
        turns = self.turns()
        store = self._open_store("candidates")
        if not store.rows().keys() >= {turn.key for turn in turns}:
            self._sample(turns, store)
        processes.wait()

    def _sample(self, turns: Sequence[TurnToSample], store: TurnStore) -> None:
        o = self.options
        source: LocalCandidates | ServerCandidates
        if o.sampler is None:
            model = processes.on_device(o.model, o)
            sampler = LocalSampler(model, self.tokens.tokenizer, o.max_new_tokens)
            limit = self._limit(model)
            fitting = [turn for turn in turns if len(self.tokens.prompt_ids(turn.messages)) < limit]
            if len(fitting) < len(turns):
                processes.say(f"{ALGORITHM}: {len(turns) - len(fitting)} turns are longer than {limit} tokens")
            turns, source = fitting, LocalCandidates(sampler, max(1, o.sampling_batch // o.candidates))
        else:
            source = ServerCandidates(o.sampler, self.tokens, o.max_new_tokens)
        report = processes.progress(f"{ALGORITHM} candidates, batches of turns")
        sample_candidates(turns, source, store, o.candidates, o.seed, o.temperature, report)

    @cached_property
    def sampled(self) -> Mapping[TurnKey, tuple[Candidate, ...]]:
        """Candidates of stage 2."""
        return read_candidates(self._store("candidates"))

    def scores(self) -> None:
        """Stage 3: score the candidates with the judge, which sees c."""
        o, sampled = self.options, self.sampled
        store = self._open_store("scores")
        have = store.rows()
        missing = [turn for turn in self.turns() if turn.key in sampled and turn.key not in have]
        if missing:
            judge = self.load_judge()
            if (o.sampler is None) != (o.scorer is None):  # no engine is subtracted from another
                sampled = {key: tuple(replace(c, logprob=None) for c in made) for key, made in sampled.items()}

            def score(batch: Sequence[TurnToSample]) -> list[dict[str, Any]]:
                of_tasks = [self.data.trajectories[turn.key[0]].task.reference for turn in batch]
                return [
                    {"scores": judge.scores(reference, turn.messages, sampled[turn.key])}
                    for reference, turn in zip(of_tasks, batch, strict=True)
                ]

            report = processes.progress(f"{ALGORITHM} scores, turns")
            store.fill([[(turn.key, turn)] for turn in missing], score, report, 1 if o.scorer is None else CONCURRENCY)
        processes.wait()

    def load_judge(self) -> Judge:
        """Load what scores candidates and chooses among them in best-of-N."""
        o = self.options
        served = None
        if o.scorer is not None:
            known = o.scorer_reference
            reference = None if known is None else ModelServer(known, "scorer_reference").said_logprobs
            served = ModelServer(o.scorer, "scorer").said_logprobs, reference
        settings = JudgeSettings.of_options(asdict(o), o.out)
        return load_judge(settings, self.tokens, lambda path, head: processes.on_device(path, o, head), served)

    @cached_property
    def turn_pairs(self) -> TurnPairs:
        """Pairs of the candidates of each turn, by their scores."""
        o = self.options
        scores = {key: row["scores"] for key, row in self._store("scores").rows().items()}
        return pair_candidates(
            {key: [candidate.text for candidate in self.sampled[key]] for key in scores},
            scores,
            o.seed,
            o.pair_rule,
            o.pairs_per_turn,
            keep_identical=o.released,
            distinct=o.distinct_candidates,
            kind=self._kind if o.same_kind else None,
        )

    def pairs(self) -> None:
        """Stage 4: pair the candidates of each turn, and write the pairs for people to read."""
        rows = [
            {
                "dialogue": key[0],
                "turn": key[1],
                "chosen": self.sampled[key][pair.chosen].text,
                "rejected": self.sampled[key][pair.rejected].text,
                "margin": pair.margin,
            }
            for key, pairs in self.turn_pairs.by_turn.items()
            for pair in pairs
        ]
        if processes.number() == 0:
            write_rows(self.options.out / "pairs.jsonl", rows)
        processes.say(f"{ALGORITHM} pairs: {self.turn_pairs.summary()}")

    def actor(self) -> None:
        """Stage 5: turn-level DPO on (o_t, a+, a-), without c."""
        o = self.options
        messages = {turn.key: turn.messages for turn in self.turns()}
        processes.start(o)
        model = load_causal_model(o.model, processes.weights_dtype(o))
        limit = self._limit(model)
        # the released actor's likelihood term covers the whole sequence, prompt included
        over: NllOver = "sequence" if o.released else "chosen"
        rows, too_long = [], 0
        for key, pairs in self.turn_pairs.by_turn.items():
            prompt = self.tokens.prompt_ids(messages[key])
            for pair in pairs:
                chosen, rejected = (_one_turn(prompt, self.sampled[key][at].ids) for at in (pair.chosen, pair.rejected))
                if max(chosen.longest, rejected.longest) > limit:
                    too_long += 1
                else:
                    rows.append(pair_row(chosen, rejected, o.actor_aggregation, over))
        if not rows:
            raise UsageError(f"all {too_long} pairs of turns are longer than {limit} tokens; raise --max-tokens")
        summary = {**self.turn_pairs.summary(), "too_long": too_long}
        processes.say(f"{ALGORITHM} actor: {summary}")
        notes = [f"Recipe: {o.recipe}; judge: {o.judge}.", *self._notes]
        actor = replace(o, eval_data=None, early_stopping=None)  # they are for the critic
        folder = TrainingFolder(o.out, ALGORITHM)
        job = TrainingJob(model, self.tokens.tokenizer, actor, folder, self.data.track, summary, notes)
        job.prefer(rows, o.beta, o.nll_weight)

    @property
    def _notes(self) -> list[str]:
        return [FRONTEND_NOTE] if self.data.track == "frontend" else []

    def _kind(self, text: str) -> str:
        rules = self.data.trajectories[0].rules
        return "question" if parse_action(text, rules).answer is None else "answer"

    def _store(self, name: str) -> TurnStore:
        return TurnStore(self.options.out, name, processes.number())

    def _open_store(self, name: str) -> TurnStore:
        """Return the store, ready to be filled by all processes."""
        store = self._store(name)
        if processes.number() == 0:
            store.open()
        processes.wait()
        return store

    def _limit(self, model: Any) -> int:  # Any: a transformers model
        return token_limit(model, self.tokens.tokenizer, self.options.max_tokens)


@processes.explained_shortage()
def train(options: SweetRL) -> None:
    """Run the stages up to ``options.stage`` and, after the last one, leave the actor in ``options.out``.

    Raises:
        UsageError: no pair, no such model, no chat template, or memory ran out.
        ChatError: the server that samples failed; go on with ``resume``.
    """
    folder = begin(options, ALGORITHM)
    run = Sweet(options)
    if options.judge in ("critic", "regression"):
        pair_dialogues(run.data.trajectories)  # fails before anything is trained, as does the next line
    assert run.tokens
    if run.data.track == "frontend":
        processes.say(f"{ALGORITHM}: {FRONTEND_NOTE}")
    if options.max_steps != -1 and options.critic_max_steps == -1 and options.judge != "llm":
        processes.say(f"{ALGORITHM}: --max-steps limits the actor alone; the critic takes all of its epochs")
    last = STAGES[-1] if options.stage == "all" else options.stage
    with folder.open(options):
        for stage in STAGES[: STAGES.index(last) + 1]:
            processes.say(f"{ALGORITHM}: stage {stage}")
            getattr(run, stage)()
            processes.free_memory()


def value_rows(
    data: OfflineData, tokens: ChatTokens, limit: int, privileged: bool
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return rows for a value function (Figure 3), which predicts at every turn whether the dialogue succeeds.

    On the frontend track, which has no success, it predicts the similarity.

    Raises:
        UsageError: no graded dialogue fits.
    """
    made, counts = tokenize_dialogues(data.trajectories, tokens, limit, data.prompts, privileged=privileged)
    nothing = TokenizedDialogue(())
    rows = [
        pair_row(d, nothing, "sum") | {"success": float(t.success) if data.track == "backend" else t.score}
        for d, t in zip(made, data.trajectories, strict=True)
        if d is not None and t.score is not None
    ]
    if not rows:
        raise UsageError(f"no graded dialogue of at most {limit} tokens; raise --max-tokens, or grade the file")
    return rows, {"tokens": asdict(counts), "rows": len(rows)}


def _one_turn(prompt: Sequence[int], said: Sequence[int]) -> TokenizedDialogue:
    turns = (NOT_AGENT,) * len(prompt) + (0,) * len(said)
    return TokenizedDialogue((TokenRow((*prompt, *said), turns),))
