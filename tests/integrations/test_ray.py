"""Runs on a Ray cluster: equal to those of one machine, whatever happens to the nodes."""

import json
import os
from dataclasses import replace

import pytest
from support.command import ROOT, colbench_here
from support.openai_server import OpenAIServer, say
from support.tables import program

from colbench_gym import EvalConfig, PolicyError, UsageError, evaluate
from colbench_gym.integrations.ray import RayWorkers

pytestmark = pytest.mark.integration("ray")

AGENTS = program(__file__, "slow_agents.txt")


def config(tmp_path, name, **settings):
    settings = {"agent": "asker:2", "n": 6, "seed": 3, "concurrency": 2} | settings
    return EvalConfig("ColBench-Backend-v0", tmp_path / name, **settings)


def rows(folder):
    return (folder / "trajectories.jsonl").read_bytes()


@pytest.fixture
def cluster(monkeypatch, tmp_path):
    """A cluster of one node, to which more can be added; agents of this test can be imported on all of them."""
    import ray
    from ray.cluster_utils import Cluster

    (tmp_path / "agents_of_test_ray.py").write_text(AGENTS, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False, logging_level="error")
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_run_on_a_local_cluster_is_the_run_of_one_machine(tmp_path):
    here = config(tmp_path, "here", repeats=2)
    evaluate(here)
    flags = ("--agent", "asker:2", "-n", 6, "--seed", 3, "--repeats", 2, "--no-report")
    colbench_here("eval", "ColBench-Backend-v0", "--out", "there", "--ray", "local", *flags, cwd=tmp_path)
    assert rows(tmp_path / "there") == rows(here.out)
    run = json.loads((tmp_path / "there" / "run.json").read_text("utf-8"))
    assert run["metrics"] == json.loads((here.out / "run.json").read_text("utf-8"))["metrics"]
    assert "ray" not in run["configuration"]


def test_a_node_that_is_killed_loses_nothing_and_one_that_joins_is_used(tmp_path, cluster):
    doomed = cluster.add_node(num_cpus=1)
    here = config(tmp_path, "here", agent="python:agents_of_test_ray:Slow", n=40)
    there, said, killed = replace(here, out=tmp_path / "there"), [], []

    def progress(done, total):
        if done == 4:
            cluster.remove_node(doomed, allow_graceful=False)
            cluster.add_node(num_cpus=1)
            killed.append(total)

    with RayWorkers(there, note=said.append) as workers:
        evaluate(there, progress, workers=workers)
        names = set(workers._nodes)
    evaluate(here)
    assert (killed, rows(there.out)) == ([40], rows(here.out))
    assert [sentence for sentence in said if "was lost; its open dialogues are played again" in sentence]
    assert len(names) == 2


def test_an_agent_that_fails_ends_the_run_and_says_why(tmp_path, cluster):
    failing = config(tmp_path, "failing", agent="python:agents_of_test_ray:Failing")
    with RayWorkers(failing) as workers, pytest.raises(PolicyError, match="the agent raised ValueError: out of ideas"):
        evaluate(failing, workers=workers)


def test_tokens_of_all_nodes_are_counted(tmp_path, cluster):
    with OpenAIServer(lambda request: say("I WANT TO ANSWER: def f(x): return x")) as server:
        asked = config(tmp_path, "asked", agent=f"openai:m@{server.url}", n=3)
        with RayWorkers(asked) as workers:
            result = evaluate(asked, workers=workers)
    assert (result.used["agent"]["prompt_tokens"], result.used["agent"]["completion_tokens"]) == (21, 9)


@pytest.mark.parametrize(
    ("settings", "said"), [({"human": "console"}, "a person sits at one machine"), ({"record": True}, "on one machine")]
)
def test_what_only_one_machine_can_have_is_refused(tmp_path, settings, said):
    with pytest.raises(UsageError, match=said):
        RayWorkers(config(tmp_path, "x", **settings))


def test_no_cluster_at_the_address_says_how_to_start_one(tmp_path):
    with pytest.raises(UsageError, match="ray start --head"):
        RayWorkers(config(tmp_path, "x"), "127.0.0.1:9")
