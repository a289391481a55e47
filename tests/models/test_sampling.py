"""Sampling from a local model: what is drawn, in which batch, and what it cost."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.tiny import make_model, make_tokenizer

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import PolicyError, UsageError
from colbench_gym.models.sampling import Batcher, LocalSampler, Request, Sampled, message_seed
from colbench_gym.policies import SeededPolicy, make_policy
from colbench_gym.policies.hf import HFPolicy

pytestmark = pytest.mark.train

PROMPTS = [(10, 11, 12), (20, 21, 22, 23, 24, 25, 26), (30,), (40, 41, 42, 43)]


@pytest.fixture(scope="module")
def sampler(one_thread):
    tokenizer = make_tokenizer()
    return LocalSampler(make_model(tokenizer).eval(), tokenizer, max_new_tokens=12)


def asked(text="What is x?"):
    return [ChatMessage(role="system", content="Brief."), ChatMessage(role="user", content=text)]


def test_temperature_0_is_greedy_generation_message_by_message(sampler):
    import torch

    together = sampler.sample([Request(prompt, 1, 0.0) for prompt in PROMPTS])
    for prompt, sampled in zip(PROMPTS, together, strict=True):
        alone = sampler.model.generate(
            torch.tensor([prompt]), do_sample=False, max_new_tokens=12, eos_token_id=sampler._stops, pad_token_id=0
        )
        assert sampled.ids == tuple(alone[0, len(prompt) :].tolist())
        assert sampled.finished == (sampled.ids[-1] in sampler._stops)


def test_what_is_drawn_depends_on_the_seed_and_not_on_the_neighbours(sampler):
    requests = [Request(prompt, 7, 1.0) for prompt in PROMPTS]
    together = sampler.sample(requests)
    assert [sampler.sample([request])[0].ids for request in requests] == [sampled.ids for sampled in together]
    assert [sampled.ids for sampled in sampler.sample(requests[::-1])] == [sampled.ids for sampled in together[::-1]]
    assert sampler.sample([Request(PROMPTS[0], 8, 1.0)])[0].ids != together[0].ids


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_draws_follow_the_models_distribution(one_thread, temperature):
    import torch

    tokenizer = make_tokenizer()
    one_token = LocalSampler(make_model(tokenizer).eval(), tokenizer, max_new_tokens=1)
    draws = 4000
    with torch.no_grad():
        expected = (one_token.model(torch.tensor([PROMPTS[0]])).logits[0, -1] / temperature).softmax(0)
    got = Counter(
        sampled.ids[0]
        for start in range(0, draws, 500)
        for sampled in one_token.sample([Request(PROMPTS[0], seed, temperature) for seed in range(start, start + 500)])
    )
    for token in expected.topk(5).indices.tolist():
        share, chance = got[token] / draws, float(expected[token])
        assert abs(share - chance) < 4 * (chance * (1 - chance) / draws) ** 0.5  # four standard errors; seeds are fixed


def test_log_probabilities_are_the_models_own_at_temperature_1(sampler):
    import torch

    for temperature in (0.0, 0.7):
        for prompt, sampled in zip(PROMPTS, sampler.sample([Request(p, 3, temperature) for p in PROMPTS]), strict=True):
            with torch.no_grad():
                logits = sampler.model.double()(torch.tensor([prompt + sampled.ids])).logits[0].log_softmax(-1)
            sampler.model.float()
            by_hand = sum(float(logits[len(prompt) - 1 + at, token]) for at, token in enumerate(sampled.ids))
            assert sampled.logprob == pytest.approx(by_hand, abs=1e-4)


def test_a_prompt_read_once_gives_what_a_prompt_read_for_each_message_gives(sampler):
    """Two prompts of different length, several messages each, and one that stands alone."""
    apart = LocalSampler(sampler.model, sampler.tokenizer, max_new_tokens=12, share_prompts=False)
    long = tuple(range(20, 120))
    requests = [Request(p, seed, 1.0) for p in (PROMPTS[1], long) for seed in range(4)] + [Request(PROMPTS[0], 9, 0.0)]
    read = []
    hook = sampler.model.register_forward_pre_hook(
        lambda _, args, inputs: read.append(inputs["input_ids"].numel()), with_kwargs=True
    )
    together = sampler.sample(requests)
    shared = sum(read)
    read.clear()
    for ours, theirs in zip(together, apart.sample(requests), strict=True):
        assert ours.ids == theirs.ids
        assert ours.logprob == pytest.approx(theirs.logprob, abs=1e-5)
    hook.remove()
    assert shared < sum(read) - 5 * len(long)


def test_a_message_ends_with_its_turn(one_thread):
    tokenizer = make_tokenizer()
    model = make_model(tokenizer).eval()
    stop = tokenizer.convert_tokens_to_ids("<|im_end|>")
    sampler = LocalSampler(model, tokenizer, max_new_tokens=400)
    found = sampler.sample([Request(prompt, seed, 1.0) for prompt in PROMPTS for seed in range(4)])
    ended = [sampled for sampled in found if sampled.finished]
    assert ended
    for sampled in ended:
        assert sampled.ids[-1] in (stop, tokenizer.eos_token_id)
        assert stop not in sampled.ids[:-1]
        assert "<|" not in sampled.text


def test_dialogues_played_at_once_share_batches_and_closing_says_how_fast(sampler, capsys):
    barrier = threading.Barrier(6)
    batcher = Batcher(LocalSampler(sampler.model, sampler.tokenizer, max_new_tokens=4), batch_size=8)
    policy = HFPolicy(batcher, temperature=1.0, name="hf:tiny")
    assert isinstance(policy, SeededPolicy)

    def one(seed):
        seat = policy.seeded(seed)
        barrier.wait()
        return seat.act(asked())

    with ThreadPoolExecutor(6) as threads:
        texts = list(threads.map(one, range(6)))
    total = batcher.sampler.throughput
    assert total.messages == 6
    assert total.batches < 6
    assert policy.usage.calls == 6
    assert policy.usage.completion_tokens == total.new_tokens
    assert len(set(texts)) > 1
    assert texts[3] == policy.seeded(3).act(asked())
    policy.close()
    policy.close()
    assert capsys.readouterr().err.count("tokens/s") == 1
    with pytest.raises(PolicyError, match="closed"):
        policy.act(asked())


def test_a_prompt_longer_than_the_context_fails_alone(one_thread):
    tokenizer = make_tokenizer()
    tokenizer.model_max_length = 40
    batcher = Batcher(LocalSampler(make_model(tokenizer).eval(), tokenizer, max_new_tokens=2))
    requests = [Request(PROMPTS[0], 1, 0.0), Request(tuple(range(5, 50)), 1, 0.0)]
    with pytest.raises(PolicyError, match=r"a prompt of 45 tokens.*takes 40"):
        batcher.submit(requests)
    (fine,) = batcher.submit(requests[:1])
    assert isinstance(fine, Sampled)
    batcher.close()


def test_message_seeds_differ_by_everything():
    seeds = {message_seed(s, p, n) for s in range(3) for p in ((1, 2), (12,), (1, 2, 3)) for n in range(3)}
    assert len(seeds) == 27
    assert message_seed(1, (2, 3), 4) == message_seed(1, [2, 3], 4)


def test_the_spec_loads_a_folder(tiny_model):
    policy = make_policy(f"hf:{tiny_model}", max_tokens=3)
    said = policy.act(asked())
    assert said == policy.act(asked())
    assert 1 <= len(said.token_ids) <= 3
    assert policy.batcher.sampler.tokens.text(said.token_ids) == said
    policy.close()


def test_no_such_model_says_what_to_do(tmp_path):
    with pytest.raises(UsageError, match=r"there is no folder .*expected one with"):
        make_policy(f"hf:{tmp_path / 'nothing'}")
