"""Official dialogues are learned from under the prompt that they record, whatever template it was written in."""

import pytest
from support.json_lines import write_rows
from support.tiny import CHATML, make_tokenizer

from colbench_gym.models.chat_template import ChatTokens

pytestmark = pytest.mark.train
BRIEF, TASK = "Ask first.\n\nThen write: {dialogue_history}", "Write f."
LLAMA = (
    "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n{}" + BRIEF + "<|eot_id|><|start_header_id|>user"
    "<|end_header_id|>\n\n" + TASK + "<|eot_id|>{}<|start_header_id|>assistant<|end_header_id|>\n\n"
)
DATES = "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n"
QWEN = f"<|im_start|>system\n{BRIEF}<|im_end|>\n<|im_start|>user\n{TASK}<|im_end|>\n{{}}<|im_start|>assistant\n"
FORMS = {
    "Llama 3.1": LLAMA.replace("{}", DATES, 1),
    "Llama 3": LLAMA.replace("{}", "", 1),
    "ChatML": QWEN,
    "none": f"system:{BRIEF}\n\n\n\nuser:{TASK}{{}}",
}


def row(form):
    said = [
        {"role": "user", "content": TASK},
        {"role": "assistant", "content": "Which?", "input": form.replace("{}", ""), "output": "Hm. OUTPUT:Which?"},
        {"role": "user", "content": "This."},
        {"role": "assistant", "content": "Done.", "input": form.replace("{}", "..."), "output": "Done."},
    ]
    task = {"problem_description": TASK, "ground_truth": "def f(): return 1", "test_cases": {"t": "f()"}}
    return {"task": task, "dialogue_history": said, "answer": "Done.", "reward": 1.0}


def data(tmp_path, rows, prompts=None):
    from colbench_gym.baselines.data import read_offline_data
    from colbench_gym.baselines.options import FilteredBC

    file = write_rows(tmp_path / "rows.jsonl", rows)
    return read_offline_data(FilteredBC(data=(file,), model="m", out=tmp_path / "out", prompts=prompts))


@pytest.mark.parametrize("form", FORMS)
def test_the_recorded_brief_is_what_is_learned_from(form, tmp_path, capfd):
    from colbench_gym.models.tokenized_dialogue import agent_turns

    read = data(tmp_path, [row(FORMS[form])])
    assert (
        "1 dialogues of 1 tasks; 1 are learned from under the prompts that they record, 0 under our own"
        in capfd.readouterr().err
    )
    (first, _), (second, said) = agent_turns(read.trajectories[0], read.prompts)
    assert first == ({"role": "system", "content": BRIEF}, {"role": "user", "content": TASK})
    assert [message["content"] for message in second[2:]] == ["Which?", "This."]
    assert said == "Done."
    if form == "ChatML":
        assert ChatTokens(make_tokenizer(CHATML)).prompt_text(first) == row(QWEN)["dialogue_history"][1]["input"]


def test_a_wording_is_for_dialogues_that_record_none(tmp_path, capfd):
    from colbench_gym.models.tokenized_dialogue import agent_turns

    for name in ("llm_agent_code_prompt.txt", "human_simulator_code_prompt.txt"):
        (tmp_path / name).write_text("Another brief.")
    bare, strange = row(QWEN), row("<<{}Nobody knows this template>>")
    for message in bare["dialogue_history"]:
        message.pop("input", None)
    read = data(tmp_path, [row(QWEN), bare, strange], prompts=tmp_path)
    assert (
        f"3 dialogues of 1 tasks; 1 are learned from under the prompts that they record, 2 under the wording of {tmp_path}"
        in (capfd.readouterr().err)
    )
    briefs = [agent_turns(trajectory, read.prompts)[0][0][0]["content"] for trajectory in read.trajectories]
    assert briefs == [BRIEF, "Another brief.", "Another brief."]
