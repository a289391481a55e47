"""What can be guessed about tasks: who knows more wins more, and all that is open is enough."""

import pytest
from support.benchmark_modules import benchmark_module

from colbench_gym.tasks.generated_backend.drafts import habit


@pytest.fixture(scope="module")
def modules():
    """The modules of the card."""
    return benchmark_module("task_guessing"), benchmark_module("task_statistics")


def test_a_task_is_won_where_all_that_is_open_was_asked(modules):
    guessing, statistics = modules
    members = statistics.members_of("validation", 30, "habits")
    open_first = [guessing.solved(m, lambda one, matter: matter in one.open, 5) for m in members]
    open_last = [guessing.solved(m, lambda one, matter: matter not in one.open, 5) for m in members]
    assert all(open_first)
    assert not any(open_last)
    known = guessing.shares_open(members, lambda one, matter: habit(one.plan.domain.key, matter.kind))
    first = members[0]
    by_habit = {habit(first.plan.domain.key, m.kind): known(first, m) for m in guessing.unsaid(first)}
    assert by_habit[True] > 0.5 > by_habit[False]


def test_the_table_of_habits_has_a_row_for_whoever_asks(modules):
    guessing, statistics = modules
    train, test = (statistics.members_of(split, 40, "habits") for split in ("train", "validation"))
    rows = [line.strip("| ").split(" | ") for line in guessing.habits(train, test, test, 5)[2:]]
    won = {name: float(share.rstrip("%")) for name, share, _ in rows}
    assert won["random order"] < won["public ceiling"]
    assert len(won) == 6
