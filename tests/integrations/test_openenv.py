"""The bridge to OpenEnv: a client on a served environment, its errors, its task routes, and the pages it draws."""

import asyncio
import base64
import json
import re
import runpy
import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn
from support.command import ROOT
from support.frontend_seats import Viewer
from support.json_lines import write_rows
from support.loopback import only_loopback  # noqa: F401
from support.mock_agents import MockAgent, SilentHuman, first_tasks, hidden_texts
from support.openai_server import OpenAIServer

from colbench_gym.concurrency import leases
from colbench_gym.trajectory import task_row

pytestmark = pytest.mark.integration("openenv")
EXAMPLE = ROOT / "examples" / "integrations" / "openenv"
FRONTEND = {"renderer": "scripted", "similarity": Viewer(), "human": Viewer()}


@contextmanager
def served(app):
    """Serve on a free port of loopback, in a thread."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def make_app(track="backend", **options):
    from colbench_gym.integrations.openenv import make_app

    return make_app(track, **options)


def client(url):
    from openenv import GenericEnvClient

    return GenericEnvClient(base_url=url)


def drawn_task(seed):
    """The task that ``reset(seed=seed)`` draws."""
    from colbench_gym.scenario import open_scenario

    with open_scenario("backend") as scenario:
        return scenario.episode(seed=seed).task


def play(env, agent, **reset):
    """Play one episode; return each step's result."""
    results = [env.reset(**reset)]
    while not results[-1].done:
        results.append(env.step({"message": agent.reply(results[-1].observation["messages"])}))
    return results


@pytest.mark.parametrize("track", ["backend", "frontend"])
def test_a_client_plays_an_episode_and_sees_nothing_hidden(track):
    (task,) = first_tasks(track, 1)
    with served(make_app(track, **(FRONTEND if track == "frontend" else {}))) as url, client(url).sync() as env:
        opening, asked, answered = play(env, MockAgent([task], wrong=True), task_id=task.task_id)
        state = env.state()
        assert (opening.reward, asked.reward, asked.done, answered.done) == (None, 0.0, False, True)
        assert opening.observation["reply"] == task.description
        assert asked.observation["messages"][-1] == {"role": "user", "content": asked.observation["reply"]}
        assert answered.observation["info"]["outcome"] == state["outcome"] == "answered"
        assert (state["step_count"], state["task_id"]) == (2, task.task_id)
        text = json.dumps([result.observation for result in (opening, asked, answered)]) + json.dumps(state)
        assert not [secret for secret in hidden_texts(task) if secret in text]
        if track == "backend":
            assert play(env, MockAgent([task]), task_id=task.task_id)[-1].reward == 1.0
    assert not any(shared._open for shared in leases._everything)  # the server has closed the scenario


def test_equal_seeds_give_equal_tasks_and_sessions_are_apart():
    async def seeds(url):
        async with client(url) as one, client(url) as other:
            first, second = await asyncio.gather(one.reset(seed=3), other.reset(seed=4))
            again = await other.reset(seed=3)
            stays = await one.state()
            return [r.observation["info"]["task_id"] for r in (first, second, again)], stays["task_id"]

    with served(make_app()) as url:
        (first, second, again), stays = asyncio.run(seeds(url))
    assert first == again == stays != second


def test_an_outage_is_an_error_and_the_step_can_be_made_again():
    class Flaky(SilentHuman):
        down = True

        def reply(self, task, dialogue, shown):
            return super().reply(task, dialogue, shown) if self.down else "Hm."

    human = Flaky()
    with served(make_app(human=human)) as url, client(url).sync() as env:
        env.reset(seed=0)
        with pytest.raises(RuntimeError, match="the human's server is down"):
            env.step({"message": "What?"})
        assert env.state()["step_count"] == 0
        human.down = False
        result = env.step({"message": "What?"})
        assert (result.observation["reply"], result.reward) == ("Hm.", 0.0)


