"""Generated tasks of the first generation: always the same, all different, nothing given away, and every hidden choice is tested."""

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import ROOT

from colbench_gym.errors import UnknownTaskError
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.graders.unit_tests.paper_rules import refused_word
from colbench_gym.rules import BACKEND, TESTS_PER_TASK
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import SPLITS, load_tasks
from colbench_gym.tasks.generated_backend.families.grammar import Pick, Value, literal
from colbench_gym.tasks.generated_backend.families.task_set import FAMILIES, SCHEMA, FamilyTasks, Member
from colbench_gym.tasks.permutation import Draw, permuted_index

SAMPLE = 210  # tasks: seven of each family


@pytest.fixture(scope="module")
def members():
    tasks = FamilyTasks("test")
    return [tasks.member(index) for index in range(SAMPLE)]


@pytest.fixture(scope="module")
def tasks():
    return [FamilyTasks("test").at(index) for index in range(SAMPLE)]


families = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.names[0])


def function(source):
    space = {}
    exec(source, space)
    return next(value for name, value in space.items() if name != "__builtins__")


# A task set


@pytest.mark.parametrize("split", SPLITS)
def test_it_is_a_task_set(split):
    tasks = load_tasks(f"generated-1:{split}")
    assert (tasks.spec, tasks.size) == (f"generated-1:{split}", None)
    task = tasks.at(17)
    assert task.task_id == f"{split}-17"
    assert tasks.get(task.task_id) == tasks.get(17) == task
    assert len(task.calls) == len(set(task.calls)) == TESTS_PER_TASK
    assert repr(tasks) == f"FamilyTasks(split='{split}')"


@pytest.mark.parametrize(
    "wrong", ["test", "test-", "test--1", "test-01", "test-1.0", "train-1", "", "test-²", -1, True]
)
def test_an_unknown_id_is_refused(wrong):
    with pytest.raises(UnknownTaskError, match="expected"):
        FamilyTasks("test").get(wrong)


def test_a_file_of_generated_tasks_gives_the_same_tasks_back(tmp_path, tasks):
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(task.row) + "\n" for task in tasks))
    read = load_tasks(path)
    assert [read.at(index) for index in range(SAMPLE)] == tasks


def test_there_is_no_end_to_them():
    tasks = FamilyTasks("train")
    assert tasks.at(10**18).calls
    again = [tasks.member(index) for index in range(tasks.distinct, tasks.distinct + len(FAMILIES))]
    assert len({member.family for member in again}) == len(FAMILIES)


# Always the same

DIGESTS = {
    "train": "4e9ed22abd9382de4f172213f32a7211",
    "validation": "9c8d4989c239e07952fb17f83a62c6b7",
    "test": "aea981a1c3b41a2cf8366a07b4788dac",
}


def digest(split):
    """One text for the first tasks of a split."""
    rows = [FamilyTasks(split).at(index).row for index in range(len(FAMILIES) * 2)]
    return hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


@pytest.mark.parametrize("split", SPLITS)
def test_an_index_always_names_the_same_task(split):
    # Where this fails on purpose, other tasks have the old names: give SCHEMA a new number with the new digests.
    assert (SCHEMA, digest(split)) == ("generated-1", DIGESTS[split])


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_the_hash_seed_changes_nothing(hash_seed):
    code = "import test_generated_backend as t; print(t.digest('test'))"
    folder = Path(__file__).resolve().parent
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), str(folder)])
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    out = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True).stdout
    assert out.strip() == DIGESTS["test"]


# All different


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 1000, 1025])
def test_a_place_is_taken_once(n):
    assert sorted(permuted_index(index, n, "key") for index in range(n)) == list(range(n))
    with pytest.raises(ValueError, match="range"):
        permuted_index(n, n, "key")


def test_the_splits_share_no_member():
    seen = {}
    for split in SPLITS:
        tasks = FamilyTasks(split)
        for index in range(4000):
            member = tasks.member(index)
            assert seen.setdefault((member.family, member.number), split) == split


def test_there_are_many_and_none_comes_twice():
    assert sum(family.size * family.surfaces for family in FAMILIES) >= 10**7
    assert all(FamilyTasks(split).distinct >= 20_000 for split in SPLITS)
    tasks = FamilyTasks("validation")
    assert len({tasks.member(index) for index in range(20_000)}) == 20_000


@families
def test_a_member_is_spelt_in_its_choices_in_one_way(family):
    spelt = {tuple(family.alternatives(number).values()) for number in range(min(family.size, 3000))}
    assert len(spelt) == min(family.size, 3000)
    assert all(max(values) < family.size for values in spelt)


# Nothing given away


@families
def test_the_description_is_public_and_vague(family):
    shown = [family.description(name, wording) for name in family.names for wording in family.wordings]
    for text in shown:
        assert text.endswith(f"({family.parameters})")
        wording = text.partition(" The signature of the function is: def ")[0]
        assert not re.search(r"\d", wording)
        tokens = set(re.findall(r"[\w-]+", wording.lower()))
        quoted = set(re.findall(r"'([^']*)'", wording))
        for choice in family.choices:
            for alternative in range(choice.size):
                public = quoted if isinstance(choice, Pick) else set()  # what a kind of movement may be, for example
                for value in hidden_texts(choice, alternative) - public:
                    assert value.lower() not in tokens, (value, wording)
                    assert value not in quoted, (value, wording)
                assert not any(says.lower() in text.lower() for says in choice.sentences(alternative))


