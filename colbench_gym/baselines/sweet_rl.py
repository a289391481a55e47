"""SWEET-RL: a critic that knows the reference tells good turns from bad ones, the actor learns from its verdicts.

Five stages, none of which interacts: critic, candidates, scores, pairs, actor (arXiv 2503.15478, section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

from colbench_gym.baselines.candidates import (
    LocalCandidates,
    ServerCandidates,
    TurnToSample,
    read_candidates,
    sample_candidates,
)
from colbench_gym.baselines.data import OfflineData, read_offline_data
from colbench_gym.baselines.multiturn_dpo import tokenized_pairs
from colbench_gym.baselines.pairs import PAIRS_PER_TURN, TurnPairs, pair_candidates, pair_dialogues
from colbench_gym.baselines.tokenized_dialogue import agent_turns, tokenize_dialogues
from colbench_gym.baselines.training.model_loading import (
    explained_out_of_memory,
    require_training_packages,
)
from colbench_gym.baselines.training.options import TrainingOptions
from colbench_gym.baselines.training.turn_store import TurnKey, TurnStore
from colbench_gym.errors import UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.judge_loading import CRITIC_FOLDER, JudgeSettings, load_judge
from colbench_gym.models.judges import Candidate, Judge
from colbench_gym.models.loading import load_causal_model, load_head_model, load_tokenizer, token_limit
from colbench_gym.models.sampling import LocalSampler

ALGORITHM = "SWEET-RL"
STAGES = ("critic", "candidates", "scores", "pairs", "actor")
FRONTEND_NOTE = (
    "The paper's frontend critic is a vision-language model that is shown the pictures of the pages. This one reads: "
    "its training-time information is the HTML of the wanted page, and no picture is there."
)


@dataclass(frozen=True)
class SweetRL(TrainingOptions):
    """Options of SWEET-RL. Options without "critic" in their name are the actor's.

    Attributes:
        epochs: passes of the actor over its pairs.
        recipe: paper, or released: the released code where it differs (critic score is one mean over all agent tokens
            and has no likelihood term; the reference of a score is the sampler's log-probability without c; the actor's
            likelihood term covers the prompt too; only the first tenth of the dialogues; identical pairs kept).
        stage: how far to go: all, or up to this one.
        judge: what scores candidates: critic (the log-ratio of eq. 3), regression (a head in its place, Table 3), value
            (a value function, Figure 3), llm (a language model as a judge, Figure 3).
        privileged: the judge sees training-time information, the reference (Table 3 without: --no-privileged).
        length_normalisation: a turn's advantage is a mean over its tokens (Table 3 without:
            --no-length-normalisation).
        candidates: per turn.
        temperature: of their sampling.
        max_new_tokens: per candidate at most.
        sampler: openai:MODEL@BASE_URL to sample the initial model from a server (vLLM); here when not given.
        pair_rule: halves: a random one of the top half against a random one of the bottom half; extremes: best
            against worst.
        pairs_per_turn: how many pairs halves draws.
        actor_share: share of the dialogues, the first ones, whose turns the actor learns from; by recipe if not given.
        beta: how strongly the reference binds, critic's and actor's.
        nll_weight: weight of the likelihood of what is chosen, critic's (paper) and actor's.
        critic_learning_rate: of the critic.
        critic_epochs: passes of the critic over its pairs; 4 on backend, 8 on frontend when not given.
        critic_max_steps: stop the critic after so many steps; -1 for all epochs.
    """

    epochs: float | None = 1  # paper, Table 5
    recipe: Literal["paper", "released"] = "paper"
    stage: Literal["all", "critic", "candidates", "scores", "pairs", "actor"] = "all"
    judge: Literal["critic", "regression", "value", "llm"] = "critic"
    privileged: bool = True  # eq. 3
    length_normalisation: bool = True  # eq. 3
    candidates: int = 16  # paper, section 4
    temperature: float = 1.0
    max_new_tokens: int = 1024
    sampler: str | None = None
    pair_rule: Literal["halves", "extremes"] = "halves"  # paper, section 4
    pairs_per_turn: int = PAIRS_PER_TURN
    actor_share: float | None = None
    beta: float = 0.1  # paper, Table 5
    nll_weight: float = 0.01  # paper, section 5
    critic_learning_rate: float = 2e-7  # paper, Table 5
    critic_epochs: float | None = None
    critic_max_steps: int = -1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.candidates < 2 or self.pairs_per_turn < 1:
            raise UsageError(
                f"got candidates {self.candidates} and pairs_per_turn {self.pairs_per_turn}; expected at least 2 "
                "candidates and 1 pair"
            )
        if self.temperature <= 0:
            raise UsageError(f"got temperature {self.temperature}; expected above 0, or all candidates are alike")
        if self.actor_share is not None and not 0 < self.actor_share <= 1:
            raise UsageError(f"got actor_share {self.actor_share}; expected a share above 0 and at most 1")


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
        from colbench_gym.baselines.training.preference import TrainingJob
        from colbench_gym.baselines.training.trainers import Aggregation, preference_row

        o = self.options
        if o.judge == "llm":
            return
        options = replace(
            o,
            out=o.out / CRITIC_FOLDER,
            learning_rate=o.critic_learning_rate,
            epochs=o.critic_epochs,
            max_steps=o.critic_max_steps,
            actor_share=None,
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

        if o.judge == "value":  # Figure 3: predicts the final score at every turn
            made, counts = tokenize_dialogues(
                self.data.trajectories, self.tokens, limit, self.data.prompts, privileged=o.privileged
            )
            rows = [
                {"chosen_ids": [r.ids for r in d.rows], "chosen_turns": [r.turns for r in d.rows], "score": t.score}
                for d, t in zip(made, self.data.trajectories, strict=True)
                if d is not None and t.score is not None
            ]
            if not rows:
                raise UsageError(f"no graded dialogue of at most {limit} tokens; raise --max-tokens, or grade the file")
            summary: dict[str, Any] = {"tokens": asdict(counts), "rows": len(rows)}
        else:
            paired = pair_dialogues(self.data.trajectories)
            pairs, kept = tokenized_pairs(self.data, paired.pairs, self.tokens, limit, privileged=o.privileged)
            # paper: sum over turns of per-turn means; released: one mean over all agent tokens of the dialogue
            aggregation: Aggregation = "mean" if self._released else "turn_means"
            aggregation = aggregation if o.length_normalisation else "sum"
            rows = [preference_row(chosen, rejected, aggregation) for chosen, rejected in pairs]
            summary = {"pairs": paired.summary(), "tokens": kept}
        training_run.say(f"{folder.algorithm}: {summary}")
        folder.open(options)
        job = TrainingJob(model, tokenizer, options, folder, track, o.beta, summary, notes)
        if o.judge == "critic":
            # -log sigmoid(beta [sum_t A(chosen) - sum_t A(rejected)]) + NLL, whose weight is 0 in the released code
            job.train_on_dialogue_pairs(rows, nll_weight=0.0 if self._released else o.nll_weight)
        else:
            job.train_head(rows, "value" if o.judge == "value" else "pairwise")

    def turns(self) -> tuple[TurnToSample, ...]:
        """Return the turns of stored dialogues that the actor learns from, without c."""
        o = self.options
        share = o.actor_share or (0.1 if self._released else 1.0)  # released code: the first tenth of the dialogues
        count = max(1, round(share * len(self.data.trajectories)))
        return tuple(
            TurnToSample((dialogue, turn), messages)
            for dialogue, trajectory in enumerate(self.data.trajectories[:count])
            for turn, (messages, _) in enumerate(agent_turns(trajectory, self.data.prompts))
        )

    def candidates(self) -> None:
        """Stage 2: at each turn sample candidates from the initial policy, without c."""
        from colbench_gym.baselines.training import folder as training_run

        o = self.options
        store = self._store("candidates")
        have = store.rows()
        mine = [turn for turn in training_run.process_share(self.turns()) if turn.key not in have]
        if mine:
            source: LocalCandidates | ServerCandidates
            if o.sampler is None:
                model = training_run.on_device(o.model, o)
                sampler = LocalSampler(model, self.tokens.tokenizer, o.max_new_tokens)
                limit = self._limit(model)
                fitting = [turn for turn in mine if len(self.tokens.prompt_ids(turn.messages)) < limit]
                if len(fitting) < len(mine):
                    training_run.say(f"{ALGORITHM}: {len(mine) - len(fitting)} turns are longer than {limit} tokens")
                mine, source = fitting, LocalCandidates(sampler)
            else:
                source = ServerCandidates(o.sampler, self.tokens, o.max_new_tokens)
            report = training_run.progress(f"{ALGORITHM} candidates, turns")
            sample_candidates(mine, source, store, o.candidates, o.seed, o.temperature, report)
        training_run.wait()

    def scores(self) -> None:
        """Stage 3: score the candidates with the judge, which sees c."""
        from colbench_gym.baselines.training import folder as training_run

        store = self._store("scores")
        store.mend()
        have = store.rows()
        sampled = read_candidates(self._store("candidates"))
        mine = training_run.process_share(
            [turn for turn in self.turns() if turn.key in sampled and turn.key not in have]
        )
        if mine:
            judge = self.load_judge()
            report = training_run.progress(f"{ALGORITHM} scores, turns")
            for done, turn in enumerate(mine, start=1):
                reference = self.data.trajectories[turn.key[0]].task.reference
                store.add(turn.key, {"scores": judge.scores(reference, turn.messages, sampled[turn.key])})
                report(done, len(mine))
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
            privileged_reference=o.privileged and not self._released,  # released code: the sampler's, without c
            aggregation="mean" if o.length_normalisation else "sum",
        )
        return load_judge(settings, self.tokens, lambda path, head: on_device(path, o, head))

    def pairs(self) -> tuple[dict[TurnKey, tuple[Candidate, ...]], TurnPairs]:
        """Stage 4: pair the candidates of each turn by their scores."""
        o = self.options
        sampled = dict(read_candidates(self._store("candidates")))
        scores = {key: row["scores"] for key, row in self._store("scores").rows().items()}
        texts = {key: [c.text for c in sampled[key]] for key in scores}
        turn_pairs = pair_candidates(
            texts, scores, o.seed, o.pair_rule, o.pairs_per_turn, keep_identical=self._released
        )
        return sampled, turn_pairs

    def actor(self) -> None:
        """Stage 5: turn-level DPO on (o_t, a+, a-), without c."""
        from colbench_gym.baselines.training import folder as training_run
        from colbench_gym.baselines.training.preference import TrainingJob

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
                rows.append({"prompt_ids": list(prompt), "chosen_ids": list(chosen), "rejected_ids": list(rejected)})
        if not rows:
            raise UsageError(f"all {too_long} pairs of turns are longer than {limit} tokens; raise --max-tokens")
        summary = {**turn_pairs.summary(), "too_long": too_long}
        training_run.say(f"{ALGORITHM} actor: {summary}")
        folder = training_run.TrainingFolder(o.out, ALGORITHM)
        notes = [f"Recipe: {o.recipe}; judge: {o.judge}."] + ([FRONTEND_NOTE] if self.data.track == "frontend" else [])
        job = TrainingJob(model, self.tokens.tokenizer, o, folder, self.data.track, o.beta, summary, notes)
        if self._released:  # the actor's likelihood term covers the whole sequence, prompt included
            job.train_on_turn_pairs_with_prompt_likelihood(rows, o.nll_weight)
        else:
            job.train_on_turn_pairs(rows, o.nll_weight)

    def _store(self, name: str) -> TurnStore:
        from colbench_gym.baselines.training.folder import process_number

        return TurnStore(self.options.out, name, process_number())

    def _limit(self, model: Any) -> int:  # Any: a transformers model
        return token_limit(model, self.tokens.tokenizer, self.options.max_tokens)


@explained_out_of_memory()
def train(options: SweetRL) -> None:
    """Run the stages up to ``options.stage`` and, after the last one, leave the actor in ``options.out``.

    Raises:
        UsageError: no pair, no such model, no chat template, or memory ran out.
        ChatError: the server that samples failed; go on with ``resume``.
    """
    require_training_packages()
    from colbench_gym.baselines.training import folder as training_run

    training_run.start(options)
    run = Sweet(options)
    _check_data(run)
    folder = training_run.TrainingFolder(options.out, ALGORITHM)
    folder.open(options)
    last = STAGES[-1] if options.stage == "all" else options.stage
    for stage in STAGES[: STAGES.index(last) + 1]:
        training_run.say(f"{ALGORITHM}: stage {stage}")
        outcome = getattr(run, stage)()
        if stage == "pairs":
            _write_pairs(run, *outcome)


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
