"""The bridge to verl: its real data set and agent-loop worker, with a tiny model in the place of its GPU server."""

import asyncio
import json
import uuid

import pytest
from support.examples import run_example
from support.small_tasks import write_small_tasks

from colbench_gym.errors import HumanError, UsageError

pytestmark = pytest.mark.integration("verl")

QUESTION, ANSWER = "What is the factor?", "I WANT TO ANSWER: def f(x): return x * 3"


class TinyServer:
    """Samples from a tiny model on this machine, as verl's client of its servers does elsewhere."""

    def __init__(self, model, tokenizer):
        self.model, self.tokenizer = model, tokenizer
        self.sessions = set()

    async def generate(self, request_id, *, prompt_ids, sampling_params, **_):
        import torch
        from verl.workers.rollout.replica import TokenOutput

        self.sessions.add(request_id)
        ids = torch.tensor([prompt_ids])
        out = self.model.generate(ids, do_sample=False, max_new_tokens=100, use_cache=False)
        sampled = out[0, ids.shape[1] :].tolist()
        logprobs = [-float(token) for token in sampled]  # of no model: each token can be known again by its own
        return TokenOutput(token_ids=sampled, log_probs=logprobs)


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory):
    from support.scripted_model import ends_turns
    from support.tiny import make_model, make_tokenizer

    folder = tmp_path_factory.mktemp("model")
    tokenizer = ends_turns(make_tokenizer())
    make_model(tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def worker(tmp_path, model_folder):
    """A function of options that gives verl's worker, configured as its trainer configures it."""
    from hydra import compose, initialize_config_module
    from support.scripted_model import scripted_model
    from verl.experimental.agent_loop import AgentLoopWorker

    def make(turns=((QUESTION,), (ANSWER,)), response_length=300, prompt_length=900, **options):
        loop = {
            "name": "colbench",
            "_target_": "colbench_gym.integrations.verl.ColBenchAgentLoop",
            "scenario": {"tasks": write_small_tasks(tmp_path), "human": "python:support.small_tasks:Told", **options},
        }
        file = tmp_path / f"{uuid.uuid4().hex}.yaml"
        file.write_text(json.dumps([loop]), "utf-8")
        with initialize_config_module("verl.trainer.config", version_base=None):
            config = compose(
                "ppo_trainer",
                overrides=[
                    f"actor_rollout_ref.model.path={model_folder}",
                    "actor_rollout_ref.rollout.name=vllm",
                    f"actor_rollout_ref.rollout.prompt_length={prompt_length}",
                    f"actor_rollout_ref.rollout.response_length={response_length}",
                    f"actor_rollout_ref.rollout.agent.agent_loop_config_path={file}",
                    "actor_rollout_ref.rollout.calculate_log_probs=True",
                    f"data.max_prompt_length={prompt_length}",
                ],
            )
        made = AgentLoopWorker(config, None)
        made.llm_client = TinyServer(scripted_model(made.tokenizer, *turns), made.tokenizer)
        return made

    return make


def batch_of(worker, rows, tmp_path, repeats=2):
    """Return the batch that verl's trainer makes of a data set: each row as often as its group is large."""
    from datasets import Dataset
    from verl import DataProto
    from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

    file = str(tmp_path / f"{uuid.uuid4().hex}.parquet")
    Dataset.from_list(rows).to_parquet(file)
    data = RLHFDataset(file, worker.tokenizer, worker.config.data)
    assert len(data) == len(rows)
    return DataProto.from_single_dict(collate_fn([data[at] for at in range(len(data))])).repeat(repeats)


def rows_of(tmp_path, max_turns=10):
    from colbench_gym.integrations.verl import verl_rows
    from colbench_gym.scenario import open_scenario

    with open_scenario("backend", tasks=write_small_tasks(tmp_path), max_turns=max_turns) as scenario:
        return verl_rows(scenario)


def play(worker, batch):
    return asyncio.run(worker.generate_sequences(batch))


@pytest.mark.usefixtures("one_thread")
def test_the_worker_plays_groups_and_masks_what_was_heard(worker, tmp_path):
    made = worker()
    out = play(made, batch_of(made, rows_of(tmp_path), tmp_path))
    paid = out.batch["rm_scores"].sum(-1).tolist()
    tasks = [info["task_id"] for info in out.non_tensor_batch["extra_info"]]
    assert sorted(zip(tasks, paid, strict=True)) == [("double", 0.0)] * 2 + [("triple", 1.0)] * 2
    assert out.non_tensor_batch["__num_turns__"].tolist() == [4] * 4
    assert len(made.llm_client.sessions) == 4
    for ids, mask, logprobs in zip(
        out.batch["responses"], out.batch["response_mask"], out.batch["rollout_log_probs"], strict=True
    ):
        assert made.tokenizer.decode(ids[mask.bool()]) == f"{QUESTION}<|im_end|>{ANSWER}<|im_end|>"
        assert logprobs.tolist() == (-ids * mask).tolist()
        between = "".join(made.tokenizer.decode(ids).partition(QUESTION)[2].partition(ANSWER)[0])
        assert between.startswith("<|im_end|>\n<|im_start|>user\nMultiply it by ")


@pytest.mark.usefixtures("one_thread")
def test_a_dialogue_without_room_ends_unanswered(worker, tmp_path):
    made = worker(response_length=10)
    out = play(made, batch_of(made, rows_of(tmp_path)[:1], tmp_path))
    assert out.batch["rm_scores"].sum() == 0
    assert out.non_tensor_batch["outcome"].tolist() == ["out_of_tokens"] * 2
    assert out.batch["response_mask"].sum(-1).tolist() == [10, 10]


@pytest.mark.usefixtures("one_thread")
def test_an_outage_is_raised(worker, tmp_path):
    made = worker(human="python:support.small_tasks:out")
    with pytest.raises(HumanError, match="the line is dead"):
        play(made, batch_of(made, rows_of(tmp_path), tmp_path))


@pytest.mark.usefixtures("one_thread")
def test_a_row_without_a_task_is_refused(worker, tmp_path):
    made = worker()
    rows = [{**row, "extra_info": {"index": 0}} for row in rows_of(tmp_path)[:1]]
    with pytest.raises(UsageError, match="task_id or seed"):
        play(made, batch_of(made, rows, tmp_path))


@pytest.mark.usefixtures("one_thread")
def test_the_example_writes_what_the_worker_reads(worker, tmp_path):
    printed = run_example("train_with_verl", 3, cwd=tmp_path)
    assert "agent_loop_config_path=loop.yaml" in printed
    (loop,) = json.loads((tmp_path / "loop.yaml").read_text("utf-8"))
    made = worker(turns=(("I WANT TO ANSWER: 0",),), prompt_length=1500, **{**loop["scenario"], "human": "scripted"})
    from datasets import Dataset

    rows = Dataset.from_parquet(str(tmp_path / "train.parquet")).to_list()
    out = play(made, batch_of(made, rows, tmp_path, repeats=1))
    assert out.batch["rm_scores"].sum() == 0
    assert out.non_tensor_batch["outcome"].tolist() == ["answered"] * 3
