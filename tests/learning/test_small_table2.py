"""The small Table 2: kept outcomes are those of real dialogues, losses are the package's, labels matter."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from support.command import ROOT, colbench_here
from support.json_lines import write_rows
from support.tables import program

from colbench_gym.errors import ConfigurationChangedError, InputFileError, TaskError, UsageError
from colbench_gym.evaluation.statistics.intervals import Estimate
from colbench_gym.learning.dialogues import by_policy, play
from colbench_gym.learning.encoder import Encoder, general_weights, other_tasks
from colbench_gym.learning.experiment import OPTIONS, Experiment
from colbench_gym.learning.kept_outcomes import Outcomes, kept_replies, readable
from colbench_gym.learning.methods import Data, best_of, fitted, imitation, judged, log_ratios, preference
from colbench_gym.learning.options import SmallTable2, quick
from colbench_gym.learning.policy import MenuPolicy, Tasks, menu_of
from colbench_gym.learning.summary import RESULTS, Line, failed_gates, leaderboard, markdown, read_lines, spread
from colbench_gym.learning.yardsticks import yardsticks
from colbench_gym.models.unfinished import lock
from colbench_gym.policies.asker.phrasing import question_about
from colbench_gym.policies.asker.reading import told
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import load_tasks
from colbench_gym.tasks.generated_backend.shapes.registry import source
from colbench_gym.tasks.permutation import Draw

pytestmark = pytest.mark.train
TASKS = 40
SMALL = SmallTable2(steps=10, regularisation=(1e-3,), other_tasks=800, dialogues=6)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Some tasks, the vocabulary, and the initial policy."""
    folder = tmp_path_factory.mktemp("kept")
    with open_scenario("backend", tasks="generated:train:habits") as scenario:
        outcomes = Outcomes(scenario, kept_replies(folder / "replies.jsonl", scenario, TASKS), folder / "grades.jsonl")
        menu, places = menu_of([outcomes.replies])
        drafts = other_tasks("habits", SMALL.other_tasks)
        encoder, general = Encoder(menu.kinds, drafts), general_weights(menu.kinds, drafts, all_matters=True)
        tasks = Tasks.of(outcomes, menu, places)
        read = encoder.read(one.task.reference for one in outcomes.replies)
        tasks = replace(tasks, reading=np.take_along_axis(read, tasks.kind.clip(0), 1))
        yield tasks, menu, MenuPolicy(menu, general)


@pytest.fixture(scope="module")
def data(world):
    tasks, _, initial = world
    return Data.of(tasks, play(tasks, by_policy(initial, tasks), SMALL.questions, 0, SMALL.dialogues))


def played(outcomes, at, questions):
    """Ask anew, each question as if it were the first one, answer, and return whether that succeeds."""
    one = outcomes.replies[at]
    plan, matters, stated = readable(one.task.description)
    by_key, settings = {matter.key: matter for matter in matters}, dict(stated)
    for place in questions:
        episode = outcomes.scenario.episode(task_id=one.task.task_id)
        matter = by_key[one.keys[place]]
        settings |= told(matters, episode.say(question_about([matter], [0], one.task.description, 0)), [matter])
    guesses = {m.key: Draw("guess", plan.signature, m.key).pick(m.options).code for m in matters if m.core}
    episode = outcomes.scenario.episode(task_id=one.task.task_id)
    episode.say(f"{outcomes.scenario.rules.answer_marker}\n{source(plan, {**guesses, **settings})}")
    return episode.info["success"]


def test_kept_replies_and_grades_are_those_of_new_ones(world):
    tasks = world[0]
    rng = np.random.default_rng(0)
    ends = []
    for at in range(0, TASKS, 2):
        places = int((tasks.kind[at] >= 0).sum())
        ends.append((at, rng.permutation(places)[: rng.integers(2, 6)].tolist()))
    ends += [(at, np.flatnonzero(tasks.open[at]).tolist()) for at in range(8)]
    kept = tasks.outcomes.successes([(at, frozenset(asked)) for at, asked in ends])
    assert kept == [played(tasks.outcomes, at, asked) for at, asked in ends]
    assert 0 < sum(kept) < len(kept)


