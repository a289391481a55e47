"""Candidates from a server, and the store that a stopped run goes on with."""

import json
import threading
import time

import pytest
from support.openai_server import OpenAIServer, answer, refuse
from support.tiny import make_tokenizer

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import ChatError, UsageError
from colbench_gym.models.candidates import ServerCandidates, TurnToSample, read_candidates, sample_candidates
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.turn_store import TurnStore

pytestmark = [pytest.mark.train, pytest.mark.usefixtures("servers_client")]


@pytest.fixture(scope="module")
def tokens(one_thread):
    return ChatTokens(make_tokenizer())


def turn(dialogue=0, number=0):
    return TurnToSample((dialogue, number), (ChatMessage(role="user", content=f"Write f{dialogue}."),))


def choices(tokens, request, named=True, logprobs=True, n=None):
    """Return vLLM's answer: the sampled tokens by id, the end of the turn among them."""
    made = []
    for at in range(request.body["n"] if n is None else n):
        text = f"Say {at}"
        ids = tokens.turn_ids(text)
        parts = [{"token": f"token_id:{i}" if named else "x", "logprob": -0.5, "top_logprobs": []} for i in ids]
        made.append(
            {
                "index": at, "finish_reason": "stop", "message": {"role": "assistant", "content": text},
                "logprobs": {"content": parts} if logprobs else None,
            }
        )  # fmt: skip
    return answer({"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": made})


@pytest.mark.parametrize("named", [True, False])
def test_ids_and_log_probabilities_of_a_server(named, tokens):
    with OpenAIServer(lambda request: choices(tokens, request, named)) as server:
        source = ServerCandidates(f"openai:m@{server.url}", tokens, max_new_tokens=9)
        (found,) = source.sample([turn()], 3, seed=5, temperature=0.8)
        (again,) = source.sample([turn()], 3, seed=5, temperature=0.8)
        (other,) = source.sample([turn(1)], 3, seed=5, temperature=0.8)
    assert [candidate.text for candidate in found] == ["Say 0", "Say 1", "Say 2"]
    assert all(candidate.ids == tokens.turn_ids(candidate.text) for candidate in found)
    assert all(candidate.logprob == -0.5 * len(candidate.ids) for candidate in found)
    assert found == again == other
    first, second, third = (request.body for request in server.requests)
    assert (first["n"], first["temperature"], first["max_tokens"], first["logprobs"]) == (3, 0.8, 9, True)
    assert first["seed"] == second["seed"] != third["seed"]


def test_a_server_that_refuses_unknown_fields_is_asked_without_them(tokens):
    def strict(request):
        return refuse(400) if "return_tokens_as_token_ids" in request.body else choices(tokens, request, named=False)

    with OpenAIServer(strict) as server:
        source = ServerCandidates(f"openai:m@{server.url}", tokens, max_new_tokens=9)
        assert len(source.sample([turn()], 2, seed=5, temperature=1.0)[0]) == 2
        source.sample([turn()], 2, seed=5, temperature=1.0)
    assert len(server.requests) == 3  # it is asked with them once


def test_a_server_that_cannot_serve_says_what_to_do(tokens):
    failures = [
        (lambda request: choices(tokens, request, logprobs=False), "no log-probabilities"),
        (lambda request: choices(tokens, request, n=1), r"got 1 candidates.*expected 2"),
        ([refuse(404)], "--resume"),
    ]
    for script, said in failures:
        with OpenAIServer(script) as server, pytest.raises(ChatError, match=said):
            ServerCandidates(f"openai:m@{server.url}", tokens, 9).sample([turn()], 2, 5, 1.0)
    with pytest.raises(UsageError, match="openai:MODEL@BASE_URL"):
        ServerCandidates("m", tokens, 9)


