"""What a factory of the user's own returns needs no ``close``."""

import pytest
from support.tables import program

from colbench_gym import UsageError, make_human, make_policy, open_scenario

PARTS = program(__file__, "parts.txt")


@pytest.fixture(autouse=True)
def parts(tmp_path, monkeypatch):
    (tmp_path / "closeless_parts.py").write_text(PARTS)
    monkeypatch.syspath_prepend(tmp_path)


def test_parts_without_close_are_closed_all_the_same():
    named = {name: f"python:closeless_parts:{name.title()}" for name in ("human", "agent", "grader")}
    make_human(named["human"]).close()
    make_policy(named["agent"]).close()
    with open_scenario("backend", human=named["human"], grading=named["grader"]) as scenario:
        episode = scenario.episode(seed=0)
        assert episode.say("How many?") == "Two."
        episode.say("I WANT TO ANSWER: 2")
        assert episode.reward == 0.0
        assert episode.info["pass_rate"] == 0.5


def test_one_that_takes_no_attributes_needs_its_own():
    make_policy("python:closeless_parts:Slots").close()
    with pytest.raises(UsageError, match=r"returned an object of type Bare; expected one with act\(messages\)"):
        make_policy("python:closeless_parts:Bare")
