"""Candidates and scores of a SWEET-RL run from servers."""

import dataclasses
from pathlib import Path

import pytest
from support.lazily import sweet_rl
from support.openai_server import OpenAIServer, answer

from colbench_gym.errors import UsageError
from colbench_gym.models.candidates import read_candidates
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.loading import load_causal_model
from colbench_gym.models.scoring import said_logprobs
from colbench_gym.models.turn_store import TurnStore

pytestmark = [pytest.mark.train, pytest.mark.usefixtures("servers_client")]


def serve(request, folders, tokens):
    """Answer as vLLM does, from the models in the folders."""
    import torch

    body, choices = request.body, []
    if request.path.endswith("/chat/completions"):
        for at in range(body["n"]):
            text = f"Say {body['seed'] % 7 + at}"
            parts = [{"token": f"token_id:{i}", "logprob": -0.5, "top_logprobs": []} for i in tokens.turn_ids(text)]
            message = {"role": "assistant", "content": text}
            choices.append({"index": at, "finish_reason": "stop", "message": message, "logprobs": {"content": parts}})
        return answer({"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": choices})
    model = load_causal_model(str(folders[body["model"]]), torch.float32).eval()
    for at, ids in enumerate(body["prompt"]):
        (values,) = said_logprobs(model, ids[:1], [ids[1:]])
        shown = {"token_logprobs": [None, *values, -0.5]}
        choices.append({"index": at, "text": "x", "finish_reason": "length", "logprobs": shown})
    return answer({"id": "x", "object": "text_completion", "created": 0, "model": "m", "choices": choices})


@pytest.mark.parametrize("recipe", ["paper", "released"])
def test_scores_of_a_server_equal_those_computed_here(recipe, data, tiny_model, tokenizer, tmp_path):
    folders = {"critic": tmp_path / "out" / "critic", "initial": tiny_model}
    with OpenAIServer(lambda request: serve(request, folders, ChatTokens(tokenizer))) as server:
        options = sweet_rl.SweetRL(
            data=(data,), model=str(tiny_model), out=tmp_path / "out", recipe=recipe, first=2, cpu=True,
            stage="scores", actor_share=0.5, candidates=3, batch_size=2, critic_max_steps=2, critic_batch_size=2,
            critic_learning_rate=1e-3, sampler=f"openai:initial@{server.url}", scorer=f"openai:critic@{server.url}",
            scorer_reference=f"openai:initial@{server.url}" if recipe == "paper" else None,
        )  # fmt: skip
        sweet_rl.train(options)
        asked = {request.body["model"] for request in server.requests if request.path.endswith("/v1/completions")}
    assert asked == ({"critic", "initial"} if recipe == "paper" else {"critic"})
    run = sweet_rl.Sweet(options)
    here = sweet_rl.Sweet(dataclasses.replace(options, scorer=None, scorer_reference=None)).load_judge()
    sampled = read_candidates(TurnStore(options.out, "candidates"))
    scores = {key: row["scores"] for key, row in TurnStore(options.out, "scores").rows().items()}
    assert len(scores) == len(sampled) == 6
    for turn in run.turns():
        reference = run.data.trajectories[turn.key[0]].task.reference
        expected = here.scores(reference, turn.messages, sampled[turn.key])
        assert scores[turn.key] == pytest.approx(expected, abs=1e-4)


def test_no_engine_is_subtracted_from_another():
    paths = {"data": (Path("d"),), "model": "m", "out": Path("o")}
    with pytest.raises(UsageError, match=r"got scorer 'openai:c@http://x' alone.*--scorer-reference"):
        sweet_rl.SweetRL(**paths, scorer="openai:c@http://x")
    with pytest.raises(UsageError, match=r"got scorer_reference .*has no effect here"):
        sweet_rl.SweetRL(
            **paths, recipe="released", sampler="openai:m@http://x", scorer="openai:c@http://x",
            scorer_reference="openai:m@http://x",
        )  # fmt: skip
