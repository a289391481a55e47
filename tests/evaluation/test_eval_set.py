"""Sets of runs: what a file may say, and the budget that its runs share."""

import json

import pytest
from support.tables import cases, program

from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.evaluation.eval_set import read_set, within_budget


@pytest.fixture
def runs(tmp_path):
    def read(text):
        (tmp_path / "set.toml").write_text(text)
        return read_set(tmp_path / "set.toml", tmp_path / "out")

    return read


def test_agents_by_tracks_by_humans(runs, tmp_path):
    found = runs(program(__file__, "eval_set_many.toml"))
    assert [(run.name, run.track) for run in found] == [
        (f"{agent}, {human}", track)
        for agent in ("plain", "cold")
        for track in ("backend", "frontend")
        for human in ("scripted", "scripted:terse")
    ]
    configs = [run.config for run in found]
    assert {(config.n, config.max_turns) for config in configs} == {(5, 3)}
    assert [config.agent_temperature for config in configs] == [None] * 4 + [0] * 4
    assert [config.similarity for config in configs[:4]] == [None, None, "clip", "clip"]
    assert configs[2].prompts == tmp_path / "mine"
    assert configs[3].out == tmp_path / "out" / "plain-scripted-terse-frontend"
    assert len({config.out for config in configs}) == 8


def test_a_scripted_agent_of_one_track_plays_that_alone(runs):
    found = runs("agents = ['asker:3', 'designer:3', 'oracle']\ntracks = ['backend', 'frontend']\nn = 1")
    assert [(run.name, run.track) for run in found] == [
        *(("asker:3", "backend"), ("designer:3", "frontend")),
        *(("oracle", "backend"), ("oracle", "frontend")),
    ]


@pytest.mark.parametrize(("text", "says"), cases(__file__, "what_no_run_has_is_refused"))
def test_what_no_run_has_is_refused(runs, text, says):
    with pytest.raises(UsageError, match=says):
        runs(text)


def test_settings_of_models_are_of_the_models_of_a_set(runs):
    found = runs("agents = ['oracle', 'openai:m']\nhumans = ['scripted', 'openai:h']\ntemperature = 1\nn = 1\n"
                 "human-temperature = 0.5")  # fmt: skip
    given = [(run.config.agent_temperature, run.config.human_temperature) for run in found]
    assert given == [(None, None), (None, 0.5), (1, None), (1, 0.5)]
    with pytest.raises(UsageError, match=r"\(temperature\) for the agent 'oracle', which is no language model"):
        runs("[agents.oracle]\nagent = 'oracle'\ntemperature = 1")


def test_a_budget_is_of_all_runs_together(runs):
    server = "agents = ['openai:a@http://x/v1', 'openai:b@http://x/v1', 'asker:1']\n"
    first, second, third = found = runs(server + "max-total-tokens = 100\nmax-minutes = 10.0")
    assert within_budget(first, found)[0].config.max_total_tokens == 100
    used = {"seconds": 60.0, "agent": {"prompt_tokens": 50, "completion_tokens": 20}}
    first.config.out.mkdir(parents=True)
    (first.config.out / "run.json").write_text(json.dumps({"configuration": {}, "status": "interrupted", "used": used}))
    left, spent = within_budget(second, found)
    assert (left.config.max_total_tokens, left.config.max_minutes, spent) == (30, 9.0, "")
    assert within_budget(first, found)[0].config.max_total_tokens == 100  # its own are counted by itself
    plain = within_budget(third, found)[0].config
    assert (plain.max_total_tokens, plain.max_minutes) == (None, 9.0)  # no model, nothing to count
    used["agent"]["prompt_tokens"] = 90
    (first.config.out / "run.json").write_text(json.dumps({"configuration": {}, "status": "interrupted", "used": used}))
    assert within_budget(second, found)[1] == "the budget max-total-tokens = 100 is spent (110 tokens used)"
    (first.config.out / "run.json").write_text("[]")
    with pytest.raises(InputFileError, match="is no run"):
        within_budget(second, found)