def test_what_was_sampled_before_a_failure_is_kept_and_not_sampled_again(tokens, tmp_path):
    asked = []

    def script(request):
        text = request.body["messages"][0]["content"]
        asked.append(text)
        return refuse(404) if text == "Write f2." and len(asked) < 20 else choices(tokens, request)

    turns = [turn(dialogue) for dialogue in range(3)]
    store = TurnStore(tmp_path, "candidates")
    store.open()
    with OpenAIServer(script) as server:
        source = ServerCandidates(f"openai:m@{server.url}", tokens, 9)
        with pytest.raises(ChatError):
            sample_candidates(turns, source, store, 2, 5, 1.0, lambda done, total: None)
        assert list(store.rows()) == [(0, 0), (1, 0)]
        asked.extend(["later"] * 20)
        store.open()
        sample_candidates(turns, source, store, 2, 5, 1.0, lambda done, total: None)
    assert asked[-1] == "Write f2."
    assert asked.count("Write f0.") == 1
    assert list(read_candidates(store)) == [(0, 0), (1, 0), (2, 0)]


def test_a_half_written_line_is_taken_back(tmp_path):
    store, other = TurnStore(tmp_path, "scores", 0), TurnStore(tmp_path, "scores", 1)
    store.add((1, 0), {"scores": [1.0]})
    other.add((0, 2), {"scores": [2.0], "text": "a\u2028b\x85c"})  # which end no line
    for process in range(2):
        with (tmp_path / f"scores.{process}.jsonl").open("a") as out:
            out.write(json.dumps({"dialogue": 5, "turn": 0})[:12])
    assert list(store.rows()) == [(0, 2), (1, 0)]
    store.open()
    store.add((5, 0), {"scores": [3.0]})
    other.add((6, 0), {"scores": [4.0]})
    assert [row["scores"] for row in store.rows().values()] == [[2.0], [1.0], [3.0], [4.0]]
    assert store.rows()[0, 2]["text"] == "a\u2028b\x85c"


def test_what_a_killed_process_had_claimed_is_done_by_the_next_run(tmp_path):
    store, other = TurnStore(tmp_path, "scores", 0), TurnStore(tmp_path, "scores", 1)
    store.open()
    batches = [[((dialogue, turn), (dialogue, turn)) for turn in range(2)] for dialogue in range(3)]
    done = []

    def killed(batch):
        if batch[0] == (1, 0):
            raise KeyboardInterrupt
        return score(batch)

    def score(batch):
        done.extend(batch)
        return [{"scores": list(key)} for key in batch]

    with pytest.raises(KeyboardInterrupt):
        store.fill(batches, killed, lambda taken, total: None)
    other.fill(batches, score, lambda taken, total: None)
    assert done == [(0, 0), (0, 1), (2, 0), (2, 1)]
    other.open()
    other.fill(batches, score, lambda taken, total: None)
    assert done[4:] == [(1, 0), (1, 1)]
    assert [row["scores"] for row in store.rows().values()] == [[d, t] for d in range(3) for t in range(2)]


def test_no_process_waits_longer_than_the_longest_call(tokens, tmp_path):
    """Every other call is slow: under a fixed split one process would do all of those, in 1.5 s."""
    turns = [turn(dialogue) for dialogue in range(60)]
    calls, ends = [], [0.0, 0.0]

    def slow_or_quick(request):
        slow = int(request.body["messages"][0]["content"].strip("Write f.")) % 2 == 0
        made = choices(tokens, request)

        def behave(handler):
            time.sleep(0.1 if slow else 0.001)
            made(handler)

        return behave

    class Timed(ServerCandidates):
        concurrency = 2

        def sample(self, batch, *rest):
            started = time.perf_counter()
            sampled = super().sample(batch, *rest)
            calls.append((batch[0].key, time.perf_counter() - started))
            return sampled

    def process(number, url):
        store = TurnStore(tmp_path, "candidates", number)
        source = Timed(f"openai:m@{url}", tokens, 9)
        sample_candidates(turns, source, store, 2, 5, 1.0, lambda taken, total: None)
        ends[number] = time.perf_counter()

    TurnStore(tmp_path, "candidates").open()
    with OpenAIServer(slow_or_quick) as server:
        processes = [threading.Thread(target=process, args=(number, server.url)) for number in range(2)]
        for each in processes:
            each.start()
        for each in processes:
            each.join()
    assert sorted(key for key, _ in calls) == [each.key for each in turns]
    assert abs(ends[0] - ends[1]) <= max(seconds for _, seconds in calls) + 0.1
    assert len(read_candidates(TurnStore(tmp_path, "candidates"))) == 60
