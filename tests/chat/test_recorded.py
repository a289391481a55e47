"""The cassette replays exactly, also concurrent and repeated requests, and a miss is an error; the scripted double."""

import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.tables import cases

from colbench_gym.chat import (
    ChatModel,
    RecordedChat,
    RecordingChat,
    Sampling,
    ScriptedChat,
    current_dialogue,
    in_dialogue,
    open_chat,
    png_part,
)
from colbench_gym.errors import ChatError, InputFileError, UsageError


def ask(text):
    return [{"role": "user", "content": text}]


@pytest.fixture
def cassette(tmp_path):
    return tmp_path / "runs" / "human.jsonl"


def test_what_was_recorded_is_replayed_with_its_tokens(cassette):
    live = RecordingChat(ScriptedChat(["Twice x.", "naïve ☃ \ud800"], name="m"), cassette)
    first = [live.complete(ask("What is f?")), live.complete(ask("And g?"), Sampling(0.5, 9, 1))]
    replayed = RecordedChat(cassette)
    assert isinstance(live, ChatModel)
    assert isinstance(replayed, ChatModel)
    again = [
        replayed.complete(ask("What is f?")),
        replayed.complete(ask("And g?"), Sampling(0.5, 9, 1)),
    ]
    assert again == first
    assert again[1].text == "naïve ☃ ?"
    assert replayed.name == live.name == "m"
    assert replayed.usage == live.usage
    live.close()
    replayed.close()


