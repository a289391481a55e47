"""The LLM human against a real server: the official form of its prompt, faults, and leaks that never reach the agent."""

import json

import pytest
from support.openai_server import EMPTY, MALFORMED, OpenAIServer, cut, refuse, say

from colbench_gym import BackendTask, ChatError, Dialogue, Episode, HumanError, HumanSimulator, make_human
from colbench_gym.chat import OpenAIChat, ScriptedChat
from colbench_gym.humans.llm import REFUSAL, LLMHuman, Withheld
from colbench_gym.prompts import default_prompts, load_prompts
from colbench_gym.rules import BACKEND, HUMAN_MAX_TOKENS

pytestmark = pytest.mark.usefixtures("no_model_settings")

REFERENCE = '''def shipping_cost(weight, express):
    """Cost of one parcel."""
    if weight <= 0:
        raise ValueError("weight must be positive")
    base = 4.95 if weight < 2.5 else 4.95 + 1.2 * (weight - 2.5)
    surcharge = 7.5 if express else 0
    return round(base + surcharge, 2)
'''
TASK = BackendTask(
    task_id="parcel", description="Write shipping_cost(weight, express).", reference=REFERENCE,
    calls=("shipping_cost(1, False)",), test_names=("test1",), hidden_information=REFERENCE,
)  # fmt: skip
LINES = [line for line in REFERENCE.splitlines() if line.strip()]


def asked(*messages):
    episode = Episode(BACKEND, TASK.description)
    for message in messages or ("What is it?",):
        episode.say("agent", message)
        if message is not messages[-1] if messages else False:
            episode.say("human", "Hm.")
    return episode.dialogue


def human_of(chat, **parts):
    return LLMHuman(chat, parts.get("prompts", default_prompts("backend")), BACKEND)


def test_one_user_message_at_temperature_zero():
    with OpenAIServer([say("A parcel's cost.")]) as server:
        human = make_human(f"openai:m@{server.url}")
        assert isinstance(human, HumanSimulator)
        assert human.reply(TASK, asked("What is weight?", "In kilos?")) == "A parcel's cost."
        assert human.usage.prompt_tokens == 7
        human.close()
    body = server.requests[0].body
    assert (body["temperature"], body["max_tokens"]) == (0.0, HUMAN_MAX_TOKENS)
    (message,) = body["messages"]
    assert message["role"] == "user"
    assert REFERENCE in message["content"]
    assert asked("What is weight?", "In kilos?").transcript() in message["content"]


def test_official_prompts_get_the_dialogue_in_the_official_form(tmp_path, official_data):
    (tmp_path / "llm_agent_code_prompt.txt").write_text("agent")
    (tmp_path / "human_simulator_code_prompt.txt").write_text(
        "P: {problem_description}\nH: {hidden_information}\nD:\n{dialogue_history}"
    )
    prompts = load_prompts(tmp_path, "backend")
    chat = ScriptedChat(lambda messages: "ok")
    human = human_of(chat, prompts=prompts)
    text = (official_data / "official_dialogues.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    compared = 0
    for row in rows:
        episode = Episode(BACKEND, row["dialogue"][0]["content"])
        replies = iter(row["human_replies"])
        last: Dialogue | None = None
        for message in row["agent_messages"]:
            if episode.over:
                break
            episode.say("agent", message)
            if not episode.over:
                last = episode.dialogue
                episode.say("human", next(replies))
        if last is not None and row["human_saw_dialogue"]:
            human.reply(TASK, last)
            content = chat.requests[-1][0]["content"]
            saw = row["human_saw_dialogue"]
            assert content.endswith("D:\n" + (saw if isinstance(saw, str) else saw[-1]))
            compared += 1
    assert compared > 300


@pytest.mark.parametrize("fault", [refuse(429), refuse(500), MALFORMED, EMPTY, cut])
def test_a_transient_fault_does_not_show(fault):
    with OpenAIServer([fault, say("Kilos.")]) as server:
        chat = OpenAIChat("m", server.url, backoff_s=0.001)
        human = human_of(chat)
        assert human.reply(TASK, asked()) == "Kilos."
        assert human.usage.retries == 1
        human.close()


@pytest.mark.parametrize("fault", [refuse(401), refuse(500), MALFORMED, EMPTY])
def test_a_lasting_fault_is_a_human_error(fault):
    with OpenAIServer([fault]) as server:
        chat = OpenAIChat("m", server.url, max_retries=1, backoff_s=0.001)
        with pytest.raises(HumanError, match="on task 'parcel': model 'm' at http://127") as caught:
            human_of(chat).reply(TASK, asked())
        chat.close()
    assert isinstance(caught.value.__cause__, ChatError)


def test_blank_replies_are_asked_for_again_and_then_an_error():
    chat = ScriptedChat(["", " \n", "Kilos."])
    assert human_of(chat).reply(TASK, asked()) == "Kilos."
    with pytest.raises(HumanError, match="3 blank replies on task 'parcel'"):
        human_of(ScriptedChat([""] * 3)).reply(TASK, asked())


LEAKS = {
    "all of it": f"Sure: {REFERENCE}",
    "fenced": f"Here you go:\n```python\n{REFERENCE}```",
    "one line": f"The rule is `{LINES[4].strip()}`, that is all.",
    "two lines": "\n".join(LINES[4:6]),
    "reindented": "\n".join("        " + line.strip() for line in LINES[4:]),
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
@pytest.mark.parametrize("leaking", [1, 2, 3, 4])
def test_every_planted_leak_is_caught(leak, leaking):
    """A server that leaks so many times in a row, then behaves."""
    with OpenAIServer([say(leak)] * leaking + [say("It depends on the weight.")]) as server:
        human = make_human(f"openai:m@{server.url}")
        reply = human.reply(TASK, asked("Print the code."))
        human.close()
    assert reply == ("It depends on the weight." if leaking < 3 else REFUSAL)
    assert human.withheld == Withheld(asked_again=min(leaking, 3), refused=int(leaking > 2))
    assert len(server.requests) == min(leaking + 1, 3)
    again = server.requests[1].body["messages"]
    assert [message["role"] for message in again] == ["user", "assistant", "user"]
    assert "plain words" in again[-1]["content"]


def test_no_leak_reaches_the_agent_in_whole_dialogues():
    """The server leaks another line of the reference in every reply; the agent sees none of them."""
    count = iter(range(10**6))
    with OpenAIServer(lambda request: say(f"Like so: {LINES[next(count) % len(LINES)]}")) as server:
        human = make_human(f"openai:m@{server.url}")
        episode = Episode(BACKEND, TASK.description)
        while not episode.over:
            episode.say("agent", "Show me the code.")
            if not episode.over:
                episode.say("human", human.reply(TASK, episode.dialogue))
        human.close()
    replies = [turn.content for turn in episode.dialogue.turns[2::2]]
    assert replies
    for line in LINES[2:]:
        assert line.strip() not in " ".join(replies)


PARAPHRASES = [
    "The weight is in kilos and has to be above zero, otherwise it is an error.",
    "Below 2.5 kilos it costs 4.95; above that, 1.20 more for every further kilo.",
    "Express adds 7.50 on top.",
    "It returns the cost, rounded to two decimals.",
    "I don't know, that does not matter to me.",
    "Yes, express is true or false.",
]


@pytest.mark.parametrize("reply", PARAPHRASES)
def test_a_paraphrase_passes(reply):
    human = human_of(ScriptedChat([reply]))
    assert human.reply(TASK, asked()) == reply
    assert human.withheld == Withheld()
