"""Tasks written by a model: what is read out of its text, what is kept, what is dropped and why, resuming."""

import threading

import pytest
from support.json_lines import read_rows
from support.openai_server import OpenAIServer, refuse, say
from support.tables import cases, program, values

from colbench_gym import ChatError, InputFileError, load_tasks
from colbench_gym.chat import OpenAIChat, RecordedChat, RecordingChat, ScriptedChat
from colbench_gym.curation.drafts import Unusable, read_draft
from colbench_gym.curation.synthesis import PATIENCE, SynthesisReport, Text, dropped_path, read_texts, synthesize
from colbench_gym.sandboxes import open_sandbox

pytestmark = pytest.mark.usefixtures("no_model_settings")

FUNCTION = program(__file__, "synthesis_function.txt")
CALLS = cases(__file__, "calls")
REQUEST = "I sell mugs and want to know what sending one costs. Heavy ones cost more."


def written(function=FUNCTION, request=REQUEST, calls=CALLS, fence="```"):
    listed = "\n".join(calls)
    return f"### FUNCTION\n{fence}python\n{function}{fence}\n\n### REQUEST\n{request}\n\n### CALLS\n{listed}\n"


def test_a_task_in_the_official_form():
    task = read_draft(written(), "t")
    assert task.reference == FUNCTION.strip()
    assert task.description == f"{REQUEST} The signature of the function is: def parcel_price(weight, express=False)"
    assert task.calls == tuple(CALLS)
    assert task.test_names[9] == "test10"


@pytest.mark.parametrize(
    "text",
    values(__file__, "synthesis_forms_that_models_also_write.txt", {"CALLS": CALLS, "written": written}),
    ids=["tildes", "numbered", "dashes", "fenced calls", "too many calls", "bold heading", "preamble"],
)
def test_forms_that_models_also_write(text):
    task = read_draft(text, "t")
    assert not isinstance(task, Unusable), task
    assert task.calls == tuple(CALLS)


@pytest.mark.parametrize(("text", "reason"), values(__file__, "synthesis_no_task.txt", globals()))
def test_texts_without_a_task(text, reason):
    draft = read_draft(text, "t")
    assert isinstance(draft, Unusable)
    assert draft.reason == reason
    assert draft.detail


def renamed(name):
    """The same game under another name, so that it is no duplicate."""
    return written(FUNCTION.replace("parcel_price", name), calls=[c.replace("parcel_price", name) for c in CALLS])


REPLIES = {
    "a": renamed("mug_price"), "b": "No idea.", "c": renamed("pot_price"), "d": renamed("mug_price"),
    "e": written("import random\ndef f(x):\n    return random.random()\n", calls=[f"f({i})" for i in range(10)]),
    "f": written("def f(x):\n    return 1 / x\n", calls=[f"f({i})" for i in range(10)]),
    "g": written("def f(x):\n    print(x)\n", calls=[f"f({i})" for i in range(10)]), "h": renamed("jar_price"),
}  # fmt: skip
TEXTS = [Text(name, f"A text about {name}.") for name in REPLIES]
DROPPED = {"duplicate": 1, "format": 1, "raises": 1, "random": 1, "returns_none": 1}


def reply(messages):
    return next(REPLIES[text.text_id] for text in TEXTS if text.text in messages[0]["content"])


@pytest.fixture(scope="module")
def sandbox():
    box = open_sandbox("process")
    yield box
    box.close()


def test_healthy_tasks_are_kept_and_the_others_counted(tmp_path, sandbox):
    out = tmp_path / "new" / "tasks.jsonl"
    seen = []
    with OpenAIServer(lambda request: say(reply(request.body["messages"]))) as server:
        chat = OpenAIChat("m", server.url)
        report = synthesize(TEXTS, chat, sandbox, out, concurrency=3, progress=lambda *at: seen.append(at))
        chat.close()
    assert report == SynthesisReport(kept=3, dropped=DROPPED)
    assert [row["text_id"] for row in read_rows(out)] == ["a", "c", "h"]
    assert seen == [(n, len(TEXTS)) for n in range(1, len(TEXTS) + 1)]
    assert [(row["text_id"], row["reason"]) for row in read_rows(dropped_path(out))][:2] == [
        ("b", "format"),
        ("d", "duplicate"),
    ]
    tasks = load_tasks(out)
    assert tasks.size == 3
    assert tasks.at(0).task_id == "synthesized-a"
    assert set(read_rows(out)[0]) >= {"problem_description", "ground_truth", "test_cases", "hidden_information"}
    assert server.requests[0].body["temperature"] == 1.0
    assert "A text about a." in "".join(request.text for request in server.requests)


