"""Options of the LLM human: what becomes of replies that show code, and what the model is told."""

import pytest
from support.samples import FULL
from support.tables import program

from colbench_gym import BACKEND, BackendTask, Episode, load_tasks, make_human, open_scenario
from colbench_gym.chat import ScriptedChat
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.humans.leaks import pastes_code
from colbench_gym.humans.llm import REFUSAL, LLMHuman, Withheld
from colbench_gym.humans.scripted import known_claims
from colbench_gym.prompts import default_prompts

REFERENCE = program(__file__, "llm_human_options_reference.txt")
DESCRIPTION = "How much is a ticket? The signature is: def ticket_price(age, is_member=False)"
TASK = BackendTask("tickets", DESCRIPTION, REFERENCE, (), (), REFERENCE)
LEAK = "Sure: if age < 18: price = 7.25, and then return round(price, 2)."


def asked():
    episode = Episode(BACKEND, TASK.description)
    episode.say("agent", "How much do children pay?")
    return episode.dialogue


def reply_to(script, **options):
    """The reply, what was withheld, and the requests that the model got."""
    chat = ScriptedChat(script)
    human = LLMHuman(chat, default_prompts("backend"), BACKEND, **options)
    return human.reply(TASK, asked()), human.withheld, chat.requests


@pytest.mark.parametrize(
    ("leaks", "reply", "withheld", "calls"),
    [
        ("refuse", REFUSAL, Withheld(asked_again=3, refused=1), 3),
        ("ask-again", LEAK, Withheld(asked_again=2, passed_on=1), 3),
        ("count", LEAK, Withheld(passed_on=1), 1),
    ],
)
def test_what_becomes_of_code_is_as_chosen_and_always_counted(leaks, reply, withheld, calls):
    got, counted, requests = reply_to([LEAK] * 3, leaks=leaks)
    assert (got, counted, len(requests)) == (reply, withheld, calls)


@pytest.mark.parametrize("leaks", ["refuse", "ask-again", "count"])
def test_plain_words_pass_at_once(leaks):
    got, counted, requests = reply_to(["Children pay 7.25."], leaks=leaks)
    assert (got, counted, len(requests)) == ("Children pay 7.25.", Withheld(), 1)


def test_a_model_that_knows_claims_is_told_what_matters_and_no_source():
    _, _, requests = reply_to(["Children pay 7.25."], knows="claims")
    brief = str(requests[0][0]["content"])
    assert not pastes_code(TASK, known_claims(TASK))
    assert not any(line.strip() in brief for line in REFERENCE.splitlines()[1:])
    for literal in ("12.5", "7.25", "18", "0.8"):
        assert literal in brief
    _, _, requests = reply_to(["Children pay 7.25."])
    assert REFERENCE.strip() in str(requests[0][0]["content"])


@pytest.mark.slow
def test_claims_of_generated_tasks_hold_no_code():
    tasks = load_tasks("generated")
    for index in range(20 if FULL else 5):
        task = tasks.at(index)
        assert isinstance(task, BackendTask)
        claims = known_claims(task)
        assert claims.startswith("- ")
        assert not pastes_code(task, claims)


def test_a_reference_that_cannot_be_read_leaves_claims_that_say_so():
    task = BackendTask("odd", "Do something.", "def broken(:", (), (), "def broken(:")
    assert known_claims(task).startswith("- ")


@pytest.mark.parametrize("options", [{"leaks": "ignore"}, {"knows": "everything"}])
def test_unknown_options_list_the_known_ones(options):
    with pytest.raises(UnknownNameError, match="expected one of"):
        reply_to([LEAK], **options)


@pytest.mark.parametrize("options", [{"leaks": "count"}, {"knows": "claims"}])
def test_a_human_that_is_no_model_has_no_such_options(options):
    with pytest.raises(UsageError, match="no language model"):
        make_human("scripted", **options)


def test_a_scenario_passes_them_on():
    spec = "openai:m@http://127.0.0.1:9/v1"
    with open_scenario("backend", human=spec, leaks="count", human_knows="claims") as scenario:
        assert isinstance(scenario.human, LLMHuman)
    with pytest.raises(UnknownNameError, match="leaks"):
        open_scenario("backend", human=spec, leaks="often")
