"""Exported official rows train the official way: every row keeps agent tokens, and one step's loss is finite."""

import io
import json
import os
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from support.command import colbench_here
from support.doubles import Closeable
from support.json_lines import read_rows, write_rows
from support.official_training import kept_tokens, official_masks, run_script
from support.tiny import CHATML, make_model, make_tokenizer

from colbench_gym import BACKEND, FRONTEND, BackendTask, Dialogue, FrontendTask, Turn
from colbench_gym.evaluation.scored_runs import read_run
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.scoring import said_logprobs
from colbench_gym.rendering import RenderedPage
from colbench_gym.report.export import export_official, read_template
from colbench_gym.trajectory import Trajectory, read_trajectories, write_trajectories

pytestmark = pytest.mark.train
LLAMA = (
    "{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content }}<|eot_id|>{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
)
MARK = "<|im_start|>assistant"
RIGHT, WRONG = "def f(x):\n    return 2 * x", "def f(x):\n    return x"


def played(task_id, repeat, right, questions):
    calls = tuple(f"f({n})" for n in range(10))
    task = BackendTask(task_id, f"Write f, number {task_id}.", RIGHT, calls, tuple(f"t{n}" for n in range(10)), RIGHT)
    turns = [Turn("human", task.description)]
    for number in range(questions):
        turns += [Turn("agent", f"Which {number}?", output=f"Hm. OUTPUT:Which {number}?"), Turn("human", "That one.")]
    code = RIGHT if right else WRONG
    turns.append(Turn("agent", f"I WANT TO ANSWER:\n{code}"))
    brief = {"role": "system", "content": "Ask, then write."}
    spoken = Dialogue(tuple(turns)).messages("agent")
    turns = [replace(t, input=(brief, *spoken[:at])) if t.seat == "agent" else t for at, t in enumerate(turns)]
    score = 1.0 if right else 0.1  # f(0) is 0 either way
    return Trajectory(
        task, Dialogue(tuple(turns)), f"\n{code}", score, BACKEND, "answered", success=right, pass_rate=score, repeat=repeat,
        metric="pass_rate",
    )  # fmt: skip


def page_played(task_id, repeat):
    said = "<html>red</html>" if repeat == 0 else "<html>black</html>" if repeat == 1 else "No page."
    task = FrontendTask(task_id, f"A page, number {task_id}.", "<html>red</html>")
    dialogue = Dialogue((Turn("human", task.description), Turn("agent", said)))
    return Trajectory(task, dialogue, said, 0.5, FRONTEND, "out_of_turns", similarity=0.5, repeat=repeat, metric="clip")


class Painter(Closeable):
    """A renderer whose pages have the colour that they name."""

    @property
    def versions(self):
        return {}

    def render(self, html):
        picture = io.BytesIO()
        Image.new("RGB", (20, 10), re.sub("<.*?>", "", html)).save(picture, "png")
        return RenderedPage("rendered", picture.getvalue())


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A tokenizer whose end of sequence ends a turn, as the official models' does."""
    tokenizer = make_tokenizer("{{ '<|bos|>' }}" + CHATML)
    tokenizer.eos_token = "<|im_end|>"
    folder = tmp_path_factory.mktemp("model")
    tokenizer.save_pretrained(folder)
    return folder, tokenizer


@pytest.fixture
def exported(tmp_path, model):
    runs = [played(task, repeat, repeat == 1, repeat) for task in "ab" for repeat in range(3)]
    out = tmp_path / "o.jsonl"
    assert export_official(runs, out, None, read_template(str(model[0]), "")) == 6
    return out, read_rows(out)


def pairs_of(rows):
    """Chosen and rejected texts of the last turns, with the reference in front, as the official script writes them."""
    last = [row["dialogue_history"][-1]["input"] + row["dialogue_history"][-1]["output"] for row in rows]
    return [
        {"chosen": f"Known. {last[2 + n]}", "rejected": f"Known. {last[at + n]}"} for at in (0, 4) for n in range(2)
    ]


