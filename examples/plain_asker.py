"""A yardstick: an agent that knows no grammar of the tasks, only English, the request and the person.

It asks what a programmer would ask about a price or a score (each parameter, limits, rounding, impossible values),
reads numbers and conditions from the replies by a handful of patterns, and writes the function. Requests of other kinds
it answers with a function that only has the right signature. So what it wins is a floor for agents that read replies,
and the distance to ``asker:9``, which reads requests with the grammar, is what is left to learn.

Run: python examples/plain_asker.py [TASKS [SPLIT]]        Use: --agent python:examples.plain_asker:PlainAsker
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from statistics import mean

from colbench_gym.dialogue import ChatMessage
from colbench_gym.evaluation.rollout import collect, make_jobs
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import load_tasks
from colbench_gym.trajectory import Trajectory

GENERAL = (
    "Is there an upper limit for the result? Is there a minimum for it?",
    "How should the result be rounded?",
    "What should I return for zero or negative values? Is a fixed amount always added?",
    "What comes first, adding fixed amounts or multiplying?",
)
NUMBER = r"(-?\d+(?:\.\d+)?)"
UNIT = r"(?: euros| points)?"
STARTS = (  # a sentence about the first parameter, and how the value follows from it
    (rf"is {NUMBER} times the|start with the .* times {NUMBER}", "{p} * {0}"),
    (rf"{NUMBER}{UNIT} for every full {NUMBER}", "{p} // {1} * {0}"),
    (rf"is {NUMBER}{UNIT} up to {NUMBER} .*and {NUMBER}{UNIT} above", "({0} if {p} <= {1} else {2})"),
    (rf"with {NUMBER}{UNIT} for up to {NUMBER} .*otherwise with {NUMBER}", "({0} if {p} <= {1} else {2})"),
)
EFFECTS = (
    (r"doubles", "* 2"),
    (r"up by half|adds half", "* 1.5"),
    (r"in half", "* 0.5"),
    (r"up by a quarter|adds a quarter", "* 1.25"),
    (r"down by a quarter|takes a quarter", "* 0.75"),
    (r"15 percent", "* 0.85"),
    (rf"(?:goes up by|adds) {NUMBER}", "+ {0}"),
    (rf"goes down by {NUMBER}|takes {NUMBER}{UNIT} off", "- {0}"),
)
ROUNDINGS = (
    (r"two decimals", "round({}, 2)"),
    (r"one decimal", "round({}, 1)"),
    (r"nearest", "round({})"),
    (r"down to a whole|cut the decimals", "int({})"),
)


# How a request speaks of further arguments.
PHRASES = re.compile(r"(?:also take into account|also depends on|it should consider) ([^.]+)[.]")


class PlainAsker:
    """Asks nine questions at most, then writes what it was told (a colbench_gym.policies.Policy)."""

    def act(self, messages: Sequence[ChatMessage]) -> str:
        said = [message for message in messages if message["role"] != "system"]
        request = said[0]["content"]
        name, signature = re.findall(r"def (\w+)\(([^\n]*)\)", request)[-1]
        parameters = [part.split("=")[0].strip() for part in signature.split(",")]
        phrases = phrases_of(request, parameters)
        questions = [f"How exactly does the result follow from the {spoken(parameters[0])}?"]
        questions += [f"Is a part of the {spoken(parameters[0])} not counted, are the first of them free?"]
        questions += [f"Does anything change with this: {phrase}?" for phrase in phrases.values()]
        questions += GENERAL
        asked = sum(message["role"] == "assistant" for message in said)
        if asked < min(9, len(questions)):
            return questions[asked]
        told = " ".join(message["content"] for message in said[1:] if message["role"] == "user")
        sentences = re.split(r"(?<=[.!?])\s+", f"{request.rpartition(' The signature')[0]} {told}")
        return f"I WANT TO ANSWER:\n{function(name, signature, parameters, sentences, phrases)}"

    def close(self) -> None:
        """Nothing is held."""


def spoken(parameter: str) -> str:
    """The words of a parameter's name that say what it is."""
    return " ".join(word for word in parameter.split("_") if word not in ("the", "its", "is", "value", "of"))


def first_match(patterns: Sequence[tuple[str, str]], text: str) -> tuple[str, tuple[str, ...]] | None:
    for pattern, result in patterns:
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            return result, tuple(group for group in match.groups() if group is not None)
    return None


def number_after(pattern: str, sentences: Sequence[str]) -> str | None:
    found = (re.search(pattern, sentence, re.IGNORECASE) for sentence in sentences)
    return next((group for match in found if match for group in match.groups() if group is not None), None)