def hidden_texts(choice, alternative):
    """Labels, keys and other texts that the code of an alternative has."""
    if isinstance(choice, Pick):
        return set(re.findall(r"'(\w{2,})'", choice.fragment(alternative)))
    return {value for value in [choice.setting(alternative)] if isinstance(value, str)}


@families
def test_what_is_asked_gives_nothing_away(family):
    for choice in family.choices:
        for about in choice.about:
            assert not re.search(r"\d", about)
            for alternative in range(choice.size):
                assert not any(says.lower() in about.lower() for says in choice.sentences(alternative))
                if isinstance(choice, Value) and isinstance(choice.setting(alternative), str):
                    assert choice.setting(alternative).lower() not in about.lower().split()


@families
def test_a_sentence_states_one_alternative_of_one_choice(family):
    said = [
        (sentence, choice.key, alternative)
        for choice in family.choices
        for alternative in range(min(choice.size, 40))
        for sentence in choice.sentences(alternative)
    ]
    for sentence, key, alternative in said:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert len(sentence) < BACKEND.human_chars / 2 - 1
        assert [(k, a) for other, k, a in said if sentence in other] == [(key, alternative)]
    for choice in family.choices:
        assert len(choice.about) in (1, 2)
        if isinstance(choice, Value) and not choice.about[0].startswith("what to return"):
            assert choice.about[0].startswith("the ")


@families
def test_no_blind_guess_is_good(family):
    assert 3 <= len(family.choices) <= 8
    assert all(choice.size >= 2 for choice in family.choices)
    assert 1 / family.size <= 0.02
    assert family.indifferent


def test_another_member_of_the_family_does_not_win(members, tasks):
    won = 0
    for member, task in zip(members, tasks, strict=True):
        for other in range(5):
            number = Draw("other", task.task_id, other).below(member.family.size)
            guess = function(Member(member.family, number, member.surface).reference)
            wanted = function(task.reference)
            won += number != member.number and all(same(call, guess, wanted) for call in task.calls)
    assert won <= 0.02 * 5 * SAMPLE


def same(call, guess, wanted):
    name = call[: call.index("(")]
    return eval(call, {name: guess}) == eval(call, {name: wanted})


def test_the_choices_are_even():
    # 100 members a family: no alternative of a choice comes far more often than it should
    tasks = FamilyTasks("test")
    members = [tasks.member(index) for index in range(100 * len(FAMILIES))]
    for family in FAMILIES:
        for choice in family.choices:
            if choice.size <= 4:
                taken = [m.alternatives[choice.key] for m in members if m.family is family]
                assert min(taken.count(i) for i in range(choice.size)) >= 100 / choice.size / 3


# Every hidden choice is tested


def test_source_text_and_switchable_function_agree(members):
    for member in members:
        family, settings = member.family, member.settings
        wanted, got = family.member(settings), function(member.reference)
        for arguments in family.inputs(settings, Draw("agree", member.number)):
            before = literal(arguments)
            value = got(*arguments)
            assert value == wanted(*arguments)
            assert value is not None
            assert literal(arguments) == before
            assert ast.literal_eval(literal(value)) == value


def test_every_change_of_a_single_choice_fails_a_call(members, tasks):
    for member, task in zip(members[:90], tasks, strict=False):
        wanted = function(task.reference)
        seen = set()
        for key, setting in member.changes():
            if isinstance(next(c for c in member.family.choices if c.key == key), Pick) or len(seen) < 40:
                changed = function(member.family.source(member.name, {**member.settings, key: setting}))
                assert not all(same(call, changed, wanted) for call in task.calls), (task.task_id, key)
            seen.add((key, str(setting)))
        assert {key for key, _ in seen} == {choice.key for choice in member.family.choices}


@pytest.mark.parametrize("grading", ["strict", "paper"])
def test_the_reference_wins_and_a_changed_one_loses(grading, members, tasks):
    with open_sandbox() as sandbox:
        grader = UnitTestGrader(sandbox, grading)
        for member, task in zip(members[:60], tasks, strict=False):
            assert grader.grade(task, task.reference).success
            changes = list(member.changes())
            key, setting = changes[len(changes) // 2]
            settings = {**member.settings, key: setting}
            assert grader.grade(task, member.family.source(member.name, settings)).score < 1


def test_references_look_like_the_official_ones(tasks):
    lengths = []
    for task in tasks:
        tree = ast.parse(task.reference)
        assert [type(node) for node in tree.body] == [ast.FunctionDef]
        assert refused_word(task.reference) is None
        assert "import" not in task.reference
        lines = task.reference.splitlines()
        assert max(map(len, lines)) <= 120
        lengths.append(len(lines))
    assert max(lengths) <= 25
    assert 4 <= sorted(lengths)[len(lengths) // 2] <= 9


def test_plain_data_is_written_in_one_way():
    value = {"b": [{3, 1, 2}, set()], "a": ({"z", "y"},), 1: (2.5, True, "it's")}
    assert literal(value) == """{'b': [{1, 2, 3}, set()], 'a': ({'y', 'z'},), 1: (2.5, True, "it's")}"""
    assert eval(literal(value)) == value
