"""Backend tasks composed from the grammar: always the same, truthful, told apart by their calls, read back."""

import ast
import hashlib
import itertools
import json
import keyword
import os
import re
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from support.tables import cases

from colbench_gym import UnknownNameError, UnknownTaskError, load_tasks
from colbench_gym.curation.program_checks import check_tasks
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.rules import BACKEND, TESTS_PER_TASK
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks.generated import DIFFICULTIES, SPLITS
from colbench_gym.tasks.generated_backend.drafts import OPEN, SCHEMA, draft, habit, is_held_out
from colbench_gym.tasks.generated_backend.matters import topics
from colbench_gym.tasks.generated_backend.ontology import HELD_OUT, domains
from colbench_gym.tasks.generated_backend.probes import alike, compiled, run
from colbench_gym.tasks.generated_backend.repeats import program, repeats
from colbench_gym.tasks.generated_backend.requests import in_form, may_be_open, pointed_in, read_request, told_in
from colbench_gym.tasks.generated_backend.shapes.registry import SHAPES, composed, label, labels, matters_of, source
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks
from colbench_gym.tasks.generated_backend.wordings import superlatives
from colbench_gym.tasks.permutation import Draw

SAMPLE = 60


@pytest.fixture(scope="module")
def tasks():
    return [GeneratedBackendTasks("test").at(index) for index in range(SAMPLE)]


@pytest.fixture(scope="module")
def members():
    return [GeneratedBackendTasks("test").member(index) for index in range(SAMPLE)]


def drafts(split, difficulty="default", number=150):
    """The first drafts of a split, whether or not ten calls are found for them."""
    drawn = (draft(split, difficulty, index, 0) for index in range(2 * number))
    return [d for d in drawn if d is not None][:number]


def results(task, text):
    """Return what a function gives for the calls of a task."""
    function = compiled(text)
    return [run(function, eval(f"({call[call.index('(') + 1 : -1]},)")) for call in task.calls]


# A task set


@pytest.mark.parametrize("split", [*SPLITS, "test:easy", "test:hard"])
def test_every_split_and_difficulty_is_a_task_set_with_ids_of_its_own(split):
    tasks = load_tasks(f"generated:{split}")
    assert (tasks.spec, tasks.size) == (f"generated:{split}", None)
    task = tasks.at(3)
    assert task.task_id == f"{split.replace(':', '-')}-3"
    assert tasks.get(task.task_id) == tasks.get(3) == task
    assert len(task.calls) == len(set(task.calls)) == TESTS_PER_TASK
    with pytest.raises(UnknownTaskError, match="expected"):
        tasks.get("test-2" if ":" in split else "test-easy-2")


@pytest.mark.parametrize(("spec", "known"), [("generated:tset", "test"), ("generated:test:hrad", "hard")])
def test_an_unknown_split_or_difficulty_names_the_known_ones(spec, known):
    with pytest.raises(UnknownNameError, match=known):
        load_tasks(spec)


@pytest.mark.parametrize("wrong", ["test", "test-", "test--1", "test-01", "train-1", "", "test-²", -1, True])
def test_an_unknown_id_is_refused(wrong):
    with pytest.raises(UnknownTaskError, match="expected"):
        GeneratedBackendTasks("test").get(wrong)


def test_a_file_of_tasks_gives_the_same_tasks_back(tmp_path, tasks):
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(task.row) + "\n" for task in tasks))
    read = load_tasks(path)
    assert [read.at(index) for index in range(SAMPLE)] == tasks


# Always the same

DIGESTS = cases(__file__, "digests")


def digest(split):
    """One text for the first tasks of a split."""
    rows = [GeneratedBackendTasks(split).at(index).row for index in range(12)]
    return hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


@pytest.mark.parametrize("split", SPLITS)
def test_an_index_always_names_the_same_task(split):
    # Where this fails on purpose, other tasks have the old names: give SCHEMA a new number with the new digests.
    assert (SCHEMA, digest(split)) == ("generated-2", DIGESTS[split])


def test_the_hash_seed_changes_nothing():
    code = "import test_backend_grammar as t; print(t.digest('test'))"
    folder = Path(__file__).resolve().parent
    path = os.pathsep.join(map(str, [folder, *folder.parents[:2]]))
    env = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": path}
    out = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True).stdout
    assert out.strip() == DIGESTS["test"]


# Splits


def test_no_wording_of_one_split_stands_in_another():
    seen = {}
    for split in SPLITS:
        for one in drafts(split):
            text = one.description.partition(" The signature of the function is: ")[0]
            assert seen.setdefault(text, split) == split


