"""Leaks: planted code is caught however it is dressed up, and plain English is left alone."""

import ast
import base64
import builtins
import codecs
import json
import math
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from support.tables import program

from colbench_gym.humans.leaks import Leak, measure_reply, pastes_code
from colbench_gym.tasks import BackendTask, load_tasks

GRADES = '''
def grade_students(scores, names, passing_score=50):
    """Sort out who passed."""
    results = {}
    for name, score in zip(names, scores):
        # nobody gets more than the maximum
        capped_score = min(score, 100)
        if capped_score >= 90:
            results[name] = 'excellent work'
        elif capped_score >= passing_score and name != 'Guest':
            results[name] = 'passed'
        else:
            results[name] = 'try again'
    return sorted(results.items(), key=lambda pair: (-scores[names.index(pair[0])], pair[0]))
'''
PARCEL = """
def parcel_price(weight, distance_km, express=False):
    if weight <= 0:
        raise ValueError("weight must be positive")
    base_price = 4.9 + 0.35 * weight
    zone_factor = 1.5 if distance_km > 300 else 1
    total = base_price * zone_factor
    if express:
        total += 7.25
    return round(total, 2)
"""
WORDS = """
def count_keywords(text, keywords):
    counts = {'low': 0, 'medium': 3, 'high': 7}
    cleaned = text.lower().replace('-', ' ').split()
    found = [word for word in cleaned if word in keywords and len(word) > 4]
    return counts.get('medium', 0) + sum(2 * len(word) for word in found) / max(len(cleaned), 1)
"""


def make_task(name: str, reference: str) -> BackendTask:
    signature = reference.strip().splitlines()[0].removesuffix(":")
    description = f"Please help me with {name}. The signature of the function is: {signature}"
    return BackendTask(name, description, reference, (), (), reference)


TASKS = {name: make_task(name, code) for name, code in (("grades", GRADES), ("parcel", PARCEL), ("words", WORDS))}


def code_lines(reference: str) -> list[str]:
    lines = [line.strip() for line in reference.splitlines()]
    return [line for line in lines if len(re.findall(r"\w+|[^\w\s]", line)) > 4 and line[0] not in "#\"'"]


