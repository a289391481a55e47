"""The bridge to TRL, with its real trainer on a tiny model: tools, plain dialogue, masks, groups, outages."""

import math
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from support.examples import run_example
from support.scripted_model import ends_turns, scripted_model, tool_tokenizer
from support.small_tasks import Told, write_small_tasks

from colbench_gym.errors import HumanError, TaskError, UnknownTaskError, UsageError
from colbench_gym.scenario import open_scenario

pytestmark = pytest.mark.integration("trl")

QUESTION = "What is the factor?"
RIGHT_FOR_DOUBLE, RIGHT_FOR_TRIPLE = (f"def f(x): return x * {factor}" for factor in (2, 3))


def call(name, **arguments):
    import json

    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


@pytest.fixture
def scenario(tmp_path):
    with open_scenario("backend", tasks=write_small_tasks(tmp_path), human=Told(), max_turns=3) as opened:
        yield opened


@pytest.fixture
def scenario_with_an_outage(tmp_path):
    with open_scenario("backend", tasks=write_small_tasks(tmp_path), human=Told("triple"), max_turns=3) as opened:
        yield opened


def grpo(model, tokenizer, rows, tmp_path, reward_funcs=(), **how):
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    class Recorder(GRPOTrainer):
        def _generate_and_score_completions(self, inputs):
            self.seen = (inputs, super()._generate_and_score_completions(inputs))
            return self.seen[1]

    args = GRPOConfig(
        str(tmp_path / "out"), max_steps=how.pop("max_steps", 1), per_device_train_batch_size=8, num_generations=4,
        max_completion_length=how.pop("max_completion_length", 500), generation_kwargs={"use_cache": False},
        learning_rate=1e-2, lr_scheduler_type="constant", logging_steps=1, bf16=False, use_cpu=True,
        report_to="none", save_strategy="no",
    )  # fmt: skip
    return Recorder(
        model, list(reward_funcs) or None, args=args, train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer, **how,
    )  # fmt: skip


def logged(trainer, name):
    return [entry[name] for entry in trainer.state.log_history if name in entry]


def masked_in(scored, tokenizer):
    """For each rollout the texts that count in the loss, split where a reply stands between."""
    texts = []
    for ids, mask, ours in zip(scored["completion_ids"], scored["completion_mask"], scored["tool_mask"], strict=True):
        turns, before = [], 0
        for token, there, agent in zip(ids.tolist(), mask.tolist(), ours.tolist(), strict=True):
            counts = there and agent
            if counts and not before:
                turns.append([])
            if counts:
                turns[-1].append(token)
            before = counts
        texts.append([tokenizer.decode(turn) for turn in turns])
    return texts


class TestToolEnv:
    @pytest.fixture
    def env(self, scenario):
        from colbench_gym.integrations.trl import ToolEnv

        return ToolEnv(scenario)

    def test_asks_answers_and_is_paid(self, env):
        assert env.reset(task_id="double", prompt=[]) is None
        assert env.ask(QUESTION) == "Multiply it by 2."
        assert env.get_reward() == 0.0
        assert "over" in env.answer(RIGHT_FOR_DOUBLE)
        assert env.get_reward() == 1.0
        assert env.ask("Good?") == "Not sent: the conversation is over."
        env.reset(task_id="triple")
        env.answer(RIGHT_FOR_DOUBLE)
        assert env.get_reward() == 0.0

    def test_what_the_game_would_misread_costs_no_turn(self, env):
        env.reset(task_id="double")
        for text in ("OUTPUT: what?", "I WANT TO ANSWER: 3"):
            assert env.ask(text).startswith("Not sent: it may not contain")
            assert env.answer(text).startswith("Not sent: it may not contain")
        assert env.ask("x" * 200_001).startswith("Not sent: it may have at most")
        for _ in range(2):
            assert env.ask(QUESTION) == "Multiply it by 2."
        assert env.ask(QUESTION).startswith("Not sent: there are no questions left")
        env.answer(RIGHT_FOR_DOUBLE)
        assert env.get_reward() == 1.0

    def test_a_row_chooses_the_task_by_id_or_seed(self, env, scenario):
        for seed in range(5):
            env.reset(seed=seed)
            assert env._episode.task == scenario.episode(seed=seed).task
        with pytest.raises(UsageError, match="expected task_id or seed"):
            env.reset(prompt=[])
        with pytest.raises(UnknownTaskError):
            env.reset(task_id="none")

    def test_an_outage_is_raised_or_left_out(self, scenario_with_an_outage):
        from colbench_gym.integrations.trl import ToolEnv

        for outages in ("raise", "leave_out"):
            env = ToolEnv(scenario_with_an_outage, outages)
            env.reset(task_id="triple")
            with pytest.raises(HumanError):
                env.ask(QUESTION)
            assert env.answer(RIGHT_FOR_TRIPLE) == "Not sent: the person cannot be reached."
            if outages == "raise":
                with pytest.raises(HumanError):
                    env.get_reward()
            else:
                assert env.get_reward() is None

    def test_pages_are_shown_and_handed_in(self):
        from colbench_gym.integrations.trl import ToolEnv, tool_rows

        with open_scenario("frontend", renderer="scripted", max_turns=2) as opened:
            (row,) = tool_rows(opened, 1)
            assert "Put a draft into each question" in row["prompt"][0]["content"]
            env, page = ToolEnv(opened), opened.tasks.get(row["task_id"]).reference
            env.reset(**row)
            assert env.ask(page)
            env.answer(page)
            assert env.get_reward() == 1.0

    def test_the_brief_names_the_tools_and_no_marker(self, scenario):
        from colbench_gym.integrations.trl import tool_rows

        rows = tool_rows(scenario, 2)
        assert [row["task_id"] for row in rows] == ["double", "triple"]
        brief, request = rows[0]["prompt"]
        assert "`ask` at most 2 times" in brief["content"]
        assert "`answer`" in brief["content"]
        assert scenario.rules.answer_marker not in brief["content"]
        assert request["content"] == "Write f(x) for double. def f(x):"


