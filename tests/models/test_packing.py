"""Continuations that are packed behind one prompt, against each of them alone."""

import pytest
from support.tiny import make_model, make_tokenizer

from colbench_gym.models.packing import packed_logprobs
from colbench_gym.models.sampling import LocalSampler, Request
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


def test_models_whose_attention_takes_no_mask_are_scored_row_by_row(model):
    model.config._attn_implementation = "flash_attention_2"
    try:
        assert packed_logprobs(model, PROMPT, [[8, 9]]) is None
    finally:
        model.config._attn_implementation = "sdpa"
