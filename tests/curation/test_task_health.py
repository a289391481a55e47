"""Task health: each kind of sick task is found and named, healthy ones are left alone."""

import ast
from dataclasses import replace

import pytest
from support.tables import cases, program

from colbench_gym import BackendTask, UnknownNameError, load_tasks
from colbench_gym.curation.findings import Finding
from colbench_gym.curation.program_checks import check_tasks, unwinnable
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks.mutants import mutants

HEALTHY = "def f(x):\n    if x > 2:\n        return x * 2\n    return x - 1"
CALLS = ("f(1)", "f(2)", "f(3)", "f(2.5)")


def task_of(reference: str, *calls: str, task_id: str = "t") -> BackendTask:
    names = tuple(f"test{number}" for number in range(1, len(calls) + 1))
    return BackendTask(task_id, "Write f.", reference, calls or CALLS, names, reference)


@pytest.fixture(scope="module")
def sandbox():
    with open_sandbox() as box:
        yield box


def kinds(found: list[Finding]) -> list[str]:
    return [finding.kind for finding in found]


def test_a_healthy_task_has_no_findings(sandbox):
    assert check_tasks([task_of(HEALTHY)], sandbox) == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(("reference", "calls", "wanted"), cases(__file__, "what_is_found", tuples=True))
def test_what_is_found(sandbox, reference, calls, wanted):
    found = {finding.kind: finding.text for finding in check_tasks([task_of(reference, *calls)], sandbox)}
    by_chance = {"weak_tests"} if "slow" not in wanted else {"weak_tests", "unwinnable_under_paper"}
    assert set(found) - by_chance == set(wanted) - by_chance
    for kind, text in wanted.items():
        assert text in found[kind]
    assert not any(call in text for call in calls for text in found.values())


def test_what_raises_is_named_with_its_tests_and_without_its_message(sandbox):
    reference = "def f(x):\n    return {1: 2}[x]"
    found = check_tasks([task_of(reference, "f(1)", "f('secret')", "f(x)", "f(2)")], sandbox)
    assert [(finding.kind, finding.text) for finding in found] == [
        ("raises", "the reference raises KeyError on tests 2, 4"),
        ("raises", "the reference raises NameError on test 3"),
    ]
    (found,) = check_tasks([task_of("def f(x:", "f(1)", "f(2)")], sandbox)
    assert found.text == "the reference raises SyntaxError on tests 1-2"


@pytest.mark.parametrize(("description", "named"), cases(__file__, "a_function_that_an_agent_cannot_name_is_found"))
def test_a_function_that_an_agent_cannot_name_is_found(sandbox, description, named):
    task = replace(
        task_of("def tip(bill):\n    return bill * 0.5 + 1", "tip(1)", "max(tip(2), 1)"), description=description
    )
    assert ("not_named" in kinds(check_tasks([task], sandbox))) is not named


def test_duplicates_within_and_between_sets(sandbox):
    commented = HEALTHY.replace("    return x - 1", "    return (x - 1)  # less")
    sets = {
        "a.jsonl": [task_of(HEALTHY, task_id="1"), task_of(commented, task_id="2")],
        "b.jsonl": [task_of(HEALTHY, "f(1)", "f(2)", "f(3)", task_id="1")],
    }
    progress = []
    found = check_tasks(sets, sandbox, lambda done, total: progress.append((done, total)))
    doubles = [(finding.source, finding.task_id, finding.text) for finding in found if finding.kind == "duplicate"]
    assert doubles == [
        ("a.jsonl", "2", "the reference and tests are those of task '1'"),
        ("b.jsonl", "1", "the reference is that of task '1' in a.jsonl"),
    ]
    assert progress == [(1, 3), (2, 3), (3, 3)]


def test_oracle_on_official_tasks(sandbox, official_data):
    tasks = load_tasks(official_data / "backend_tasks.jsonl")
    listed = [tasks.at(index) for index in range(tasks.size)]
    assert unwinnable(listed, sandbox, "strict") == []
    why = {finding.task_id: finding.text for finding in unwinnable(listed, sandbox, "paper")}
    assert sorted(why) == ["264", "456", "741"]
    assert "random" in why["264"]
    assert "'sudo'" in why["456"]
    assert "NaN" in why["741"]
    with pytest.raises(UnknownNameError):
        unwinnable(listed, sandbox, "papre")


def test_strict_oracle_names_what_cannot_be_repeated(sandbox):
    clock = task_of("def f(x):\n    import time\n    return time.monotonic()", "f(1)")
    (finding,) = unwinnable([clock, task_of(HEALTHY)], sandbox)
    assert (finding.kind, finding.task_id) == ("unwinnable", "t")
    assert "twice" in finding.text
    (finding,) = unwinnable([task_of("def f(x): raise ValueError", "f(1)")], sandbox)
    assert "raised an exception on test 1" in finding.text


@pytest.mark.slow
def test_generated_tasks_are_healthy(sandbox):
    tasks = load_tasks("generated")
    assert check_tasks([tasks.at(index) for index in range(40)], sandbox) == []


MANY_PLACES = program(__file__, "task_health_many_places.txt")


def test_mutants_change_one_thing_each_and_always_the_same():
    found = mutants(MANY_PLACES, 100)
    assert found == mutants(MANY_PLACES, 100)
    assert {mutant.kind for mutant in found} == {"comparison", "arithmetic", "constant", "boolean", "return"}
    original = ast.unparse(ast.parse(MANY_PLACES)).splitlines()
    for mutant in found:
        changed = [line for line, other in zip(mutant.source.splitlines(), original, strict=True) if line != other]
        assert len(changed) == 1
        assert "docstring" not in changed[0]
    assert len({mutant.kind for mutant in mutants(MANY_PLACES, 5)}) == 5
    assert mutants("def f(", 5) == ()
    assert mutants("", 5) == ()
    assert mutants("(" * 5000 + ")" * 5000, 5) == ()