def train_with_tools(scenario, tmp_path, *turns, outages="raise"):
    from colbench_gym.integrations.trl import ToolEnv, tool_rows

    tokenizer = tool_tokenizer()
    model = scripted_model(tokenizer, *turns)
    env = partial(ToolEnv, scenario, outages=outages)
    trainer = grpo(model, tokenizer, tool_rows(scenario, 2), tmp_path, environment_factory=env)
    trainer.train()
    return trainer, tokenizer


@pytest.mark.usefixtures("one_thread")
def test_grpo_trains_with_tools_in_groups_of_one_task(scenario, tmp_path):
    ask, answer = call("ask", question=QUESTION), call("answer", code=RIGHT_FOR_DOUBLE)
    trainer, tokenizer = train_with_tools(scenario, tmp_path, [ask], [answer], ["Done."])
    inputs, scored = trainer.seen
    groups = [[row["task_id"] for row in inputs[start : start + 4]] for start in (0, 4)]
    assert sorted(map(set, groups), key=min) == [{"double"}, {"triple"}]
    assert logged(trainer, "rewards/ToolEnv/mean") == [0.5]
    assert logged(trainer, "tools/failure_frequency") == [0.0]
    assert masked_in(scored, tokenizer) == [[f"{said}<|im_end|>" for said in (ask, answer, "Done.")]] * 8
    whole = tokenizer.decode(scored["completion_ids"][0])
    assert f"Multiply it by {2 if inputs[0]['task_id'] == 'double' else 3}." in whole


@pytest.mark.usefixtures("one_thread")
def test_an_outage_stops_the_training_or_is_left_out_of_it(scenario_with_an_outage, tmp_path):
    turns = [[call("ask", question=QUESTION)], [call("answer", code=RIGHT_FOR_DOUBLE)], ["Done."]]
    with pytest.raises(HumanError, match="the line is dead"):
        train_with_tools(scenario_with_an_outage, tmp_path, *turns)
    trainer, _ = train_with_tools(scenario_with_an_outage, tmp_path, *turns, outages="leave_out")
    assert logged(trainer, "rewards/ToolEnv/mean") == [1.0]
    assert logged(trainer, "reward") == [1.0]
    assert math.isfinite(logged(trainer, "grad_norm")[0])