def test_what_was_kept_is_not_asked_again(world, tmp_path):
    file = tmp_path / "replies.jsonl"
    with open_scenario("backend", tasks="generated:train:habits") as scenario:
        first = kept_replies(file, scenario, 3)
        rows = file.read_text()
        file.write_text(rows + rows[:20])  # a killed process left half a line
        assert kept_replies(file, scenario, 3) == first == list(world[0].outcomes.replies[:3])
    assert file.read_text().startswith(rows)


def test_only_requests_of_the_grammar_can_be_read():
    with pytest.raises(TaskError, match="generated"):
        readable(load_tasks("examples").at(0).description)


def test_the_encoder_reads_what_is_open_in_programs_it_never_saw(world):
    tasks, _, _ = world
    there = tasks.kind >= 0
    right = ((tasks.reading > 0) == tasks.open)[there]
    assert right.mean() > 0.85


def test_the_loss_of_a_dialogue_pair_is_the_formula(world, data):
    tasks, menu, initial = world
    policy = MenuPolicy(menu, np.linspace(-1, 1, len(menu.kinds), dtype=np.float32))
    turns = data.played.turns
    with torch.no_grad():
        now, before = policy.chosen(tasks, turns).numpy(), initial.chosen(tasks, turns).numpy()
    losses, likelihoods = [], []
    for chosen, rejected in data.pairs:
        of = [turns.dialogue == number for number in (chosen, rejected)]
        margin = (now - before)[of[0]].sum() - (now - before)[of[1]].sum()
        losses.append(-math.log(1 / (1 + math.exp(-SMALL.beta * margin))))
        likelihoods.append(-now[of[0]].mean())
    wanted = np.mean(losses) + SMALL.nll_weight * np.mean(likelihoods)
    assert float(preference(data, initial, SMALL)(policy).detach()) == pytest.approx(wanted, rel=1e-4)
    good = data.played.success[turns.dialogue]
    assert float(imitation(data)(policy).detach()) == pytest.approx(-now[good].mean(), rel=1e-4)


def test_the_loss_is_the_trainers_own_on_the_same_sums(data, world):
    pytest.importorskip("transformers")
    from colbench_gym.baselines.training.losses import preference_loss
    from colbench_gym.baselines.training.pair_trainer import PairTrainer

    rng = torch.Generator().manual_seed(0)
    totals, reference = torch.randn(6, 2, 3, generator=rng), torch.randn(6, 2, 2, generator=rng)
    trainer = PairTrainer.__new__(PairTrainer)
    trainer.beta, trainer.nll_weight = 0.1, 0.01
    assert torch.equal(trainer.pair_loss(totals, reference, {}), preference_loss(totals, reference, 0.1, 0.01))


def test_labels_of_a_critic_that_reads_are_right_and_those_of_chance_are_not(world, data):
    tasks, menu, initial = world
    useful = data.played.turns.useful(tasks).astype(np.float32)
    assert judged(data, initial, useful, SMALL, 0).right == 1
    noise = np.random.default_rng(0).random(useful.shape).astype(np.float32)
    assert 0.4 < judged(data, initial, noise, SMALL, 0).right < 0.6
    assert 0.4 < judged(data, initial, useful, replace(SMALL, shuffled=True), 0).right < 0.6
    critic = MenuPolicy(menu, initial.general.detach().numpy(), reads=True)
    with torch.no_grad():
        critic.reading[0] = 5.0
    assert judged(data, initial, log_ratios(critic, initial, data), SMALL, 0).right > 0.85
    choosers = (by_policy(initial, tasks), best_of(critic, initial, tasks, 16))
    wins = [play(tasks, chooser, SMALL.questions, 0).success.mean() for chooser in choosers]
    assert wins[1] > wins[0] + 0.2


