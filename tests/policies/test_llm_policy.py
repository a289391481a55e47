"""Policies by spec: the LLM agent against a real server, python factories, and specs that cannot be used."""

import pytest
from support.doubles import Closeable
from support.openai_server import EMPTY, OpenAIServer, answer, refuse, say
from support.tables import cases, program
from support.tiny import CHATML, make_tokenizer

from colbench_gym import BackendTask, FrontendTask, make_human
from colbench_gym.chat import OpenAIChat, RecordedChat, Sampling, ScriptedChat
from colbench_gym.errors import ChatError, InputFileError, PolicyError, UnknownNameError, UsageError
from colbench_gym.policies import Policy, PrivilegedPolicy, SeededPolicy, make_policy
from colbench_gym.policies.llm import LLMPolicy

pytestmark = pytest.mark.usefixtures("no_model_settings")

MESSAGES = [{"role": "system", "content": "You are a programmer."}, {"role": "user", "content": "Write f."}]


def test_messages_are_passed_on_as_they_are():
    with OpenAIServer([say("What is f?")]) as server:
        policy = make_policy(f"openai:m@{server.url}", max_tokens=50)
        assert isinstance(policy, Policy)
        assert policy.act(MESSAGES) == "What is f?"
        policy.close()
    assert server.requests[0].body == {"model": "m", "messages": MESSAGES, "max_tokens": 50}
    assert policy.usage.completion_tokens == 3


def test_each_dialogue_samples_with_its_own_seed():
    with OpenAIServer([say("hm")]) as server:
        policy = make_policy(f"openai:m@{server.url}", temperature=0.7, seed=1)
        assert isinstance(policy, SeededPolicy)
        for seat in (policy, policy.seeded(2)):
            seat.act(MESSAGES)
        policy.close()
    assert [request.body["seed"] for request in server.requests] == [1, 2]
    assert policy.usage.calls == 2
    steady = LLMPolicy(ScriptedChat([]), Sampling(temperature=0.0))
    assert steady.seeded(5) is steady


def test_no_seed_is_sent_where_none_is_wanted():
    with OpenAIServer([say("hm")]) as server:
        policy = make_policy(f"openai:m@{server.url}", temperature=0.7, sends_seed=False)
        assert policy.seeded(2) is policy
        policy.act(MESSAGES)
        policy.close()
    assert "seed" not in server.requests[0].body


