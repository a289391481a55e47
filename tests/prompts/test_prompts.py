"""The wording of both briefs, our own and a user's copy of the official one."""

import pytest

from colbench_gym import InputFileError, UsageError, make_human
from colbench_gym.prompts import OFFICIAL_FILES, Prompts, check_human_wording, default_prompts, load_prompts
from colbench_gym.rules import RULES


@pytest.mark.parametrize("track", ["backend", "frontend"])
def test_our_wording_is_filled_in_completely(track):
    prompts, rules = default_prompts(track), RULES[track]
    agent = prompts.agent_brief(rules)
    human = prompts.human_brief("DESCRIPTION", "SECRET", rules, "TRANSCRIPT")
    assert "{" not in agent + human
    assert str(rules.max_turns) in agent
    assert rules.answer_marker in agent
    assert rules.thinking_marker in agent
    assert "DESCRIPTION" in human
    assert "TRANSCRIPT" in human
    assert ("SECRET" in human) == (track == "backend")  # the frontend human sees pictures instead


def test_a_field_that_looks_like_a_field_is_not_filled_again():
    prompts = Prompts(agent="", human="{problem_description}|{hidden_information}|{dialogue_history}")
    brief = prompts.human_brief("{hidden_information}", "{dialogue_history}", RULES["backend"], "{max_turns}")
    assert brief == "{hidden_information}|{dialogue_history}|{max_turns}"


def test_other_braces_stay():
    assert Prompts(agent="f'{x}' {max_turns}", human="").agent_brief(RULES["backend"]) == "f'{x}' 10"


@pytest.mark.parametrize("track", ["backend", "frontend"])
def test_a_users_copy_is_read_under_the_official_names(track, tmp_path):
    for name, text in zip(
        OFFICIAL_FILES[track], ("Agent é {dialogue_history}", "Human {hidden_information}"), strict=True
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    prompts = load_prompts(tmp_path, track)
    assert prompts.agent_brief(RULES[track]) == "Agent é"  # the official code never fills the agent's field
    assert prompts.human_brief("d", "h", RULES[track]) == "Human h"


def test_the_official_human_reads_a_cue_after_the_dialogue(tmp_path):
    for name, text in zip(OFFICIAL_FILES["backend"], ("", "so far: {dialogue_history} Reply."), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    brief = load_prompts(tmp_path, "backend").human_brief("d", "h", RULES["backend"], "user:Write f.")
    assert brief == "so far: user:Write f.agent: Reply."


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputFileError, match=r"llm_agent_code_prompt\.txt: cannot be read"):
        load_prompts(tmp_path, "backend")


def test_a_file_that_is_no_text_is_named(tmp_path):
    for name in OFFICIAL_FILES["backend"]:
        (tmp_path / name).write_bytes(b"\xff\xfe")
    with pytest.raises(InputFileError, match="cannot be read"):
        load_prompts(tmp_path, "backend")


@pytest.mark.parametrize("field", ["{problem_description}", "{hidden_information}", "{dialogue_history}"])
def test_a_model_human_is_refused_a_wording_that_hides_something_from_it(field):
    prompts = default_prompts("backend")
    lacking = Prompts(agent=prompts.agent, human=prompts.human.replace(field, ""))
    with pytest.raises(UsageError, match=rf"without {field}, expected each of .*human_simulator_code_prompt.txt"):
        make_human("openai:m@http://localhost:1/v1", prompts=lacking)
    check_human_wording(prompts, "backend")
    check_human_wording(Prompts(agent="", human="Compare the two pictures."), "frontend")
    make_human("scripted", prompts=lacking)  # which reads no wording
