"""Every reply about a random function is true when the function is run, shows no code and is short; attacks included."""

from __future__ import annotations

from contextlib import closing

import pytest
from support.benchmark_modules import benchmark_module

from colbench_gym.humans.code_reader import CodeReader

HUMAN = CodeReader()


@pytest.fixture(scope="module", autouse=True)
def closed():
    with closing(HUMAN):
        yield


@pytest.fixture(scope="module")
def truth():
    return benchmark_module("truth")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", range(3000, 3012))  # always these; benchmarks/truth.py draws thousands
def test_no_reply_is_untrue(truth, number):
    for row in truth.judged(HUMAN, number):
        assert not row.fault, (row.fault, row.question, row.reply, row.task.reference)


@pytest.mark.parametrize(
    ("question", "reply", "fault"),
    [
        ("limit", "It counts only if the amount is more than {limit}.", False),
        ("limit", "It counts only if the amount is more than {other}.", True),
        ("limit", "The limit is {other}.", True),
        ("example", "The result is 123456.", True),
        ("descending", "Yes, it is sorted by name.", True),
    ],
)
def test_the_judge_finds_what_is_untrue(question, reply, fault):
    references, judges = benchmark_module("random_references"), benchmark_module("reply_truth")
    number = next(
        n
        for n in range(200)
        if references.draw_reference(n).limits and "sort" not in references.draw_reference(n).source
    )
    drawn = references.draw_reference(number)
    judge = judges.Judge(drawn)
    limit = drawn.limits[0][1]
    text = reply.format(limit=f"{limit:g}", other=f"{limit + 1000:g}")
    checks = [
        probe.check for probe in judge.probes() if question == "example" and probe.question.startswith("What do you")
    ]
    checks += [probe.check for probe in judge.probes() if question == "descending" and "descending" in probe.question]
    faults = [check(text) for check in checks] or [judge.general("", text)]
    assert any(faults) is fault