def test_a_program_is_the_same_under_other_names_and_not_with_other_decisions(members):
    for member in members:
        words = {"function": "f", "style": member.plan.style + 1}
        names = {key: f"{name}_x" for key, name in member.plan.names.items()}
        assert program(replace(member, plan=replace(member.plan, names=names, **words))) == program(member)
        key = member.open[0].key
        others = {program(replace(member, settings={**member.settings, key: o.code})) for o in member.open[0].options}
        assert len(others) == len(member.open[0].options)


def test_no_two_tasks_are_the_same_program(members):
    assert len({program(member) for member in members}) == len(members)


def test_what_repeats_a_task_is_passed_over():
    for split in SPLITS:
        passed = repeats(split, "default")
        assert passed.different
        assert passed.drafts or split != "test_compositions"
        assert all(index < passed.different for index, _ in passed.drafts)
        for index, attempt in sorted(passed.drafts)[:2]:
            assert GeneratedBackendTasks(split).member(index) != draft(split, "default", index, attempt)


def test_nothing_is_passed_over_in_a_split_that_was_never_searched():
    assert repeats("test", "impossible").drafts == frozenset()


def test_held_out_domains_and_compositions_are_in_their_splits_only():
    for split in SPLITS:
        for one in drafts(split, number=80):
            assert (one.plan.domain.key in HELD_OUT) == (split == "test_domains")
            held_out = is_held_out(label(one.plan.shape, one.plan.operators))
            assert held_out == (split == "test_compositions")


