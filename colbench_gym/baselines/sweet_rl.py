"""SWEET-RL: a critic that knows the reference tells good turns from bad ones, the actor learns from its verdicts.

Five stages, none of which interacts: critic, candidates, scores, pairs, actor (arXiv 2503.15478, section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from colbench_gym.action import parse_action
from colbench_gym.baselines.data import OfflineData, read_held_out, read_offline_data
from colbench_gym.baselines.multiturn_dpo import pair_rows
from colbench_gym.baselines.pairs import TurnPairs, pair_candidates, pair_dialogues
from colbench_gym.baselines.sweet_options import SweetRL
from colbench_gym.baselines.training.model_loading import (
    explained_shortage,
    require_training_packages,
)
from colbench_gym.errors import UsageError
from colbench_gym.models.candidates import (
    LocalCandidates,
    ServerCandidates,
    TurnToSample,
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
STAGES = ("critic", "candidates", "scores", "pairs", "actor")
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

    @property
    def _released(self) -> bool:
        return self.options.recipe == "released"

    def critic(self) -> None:
        """Stage 1: learn A(o_t, a_t, c) from pairs of whole dialogues (eq. 2), c in front of the history (eq. 3)."""
        from colbench_gym.baselines.training import folder as training_run
        from colbench_gym.baselines.training.job import TrainingJob
        from colbench_gym.baselines.training.pair_trainer import Aggregation

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
        )
        folder = training_run.TrainingFolder(options.out, f"{ALGORITHM} critic ({o.judge}, {o.recipe})")
        if o.resume and folder.done:
            return
        training_run.start(o)
        dtype = training_run.weights_dtype(o)
        model = load_causal_model(o.model, dtype) if o.judge == "critic" else load_head_model(o.model, dtype)
        limit = self._limit(model)
        tokenizer, track = self.tokens.tokenizer, self.data.track
        notes = [FRONTEND_NOTE] if track == "frontend" else []

        # paper: sum over turns of per-turn means; released: one mean over all agent tokens of the dialogue
        normalised: Aggregation = "mean" if self._released else "turn_means"
        aggregation = normalised if o.length_normalisation else "sum"

        def rows_of(data: OfflineData) -> tuple[list[dict[str, Any]], dict[str, Any]]:
            if o.judge == "value":
                return value_rows(data, self.tokens, limit, o.privileged)
            return pair_rows(data, self.tokens, limit, aggregation, o.privileged)

        rows, summary = rows_of(self.data)
        held_out = read_held_out(o, track)
        evaluated = None if held_out is None else rows_of(held_out)[0]
        training_run.say(f"{folder.algorithm}: {summary}")
        folder.open(options)
        job = TrainingJob(model, tokenizer, options, folder, track, summary, notes, evaluated)
        if o.judge == "critic":
            # -log sigmoid(beta [sum_t A(chosen) - sum_t A(rejected)]) + NLL: paper 0.01, released code 0
            by_recipe = 0.0 if self._released else 0.01
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
        from colbench_gym.baselines.training import folder as training_run

        turns = self.turns()
        store = self._open_store("candidates")
        if not store.rows().keys() >= {turn.key for turn in turns}:
            self._sample(turns, store)
        training_run.wait()

    def _sample(self, turns: Sequence[TurnToSample], store: TurnStore) -> None:
        from colbench_gym.baselines.training import folder as training_run

        o = self.options
        source: LocalCandidates | ServerCandidates
        if o.sampler is None:
            model = training_run.on_device(o.model, o)
            sampler = LocalSampler(model, self.tokens.tokenizer, o.max_new_tokens)
            limit = self._limit(model)
            fitting = [turn for turn in turns if len(self.tokens.prompt_ids(turn.messages)) < limit]
            if len(fitting) < len(turns):
                training_run.say(f"{ALGORITHM}: {len(turns) - len(fitting)} turns are longer than {limit} tokens")
            turns, source = fitting, LocalCandidates(sampler, max(1, o.sampling_batch // o.candidates))
        else:
            source = ServerCandidates(o.sampler, self.tokens, o.max_new_tokens)
        report = training_run.progress(f"{ALGORITHM} candidates, batches of turns")
        sample_candidates(turns, source, store, o.candidates, o.seed, o.temperature, report)

    def scores(self) -> None:
        """Stage 3: score the candidates with the judge, which sees c."""
        from colbench_gym.baselines.training import folder as training_run

        sampled = dict(read_candidates(self._store("candidates")))
        store = self._open_store("scores")
        have = store.rows()
        missing = [turn for turn in self.turns() if turn.key in sampled and turn.key not in have]
        if missing:
            judge = self.load_judge()
            if (self.options.sampler is None) != (self.options.scorer is None):  # no engine is subtracted from another
                sampled = {key: tuple(replace(c, logprob=None) for c in found) for key, found in sampled.items()}

            def score(batch: Sequence[TurnToSample]) -> list[dict[str, Any]]:
                of_tasks = [self.data.trajectories[turn.key[0]].task.reference for turn in batch]
                return [
                    {"scores": judge.scores(reference, turn.messages, sampled[turn.key])}
                    for reference, turn in zip(of_tasks, batch, strict=True)
                ]

            report = training_run.progress(f"{ALGORITHM} scores, turns")
            threads = 1 if self.options.scorer is None else CONCURRENCY
            store.fill([[(turn.key, turn)] for turn in missing], score, report, threads)
        training_run.wait()

    def load_judge(self) -> Judge:
        """Return the settings of what scores candidates and chooses among them in best-of-N."""
        from colbench_gym.baselines.training.folder import on_device

        o = self.options
        settings = JudgeSettings(
            kind=o.judge,
            model=o.model,
            critic=str(o.out / CRITIC_FOLDER),
            privileged=o.privileged,
            sampled_reference=self._released,
            aggregation="mean" if o.length_normalisation else "sum",
        )
        served = None
        if o.scorer is not None:
            known = o.scorer_reference
            reference = None if known is None else ModelServer(known, "scorer_reference").said_logprobs
            served = ModelServer(o.scorer, "scorer").said_logprobs, reference
        return load_judge(settings, self.tokens, lambda path, head: on_device(path, o, head), served)

    def pairs(self) -> tuple[dict[TurnKey, tuple[Candidate, ...]], TurnPairs]:
        """Stage 4: pair the candidates of each turn by their scores."""
        o = self.options
        sampled = dict(read_candidates(self._store("candidates")))
        scores = {key: row["scores"] for key, row in self._store("scores").rows().items()}
        texts = {key: [c.text for c in sampled[key]] for key in scores}
        turn_pairs = pair_candidates(
            texts,
            scores,
            o.seed,
            o.pair_rule,
            o.pairs_per_turn,
            keep_identical=o.keeps_identical,
            distinct=o.distinct_candidates,
            kind=self._kind if o.same_kind else None,
        )
        return sampled, turn_pairs

    def actor(self) -> None:
        """Stage 5: turn-level DPO on (o_t, a+, a-), without c."""
        from colbench_gym.baselines.training import folder as training_run
        from colbench_gym.baselines.training.job import TrainingJob
        from colbench_gym.baselines.training.pair_trainer import NllOver, pair_row

        o = self.options
        sampled, turn_pairs = self.pairs()
        messages = {turn.key: turn.messages for turn in self.turns()}
        training_run.start(o)
        model = load_causal_model(o.model, training_run.weights_dtype(o))
        limit = self._limit(model)
        rows, too_long = [], 0
        for key, pairs in turn_pairs.by_turn.items():
            prompt = self.tokens.prompt_ids(messages[key])
            for pair in pairs:
                chosen, rejected = sampled[key][pair.chosen].ids, sampled[key][pair.rejected].ids
                if len(prompt) + max(len(chosen), len(rejected)) > limit:
                    too_long += 1
                    continue
                # the released actor's likelihood term covers the whole sequence, prompt included
                over: NllOver = "sequence" if self._released else "chosen"
                rows.append(pair_row(_one_turn(prompt, chosen), _one_turn(prompt, rejected), o.actor_aggregation, over))
        if not rows:
            raise UsageError(f"all {too_long} pairs of turns are longer than {limit} tokens; raise --max-tokens")
        summary = {**turn_pairs.summary(), "too_long": too_long}
        training_run.say(f"{ALGORITHM} actor: {summary}")
        folder = training_run.TrainingFolder(o.out, ALGORITHM)
        notes = [f"Recipe: {o.recipe}; judge: {o.judge}."] + ([FRONTEND_NOTE] if self.data.track == "frontend" else [])
        actor = replace(o, eval_data=None)  # which is for the critic: no dialogue is a pair of candidates
        job = TrainingJob(model, self.tokens.tokenizer, actor, folder, self.data.track, summary, notes)
        job.prefer(rows, o.beta, o.nll_weight)

    def _kind(self, text: str) -> str:
        rules = self.data.trajectories[0].rules
        return "question" if parse_action(text, rules).answer is None else "answer"

    def _store(self, name: str) -> TurnStore:
        from colbench_gym.baselines.training.folder import process_number

        return TurnStore(self.options.out, name, process_number())

    def _open_store(self, name: str) -> TurnStore:
        """Return the store, ready to be filled by all processes."""
        from colbench_gym.baselines.training.folder import process_number, wait

        store = self._store(name)
        if process_number() == 0:
            store.open()
        wait()
        return store

    def _limit(self, model: Any) -> int:  # Any: a transformers model
        return token_limit(model, self.tokens.tokenizer, self.options.max_tokens)


@explained_shortage()
def train(options: SweetRL) -> None:
    """Run the stages up to ``options.stage`` and, after the last one, leave the actor in ``options.out``.

    Raises:
        UsageError: no pair, no such model, no chat template, or memory ran out.
        ChatError: the server that samples failed; go on with ``resume``.
    """
    require_training_packages()
    from colbench_gym.baselines.training import folder as training_run

    training_run.start(options)
    folder = training_run.TrainingFolder(options.out, ALGORITHM)
    folder.check(options)
    run = Sweet(options)
    _check_data(run)
    folder.open(options)
    last = STAGES[-1] if options.stage == "all" else options.stage
    for stage in STAGES[: STAGES.index(last) + 1]:
        training_run.say(f"{ALGORITHM}: stage {stage}")
        outcome = getattr(run, stage)()
        training_run.free_memory()
        if stage == "pairs":
            _write_pairs(run, *outcome)


def value_rows(
    data: OfflineData, tokens: ChatTokens, limit: int, privileged: bool
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return rows for a value function (Figure 3), which predicts at every turn whether the dialogue succeeds.

    On the frontend track, which has no success, it predicts the similarity.

    Raises:
        UsageError: no graded dialogue fits.
    """
    from colbench_gym.baselines.training.pair_trainer import pair_row

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


def _check_data(run: Sweet) -> None:
    """Fail before anything is trained where the model or the data cannot be used."""
    from colbench_gym.baselines.training import folder as training_run

    if run.options.judge in ("critic", "regression"):
        pair_dialogues(run.data.trajectories)
    assert run.tokens
    if run.data.track == "frontend":
        training_run.say(f"{ALGORITHM}: {FRONTEND_NOTE}")


def _write_pairs(run: Sweet, sampled: dict[TurnKey, tuple[Candidate, ...]], turn_pairs: TurnPairs) -> None:
    from colbench_gym.baselines.training import folder as training_run

    rows: Sequence[dict[str, Any]] = [
        {
            "dialogue": key[0],
            "turn": key[1],
            "chosen": sampled[key][pair.chosen].text,
            "rejected": sampled[key][pair.rejected].text,
            "margin": pair.margin,
        }
        for key, pairs in turn_pairs.by_turn.items()
        for pair in pairs
    ]
    training_run.write_rows_once(run.options.out / "pairs.jsonl", rows)
    training_run.say(f"{ALGORITHM} pairs: {turn_pairs.summary()}")