def test_equal_requests_are_numbered(cassette):
    live = RecordingChat(ScriptedChat(["one", "two"]), cassette)
    assert [live.complete(ask("x")).text for _ in range(2)] == ["one", "two"]
    replayed = RecordedChat(cassette)
    assert [replayed.complete(ask("x")).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(ChatError, match="time 3"):
        replayed.complete(ask("x"))


@pytest.mark.parametrize(
    "other", [{"temperature": 0.1}, {"max_tokens": 5}, {"seed": 2}], ids=["temperature", "max_tokens", "seed"]
)
def test_a_miss_names_what_was_missed(cassette, other):
    RecordingChat(ScriptedChat(["one"], name="m"), cassette).complete(ask("What is x?"))
    with pytest.raises(ChatError) as caught:
        RecordedChat(cassette).complete(ask("What is x?"), Sampling(**other))
    for part in (str(cassette), "'What is x?'", str(dict(other))[1:-1], "model 'm'", "record again"):
        assert part in str(caught.value)


def test_a_miss_shows_only_the_beginning_of_a_long_request(cassette):
    RecordingChat(ScriptedChat(["one"]), cassette).complete(ask("other"))
    with pytest.raises(ChatError) as caught:
        RecordedChat(cassette).complete(ask("You play a person. " * 10 + "def secret(): ..."))
    assert "You play a person." in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_failure_is_recorded_and_replayed(cassette):
    live = RecordingChat(ScriptedChat([ChatError("gone: status 500"), "back"]), cassette)
    with pytest.raises(ChatError, match="gone: status 500"):
        live.complete(ask("x"))
    live.complete(ask("x"))
    replayed = RecordedChat(cassette)
    with pytest.raises(ChatError, match=r"^gone: status 500$"):
        replayed.complete(ask("x"))
    assert replayed.complete(ask("x")).text == "back"


def play(chat, name):
    """Four requests that are equal in every dialogue, so that only the dialogue's name can tell them apart."""
    with in_dialogue(name):
        assert current_dialogue() == name
        return [chat.complete(ask(f"turn {turn}"), Sampling(temperature=1.0)).text for turn in (0, 1, 1, 2)]


def test_concurrent_dialogues_with_equal_requests_replay_exactly(cassette):
    rng = random.Random(0)
    live = RecordingChat(ScriptedChat(lambda messages: f"{rng.random()}"), cassette)
    names = [f"task {i}, repeat {k}" for i in range(10) for k in range(3)]
    with ThreadPoolExecutor(8) as pool:
        recorded = list(pool.map(lambda name: play(live, name), names))
    assert len({text for texts in recorded for text in texts}) == 4 * len(names)
    assert len(cassette.read_text().splitlines()) == 4 * len(names)
    shuffled = random.Random(1).sample(range(len(names)), len(names))
    replayed = RecordedChat(cassette)
    with ThreadPoolExecutor(8) as pool:
        again = dict(zip(shuffled, pool.map(lambda i: play(replayed, names[i]), shuffled), strict=True))
    assert [again[i] for i in range(len(names))] == recorded
    assert current_dialogue() == ""


def test_a_dialogue_that_the_cassette_does_not_know_gets_the_first_reply(cassette):
    live = RecordingChat(ScriptedChat(["one", "two"]), cassette)
    for name in ("a", "b"):
        with in_dialogue(name):
            live.complete(ask("x"))
    replayed = RecordedChat(cassette)
    assert [replayed.complete(ask("x")).text for _ in range(3)] == ["one", "one", "one"]
    with in_dialogue("b"):
        assert replayed.complete(ask("x")).text == "two"
    with in_dialogue("a"), pytest.raises(ChatError, match="in dialogue 'a'"):
        replayed.complete(ask("y"))


def test_going_on_with_a_cassette_that_was_cut_short(cassette):
    RecordingChat(ScriptedChat(["one"]), cassette).complete(ask("x"))
    with cassette.open("a") as file:
        file.write('{"dialogue": "", "key": "half of a li')
    RecordingChat(ScriptedChat(["new"]), cassette).complete(ask("x"))
    assert [json.loads(line)["text"] for line in cassette.read_text().splitlines()] == ["one", "new"]
    assert RecordedChat(cassette).complete(ask("x")).text == "new"  # of equal requests the later line counts


def test_pictures_are_recorded_as_their_digest_and_told_apart(cassette):
    def message(png):
        return [{"role": "user", "content": [{"type": "text", "text": "Compare."}, png_part(png)]}]

    live = RecordingChat(ScriptedChat(["red", "blue"]), cassette)
    live.complete(message(b"\x89PNG red"))
    live.complete(message(b"\x89PNG blue"))
    assert "base64" not in cassette.read_text()
    replayed = RecordedChat(cassette)
    assert [replayed.complete(message(b"\x89PNG " + c)).text for c in (b"blue", b"red")] == ["blue", "red"]


@pytest.mark.parametrize(("line", "says"), cases(__file__, "a_broken_cassette"))
def test_a_broken_cassette(tmp_path, line, says):
    path = tmp_path / "broken.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(InputFileError, match=says) as caught:
        RecordedChat(path)
    assert str(path) in str(caught.value)


def test_a_cassette_of_several_models(cassette):
    for model in ("a", "b"):
        RecordingChat(ScriptedChat(["x"], name=model), cassette).complete(ask("x"))
    with pytest.raises(UsageError, match="several models"):
        RecordedChat(cassette)


def test_files_that_cannot_be(tmp_path):
    with pytest.raises(InputFileError, match="cannot be read"):
        RecordedChat(tmp_path / "nowhere.jsonl")
    unasked = ScriptedChat([])
    with pytest.raises(InputFileError, match="cannot be written"):
        RecordingChat(unasked, tmp_path).complete(ask("x"))
    assert not unasked.requests
    with pytest.raises(UsageError, match="a recording already"):
        open_chat(f"replay:{tmp_path}/x", record=tmp_path / "y")


def test_the_double_raises_when_its_script_runs_out():
    chat = ScriptedChat(["one"])
    assert isinstance(chat, ChatModel)
    assert chat.complete(ask("a")).text == "one"
    with pytest.raises(UsageError, match="request 2 was got by a ScriptedChat of 1 replies"):
        chat.complete(ask("b"))
    assert [messages[0]["content"] for messages in chat.requests] == ["a", "b"]
    assert chat.usage.calls == 2