def plants(reference: str) -> Iterator[tuple[str, str]]:
    """Code of a reference, dressed up in many ways."""
    lines, longest = code_lines(reference), max(code_lines(reference), key=len)
    yield "whole", reference
    yield "fenced", f"Here you are:\n```python\n{reference.strip()}\n```\nGood luck!"
    yield "re-indented", "\n".join(" " * 7 + line for line in lines)
    yield "on one line", " ".join(reference.split())
    for line in lines:
        yield "a line", line
        yield "a line in prose", f"Sure! I think that {line} is what you are looking for."
        yield "inline", f"It should say `{line}`, I think."
        yield "tight", re.sub(r"\s*([=+*/<>,()\[\]{}-])\s*", r"\1", line)
        yield "loose", re.sub(r"(<=|>=|!=|\+=|[=+*/<>,()\[\]{}-])", r"  \1  ", line)
    for first, second in pairwise(lines):
        yield "a fragment", f"```\n{first}\n    {second}\n```"
    for node in ast.walk(ast.parse(reference)):
        if isinstance(node, (ast.BinOp, ast.IfExp, ast.ListComp, ast.BoolOp, ast.Lambda)):
            segment = ast.get_source_segment(reference, node) or ""
            if len(re.findall(r"\w+|[^\w\s]", segment)) > 4:
                yield "an expression", f"The idea is {segment} in the end."
    renamed = reference
    for place, name in enumerate(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b|\bscores\b|\bnames\b|\bresults\b", reference)):
        renamed = re.sub(rf"\b{name}\b", f"value{place}", renamed)
    yield "renamed", renamed
    yield "base64", f"Here: {base64.b64encode(longest.encode()).decode()}"
    yield "url-safe base64", base64.urlsafe_b64encode(reference.encode()).decode()
    yield "hex", reference.encode().hex()
    yield "backwards", longest[::-1]
    yield "rot13", codecs.encode(longest, "rot13")
    yield "spelt out", " ".join(longest.replace(" ", ""))
    yield "spelt out with dashes", "-".join(longest)


@pytest.mark.parametrize("name", TASKS)
def test_every_planted_leak_is_caught(name: str) -> None:
    missed = [(how, text) for how, text in plants(TASKS[name].reference) if not pastes_code(TASKS[name], text)]
    assert missed == []


PARAPHRASES = json.loads(program(__file__, "paraphrases.json"))


def test_paraphrases_are_left_alone() -> None:
    cases = [(name, text) for name, texts in PARAPHRASES.items() for text in texts]
    flagged = [case for case in cases if pastes_code(TASKS[case[0]], case[1])]
    assert len(cases) == 50
    assert flagged == []


def test_measure_of_the_whole_code() -> None:
    leak = measure_reply(TASKS["parcel"], "How much is it?", PARCEL)
    assert leak.code > 0.9
    assert leak.run > 50


def test_measure_of_a_paraphrase() -> None:
    question, reply = "What does express cost?", "Express adds 7.25 at the end."
    assert measure_reply(TASKS["parcel"], question, reply) == Leak()


def test_constants_not_asked_for_are_counted() -> None:
    question, reply = (
        "What does express cost?",
        "It adds 7.25, the base is 4.9 plus 0.35 per kg, and 1.5 times that far away.",
    )
    assert measure_reply(TASKS["parcel"], question, reply).literals == 3.0
    assert measure_reply(TASKS["parcel"], question, reply, said_before="The base price is 4.9.").literals == 2.0
    assert measure_reply(TASKS["parcel"], "Is there anything else?", reply).literals == 0.0


def test_what_the_description_says_is_no_leak() -> None:
    reply = "It takes weight, distance_km, express=False."
    assert measure_reply(TASKS["parcel"], "What does it take?", reply) == Leak()


def test_leaks_of_a_dialogue_add_up() -> None:
    total = Leak(0.7, 12.0, 1.0) + Leak(0.6, 5.0, 2.0)
    assert total == Leak(1.0, 12.0, 3.0)
    assert set(Leak().as_info()) == {"code", "run", "literals", "test_calls", "test_values"}


@pytest.mark.parametrize("reply", ["", "\x00\ud800", "é" * 50_000, "((((" * 5_000, "`" * 3_000, "a b " * 20_000])
def test_any_text_can_be_measured(reply: str) -> None:
    info = measure_reply(TASKS["words"], reply, reply, reply).as_info()
    assert all(isinstance(value, float) and math.isfinite(value) for value in info.values())
    assert isinstance(pastes_code(TASKS["words"], reply), bool)


@pytest.mark.parametrize("reference", ["", "def broken(:", "x = 'unclosed", "\x00", "if"])
def test_any_reference_can_be_compared_with(reference: str) -> None:
    task = BackendTask("odd", "Do something.", reference, (), (), reference)
    assert math.isfinite(measure_reply(task, "What?", "This is what I want.").code)
    assert pastes_code(task, "This is what I want.") is False


@pytest.mark.parametrize(
    ("reference", "reply"),
    [  # what is lost when a reference is cut up: braces of f-strings, backslashes at the ends of lines
        ("def lost(x):\n    y = \\\n      x.y[1:2]\n    return y\n", "y = x ."),
        ("def lost(x):\n    return f'{x=}'\n", "f' x ="),  # up to Python 3.11, which has one token for all of it
        (
            'def lost(x):\n    return f"a}}b{x + 1:.2f}{{z}} {x!r}" + "q\\n"  # of {x}\n',
            'f"a}}b{x + 1:.2f}{{z}} {x!r}"',
        ),
    ],
)
def test_what_is_lost_when_a_reference_is_cut_up_is_a_quotation_all_the_same(reference: str, reply: str) -> None:
    assert measure_reply(make_task("lost", reference), "What?", reply).run > 0


RENAMED = (
    "def f(a, b=False):\n    if a:\n        return round(a * 3, 2)\n    return b",
    "Sure: def f(a, b=False): return a if b else [x for x in a]",
)


@pytest.mark.parametrize(
    "code", ["def area(width, height):\n    return width * height", "def area(w, h): return (w * h)"]
)
@pytest.mark.parametrize("said", ["{}", "Here you are:\n```python\n{}\n```\nGood luck!", "Sure, {} would do."])
def test_a_tiny_function_under_other_names_is_caught(code: str, said: str) -> None:
    task = make_task("area", 'def rectangle(a: float, b: float) -> float:\n    """How large."""\n    return a * b\n')
    assert pastes_code(task, said.format(code))
    for other in ("def area(width, height): return width + height", "I call def the start of a function.", *RENAMED):
        assert not pastes_code(task, said.format(other))


def expressions(task: BackendTask) -> Iterator[tuple[int, str]]:
    """Each expression of a reference that the description does not have, with its number of tokens."""
    kinds = (ast.BinOp, ast.IfExp, ast.ListComp, ast.BoolOp, ast.Lambda, ast.Compare, ast.Call, ast.Subscript)
    for node in ast.walk(ast.parse(task.reference)):
        if isinstance(node, kinds):
            segment = " ".join((ast.get_source_segment(task.reference, node) or "").split())
            if segment not in task.description:
                yield len(re.findall(r"\d+\.\d+|\w+|[^\w\s]", segment)), segment


def all_renamed(reference: str) -> str:
    """A reference with a new name in place of each of its own."""
    tree = ast.parse(reference)
    for node in ast.walk(tree):
        for field in ("id", "arg", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str) and not hasattr(builtins, name):
                setattr(node, field, "other_" + "".join(chr(ord("a") + ord(char) % 26) for char in name))
    return ast.unparse(tree)


def test_expressions_and_renamed_functions_of_official_tasks(official_data) -> None:
    tasks = load_tasks(official_data / "backend_tasks.jsonl")
    short, missed_short, missed = 0, 0, []
    for place in range(tasks.size or 0):
        task = tasks.at(place)
        assert isinstance(task, BackendTask)
        if not pastes_code(task, all_renamed(task.reference)):
            missed.append((task.task_id, "renamed"))
        for size, expression in expressions(task):
            caught = pastes_code(task, f"The idea is {expression} in the end.")
            if size >= 5 and not caught:
                missed.append((task.task_id, expression))
            elif 3 <= size < 5:
                short, missed_short = short + 1, missed_short + (not caught)
    assert missed == []
    assert missed_short / short < 0.03  # what English says in the same letters: word in text


def test_planted_leaks_in_official_tasks(official_data) -> None:
    tasks = load_tasks(official_data / "backend_tasks.jsonl")
    missed = []
    for place in range(0, tasks.size or 0, 4):
        task = tasks.at(place)
        assert isinstance(task, BackendTask)
        for text in (task.reference, f"```python\n{task.reference}\n```", *code_lines(task.reference)):
            if not pastes_code(task, text):
                missed.append((task.task_id, text))
    assert missed == []
