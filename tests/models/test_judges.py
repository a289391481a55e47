"""Scores of candidates against float64 computations, and the policy that says the best one."""

import json
from functools import partial

import pytest
from support.tiny import make_model, make_tokenizer, make_trajectory

from colbench_gym import BackendTask, InputFileError, UsageError
from colbench_gym.dialogue import ChatMessage
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.judge_loading import JudgeSettings
from colbench_gym.models.judges import (
    JUDGE_QUESTION,
    PRIVILEGED_PREFIX,
    AdvantageJudge,
    Candidate,
    HeadJudge,
    LLMJudge,
    with_privileged_prefix,
)
from colbench_gym.models.scoring import said_logprobs
from colbench_gym.models.tokenized_dialogue import agent_turns
from colbench_gym.policies import PrivilegedPolicy, make_policy
from colbench_gym.policies.best_of_n import BestOfN

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
@pytest.mark.parametrize("released", [True, False])
@pytest.mark.parametrize("aggregation", ["mean", "sum"])
def test_advantages(privileged, released, aggregation, parts):
    tokens, messages, candidates = parts
    critic, reference = make_model(tokens.tokenizer, 1).eval(), make_model(tokens.tokenizer, 2).eval()
    judge = AdvantageJudge(
        partial(said_logprobs, critic), partial(said_logprobs, reference), tokens, privileged, released,
        aggregation,
    )  # fmt: skip
    blind = tokens.prompt_ids(messages)
    seeing = tokens.prompt_ids(with_privileged_prefix(messages, REFERENCE))
    for score, candidate in zip(judge.scores(REFERENCE, messages, candidates), candidates, strict=True):
        seen, said = released_view(tokens, messages, candidate, privileged) if released else (seeing, candidate.ids)
        ours = sum64(critic, seen if privileged or released else blind, said)
        theirs = sum64(reference, blind if released or not privileged else seeing, candidate.ids)
        by, by_theirs = (len(said), len(candidate.ids)) if aggregation == "mean" else (1, 1)
        assert score == pytest.approx(ours / by - theirs / by_theirs, abs=TOLERANCE * (1 if by > 1 else 10))


def released_view(tokens, messages, candidate, privileged):
    """What the released ranking gives its critic, and what it averages over: all behind the last end of turn."""
    front = PRIVILEGED_PREFIX.replace("{reference}", REFERENCE) if privileged else ""
    ids = tokens.tokenizer.encode(front + tokens.prompt_text(messages) + candidate.text, add_special_tokens=False)
    start = len(ids) - ids[::-1].index(tokens.stop_id)
    return ids[:start], ids[start:]


def test_the_released_recipe_takes_the_samplers_own_log_probability_where_it_is_known(parts):
    tokens, messages, candidates = parts
    critic = make_model(tokens.tokenizer, 1).eval()
    judge = AdvantageJudge(partial(said_logprobs, critic), None, tokens, released=True)
    known = [Candidate(c.text, c.ids, -1.5) for c in candidates]
    for score, candidate in zip(judge.scores(REFERENCE, messages, known), known, strict=True):
        seen, said = released_view(tokens, messages, candidate, True)
        expected = sum64(critic, seen, said) / len(said) + 1.5 / len(candidate.ids)
        assert score == pytest.approx(expected, abs=TOLERANCE)


def test_the_critic_at_its_start_finds_all_alike(parts):
    tokens, messages, candidates = parts
    model = make_model(tokens.tokenizer).eval()
    logprobs = partial(said_logprobs, model)
    assert AdvantageJudge(logprobs, logprobs, tokens).scores(REFERENCE, messages, candidates) == [0.0] * len(candidates)


