"""Scores of candidates against float64 computations, and the policy that says the best one."""

import json

import pytest
from support.tiny import make_model, make_tokenizer, make_trajectory

from colbench_gym.baselines.tokenized_dialogue import agent_turns
from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.judge_loading import JudgeSettings
from colbench_gym.models.judges import (
    AdvantageJudge,
    Candidate,
    HeadJudge,
    LLMJudge,
    with_privileged_prefix,
)
from colbench_gym.policies import PrivilegedPolicy, make_policy
from colbench_gym.policies.best_of_n import BestOfN
from colbench_gym.tasks import BackendTask

pytestmark = pytest.mark.train

REFERENCE = "def f(x):\n    return SECRET"
TEXTS = ["Why?", "Is x positive, negative or zero?", "I WANT TO ANSWER: def f(x): return x", "", "What?"] * 2
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def parts(one_thread):
    tokenizer = make_tokenizer()
    tokens = ChatTokens(tokenizer)
    messages = agent_turns(make_trajectory(["What is x?", "end"], ["A number."]))[1][0]
    candidates = [Candidate(text, tokens.turn_ids(text)) for text in TEXTS]
    return tokens, messages, candidates


def sum64(model, prompt, said):
    import torch

    with torch.no_grad():
        logprobs = model.double()(torch.tensor([(*prompt, *said)])).logits[0].log_softmax(-1)
    model.float()
    return sum(float(logprobs[len(prompt) - 1 + at, token]) for at, token in enumerate(said))


@pytest.mark.parametrize("privileged", [True, False])
@pytest.mark.parametrize("privileged_reference", [True, False])
@pytest.mark.parametrize("aggregation", ["mean", "sum"])
def test_advantages(privileged, privileged_reference, aggregation, parts):
    tokens, messages, candidates = parts
    critic, reference = make_model(tokens.tokenizer, 1).eval(), make_model(tokens.tokenizer, 2).eval()
    judge = AdvantageJudge(critic, reference, tokens, privileged, privileged_reference and privileged, aggregation)
    blind = tokens.prompt_ids(messages)
    seeing = tokens.prompt_ids(with_privileged_prefix(messages, REFERENCE))
    for score, candidate in zip(judge.scores(REFERENCE, messages, candidates), candidates, strict=True):
        ours = sum64(critic, seeing if privileged else blind, candidate.ids)
        theirs = sum64(reference, seeing if privileged and privileged_reference else blind, candidate.ids)
        by = len(candidate.ids) if aggregation == "mean" else 1
        assert score == pytest.approx((ours - theirs) / by, abs=TOLERANCE * (1 if by > 1 else 10))


def test_the_released_recipe_takes_the_samplers_own_log_probability_where_it_is_known(parts):
    tokens, messages, candidates = parts
    critic, reference = make_model(tokens.tokenizer, 1).eval(), make_model(tokens.tokenizer, 2).eval()
    judge = AdvantageJudge(critic, reference, tokens, privileged_reference=False)
    known = [Candidate(c.text, c.ids, -1.5) for c in candidates]
    seeing = tokens.prompt_ids(with_privileged_prefix(messages, REFERENCE))
    for score, candidate in zip(judge.scores(REFERENCE, messages, known), known, strict=True):
        expected = (sum64(critic, seeing, candidate.ids) + 1.5) / len(candidate.ids)
        assert score == pytest.approx(expected, abs=TOLERANCE)


def test_the_critic_at_its_start_finds_all_alike(parts):
    tokens, messages, candidates = parts
    model = make_model(tokens.tokenizer).eval()
    assert AdvantageJudge(model, model, tokens).scores(REFERENCE, messages, candidates) == [0.0] * len(candidates)


@pytest.mark.parametrize("privileged", [True, False])
def test_heads(privileged, parts, tiny_model):
    import torch

    from colbench_gym.models.loading import load_head_model

    tokens, messages, candidates = parts
    model = load_head_model(str(tiny_model), torch.float32).eval()
    scores = HeadJudge(model, tokens, privileged).scores(REFERENCE, messages, candidates)
    prompt = tokens.prompt_ids(with_privileged_prefix(messages, REFERENCE) if privileged else messages)
    for score, candidate in zip(scores, candidates, strict=True):
        alone = model(torch.tensor([(*prompt, *candidate.ids)])).logits[0, -1, 0].item()
        assert score == pytest.approx(alone, abs=TOLERANCE)


def test_a_language_model_as_a_judge_answers_between_0_and_9(parts):
    tokens, messages, candidates = parts
    judge = LLMJudge(make_model(tokens.tokenizer).eval(), tokens)
    scores = judge.scores(REFERENCE, messages, candidates)
    assert all(0 <= score <= 9 for score in scores)
    assert scores[0] == pytest.approx(scores[5], abs=TOLERANCE)
    assert len({round(score, 6) for score in scores}) == 5
    assert judge.scores("another reference", messages, candidates) != scores
    blind = LLMJudge(judge.model, tokens, privileged=False)
    assert blind.scores("another reference", messages, candidates) == blind.scores(REFERENCE, messages, candidates)


class Listed:
    """A proposer double: says what it was given, marked with its seed."""

    def __init__(self, texts, seed=0):
        self.texts, self.seed, self.closed = texts, seed, False

    def propose(self, messages, n):
        return [f"{text}{self.seed}" for text in self.texts[:n]]

    def seeded(self, seed):
        return Listed(self.texts, seed)

    def close(self):
        self.closed = True


class Longest:
    def scores(self, reference, messages, candidates):
        return [float(len(candidate.text)) for candidate in candidates]


def test_best_of_n_says_the_first_of_the_best(parts):
    tokens, messages, _ = parts
    proposer = Listed(["a", "bbb", "cc", "ddd", "eeeeee"])
    policy = BestOfN(proposer, Longest(), tokens, 4)
    assert isinstance(policy, PrivilegedPolicy)
    task = BackendTask("0", "Write f.", REFERENCE, ("f(1)",), ("t",), REFERENCE)
    assert policy.for_task(task).act(messages) == "bbb0"
    assert policy.for_task(task).seeded(7).act(messages) == "bbb7"
    policy.close()
    assert proposer.closed
    with pytest.raises(UsageError, match="best of 0"):
        BestOfN(proposer, Longest(), tokens, 0)


def test_best_of_n_specs_that_cannot_be_used(tmp_path):
    for spec in ("best_of:", "best_of:x:RUN", "best_of:0:RUN", "best_of:4"):
        with pytest.raises(UsageError, match="best_of:N:RUN"):
            make_policy(spec, temperature=1.0)
    with pytest.raises(UsageError, match="temperature 0"):
        make_policy(f"best_of:4:{tmp_path}")
    with pytest.raises(InputFileError, match="no SWEET-RL run"):
        make_policy(f"best_of:4:{tmp_path}", temperature=1.0)


def test_the_settings_of_a_run(tmp_path):
    options = {"recipe": "released", "judge": "critic", "model": "M", "privileged": True, "length_normalisation": False}
    (tmp_path / "run.json").write_text(json.dumps({"options": options}))
    assert JudgeSettings.of_run(tmp_path) == JudgeSettings("critic", "M", str(tmp_path / "critic"), True, False, "sum")