def test_it_goes_on_where_it_stopped(tmp_path, sandbox):
    whole, halves = tmp_path / "whole.jsonl", tmp_path / "halves.jsonl"
    chat = ScriptedChat(reply)
    synthesize(TEXTS, chat, sandbox, whole)
    synthesize(TEXTS[:3], ScriptedChat(reply), sandbox, halves)
    with halves.open("a") as file:
        file.write('{"text_id": "h", "problem')  # what a killed session leaves
    second = ScriptedChat(reply)
    report = synthesize(TEXTS, second, sandbox, halves)
    assert len(second.requests) == 5
    assert report == SynthesisReport(kept=3, dropped=DROPPED, before=3)
    assert halves.read_bytes() == whole.read_bytes()
    assert dropped_path(halves).read_bytes() == dropped_path(whole).read_bytes()
    again = synthesize(TEXTS, ScriptedChat([]), sandbox, halves)
    assert again == SynthesisReport(kept=3, dropped=DROPPED, before=8)


def test_a_recorded_session_gives_the_same_file(tmp_path, sandbox):
    first, second, cassette = (tmp_path / name for name in ("1.jsonl", "2.jsonl", "cassette.jsonl"))
    synthesize(TEXTS, RecordingChat(ScriptedChat(reply), cassette), sandbox, first)
    synthesize(TEXTS, RecordedChat(cassette), sandbox, second, concurrency=1)
    assert first.read_bytes() == second.read_bytes()


def test_a_text_for_which_the_model_fails_is_tried_again_next_time(tmp_path, sandbox):
    out = tmp_path / "tasks.jsonl"
    failing = ScriptedChat([REPLIES["a"], ChatError("gone"), REPLIES["c"]])
    report = synthesize(TEXTS[:3], failing, sandbox, out, concurrency=1)
    assert report == SynthesisReport(kept=2, failed=1)
    report = synthesize(TEXTS[:3], ScriptedChat([REPLIES["b"]]), sandbox, out)
    assert report == SynthesisReport(kept=2, dropped={"format": 1}, before=2)


def test_a_server_that_is_down_ends_it_and_keeps_what_was_kept(tmp_path, sandbox):
    out = tmp_path / "tasks.jsonl"
    texts = [Text(str(n), "A mug.") for n in range(20)]
    with OpenAIServer([say(REPLIES["a"]), refuse(401)]) as server:
        chat = OpenAIChat("m", server.url)
        with pytest.raises(ChatError, match="OPENAI_API_KEY"):
            synthesize(texts, chat, sandbox, out, concurrency=1)
        chat.close()
    assert len(read_rows(out)) == 1
    assert PATIENCE < len(server.requests) < 20


def test_no_text_is_asked_about_after_the_error(tmp_path, sandbox):
    with OpenAIServer([refuse(401)]) as server:
        chat = OpenAIChat("m", server.url)
        with pytest.raises(ChatError) as raised:  # the traceback keeps what the error left behind
            synthesize([Text(str(n), "A mug.") for n in range(200)], chat, sandbox, tmp_path / "t.jsonl", concurrency=2)
        at_work = [thread for thread in threading.enumerate() if thread.name.startswith("synthesis")]
        chat.close()
    assert raised.value
    assert not at_work


def test_a_long_text_is_cut_and_braces_are_just_text(tmp_path, sandbox):
    chat = ScriptedChat(lambda messages: "no")
    synthesize([Text("x", "{calls} \ud800" + "z" * 100_000)], chat, sandbox, tmp_path / "t.jsonl")
    content = chat.requests[0][0]["content"]
    assert "{calls} ?zzz" in content
    assert len(content) < 7000


def test_reading_texts(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text('{"text_id": "n-1", "text": "A"}\n\n{"index": 7, "text": "B"}\n{"text": "C"}\n')
    assert read_texts(path) == (Text("n-1", "A"), Text("7", "B"), Text("2", "C"))


@pytest.mark.parametrize(("content", "says"), cases(__file__, "texts_that_cannot_be_read"))
def test_texts_that_cannot_be_read(tmp_path, content, says):
    path = tmp_path / "texts.jsonl"
    path.write_text(content)
    with pytest.raises(InputFileError, match=says):
        read_texts(path)


def test_files_that_are_not_ours(tmp_path, sandbox):
    out = tmp_path / "tasks.jsonl"
    out.write_text('{"problem_description": "x"}\n')
    with pytest.raises(InputFileError, match="'text_id' is missing"):
        synthesize(TEXTS, ScriptedChat([]), sandbox, out)
    with pytest.raises(InputFileError, match="cannot be written"):
        synthesize(TEXTS, ScriptedChat([]), sandbox, tmp_path)