@pytest.mark.train
def test_a_prompt_as_text_is_in_the_words_of_the_template(tmp_path):
    """The template writes a beginning-of-sequence token, and the server adds one: two, as officially."""
    make_tokenizer("{{ '<|bos|>' }}" + CHATML).save_pretrained(tmp_path / "model")
    said = answer({"choices": [{"text": "What is f?", "finish_reason": "stop"}], "usage": {"completion_tokens": 3}})
    with OpenAIServer([said]) as server:
        policy = make_policy(f"openai-completions:{tmp_path / 'model'}@{server.url}", record=tmp_path / "kept.jsonl")
        assert policy.act(MESSAGES) == "What is f?"
        policy.close()
    (request,) = server.requests
    assert request.path == "/v1/completions"
    prompt = (
        "<|bos|><|im_start|>system\nYou are a programmer.<|im_end|>\n<|im_start|>user\nWrite f.<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert request.body == {"model": str(tmp_path / "model"), "prompt": prompt}
    assert make_policy(f"replay:{tmp_path / 'kept.jsonl'}").act(MESSAGES) == "What is f?"
    with pytest.raises(UsageError, match="cannot be loaded"):
        make_policy(f"openai-completions:/nowhere@{server.url}")


@pytest.mark.parametrize("fault", [refuse(401), refuse(503), EMPTY])
def test_a_lasting_fault_is_a_policy_error(fault):
    with OpenAIServer([fault]) as server:
        policy = LLMPolicy(OpenAIChat("m", server.url, max_retries=1, backoff_s=0.001))
        with pytest.raises(PolicyError, match="the agent's model could not act: model 'm' at http://127"):
            policy.act(MESSAGES)
        policy.close()


def test_recorded_seats_replay_offline(tmp_path):
    path = tmp_path / "agent.jsonl"
    with OpenAIServer([say("What is f?")]) as server:
        policy = make_policy(f"openai:m@{server.url}", record=path)
        said = policy.act(MESSAGES)
        policy.close()
    replayed = make_policy(f"replay:{path}")
    assert replayed.act(MESSAGES) == said
    with pytest.raises(PolicyError, match="not recorded"):
        replayed.act(MESSAGES[:1])
    assert RecordedChat(path).name == "m"


def test_the_oracle_answers_with_the_reference():
    oracle = make_policy("oracle")
    assert isinstance(oracle, PrivilegedPolicy)
    backend = BackendTask("t", "d", "def f(): return 1", ("f()",), ("a",), "secret")
    assert oracle.for_task(backend).act(MESSAGES) == "I WANT TO ANSWER:\ndef f(): return 1"
    page = FrontendTask("t", "d", "<html>x</html>")
    assert oracle.for_task(page).act(MESSAGES) == "<html>x</html>\nI WANT TO ANSWER:"
    assert "return 1" not in repr(oracle.for_task(backend))


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    (tmp_path / "my_agent_module.py").write_text(program(__file__, "my_agent_module.txt"))
    (tmp_path / "broken_agent_module.py").write_text("import a_package_that_does_not_exist\n")
    (tmp_path / "typo_agent_module.py").write_text("def make(:\n")
    (tmp_path / "raising_agent_module.py").write_text("raise RuntimeError('no model here')\n")
    (tmp_path / "leaving_agent_module.py").write_text("raise SystemExit(0)\n")
    return tmp_path


@pytest.mark.parametrize("factory", ["make", "Mine", "Open"])
def test_a_factory_of_the_users_own(module, factory):
    policy = make_policy(f"python:my_agent_module:{factory}")
    assert policy.act(MESSAGES) == "hello"
    policy.close()


@pytest.mark.parametrize(("target", "says"), cases(__file__, "a_factory_that_cannot_be_used"))
def test_a_factory_that_cannot_be_used(module, target, says):
    with pytest.raises(UsageError, match=says) as caught:
        make_policy(f"python:{target}")
    assert f"'python:{target}'" in str(caught.value)


def test_what_a_factory_raised_is_the_cause_and_an_error_of_ours_passes(module):
    with pytest.raises(UsageError) as caught:
        make_policy("python:my_agent_module:failing")
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(ChatError, match="the server is down"):
        make_policy("python:my_agent_module:refusing")


@pytest.mark.parametrize("make", [make_human, make_policy])
@pytest.mark.parametrize("spec", ["", "nobody", "openai", "consol", "python", "scripted:3", "oracle:1"])
def test_an_unknown_name_lists_the_known_ones(make, spec):
    with pytest.raises(UsageError, match=r"expected (one of: .*|python:MODULE:FACTORY|openai:MODEL)"):
        make(spec)
    if spec == "nobody":
        with pytest.raises(UnknownNameError, match=r"openai:MODEL\[@BASE_URL\]"):
            make(spec)


@pytest.mark.parametrize("spec", ["asker:x", "asker:", "asker:-1", "asker:1.5", "asker:²"])
def test_an_asker_without_a_number(spec):
    with pytest.raises(UsageError, match="expected asker:K"):
        make_policy(spec)


@pytest.mark.parametrize("make", [make_human, make_policy])
def test_specs_of_models_that_cannot_be_used(make, tmp_path):
    with pytest.raises(UsageError, match="names no model"):
        make("openai:")
    with pytest.raises(UsageError, match="names no file"):
        make("replay:")
    with pytest.raises(InputFileError, match="cannot be read"):
        make(f"replay:{tmp_path}/nowhere.jsonl")
    with pytest.raises(UsageError, match=r"asks no model server|nothing to record"):
        make("console", record=tmp_path / "x.jsonl")
    with pytest.raises(UsageError, match="of type int"):
        make(5)


def test_live_objects_pass():
    class Mine(Closeable):
        def act(self, messages):
            return "hello"

        def reply(self, task, dialogue, shown):
            return "hello"

    mine = Mine()
    assert make_policy(mine) is mine
    assert make_human(mine) is mine
