"""Whatever text arrives is taken apart in work that grows with its length: messages, replies of servers, rows of files."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.openai_server import OpenAIServer, raw
from support.samples import sample
from support.work_counts import calls_made

from colbench_gym import BACKEND, FRONTEND, BackendTask, FrontendTask, Trajectory, load_tasks, read_trajectories
from colbench_gym.action import extract_page, parse_action
from colbench_gym.chat import Completion, OpenAIChat, Sampling
from colbench_gym.chat.http_post import Answer
from colbench_gym.errors import ChatError, ColBenchError
from colbench_gym.humans.leaks import pastes_code

PIECES = (
    *("<html", "<html>", "</html>", "<img ", "src=", "'", '"', ">", "<!--", "-->", "<script>", "</script>", "<body", "\x00"),
    *("```", "```python\n", "```html\n", "\n", " ", "\t", "\\", "&#", "&amp;", "https://picsum.photos/1/2", "\ud800", "é"),
    *(BACKEND.answer_marker, BACKEND.thinking_marker, "I WANT", "OUTPUT", "def f(x):", "return", "(", "[", "{", "0x41", "QUJD"),
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=10,
)
TASK = BackendTask("t", "Add. def add(a, b)", "def add(a, b):\n    total = a + b\n    return total\n", (), (), "")
GROWTH = 8  # times the work for 4 times the text; a quadratic parser needs 16 times
SMALL, LARGE = 150, 600  # repetitions


def take_apart(text: str) -> None:
    for rules in (BACKEND, FRONTEND):
        action = parse_action(text, rules)
        extract_page(text)
        assert len(action.speech) <= len(text)


@given(TEXTS)
@settings(max_examples=sample(300))
@example("<html>" + "<img " * 50 + "</html>")
def test_any_message_is_taken_apart(text):
    take_apart(text)
    page = extract_page(text)
    assert page is None or isinstance(page, str)


@pytest.mark.parametrize("piece", PIECES)
def test_a_message_takes_work_in_proportion_to_its_length(piece):
    small, large = (calls_made(lambda n=n: take_apart("<html>" + piece * n + "</html>")) for n in (SMALL, LARGE))
    assert large <= GROWTH * small


@given(TEXTS)
@settings(max_examples=sample(150), deadline=None)
def test_any_reply_is_looked_through_for_code(text):
    assert pastes_code(TASK, text) in (True, False)


class Fixed(OpenAIChat):
    """A chat model whose server always gives the same answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("m", "http://127.0.0.1:9/v1", max_retries=0)
        self.answer = answer

    def _send(self, request: object) -> Answer:
        return self.answer


BODIES = st.one_of(
    st.binary(max_size=60),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {"choices": JSON | st.lists(st.fixed_dictionaries({"message": JSON | st.fixed_dictionaries({"content": JSON})}))},
        optional={"usage": JSON | st.fixed_dictionaries({"prompt_tokens": JSON, "completion_tokens": JSON}), "error": JSON},
    ).map(lambda value: json.dumps(value).encode()),
)  # fmt: skip


@given(
    BODIES,
    st.sampled_from([200, 204, 301, 400, 401, 429, 500, 999]),
    st.dictionaries(st.just("retry-after"), st.text()),
)
@settings(max_examples=sample(200))
def test_any_answer_of_a_server_is_a_completion_or_a_chat_error(body, status, headers):
    try:
        completion = Fixed(Answer(status, headers, body)).complete(
            [{"role": "user", "content": "?"}], Sampling(max_tokens=5)
        )
    except ChatError as error:
        assert len(str(error)) < 1000  # noqa: PT017  either end is right
    else:
        assert isinstance(completion, Completion)
        assert completion.text.strip()
        assert completion.prompt_tokens >= 0
        assert completion.completion_tokens >= 0


@given(st.binary(max_size=200))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_over_the_wire_are_a_completion_or_a_chat_error(no_model_settings, body):
    with OpenAIServer([raw(body)]) as server:
        chat = OpenAIChat("m", server.url, timeout_s=5.0, max_retries=0)
        with pytest.raises(ChatError):
            chat.complete([{"role": "user", "content": "?"}])


TASK_ROWS = st.fixed_dictionaries(
    {},
    optional={
        "problem_description": JSON | st.just("Add."),
        "ground_truth": JSON | st.just("def add(a, b):\n    return a + b"),
        "test_cases": JSON | st.just({"test1": "add(1, 2)"}) | st.dictionaries(st.text(max_size=4), JSON, max_size=3),
        "hidden_information": JSON,
        "task_id": JSON,
        "index": JSON,
    },
)
TRAJECTORY_ROWS = st.fixed_dictionaries(
    {},
    optional={
        "task": JSON | TASK_ROWS,
        "dialogue_history": JSON
        | st.lists(st.fixed_dictionaries({"role": JSON | st.sampled_from(["user", "assistant"]), "content": JSON | st.text()})),
        "answer": JSON | st.text(),
        "reward": JSON | st.floats(0, 1),
        "colbench_gym": JSON,
    },
)  # fmt: skip


def lines_of(rows: st.SearchStrategy) -> st.SearchStrategy[bytes]:
    line = rows.map(lambda row: json.dumps(row).encode()) | st.binary(max_size=20)
    return st.lists(line, max_size=3).map(b"\n".join)


def tasks_in(file, track):
    tasks = load_tasks(file, track)
    return [tasks.at(index) for index in range(tasks.size)]


READS = {
    "tasks": (TASK_ROWS, lambda file: tasks_in(file, "backend"), BackendTask),
    "pages": (TASK_ROWS, lambda file: tasks_in(file, "frontend"), FrontendTask),
    "trajectories": (TRAJECTORY_ROWS, read_trajectories, Trajectory),
}


@pytest.mark.parametrize("kind", READS)
@given(st.data())
@settings(max_examples=sample(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_file_is_what_was_asked_for_or_an_error_that_names_it(kind, tmp_path, data):
    rows, read, wanted = READS[kind]
    file = tmp_path / f"{kind}.jsonl"
    file.write_bytes(data.draw(lines_of(rows | JSON)))
    try:
        found = read(file)
    except ColBenchError as error:
        assert file.name in str(error)  # noqa: PT017  either end is right
    else:
        assert all(isinstance(one, wanted) for one in found)
