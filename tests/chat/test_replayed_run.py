"""A run with a model at both seats, concurrent and repeated, is replayed offline and is exactly equal."""

import random
import threading

import pytest
from support.doubles import Closeable
from support.openai_server import OpenAIServer, refuse, say

from colbench_gym import BackendTask, Grade, make_human, make_policy, open_scenario
from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs
from colbench_gym.jsonl import dump_row

pytestmark = pytest.mark.usefixtures("no_model_settings")

TASKS = tuple(
    BackendTask(
        task_id=f"t-{number}",
        description="Write f(x).",  # equal on purpose: only the dialogue's name can tell the requests apart
        reference=f"def f(x):\n    return x * {number} + 10",
        calls=("f(1)",),
        test_names=("a",),
        hidden_information="def f(x):\n    return x * number + 10",
    )
    for number in range(4)
)


class LongestAnswer(Closeable):
    """Grades by length: what is graded is not the point here."""

    def grade(self, task, answer):
        return Grade(len(answer) % 7 / 7, False, "pass_rate", ("wrong",))


class Whimsical:
    """A server that samples: another reply to every request, some of them code, now and then a fault."""

    def __init__(self):
        self.rng = random.Random(7)
        self.lock = threading.Lock()

    def __call__(self, request):
        with self.lock:
            draw, number = self.rng.random(), self.rng.randrange(10**6)
        if draw < 0.05:
            return refuse(500)
        if request.body["messages"][0]["role"] == "user":
            return say("Sure: return x * number + 10" if draw < 0.35 else f"Think of {number}.")
        return say(f"I WANT TO ANSWER: {number}" if draw > 0.8 else f"Is it {number}?")


def run(agent, human, limits, **options):
    policy = make_policy(agent, temperature=options.get("temperature", 1.0), record=options.get("agent_file"))
    simulator = make_human(human, record=options.get("human_file"))
    jobs = make_jobs(TASKS, repeats=options.get("repeats", 3), seed=options.get("seed", 0))
    done = []
    try:
        with open_scenario("backend", human=simulator, grading=LongestAnswer(), reward="pass_rate") as scenario:
            collect(jobs, policy, scenario, done.append, limits)
    finally:
        policy.close()
        simulator.close()
    done.sort(key=lambda trajectory: (trajectory.task.task_id, trajectory.repeat))
    return [dump_row(trajectory.to_row()) for trajectory in done], policy, simulator


@pytest.mark.slow
@pytest.mark.parametrize("lasting", [False, True], ids=["whimsical", "failing"])
def test_a_recorded_run_replays_exactly(tmp_path, lasting):
    files = {"agent_file": tmp_path / "agent.jsonl", "human_file": tmp_path / "human.jsonl"}
    whim = Whimsical()

    def script(request):
        if (
            lasting
            and request.body["messages"][0]["role"] == "user"
            and "Is it" in request.text
            and whim.rng.random() < 0.2
        ):
            return refuse(400, "too long")
        return whim(request)

    with OpenAIServer(script) as server:
        spec = f"openai:m@{server.url}"
        recorded, policy, human = run(spec, spec, ConcurrencyLimits(dialogues=6), **files)
    assert len(set(recorded)) == 12
    assert human.withheld.asked_again > 0
    assert lasting == any('"outcome": "human_error"' in row for row in recorded)
    agent, simulator = f"replay:{files['agent_file']}", f"replay:{files['human_file']}"
    for limits in (ConcurrencyLimits(dialogues=1), ConcurrencyLimits(dialogues=8)):
        replayed, again, human_again = run(agent, simulator, limits)
        assert replayed == recorded
        assert human_again.withheld == human.withheld
        assert again.usage.calls == policy.usage.calls
        assert again.usage.completion_tokens <= policy.usage.completion_tokens


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 8])
def test_repeats_at_temperature_0_get_the_replies_of_their_own_dialogue(tmp_path, concurrency):
    """A server that is not deterministic answers eight equal dialogues differently; each is replayed as it was."""
    files = {"agent_file": tmp_path / "agent.jsonl", "human_file": tmp_path / "human.jsonl"}
    options = {"temperature": 0.0, "repeats": 8}
    with OpenAIServer(Whimsical()) as server:
        spec = f"openai:m@{server.url}"
        recorded, _, _ = run(spec, spec, ConcurrencyLimits(dialogues=8), **files, **options)
    assert len(set(recorded)) == 8 * len(TASKS)
    agent, human = f"replay:{files['agent_file']}", f"replay:{files['human_file']}"
    assert run(agent, human, ConcurrencyLimits(dialogues=concurrency), **options)[0] == recorded
