"""Continuations that are packed behind one prompt, against each of them alone."""

import pytest
from support.tiny import make_model, make_tokenizer

from colbench_gym.models.packing import packed_logprobs
from colbench_gym.models.sampling import LocalSampler, Request, _GumbelNoise
from colbench_gym.models.scoring import said_logprobs

pytestmark = pytest.mark.train

PROMPT = list(range(20, 80))


@pytest.fixture(scope="module")
def model(one_thread):
    return make_model(make_tokenizer()).eval()


def test_packed_scores_equal_those_of_each_alone(model):
    said = [[8, 9], [10], [11, 12, 13], [9] * 20]
    packed = packed_logprobs(model, PROMPT, said)
    assert said_logprobs(model, PROMPT, said) == packed
    for ours, alone in zip(packed, said_logprobs(model, PROMPT, said, share=False), strict=True):
        assert ours == pytest.approx(alone, abs=1e-5)


def test_messages_that_end_leave_the_batch(model):
    tokenizer = make_tokenizer()
    packed, apart = (LocalSampler(model, tokenizer, 100, share_prompts=share) for share in (True, False))
    requests = [Request(tuple(PROMPT), seed, 1.0) for seed in range(12)]
    read = []
    hook = model.register_forward_pre_hook(
        lambda _, args, inputs: read.append(inputs["input_ids"].numel()), with_kwargs=True
    )
    together = packed.sample(requests)
    hook.remove()
    assert [sampled.ids for sampled in together] == [sampled.ids for sampled in apart.sample(requests)]
    assert read[1] == 12
    assert read[-1] == sum(len(sampled.ids) == max(len(s.ids) for s in together) for sampled in together) < 12


def test_turns_that_wait_enter_a_running_batch(model, monkeypatch):
    """Prompts of other lengths, before and after the batch has grown; what is drawn is what each draws alone."""
    tokenizer = make_tokenizer()
    prompts = [tuple(range(20, 20 + length)) for length in (60, 8, 90, 33, 60 + 1, 140)]
    requests = [Request(prompt, 10 * at + n, 1.0) for at, prompt in enumerate(prompts) for n in range(4)]
    packed, apart = (LocalSampler(model, tokenizer, 60, share_prompts=share) for share in (True, False))
    packed._stops = apart._stops = list(range(0, 320, 16))  # lengths differ much
    drawn = []
    draw = _GumbelNoise.draw
    monkeypatch.setattr(_GumbelNoise, "draw", lambda *given: drawn.append(len(given[2])) or draw(*given))
    refilled = packed.sample(requests, at_once=8)
    refills = drawn.copy()
    for start in range(0, len(requests), 8):
        packed.sample(requests[start : start + 8])
    for ours, alone in zip(refilled, apart.sample(requests), strict=True):
        assert ours.ids == alone.ids
        assert ours.logprob == pytest.approx(alone.logprob, abs=1e-5)
    assert len(refills) < len(drawn) - len(refills)  # steps are saved
    assert sum(refills) == sum(drawn) / 2
    assert max(refills) == 8


def test_a_short_prompt_has_all_its_room_beside_a_long_one(model):
    tokenizer = make_tokenizer()
    sampler = LocalSampler(model, tokenizer, 1000)
    sampler._stops = []
    short, long = tuple(PROMPT), tuple(range(20, 120)) * 2
    sampler.limit = len(long) + 5
    made = sampler.sample([Request(prompt, seed, 1.0) for prompt in (short, long) for seed in range(2)])
    assert [len(sampled.ids) for sampled in made] == [sampler.limit - len(short)] * 2 + [5] * 2


def test_models_whose_attention_takes_no_mask_are_scored_row_by_row(model):
    model.config._attn_implementation = "flash_attention_2"
    try:
        assert packed_logprobs(model, PROMPT, [[8, 9]]) is None
    finally:
        model.config._attn_implementation = "sdpa"
