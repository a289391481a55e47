"""Log-probabilities of prompts from a server equal those computed here."""

import pytest
from support.openai_server import OpenAIServer, answer, refuse
from support.tiny import make_model, make_tokenizer

from colbench_gym.errors import ChatError, UsageError
from colbench_gym.models.scoring import said_logprobs
from colbench_gym.models.server import ModelServer

pytestmark = [pytest.mark.train, pytest.mark.usefixtures("servers_client")]


@pytest.fixture(scope="module")
def model(one_thread):
    return make_model(make_tokenizer()).eval()


def echo(model, request):
    """Answer as vLLM does: the prompt's log-probabilities, none for its first token, and one token that follows."""
    body = request.body
    assert (body["echo"], body["logprobs"], body["max_tokens"]) == (True, 1, 1)
    choices = []
    for at, ids in enumerate(body["prompt"]):
        (values,) = said_logprobs(model, ids[:1], [ids[1:]])
        shown = {"tokens": ["x"] * (len(ids) + 1), "token_logprobs": [None, *values, -0.5], "top_logprobs": None}
        choices.append({"index": at, "text": "x", "finish_reason": "length", "logprobs": shown})
    return completion(choices[::-1])


def completion(choices):
    return answer({"id": "x", "object": "text_completion", "created": 0, "model": "m", "choices": choices})


def test_log_probabilities_of_a_server_equal_those_computed_here(model):
    prompt, said = [5, 6, 7], [[8, 9], [10], [11, 12, 13]]
    with OpenAIServer(lambda request: echo(model, request)) as server:
        served = ModelServer(f"openai:m@{server.url}", "scorer").said_logprobs(prompt, said)
    assert len(server.requests) == 1
    for ours, theirs in zip(said_logprobs(model, prompt, said), served, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-5)


def test_a_server_without_log_probabilities_of_prompts_says_what_to_do():
    bare = {"index": 0, "text": "x", "finish_reason": "length", "logprobs": None}
    short = bare | {"logprobs": {"token_logprobs": [-0.5]}}
    empty = bare | {"logprobs": {"token_logprobs": [None, None, None, -0.5]}}
    for choice in (bare, short, empty):
        with OpenAIServer([completion([choice])]) as server, pytest.raises(ChatError, match="leave out --scorer"):
            ModelServer(f"openai:m@{server.url}", "scorer").said_logprobs([5], [[6, 7]])
    with OpenAIServer([refuse(400)]) as server, pytest.raises(ChatError, match="--resume"):
        ModelServer(f"openai:m@{server.url}", "scorer").said_logprobs([5], [[6, 7]])
    with pytest.raises(UsageError, match=r"got the scorer 'm'.*openai:MODEL@BASE_URL"):
        ModelServer("m", "scorer")