@pytest.mark.parametrize("privileged", [True, False])
def test_heads(privileged, parts, tiny_model):
    import torch

    from colbench_gym.models.loading import load_head_model

    tokens, messages, candidates = parts
    model = load_head_model(str(tiny_model), torch.float32).eval()
    scores = HeadJudge(model, tokens, privileged).scores(REFERENCE, messages, candidates)
    prompt = tokens.prompt_ids(with_privileged_prefix(messages, REFERENCE) if privileged else messages)
    for score, candidate in zip(scores, candidates, strict=True):
        hidden = model.model(torch.tensor([(*prompt, *candidate.ids)])).last_hidden_state[0]
        alone = model.score(hidden.mean(dim=0)).item()
        assert score == pytest.approx(alone, abs=TOLERANCE)


def test_a_language_model_as_a_judge_compares_every_two_candidates_in_both_orders(parts):
    import torch

    tokens, messages, candidates = parts
    model = make_model(tokens.tokenizer).eval()
    judge = LLMJudge(model, tokens)
    scores = judge.scores(REFERENCE, messages, candidates)
    answers = [tokens.tokenizer.encode(answer)[-1] for answer in ("1", "2")]

    def chances(first, second):
        shown = (
            PRIVILEGED_PREFIX.replace("{reference}", REFERENCE)
            + "Person: Write f0(x).\nProgrammer: What is x?\nPerson: A number."
        )
        fields = JUDGE_QUESTION.replace("{conversation}", shown).replace("{first}", first).replace("{second}", second)
        prompt = tokens.prompt_ids([ChatMessage(role="user", content=fields)])
        return model(torch.tensor([prompt])).logits[0, -1, answers].softmax(-1).tolist()

    others = sorted(set(TEXTS) - {TEXTS[1]})
    by_hand = [chances(TEXTS[1], other)[0] for other in others] + [chances(other, TEXTS[1])[1] for other in others]
    assert scores[1] == pytest.approx(sum(by_hand) / len(by_hand), abs=TOLERANCE)
    assert sum(scores[:5]) == pytest.approx(2.5, abs=TOLERANCE)  # what one wins the other loses
    assert scores[0] == scores[5]
    assert judge.scores("another reference", messages, candidates) != scores
    blind = LLMJudge(judge.model, tokens, privileged=False)
    assert blind.scores("another reference", messages, candidates) == blind.scores(REFERENCE, messages, candidates)
    assert judge.scores(REFERENCE, messages, [candidates[0]] * 2) == [0.5, 0.5]


def test_a_message_with_a_field_of_the_question_stays_as_it_is(parts):
    tokens, _, _ = parts
    judge = LLMJudge(make_model(tokens.tokenizer).eval(), tokens)
    text = tokens.tokenizer.decode(judge._prompt("{first}", "{second}", "b"))
    assert "{first}\nMessage 1:\n{second}\n" in text


@pytest.mark.parametrize("kind", ["log-probabilities", "heads"])
def test_a_prompt_read_once_gives_what_a_prompt_read_for_each_candidate_gives(kind, parts, tiny_model):
    import torch

    from colbench_gym.models.loading import load_head_model
    from colbench_gym.models.scoring import said_heads, said_logprobs

    tokens, messages, candidates = parts
    prompt = tokens.prompt_ids(messages)
    said = [candidate.ids for candidate in candidates] * 2  # more than one batch
    if kind == "heads":
        model = load_head_model(str(tiny_model), torch.float32).eval()
        assert said_heads(model, prompt, said) == pytest.approx(
            said_heads(model, prompt, said, share=False), abs=TOLERANCE
        )
        return
    model = make_model(tokens.tokenizer, 1).eval()
    read = []
    model.register_forward_pre_hook(lambda _, args, inputs: read.append(inputs["input_ids"].numel()), with_kwargs=True)
    shared, at_once = said_logprobs(model, prompt, said), sum(read)
    read.clear()
    apart = said_logprobs(model, prompt, said, share=False)
    assert at_once < sum(read) - 10 * len(prompt)
    for ours, theirs, ids in zip(shared, apart, said, strict=True):
        assert ours == pytest.approx(theirs, abs=TOLERANCE)
        assert len(ours) == len(ids)


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
    assert JudgeSettings.of_run(tmp_path) == JudgeSettings("critic", "M", str(tmp_path / "critic"), True, True, "sum")