def phrases_of(request: str, parameters: Sequence[str]) -> dict[str, str]:
    """Return the request's words for the parameters after the first, in their order."""
    match = PHRASES.search(request)
    listed = re.split(r", | and ", match[1]) if match else []
    phrases = [re.sub(r"^(?:the|whether (?:the )?.*? is) ", "", phrase) for phrase in listed]
    return dict(zip(parameters[1:], phrases, strict=False))


def meant(sentence: str, phrases: Mapping[str, str]) -> str | None:
    """The parameter whose phrase a sentence has."""
    return next((parameter for parameter, phrase in phrases.items() if phrase in sentence), None)


def function(name: str, signature: str, parameters: list[str], sentences: list[str], phrases: Mapping[str, str]) -> str:
    """The function as it was told."""
    first, *others = parameters
    start = next(((s, m) for s in sentences if (m := first_match(STARTS, s))), None)
    if start is None:
        return f"def {name}({signature}):\n    return 0\n"
    free = number_after(rf"first {NUMBER} .*don't count|goes beyond {NUMBER}", sentences)
    counted = f"max({first} - {free}, 0)" if free else first
    lines = []
    invalid = number_after(r"zero or negative, return (.+?)\.|[Rr]eturn (.+?) when .* isn't positive", sentences)
    if invalid:
        value = re.sub(r'.*the text ("[^"]*").*', r"\1", invalid)
        lines += [f"if {first} <= 0:", f"    return {value}"]
    pattern, groups = start[1]
    lines.append(f"value = {pattern.format(*groups, p=counted)}")
    base = number_after(rf"always add {NUMBER}|flat {NUMBER}", sentences)
    steps = {"base": f"value += {base}"} if base else {}
    for sentence in dict.fromkeys(sentences):
        effect = first_match(EFFECTS, sentence)
        parameter = meant(sentence, phrases)
        if effect is None or parameter is None or sentence == start[0]:
            continue
        limit = re.search(rf"(?:is|above|more than|at least) {NUMBER}", sentence)
        edge, kind = ">=" if re.search("or more|at least", sentence) else ">", re.search(r'"([^"]+)"', sentence)
        condition = f"{parameter} {edge} {limit[1]}" if limit else f"{parameter} == {kind[1]!r}" if kind else parameter
        sign, amount = effect[0].format(*effect[1]).split()
        steps[parameter] = f"if {condition}:\n        value {sign}= {amount}"
    factors_first = any(re.search(r"factors come before|multiply first", s, re.IGNORECASE) for s in sentences)
    lines += sorted(steps.values(), key=lambda step: ("*=" in step) != factors_first)
    for key, pick in (
        (rf"at least {NUMBER}|minimum of {NUMBER}", "max"),
        (rf"never more than {NUMBER}|[Cc]ap .* at {NUMBER}", "min"),
    ):
        limit_value = number_after(key, sentences)
        if limit_value:
            lines.append(f"value = {pick}(value, {limit_value})")
    for parameter in others:
        if re.search(r"max|highest|upper", parameter) and parameter not in phrases:
            lines.append(f"value = min(value, {parameter})")
        elif re.search(r"min|lowest|lower", parameter) and parameter not in phrases:
            lines.append(f"value = max(value, {parameter})")
    rounding = next((m[0] for s in sentences if (m := first_match(ROUNDINGS, s))), "{}")
    result = rounding.format("value")
    lines.append(f"return {result}")
    body = "\n".join(f"    {line}" for line in lines)
    return f"def {name}({signature}):\n{body}\n"


def play(number: int, split: str) -> tuple[float, float]:
    """Play the first tasks of a split; the share won, and the share of tests passed."""
    tasks = load_tasks(f"generated:{split}")
    ended: list[Trajectory] = []
    jobs = make_jobs([tasks.at(index) for index in range(number)], 1, seed=0)
    with open_scenario("backend", tasks=tasks) as scenario:
        collect(jobs, PlainAsker(), scenario, ended.append)
    scores = [trajectory.score for trajectory in ended if trajectory.score is not None]
    return mean(trajectory.success for trajectory in ended), mean(scores)


def main() -> None:
    number, split = int(sys.argv[1]) if len(sys.argv) > 1 else 200, sys.argv[2] if len(sys.argv) > 2 else "test"
    won, passed = play(number, split)
    print(f"{number} tasks of {split}: {won:.1%} won, {passed:.1%} of tests passed")


if __name__ == "__main__":
    main()