@pytest.mark.parametrize("shape", SHAPES)
def test_some_compositions_of_each_shape_are_held_out_and_most_are_not(shape):
    held_out = [composition for composition in labels(shape) if is_held_out(composition)]
    assert len(held_out) == max(len(labels(shape)) // 9, len(labels(shape)) > 1)


@pytest.mark.parametrize("difficulty", OPEN)
def test_a_difficulty_leaves_so_many_matters_open(difficulty):
    low, high = OPEN[difficulty]
    assert all(low <= len(one.open) <= high for one in drafts("train", difficulty, 60))


def test_a_set_without_a_difficulty_has_tasks_of_all():
    assert set(DIFFICULTIES) == {*OPEN, "default"} - {"habits"}
    numbers = {len(one.open) for one in drafts("train", number=100)}
    assert numbers == set(range(2, 7))


@pytest.mark.parametrize("split", ["train", "test", "test_domains"])
def test_a_habit_is_followed_by_four_of_five_matters_and_nothing_tells_it(split):
    with_habits = drafts(split, "habits", 150)
    follows = [
        habit(one.plan.domain.key, matter.kind) == (matter in one.open)
        for one in with_habits
        for matter in one.matters
        if not matter.told
    ]
    assert 0.75 < sum(follows) / len(follows) < 0.85
    assert not any(pointed_in(one.description, one.open) or told_in(one.description, one.open) for one in with_habits)


def test_what_nothing_says_can_be_chosen_from_and_only_functions_have_habits():
    for one in drafts("train", "habits", 60):
        silent = [matter for matter in one.matters if matter.key not in one.stated]
        assert len(silent) >= 7
        assert len(silent) > len(one.open)
    with pytest.raises(UnknownNameError, match="habits"):
        load_tasks("generated:train:habits", "frontend")


def test_every_open_matter_has_a_handle():
    for difficulty in DIFFICULTIES:
        for one in drafts("train", difficulty, 100):
            for matter in one.open:
                here = matter.key in one.pointed or matter.core or matter.key == "average"  # "typically"
                asked = matter.asked and matter.kind in ("empty", "missing value", "ties", "rounding")
                assert here or (asked and difficulty != "easy"), (one.description, matter.key)


def test_what_nothing_points_at_shows_in_two_calls(members, tasks):
    for member, task in zip(members, tasks, strict=True):
        wanted = results(task, task.reference)
        for matter in member.open:
            if matter.key not in member.pointed and not matter.core:
                rest = {key: code for key, code in member.settings.items() if key != matter.key}
                every = [rest, *({**rest, matter.key: option.code} for option in matter.options)]
                for other in (results(task, source(member.plan, e)) for e in every if e != member.settings):
                    assert sum(not alike(a, b) for a, b in zip(other, wanted, strict=True)) >= 2


# The ontology


def test_the_words_of_every_domain_can_be_used():
    every = domains()
    assert len(every) >= 95
    assert set(every) >= HELD_OUT
    assert len({d.items for d in every.values()}) == len({d.item for d in every.values()}) == len(every)
    for domain in every.values():
        names = [*(m.name for m in domain.measures), domain.kind, *(name for name, _ in domain.flags)]
        assert len(set(names)) == 6
        assert not any(keyword.iskeyword(name) or not name.isidentifier() for name in [*names, domain.item.split()[-1]])
        assert (len(domain.names), len(domain.kinds), len(domain.verdicts), len(domain.good) % 2) == (8, 4, 3, 1)
        assert all(kind == kind.lower() for kind in domain.kinds)
        assert set(domain.leanings) <= set("-+0")


CHARGES = [(domain, operators) for domain in domains().values() for operators in composed("charge", domain)]


def test_a_charge_leans_to_where_a_person_expects_it():
    grows = {"+ ": "+", "- ": "-", "* 2": "+", "* 1": "+", "* 0": "-"}
    for domain, operators in CHARGES:
        matters = {matter.key: matter for matter in SHAPES["charge"].matters(domain, operators)}
        leanings = SHAPES["charge"].need(domain, operators).leanings
        for key, leaning in zip(("flag", "two", "kind"), leanings, strict=True):
            effects = [code.rpartition("|")[2] for code in codes(matters[key])] if key in matters else []
            signs = {grows[effect[: 2 + (effect[0] == "*")]] for effect in effects}
            assert signs in (set(), {leaning}) or leaning == "0", (domain.key, operators)


def test_a_need_is_said_in_the_words_of_whoever_has_it():
    assert len(CHARGES) > 300
    for need in {SHAPES["charge"].need(domain, operators) for domain, operators in CHARGES}:
        names = [need.one.name, need.two.name, need.view.kind, need.view.flags[0][0]]
        assert len(set(names)) == 4
        assert (len(set(need.asks)), sum(ask.count("{np}") for ask in need.asks)) == (6, 4)
        assert all(f'"{label}"' in ask for ask in need.asks for label in need.view.verdicts if '"' in need.goals[0])
        assert not any(keyword.iskeyword(name) or not name.isidentifier() for name in names)
        assert all(re.match(r"[a-z]+~ ", goal) for goal in need.goals)
        assert len(need.rates) == len(set(need.rates)) == 3


def test_a_hint_points_at_a_matter_of_its_need():
    hinted = {}
    for domain, operators in CHARGES:
        need, matters = SHAPES["charge"].need(domain, operators), SHAPES["charge"].matters(domain, operators)
        assert all(m.points == need.hints.get(m.key, m.points) for m in matters)
        hinted[need] = hinted.get(need, set(need.hints)) - {matter.key for matter in matters} - {"messy", "rules"}
    assert not any(hinted.values())


def codes(matter):
    """Return what the alternatives of a matter are built from."""
    return [option.code for option in matter.options]


def test_two_tables_have_names_that_belong_together():
    merged = [one.plan for one in drafts("train", number=2000) if one.plan.shape == "merge"]
    named = [(list(p.names.values()), SHAPES["merge"].measures(p.domain, p.operators)[0].name) for p in merged]
    pairs = {(a.replace(one, ""), b.replace(one, "")) for (a, b, *_), one in named}
    assert pairs <= {("first_", "second_"), ("_1", "_2"), ("_a", "_b"), ("_dict1", "_dict2"), ("1", "2")}
    assert len(pairs) >= 4


def test_no_score_is_judged_by_a_measure_too_small_for_its_labels():
    judged = [(domain, operators) for domain, operators in CHARGES if operators["end"] == "verdict"]
    assert all(SHAPES["charge"].need(domain, operators).one.high >= 24 for domain, operators in judged)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_sentence_states_one_alternative_of_one_matter(shape):
    for domain in list(domains().values())[::12]:
        for number in range(0, len(composed(shape, domain)), 7):
            matters = SHAPES[shape].matters(domain, composed(shape, domain)[number])
            assert len({matter.key for matter in matters}) == len(matters)
            said = [(s, m.key, o.code) for m in matters for o in m.options for s in o.says]
            said += [(s, m.key, None) for m in matters for s in m.off]
            for sentence, key, code in said:
                assert sentence[0].isupper() or sentence[0].isdigit() or sentence[0] == '"', sentence
                assert sentence.endswith((".", '".')), sentence
                assert len(sentence) < BACKEND.human_chars / 2 - 1
                assert {(k, c) for other, k, c in said if sentence in other} == {(key, code)}, sentence
            for matter in matters:
                assert len(matter.options) + bool(matter.off) >= 2 - (matter.key == "direction"), matter.key
                assert all(text.endswith("?") for text in matter.asks)
                assert not any(s in text for o in matter.options for s in o.says for text in matter.asks)


# What is asked for, and what is not


def test_a_request_is_read_back_into_its_plan():
    for split in SPLITS:
        for one in drafts(split, number=60):
            plan = read_request(one.description)
            assert (plan.shape, plan.domain, plan.number) == (one.plan.shape, one.plan.domain, one.plan.number)
            assert (plan.names, plan.defaults) == (one.plan.names, one.plan.defaults)
            told = told_in(one.description, one.matters)
            assert told == {key: one.settings.get(key) for key in one.stated}
            assert pointed_in(one.description, one.matters) == one.pointed
            assert {matter.key for matter in one.open} <= {m.key for m in may_be_open(one.description, one.matters)}
    assert read_request("Write me something nice. The signature of the function is: def f(x)") is None


def test_every_argument_is_used():
    for one in drafts("train", number=300):
        names = {node.id for node in ast.walk(ast.parse(one.reference)) if isinstance(node, ast.Name)}
        assert set(one.plan.names.values()) <= names, one.reference


def test_a_request_is_read_back_whatever_its_author_leaves_out_or_mistypes():
    for one in drafts("train", number=60):
        text, _, signature = one.description.partition(" The signature of the function is: ")
        for sloppy in (
            text.lower(),
            text.replace(", and", " and"),
            text.replace("python", "pyhton"),
            text.rstrip(".?!"),
        ):
            plan = read_request(f"{sloppy} The signature of the function is: {signature}")
            assert (plan.shape, plan.domain, plan.number) == (one.plan.shape, one.plan.domain, one.plan.number), sloppy


def test_nobody_mistypes_a_name_or_a_value():
    every = [one for one in drafts("train", number=600) if one.plan.shape == "collection"]
    named = [one for one in every if one.plan.operators["source"] in ("records", "nested")]
    assert len(named) > 40
    for one in named:
        text = one.description.partition(" The signature of the function is: ")[0]
        keys = [m.name for m in one.plan.domain.measures] + [one.plan.domain.kind, one.plan.domain.flags[0][0]]
        assert all(re.search(rf"\b{key}\b", text) for key in keys if f"'{key}'" in one.reference), text


def test_a_request_names_no_field_that_its_data_lacks():
    for task in (GeneratedBackendTasks("test").at(index) for index in range(60)):
        data = ast.literal_eval(ast.parse(task.calls[0], mode="eval").body.args[0])
        fields = [
            key for things in (data.values() if isinstance(data, dict) else [data]) for key in str(things).split("'")
        ]
        named = re.findall(r"'(\w+)'", task.description)
        assert not named or not str(data).count("{'") or set(named) <= {"name", *fields}, task.description


def test_a_request_points_at_few_things():
    found = []
    for one in drafts("train", number=600):
        groups = {m.key: m.group or m.key for m in matters_of(one.plan)}  # one clause points at a group
        found.append(len({groups[key] for key in one.pointed}) <= 2)
    assert statistics.mean(found) > 0.9
    for one in drafts("train", number=100):
        text = one.description.partition(" The signature of the function is: ")[0]
        assert len(re.findall(r"[.?!](?= |$)", text)) <= 9, text


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_requests_are_short_and_no_frame_is_in_every_fifth(split):
    texts = [one.description.partition(" The signature of the function is: ")[0] for one in drafts(split, number=200)]
    assert 45 <= statistics.mean(len(text.split()) for text in texts) <= 60
    begins = Counter(re.sub(r"^(Hi|Hey|Hello)\b[^,!]*[,!]? ", "", text).lower()[:24] for text in texts)
    assert max(begins.values()) <= 0.25 * len(texts)
    assert len(begins) >= 20


def test_no_fee_has_both_fixed_amounts_and_factors():
    for one in drafts("train", number=300):
        codes = " ".join(one.settings.get(key, "") for key in ("two", "kind", "flag"))
        assert "*" not in codes or not ("base" in one.settings or re.search(r"[+-] ", codes)), one.reference


def test_the_things_at_either_end_are_named_as_people_name_them():
    named = {"weight": ("heaviest", True), "crate price": ("most expensive", True), "delay": ("longest", False)}
    named |= {
        "length of stay": ("longest", False),
        "number of seats": ("most", False),
        "bitterness": ("highest", False),
    }
    for phrase, (most, of_things) in named.items():
        assert superlatives(phrase)[::2] == (most, of_things)
    assert superlatives("number of seats")[1] == "fewest"


def test_verbs_follow_their_frame():
    assert in_form("rank~ my items and return~ the first", "to") == "rank my items and return the first"
    assert in_form("rank~ my items and tally~ them", "that") == "ranks my items and tallies them"
    assert in_form("go~, match~, say~", "that") == "goes, matches, says"


def test_no_open_decision_stands_in_the_request(members):
    for member in members:
        for matter in member.open:
            assert not any(s in member.description for s in matter.option(member.settings[matter.key]).says)


def test_decisions_are_true(members, tasks):
    for member, task in zip(members, tasks, strict=True):
        told = {decision.key: decision for decision in task.decisions}
        for matter in member.matters:
            code = member.settings.get(matter.key)
            assert told[matter.key].says == (matter.off if code is None else matter.option(code).says)
            assert (told[matter.key].kind, told[matter.key].stated) == (matter.kind, matter.key in member.stated)
            assert set(topics(*matter.points)) <= set(told[matter.key].topics)


def test_a_person_knows_what_each_parameter_is_for(members):
    for one in [*members, GeneratedBackendTasks("test").member(94000)]:
        told = {decision.key: decision for decision in one.decisions}
        for key in one.plan.defaults:
            assert all(re.search(rf"\b{one.plan.names[key]}\b", says) for says in told[key].says)
            assert {word.lower() for word in one.plan.names[key].split("_") if len(word) > 3} <= set(told[key].topics)


def test_the_calls_show_what_matters_and_nothing_else(members, tasks):
    for member, task in zip(members, tasks, strict=True):
        wanted = results(task, task.reference)
        for matter in member.matters:
            has = member.settings.get(matter.key)
            for option in matter.options:
                if option.code != has and (has is not None or not matter.off):
                    other = results(task, source(member.plan, {**member.settings, matter.key: option.code}))
                    same = all(map(alike, other, wanted))
                    assert same == (has is None), (task.task_id, matter.key, option.code)


def test_how_a_program_is_written_does_not_change_what_it_does(members, tasks):
    for member, task in zip(members, tasks, strict=True):
        wanted = results(task, task.reference)
        for style in range(12):
            other = source(replace(member.plan, style=style), member.settings)
            assert results(task, other) == wanted, (task.reference, other)


def test_inputs_have_no_end(members):
    for member in members[:12]:
        shape, plan = SHAPES[member.plan.shape], member.plan
        given = itertools.islice(shape.inputs(plan, member.settings, Draw("endless")), 100)
        assert all(isinstance(arguments, tuple) for arguments in given)


def test_no_constant_answer_wins(tasks):
    for task in tasks:
        values = [repr(value) for value in results(task, task.reference)]
        assert max(values.count(value) for value in values) <= 6


def test_references_have_no_constant_condition_and_no_unused_statement(tasks):
    for task in tasks:
        tree = ast.parse(task.reference)
        assert [type(node) for node in tree.body] == [ast.FunctionDef]
        for node in ast.walk(tree):
            if isinstance(node, (ast.If, ast.IfExp, ast.While)):
                assert any(isinstance(part, ast.Name) for part in ast.walk(node.test))
            for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
                if isinstance(body, list):
                    assert not any(isinstance(s, (ast.Return, ast.Continue, ast.Break)) for s in body[:-1])
        assert max(map(len, task.reference.splitlines())) <= 200


@pytest.mark.parametrize("grading", ["strict", "paper"])
def test_the_reference_wins(grading, tasks):
    with open_sandbox() as sandbox:
        grader = UnitTestGrader(sandbox, grading)
        assert all(grader.grade(task, task.reference).success for task in tasks[:25])


def test_the_health_check_finds_nothing(tasks):
    with open_sandbox() as sandbox:
        assert check_tasks(tasks[:25], sandbox) == []


def test_descriptions_are_all_different_and_sound_like_a_person():
    every = [one.description for one in drafts("train", number=300)]
    assert len(set(every)) == len(every)
    for text in every:
        request = text.partition(" The signature of the function is: ")[0]
        assert not re.search(r"  |\.\.|\{\w*\}", request.replace("...", "")), request
        assert request[0].isupper()
        assert request[-1] in ".?!\"'`" or request[-1].isalnum()