def test_prompts_are_what_the_model_was_given(exported):
    _, rows = exported
    first = rows[2]["dialogue_history"]
    assert first[1]["input"] == (
        "<|bos|><|im_start|>system\nAsk, then write.<|im_end|>\n<|im_start|>user\nWrite f, number a.<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert first[1]["output"] == "Hm. OUTPUT:Which 0?"
    assert first[3]["input"].endswith(
        "assistant\nWhich 0?<|im_end|>\n<|im_start|>user\nThat one.<|im_end|>\n" + MARK + "\n"
    )


def test_every_row_keeps_the_agents_tokens_and_the_loss_of_a_step_is_finite(exported, model):
    import torch

    tokenizer = model[1]
    network = make_model(tokenizer)
    for pair in pairs_of(exported[1]):
        means = []
        for text in pair.values():
            ids, mask = kept_tokens(tokenizer, text, MARK)
            agent = text.count(MARK)
            assert sum(mask) > 2 * agent
            assert tokenizer.decode([i for i, kept in zip(ids, mask, strict=True) if kept]).count("<|im_end|>") == agent
            logprobs = network(torch.tensor([ids])).logits[0, :-1].log_softmax(-1)
            kept = torch.tensor(mask[1:])
            means.append((logprobs.gather(1, torch.tensor(ids[1:])[:, None])[:, 0] * kept).sum() / kept.sum())
        loss = -torch.nn.functional.logsigmoid(0.1 * (means[0] - means[1]))
        loss.backward()
        assert torch.isfinite(loss)
        assert all(torch.isfinite(p.grad).all() for p in network.parameters())


def test_without_marks_nothing_would_be_kept(model):
    assert sum(kept_tokens(model[1], "system:Ask.\n\n\n\nuser:Write f.Sure.", MARK)[1]) == 0


def test_the_rows_come_back_under_their_own_prompt(exported):
    back = read_trajectories(exported[0])
    assert back[2].dialogue.turns[1].input == (
        {"role": "system", "content": "Ask, then write."},
        {"role": "user", "content": "Write f, number a."},
    )
    written = [played(task, repeat, repeat == 1, repeat) for repeat in range(3) for task in "ab"]
    for one, other in zip(back, written, strict=True):
        assert [(t.content, t.input) for t in one.dialogue.turns] == [
            (t.content, t.input) for t in other.dialogue.turns
        ]


def test_the_command_takes_the_template_of_the_agent_or_the_one_that_is_named(tmp_path, model):
    run = tmp_path / "run"
    run.mkdir()
    write_trajectories(run / "trajectories.jsonl", [played("a", 0, True, 1)])
    refused = colbench_here("export", "run", "--out", "o.jsonl", cwd=tmp_path, status=2)
    assert "--chat-template MODEL" in refused.stderr
    assert "keeps no token" in refused.stderr
    (run / "run.json").write_text(json.dumps({"status": "finished", "configuration": {"agent": f"hf:{model[0]}"}}))
    (tmp_path / "plain.jinja").write_text("{% for m in messages %}[{{ m.content }}]<|im_end|>{% endfor %}>")
    for named, start in (
        ((), "<|bos|><|im_start|>system"),
        (("--chat-template", "plain.jinja"), "[Ask, then write.]<|im"),
    ):
        colbench_here("export", "run", "--out", "o.jsonl", *named, cwd=tmp_path)
        assert json.loads((tmp_path / "o.jsonl").read_text())["dialogue_history"][1]["input"].startswith(start)
    elsewhere = ("export", "run", "--format", "trl-sft", "--chat-template", "x", "--out", "o")
    assert "expected official" in colbench_here(*elsewhere, cwd=tmp_path, status=2).stderr


if os.environ.get("COLBENCH_OFFICIAL"):  # an own checkout of the released code, its training fork inside
    CHECKOUT = Path(os.environ["COLBENCH_OFFICIAL"])

    def test_the_official_scripts_read_the_rows_and_print_our_numbers(exported, tmp_path):
        out, rows = exported
        for ungraded in (False, True):  # the script grades rows without a reward
            left = [{k: v for k, v in row.items() if not ungraded or k != "reward"} for row in rows]
            again = write_rows(tmp_path / f"{ungraded}.jsonl", left)
            flags = ["--k", 3, "--ground_truth_preference_path", tmp_path / "pairs.jsonl"]
            printed = run_script(CHECKOUT, "evaluate_code.py", [again, *flags], tmp_path).splitlines()
            best = dict(line.rpartition(": ")[::2] for line in printed if line.startswith("Best-of-3"))
            assert list(map(float, best.values())) == pytest.approx([1.0, 1.0], abs=1e-6)
        printed = run_script(CHECKOUT, "evaluate_code.py", [out], tmp_path)
        mean, rate = (float(line.rpartition(": ")[2]) for line in printed.splitlines() if line.startswith("Best-of-1"))
        run = read_run(out)
        assert mean == pytest.approx(sum(map(sum, run.scores.values())) / 6, abs=1e-6)
        assert rate == pytest.approx(sum(map(sum, run.successes.values())) / 6, abs=1e-6)

    def test_the_official_pairs_keep_tokens_in_every_row(exported, model, tmp_path):
        out, _ = exported
        flags = ["--k", 3, "--ground_truth_preference_path", tmp_path / "p.jsonl"]
        run_script(CHECKOUT, "evaluate_code.py", [out, *flags], tmp_path)
        pairs = read_rows(tmp_path / "p.jsonl")
        assert len(pairs) == 4
        for pair, (ids, mask, other_ids, other_mask) in zip(
            pairs, official_masks(CHECKOUT, model[0], pairs, MARK), strict=True
        ):
            assert (ids, mask) == kept_tokens(model[1], pair["chosen"], MARK)
            assert (other_ids, other_mask) == kept_tokens(model[1], pair["rejected"], MARK)
            assert min(sum(mask), sum(other_mask)) > 0

    def test_the_official_best_of_n_scripts_read_the_rows(exported, tmp_path):
        out, rows = exported
        sampled, ranked, paired = (tmp_path / name for name in ("sampled.jsonl", "ranked.jsonl", "paired.jsonl"))
        run_script(CHECKOUT, "sample_best_of_n.py", [out, sampled], tmp_path)
        turns = read_rows(sampled)
        expected = [m["input"] for row in rows for m in row["dialogue_history"] if "input" in m]
        assert [turn["input"] for turn in turns] == expected
        flags = ["--model_id", "m", "--input_path", sampled, "--output_path", ranked]
        run_script(CHECKOUT, "rank_best_of_n.py", flags, tmp_path)
        flags = [ranked, paired, "--no_prompt", "--num_pairs", 4]
        run_script(CHECKOUT, "generate_random_pairs_from_ranks.py", flags, tmp_path)
        pairs = read_rows(paired)
        assert len(pairs) == 4 * len(expected)
        assert all(pair["chosen"].endswith("<|im_end|>") and MARK in pair["rejected"] for pair in pairs)

    def test_the_official_ranking_gives_our_scores(tmp_path, monkeypatch):
        """Of a critic without a second beginning of sequence, and with the official sentence around the reference."""
        from colbench_gym.models import judges

        tokenizer = make_tokenizer(LLAMA)
        tokenizer.add_special_tokens(
            {"additional_special_tokens": ["<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]}
        )
        tokenizer.add_tokens(["assistant", "\n\n"])
        tokenizer.eos_token = "<|eot_id|>"
        network = make_model(tokenizer, 3).eval()
        for part in (tokenizer, network):
            part.save_pretrained(tmp_path / "critic")
        tokens = ChatTokens(tokenizer)
        messages = ({"role": "system", "content": "Ask."}, {"role": "user", "content": "Write f."})
        candidates = [judges.Candidate(f"What is {n}?", tokens.turn_ids(f"What is {n}?"), -n / 3) for n in range(16)]
        script = (CHECKOUT / "scripts" / "rank_best_of_n.py").read_text()
        (sentence,) = re.findall(r'f"([^"{]*){ground_truth}([^"]*)"', script)
        monkeypatch.setattr(judges, "PRIVILEGED_PREFIX", "{reference}".join(sentence))
        row = {
            "input": tokens.prompt_text(messages), "ground_truth": RIGHT, "additional_outputs": [c.text for c in candidates],
            "additional_reference_logprobs": [c.logprob / len(c.ids) for c in candidates],
        }  # fmt: skip
        (tmp_path / "sampled.jsonl").write_text(json.dumps(row) + "\n")
        for privileged, flags in ((True, []), (False, ["--no_use_ground_truth"])):
            run_script(CHECKOUT, "rank_best_of_n.py", [
                "--model_id", tmp_path / "critic", "--input_path", tmp_path / "sampled.jsonl",
                "--output_path", tmp_path / "ranked.jsonl", *flags,
            ], tmp_path, local=True)  # fmt: skip
            theirs = json.loads((tmp_path / "ranked.jsonl").read_text())["judge_result"]
            judge = judges.AdvantageJudge(partial(said_logprobs, network), None, tokens, privileged, released=True)
            assert judge.scores(RIGHT, messages, candidates) == pytest.approx(theirs, abs=1e-6)

    def test_the_official_scripts_read_pages_as_pictures(tmp_path, model):
        """Red pages are right; the official similarity of a red and a black picture, by mean colours, is known."""
        runs = [page_played(task, repeat) for task in "ab" for repeat in range(3)]
        out = tmp_path / "o.jsonl"
        export_official(runs, out, Painter, read_template(str(model[0]), ""))
        pairs = tmp_path / "pairs.jsonl"
        flags = ["--k", 3, "--temp_path", tmp_path, "--ground_truth_preference_path", pairs]
        printed = run_script(CHECKOUT, "evaluate_html.py", [out, *flags], tmp_path, pictures=True)
        assert float(printed.rpartition("Average reward: ")[2].split()[0]) == pytest.approx(1.0, abs=1e-6)
        red, black = (256, 1, 1), (1, 1, 1)
        far = sum(a * b for a, b in zip(red, black, strict=True)) / (sum(a * a for a in red) * 3) ** 0.5
        graded = [row["reward"] for row in read_rows(out)]
        assert graded == pytest.approx([1.0, 1.0, far, far, far, far], abs=1e-6)
        rows = read_rows(pairs)
        assert len(rows) == 4
        for row in rows:
            text = row["chosen"]["input"] + row["chosen"]["output"]
            assert sum(kept_tokens(model[1], text, MARK)[1]) > 0
            assert "red" in row["chosen"]["output"]