def test_yardsticks_stand_in_order(world):
    tasks, menu, _ = world
    made = yardsticks(tasks, tasks, menu, np.zeros(len(menu.kinds)))
    played = {name: play(tasks, chooser, SMALL.questions, 0) for name, chooser in made.items()}
    useful = {name: one.useful.sum() / max(one.questions.sum(), 1) for name, one in played.items()}
    assert useful["random order"] < useful["the secret map"] < useful["oracle"] == 1
    assert played["oracle"].success.mean() > 0.7
    assert played["oracle"].success.mean() > played["random order"].success.mean()


def test_a_policy_learns_and_stays_near_where_it_began_under_regularisation(world, data):
    _, _, initial = world
    loss = imitation(data)
    free, bound = (fitted(initial, [loss, loss], replace(SMALL, steps=30, regularisation=(w,))) for w in (1e-6, 10.0))
    distance = [float((policy.habit - initial.habit).detach().abs().sum()) for policy in (free, bound)]
    assert distance[0] > 10 * distance[1]
    assert float(loss(free).detach()) < float(loss(initial).detach())


def small(folder, **options):
    tasks = {"train_tasks": 30, "validation_tasks": 20, "test_tasks": 20, "unseen_tasks": 0, "other_tasks": 150}
    return SmallTable2(out=folder, dialogues=6, steps=5, regularisation=(1e-3,), online_turns=2000, **tasks, **options)


NUMBERS = [(name, v) for name, v in vars(small("", seeds=1)).items() if isinstance(v, int | float) and v is not False]
FLAGS = [*(f"--{name.replace('_', '-')}={value}" for name, value in NUMBERS), "--regularisation", "1e-3"]


def test_a_run_goes_on_and_comes_to_the_same_numbers(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / OPTIONS).write_text('{"be')  # a killed process had begun it
    held = lock(tmp_path / "one")
    with pytest.raises(UsageError, match="another process"):
        Experiment(small(tmp_path / "one", seeds=1)).run()
    os.close(held)
    Experiment(small(tmp_path / "one", seeds=1)).run()
    one = tmp_path / "one" / RESULTS
    before = one.read_text()
    Experiment(small(tmp_path / "one", seeds=2)).run()
    Experiment(small(tmp_path / "two", seeds=2)).run()
    assert one.read_text().startswith(before)
    assert one.read_text() == (tmp_path / "two" / RESULTS).read_text()
    (lines,) = read_lines(one).values()
    assert (lines[0].method, lines[0].seeds, lines[0].tasks) == ("zero-shot", 2, 20)
    with pytest.raises(ConfigurationChangedError, match="beta"):
        Experiment(small(tmp_path / "one", seeds=2, beta=0.2)).run()


def test_results_without_their_options_or_of_another_form_are_refused(tmp_path):
    options, results = small(tmp_path, seeds=1), tmp_path / RESULTS
    row = {"split": "test", "method": "mine", "seed": 0, "success": "01"}
    for wrong in ({"seed": None}, {"success": "012"}, {"success": ""}, {"method": None}):
        results.write_text(json.dumps({**row, **wrong}) + "\n")
        with pytest.raises(InputFileError, match=r"results.jsonl:1: no row of results"):
            read_lines(results)
    with pytest.raises(ConfigurationChangedError, match=r"options.json: missing beside results.jsonl"):
        Experiment(options).run()


def test_the_command_prints_the_table_and_writes_both_files(tmp_path):
    for package, extra in (("torch", "train"), ("matplotlib", "report")):
        command = [sys.executable, "-c", program(__file__, "small_table2_without.txt"), package, "--out", str(tmp_path)]
        done = subprocess.run([*command, *FLAGS], capture_output=True, text=True, check=False)
        assert (done.returncode, "SWEET-RL" in done.stdout) == (2, extra == "report")
        assert f'Install it with: pip install "colbench-gym[{extra}]"' in done.stderr
    assert "SWEET-RL" in colbench_here("small-table2", "--out", tmp_path, *FLAGS, cwd=tmp_path).stdout
    assert set(json.loads((tmp_path / "small_table2.json").read_text())) == {"test"}
    assert (tmp_path / "small_table2.png").stat().st_size > 10_000


