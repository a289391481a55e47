"""``colbench eval`` with a model at both seats, on a server that misbehaves: as a user runs it."""

import json

import pytest
from support.command import colbench
from support.json_lines import read_rows
from support.openai_server import EMPTY, MALFORMED, OpenAIServer, cut, refuse, say
from support.scaled_tasks import write_scaled_tasks

from colbench_gym.evaluation.scored_runs import read_dialogues

pytestmark = pytest.mark.usefixtures("no_model_settings")


@pytest.fixture
def tasks(tmp_path):
    return write_scaled_tasks(tmp_path, (3, 4))


def speak(request):
    """An agent that asks once and answers right, and a human who tells."""
    factor = 3 if "# 3." in request.text else 4
    if request.body["messages"][0]["role"] == "user":
        return say(f"It multiplies by {factor} and adds one.")
    told = any("multiplies" in message["content"] for message in request.body["messages"])
    return say(f"I WANT TO ANSWER:\ndef scaled(x):\n    return {factor} * x + 1" if told else "What is done to x?")


def evaluate(server, tasks, out, *more, agent=None, human=None, status=0):
    spec = f"openai:m@{server.url}"
    return colbench(
        "eval", "ColBench-Backend-v0", "--agent", agent or spec, "--human", human or spec,
        "--tasks", tasks, "--repeats", 2, "--out", out, "--no-report", *more, status=status,
    )  # fmt: skip


def test_transient_faults_are_ridden_out_and_the_run_replays_offline(tmp_path, tasks):
    faults = iter([refuse(429), MALFORMED, refuse(500), EMPTY, cut])
    with OpenAIServer(lambda request: next(faults, None) or speak(request)) as server:
        evaluate(server, tasks, tmp_path / "live", "--record")
    assert [row["reward"] for row in read_rows(tmp_path / "live/trajectories.jsonl")] == [1.0] * 4
    spent = read_rows(tmp_path / "live/spent.jsonl")
    assert [(row["task_id"], row["repeat"]) for row in spent] == [("t-3", 0), ("t-3", 1), ("t-4", 0), ("t-4", 1)]
    assert [row["tokens"] for row in spent] == [30] * 4  # 10 for each message of both seats
    assert all(row["seconds"] > 0 for row in spent)
    dialogues, _ = read_dialogues(tmp_path / "live")
    assert [dialogue.tokens for dialogue in dialogues] == [30] * 4
    files = {seat: f"replay:{tmp_path}/live/{seat}_chat.jsonl" for seat in ("agent", "human")}
    evaluate(server, tasks, tmp_path / "replayed", **files)
    trajectories = [(tmp_path / name / "trajectories.jsonl").read_bytes() for name in ("live", "replayed")]
    assert trajectories[0] == trajectories[1]
    report = json.loads((tmp_path / "live" / "run.json").read_text())
    assert "completion_tokens" in json.dumps(report)


def test_a_human_that_fails_for_good_is_no_reward_of_zero(tmp_path, tasks):
    def script(request):
        return refuse(401, "bad key") if request.body["messages"][0]["role"] == "user" else speak(request)

    with OpenAIServer(script) as server:
        done = evaluate(server, tasks, tmp_path / "run", status=1)
        stopped = evaluate(server, tasks, tmp_path / "short", "--concurrency", 1, "--max-requests", 2, status=1)
    for ended in (done, stopped):
        assert "failed on our side and do not count: human_error: " in ended.stderr
        assert "bad key" in ended.stderr
    assert "--max-requests 2 is spent" in stopped.stderr
    assert [
        (row["reward"], row["colbench_gym"]["outcome"]) for row in read_rows(tmp_path / "run/trajectories.jsonl")
    ] == [(None, "human_error")] * 4
    assert "OPENAI_API_KEY" in read_rows(tmp_path / "run/trajectories.jsonl")[0]["colbench_gym"]["error"]


def test_an_agent_that_fails_for_good_ends_the_run_with_a_message(tmp_path, tasks):
    with OpenAIServer([refuse(404, "no such model")]) as server:
        done = evaluate(server, tasks, tmp_path / "run", status=1)
    assert "Traceback" not in done.stderr
    assert "no such model" in " ".join(done.stderr.split())
    assert "0.0" not in done.stdout
    assert not (tmp_path / "run").exists()  # nothing was played, and nothing spent


def test_a_budget_stops_the_run_and_it_is_resumed(tmp_path, tasks):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"prompt": 1000, "completion": 1000}}))  # 0.01 for each of the 10 tokens
    with OpenAIServer(speak) as server:
        evaluate(server, tasks, tmp_path / "whole")
        one = ("--concurrency", 1, "--prices", prices)
        stopped = evaluate(server, tasks, tmp_path / "run", *one, "--max-cost", 0.05, status=1)
        sent = len(server.requests)
        assert "--max-cost 0.05 is spent" in stopped.stderr
        run = json.loads((tmp_path / "run/run.json").read_text())
        assert (run["status"], run["coverage"]["played"], run["cost"]["total"]) == ("interrupted", 1, 0.05)
        assert "progress" not in run
        shown = colbench("show", tmp_path / "run", status=2)
        assert "the run is interrupted, expected a finished one" in shown.stderr
        evaluate(server, tasks, tmp_path / "run", *one, "--max-requests", 5, "--resume", status=1)
        assert len(server.requests) == sent  # sessions count together
        resumed = evaluate(server, tasks, tmp_path / "run", *one, "--resume")
    assert "cost" in resumed.stdout
    said = {" ".join(line.split()) for line in resumed.stdout.splitlines()}
    assert "agent tokens 9 calls, 63 prompt tokens, 27 completion tokens" in said  # of both sessions, as the cost
    assert (tmp_path / "run/trajectories.jsonl").read_bytes() == (tmp_path / "whole/trajectories.jsonl").read_bytes()
    log = (tmp_path / "run/progress.log").read_text()
    assert "interrupted: the budget --max-cost 0.05 is spent" in log
    assert log.splitlines()[-1].endswith("; status finished")


def test_what_was_used_is_kept_though_no_dialogue_has_ended(tmp_path, tasks):
    answers = iter([say("What is done to x?"), say("It is multiplied.")])
    with OpenAIServer(lambda request: next(answers, None) or refuse(401)) as server:
        used = []
        for more in ((), ("--resume",)):
            done = evaluate(server, tasks, tmp_path / "run", "--concurrency", 1, *more, status=1)
            assert "status 401" in done.stderr
            used.append(json.loads((tmp_path / "run/run.json").read_text())["used"])
    assert used[0]["agent"]["prompt_tokens"] > 0
    assert used[1]["human"]["prompt_tokens"] == used[0]["human"]["prompt_tokens"] > 0
    assert used[1]["agent"]["prompt_tokens"] == used[0]["agent"]["prompt_tokens"]