def train_with_dialogue(scenario, tmp_path, *turns, outages="raise", **how):
    from support.tiny import make_tokenizer

    from colbench_gym.integrations.trl import DialogueRollout, paid_reward

    tokenizer = ends_turns(make_tokenizer())
    rollout = DialogueRollout(scenario, outages=outages)
    trainer = grpo(
        scripted_model(tokenizer, *turns), tokenizer, rollout.rows * (2 // len(rollout.rows)), tmp_path,
        [paid_reward], rollout_func=rollout, **how,
    )  # fmt: skip
    trainer.train()
    return trainer, tokenizer


@pytest.mark.usefixtures("one_thread")
def test_masks_of_a_dialogue_are_what_the_agent_said(scenario, tmp_path):
    thought = f"Let me ask. OUTPUT: {QUESTION}"
    answer = f"I WANT TO ANSWER: {RIGHT_FOR_TRIPLE}"
    trainer, tokenizer = train_with_dialogue(scenario, tmp_path, [thought, QUESTION], [answer])
    inputs, scored = trainer.seen
    assert [row["episode_reward"] for row in inputs] == [float(row["task_id"] == "triple") for row in inputs]
    assert logged(trainer, "rewards/paid_reward/mean") == [0.5]
    for row, turns, ids in zip(inputs, masked_in(scored, tokenizer), scored["completion_ids"], strict=True):
        assert [turn.removesuffix("<|im_end|>") for turn in turns][1:] == [answer]
        assert turns[0] in (f"{thought}<|im_end|>", f"{QUESTION}<|im_end|>")
        factor = 2 if row["task_id"] == "double" else 3
        between = f"\n<|im_start|>user\nMultiply it by {factor}.<|im_end|>\n<|im_start|>assistant\n"
        assert tokenizer.decode(ids).startswith(turns[0] + between + turns[1])


@pytest.mark.usefixtures("one_thread")
def test_a_dialogue_without_room_ends_unanswered(scenario, tmp_path):
    trainer, _ = train_with_dialogue(scenario, tmp_path, [QUESTION * 20], max_completion_length=40)
    inputs, scored = trainer.seen
    assert {row["outcome"] for row in inputs} == {"out_of_tokens"}
    assert {row["episode_reward"] for row in inputs} == {0.0}
    assert scored["completion_ids"].shape[1] == 40


@pytest.mark.usefixtures("one_thread")
def test_an_outage_in_a_dialogue_stops_the_training_or_is_left_out(scenario_with_an_outage, tmp_path):
    turns = [[QUESTION], [f"I WANT TO ANSWER: {RIGHT_FOR_DOUBLE}"]]
    with pytest.raises(HumanError, match="the line is dead"):
        train_with_dialogue(scenario_with_an_outage, tmp_path, *turns)
    trainer, _ = train_with_dialogue(scenario_with_an_outage, tmp_path, *turns, outages="leave_out")
    assert Counter(row["outcome"] for row in trainer.seen[0]) == {"answered": 4, "human_error": 4}
    assert logged(trainer, "reward") == [1.0]


@pytest.mark.usefixtures("one_thread")
def test_grpo_learns_which_answer_is_paid(tmp_path):
    answers = [f"I WANT TO ANSWER: def f(x): return {factor} * x" for factor in (2, 3)]
    with open_scenario("backend", tasks=write_small_tasks(tmp_path, "double"), human=Told(), max_turns=1) as opened:
        trainer, _ = train_with_dialogue(opened, tmp_path, answers, max_steps=6)
    rewards = logged(trainer, "reward")
    assert rewards[-1] > rewards[0]


def test_a_prompt_of_two_tasks_is_refused(tmp_path):
    from colbench_gym.integrations.trl import DialogueRollout

    file = Path(write_small_tasks(tmp_path))
    file.write_text(file.read_text("utf-8").replace("for triple", "for double"), "utf-8")
    with (
        open_scenario("backend", tasks=file, human=Told()) as opened,
        pytest.raises(TaskError, match="begin with the same words"),
    ):
        DialogueRollout(opened)


@pytest.mark.usefixtures("one_thread")
def test_the_masks_of_an_exported_run_are_what_the_agent_said(tmp_path):
    """``colbench export --format trl-sft`` through SFTTrainer, which counts the agent's turns alone in its loss."""
    from datasets import load_dataset
    from support.tiny import make_model, make_trajectory
    from trl import SFTConfig, SFTTrainer

    from colbench_gym.report.export import export_conversations

    answer = f"I WANT TO ANSWER:\n```python\n{RIGHT_FOR_DOUBLE}\n```"
    first = ["  Let me think.\nOUTPUT: What is größer? \n", "And 日本?", answer]
    said = [first, [f"OUTPUT: I WANT TO ANSWER: {RIGHT_FOR_TRIPLE}"]]
    export_conversations([make_trajectory(texts, recorded=True) for texts in said], tmp_path / "sft.jsonl")
    rows = load_dataset(
        "json", data_files=str(tmp_path / "sft.jsonl"), split="train", cache_dir=str(tmp_path / "cache")
    )
    tokenizer = tool_tokenizer()
    args = SFTConfig(
        str(tmp_path / "out"), assistant_only_loss=True, max_length=None, per_device_train_batch_size=2, bf16=False,
        use_cpu=True, report_to="none", save_strategy="no",
    )  # fmt: skip
    trainer = SFTTrainer(make_model(tokenizer), args, train_dataset=rows, processing_class=tokenizer)
    batch = trainer.data_collator([trainer.train_dataset[place] for place in range(2)])
    masks = {"completion_mask": batch["attention_mask"], "tool_mask": batch["labels"] != -100}
    texts = masked_in({"completion_ids": batch["input_ids"], **masks}, tokenizer)
    assert texts == [[f"{text}<|im_end|>\n" for text in turns] for turns in said]


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("example", ["train_with_trl_tools", "train_with_trl_dialogue"])
def test_the_examples_train(example, tmp_path):
    from support.tiny import make_model

    folder, tokenizer = tmp_path / "model", tool_tokenizer()
    make_model(tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    assert "'train_loss'" in run_example(example, folder, 1, 40, cwd=tmp_path)