def line(method, success, low=0.0, labels=None):
    return Line(method, Estimate(*[success] * 3), Estimate(*[low] * 3), 0.5, 5.0, labels, 1, 10)


def test_gates_fail_without_the_order_or_with_wrong_labels():
    blind = line("SWEET-RL, critic without c", 0.2)
    assert failed_gates([blind, line("SWEET-RL", 0.3, 0.05, 0.9)]) == []
    assert len(failed_gates([blind, line("SWEET-RL", 0.1, 0.05, 0.9)])) == 1
    assert len(failed_gates([blind, line("SWEET-RL", 0.1, -0.1, 0.5)])) == 3


def test_an_interval_is_wider_over_few_tasks_and_over_seeds_that_differ():
    rng = np.random.default_rng(0)
    many = (rng.random((3, 1000)) < 0.3).astype(float)
    assert spread(many).low < 0.3 < spread(many).high
    assert spread(many[:, :50]).high - spread(many[:, :50]).low > spread(many).high - spread(many).low
    apart = np.repeat([[0.0], [0.5], [1.0]], 1000, axis=1)
    assert spread(apart).high - spread(apart).low > 0.5


SENSELESS = [{"train_tasks": 0}, {"seeds": 0}, {"unseen_tasks": -1}, {"beta": math.nan}, {"learning_rate": math.inf}]
SENSELESS += [{"regularisation": (1e-3, -1.0)}, {"labelled_tasks": 2000}]


@pytest.mark.parametrize("wrong", SENSELESS)
def test_options_without_sense_are_refused(wrong):
    with pytest.raises(UsageError, match=r"at least|at most train_tasks 1000"):
        SmallTable2(**wrong)


def test_continuous_integration_leaves_the_test_tasks_alone():
    whole, short = SmallTable2(), quick(SmallTable2())
    assert short.first_test + short.test_tasks <= whole.first_test


def test_the_command_without_a_weight_says_so_in_a_line(tmp_path):
    refused = colbench_here("small-table2", "--out", tmp_path, "--regularisation", cwd=tmp_path, status=2)
    assert "regularisation without a weight, expected one at least" in refused.stderr
    assert not list(tmp_path.iterdir())


def test_a_leaderboard_ranks_everybodys_results_beside_the_yardsticks(tmp_path):
    row = {"seed": 0, "split": "test", "questions": 10, "useful": 5, "labels": None}
    ours = {"filtered BC": "0010", "random order": "0000", "the secret map": "0111"}
    write_rows(tmp_path / RESULTS, [row | {"method": name, "success": won} for name, won in ours.items()])
    theirs = write_rows(tmp_path / "theirs.jsonl", [row | {"method": "mine", "success": "0110"}])
    done = colbench_here("leaderboard", tmp_path, theirs, cwd=tmp_path)
    rows = [line.split(" | ") for line in done.stdout.splitlines() if "[" in line][1:]
    assert [row[0].strip("| *") for row in rows] == ["the secret map", "mine", "filtered BC", "random order"]
    assert [row[3] for row in rows] == ["100", "67", "33", "0"]
    write_rows(theirs, [row | {"method": "mine", "success": "011"}])
    refused = colbench_here("leaderboard", tmp_path, theirs, cwd=tmp_path, status=2)
    assert "theirs.jsonl: mine on test has other seeds or tasks" in refused.stderr


@pytest.mark.parametrize("page", ["small_table2", "leaderboard", "training_from_scratch"])
def test_the_docs_say_what_the_results_say(page):
    folder, text = ROOT / "examples" / "small_table2", (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    files = [folder / ("tiny.jsonl" if page == "training_from_scratch" else RESULTS), *folder.glob("algorithms.jsonl")]
    shown = leaderboard(read_lines(*files)) if page == "leaderboard" else read_lines(files[0])
    assert all(markdown(of_split) in text for of_split in shown.values())