def test_wrong_uses_are_errors_that_say_what_to_do():
    with served(make_app()) as url, client(url).sync() as env:
        with pytest.raises(RuntimeError, match="reset it first"):
            env.step({"message": "What?"})
        with pytest.raises(RuntimeError, match="no-such-task"):
            env.reset(task_id="no-such-task")
        with pytest.raises(RuntimeError, match="VALIDATION_ERROR"):
            env.step({"text": "What?"})


def test_tasks_are_listed_without_what_is_hidden(tmp_path):
    import requests

    task = first_tasks("backend", 3)
    path = write_rows(
        tmp_path / "tasks.jsonl", [task_row(one) | {"task_id": f"t-{index}"} for index, one in enumerate(task)]
    )
    with served(make_app(tasks=str(path))) as url, client(url).sync() as env:
        base = f"{url}/colbench-backend"
        (split,) = requests.get(f"{base}/splits", timeout=10).json()
        named = {"split": split["name"]}
        listed = requests.post(f"{base}/tasks", json=named, timeout=10).text
        counted = requests.post(f"{base}/num_tasks", json=named, timeout=10).text
        second = requests.post(f"{base}/task", json={**named, "index": 1}, timeout=10).text
        beyond = requests.post(f"{base}/task", json={**named, "index": 9}, timeout=10)
        assert env.reset(split=split["name"], index=1).observation["info"]["task_id"] == "t-1"
    assert "t-1" in second
    assert "3" in counted
    assert beyond.status_code == 400
    assert not [secret for one in task for secret in hidden_texts(one) if secret in listed]


def test_pages_and_dialogues_are_drawn_for_the_web():
    from colbench_gym.integrations.openenv import ColBenchAction, ColBenchEnvironment
    from colbench_gym.integrations.run_scenario import RunScenario

    shared = RunScenario("frontend", **FRONTEND)
    env = ColBenchEnvironment(shared)
    opening = env.reset(seed=0)
    assert "<img" not in env.render_web(opening.model_dump())
    draft = "<html><body><p>draft</p><script>alert(1)</script></body></html>"
    drawn = env.render_web(env.step(ColBenchAction(message=draft)).model_dump())
    assert "<script>" not in drawn  # a page is shown as its picture, and its source as text
    assert "&lt;script&gt;" in drawn
    (picture,) = re.findall(r'src="data:image/png;base64,([^"]+)"', drawn)
    assert base64.b64decode(picture).startswith(b"\x89PNG")
    env.close()
    shared.close()


def test_the_web_interface_takes_the_environment(monkeypatch):
    import requests

    monkeypatch.setenv("ENABLE_WEB_INTERFACE", "true")
    monkeypatch.setenv("GRADIO_ANALYTICS_ENABLED", "False")
    with served(make_app()) as url:
        assert requests.get(f"{url}/web/", timeout=10).status_code == 200
        reset = requests.post(f"{url}/web/reset", json={}, timeout=10).json()
    assert [message["role"] for message in reset["observation"]["messages"]] == ["system", "user"]


def test_the_example_plays_on_the_app_that_openenv_yaml_names(monkeypatch, capsys):
    import yaml

    manifest = yaml.safe_load((EXAMPLE / "openenv.yaml").read_text("utf-8"))
    monkeypatch.setenv("COLBENCH_OPENENV", json.dumps({"track": "backend", "reward": "pass_rate"}))
    with OpenAIServer(MockAgent([drawn_task(seed=0)]).serve) as model, served(manifest["app"]) as url:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setattr("sys.argv", ["play.py", url, "m"])
        runpy.run_path(str(EXAMPLE / "play.py"))
    assert capsys.readouterr().out == "reward 1.00\n"


def test_openenv_validates_the_manifest():
    from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser

    manifest = OpenEnvYamlParser().parse(EXAMPLE)
    assert (manifest.name, tuple(manifest.reward.range)) == ("colbench", (0.0, 1.0))
