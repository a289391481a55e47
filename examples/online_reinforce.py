"""The smallest honest online learner: REINFORCE with a baseline over the vector environment.

The policy is a tiny network that reads the dialogue as a bag of words and chooses what to say next from a short list:
a question, or the answer, into which the numbers go that the person has told so far (a guess where it has not asked).
Nothing hidden is read. The learner finds out by itself which questions are worth a turn, and when to stop asking.

Run: python examples/online_reinforce.py [ITERATIONS]
"""

from __future__ import annotations

import random
import re
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import gymnasium as gym
import numpy as np
import torch

import colbench_gym  # noqa: F401  registers the environments
from colbench_gym.errors import UnknownTaskError
from colbench_gym.tasks import Task, load_tasks

QUESTIONS = (
    "Which order total earns the discount?",
    "What is the discount percentage?",
    "Does an order exactly at the limit get the discount?",
    "Which currency are the amounts in?",
    "Does it have to be fast?",
    "Do you want comments in the code?",
)
ANSWER = len(QUESTIONS)  # the action after the questions
WORDS = 256  # hash buckets
MAX_TURNS = 5

Observations = dict[str, tuple[str, ...]]
Vector = gym.vector.VectorEnv[Observations, Sequence[str], np.ndarray]


class Discounts:
    """A task set: discounts on large orders, each task with numbers of its own."""

    spec = "discounts"
    size = 40

    def at(self, index: int) -> Task:
        draw = random.Random(index)
        limit, percent = draw.choice((50, 80, 100, 150, 200)), draw.choice((5, 10, 15, 20))
        over = draw.choice((">", ">="))
        reference = (
            f"def order_total(prices):\n    total = sum(prices)\n    if total {over} {limit}:\n"
            f"        total -= total * {percent} / 100\n    return round(total, 2)\n"
        )
        prices = [[limit], [limit, 0], [limit - 1], [limit + 1], [limit * 2]]
        prices += [[draw.randrange(10, limit) for _ in range(draw.randrange(1, 5))] for _ in range(5)]
        exactly = "Yes, at the limit it is reduced." if over == ">=" else "No, only above the limit it is reduced."
        row = {
            "task_id": f"order-{index}",
            "problem_description": "I need the total of an order from its prices; large orders get a discount. "
            "The signature of the function is: def order_total(prices)",
            "ground_truth": reference,
            "test_cases": {f"test{place}": f"order_total({given})" for place, given in enumerate(prices)},
            "decisions": [
                _decision("limit", "which order total earns the discount", f"The discount begins at {limit}."),
                _decision("percent", "the discount percentage", f"The discount is {percent} percent."),
                _decision("exactly", "an order exactly at the limit", exactly),
            ],
        }
        return load_tasks([row]).at(0)

    def get(self, task_id: str | int) -> Task:
        prefix, _, index = str(task_id).partition("-")
        if prefix != "order" or not index.isdigit() or int(index) >= self.size:
            raise UnknownTaskError(f"no task {task_id!r}")
        return self.at(int(index))

    def sample(self, rng: np.random.Generator) -> Task:
        return self.at(int(rng.integers(self.size)))


def _decision(key: str, about: str, says: str) -> dict[str, object]:
    return {"key": key, "about": [about], "says": [says], "topics": about.split()}


def message(action: int, dialogue: str) -> str:
    """The text of an action; the answer holds what the person said, or a guess."""
    if action != ANSWER:
        return QUESTIONS[action]
    ((name, parameter),) = re.findall(r"def (\w+)\((\w+)", dialogue)
    limit = _number_after(QUESTIONS[0], dialogue, 100)
    percent = _number_after(QUESTIONS[1], dialogue, 10)
    reply = _reply_to(QUESTIONS[2], dialogue)
    over = ">" if re.search(r"\b(not|no|above|more than)\b", reply) else ">="
    return (
        f"I WANT TO ANSWER: def {name}({parameter}):\n    total = sum({parameter})\n"
        f"    if total {over} {limit}:\n        total -= total * {percent} / 100\n    return round(total, 2)\n"
    )


def _reply_to(question: str, dialogue: str) -> str:
    found = re.search(re.escape(question) + r"\s*user:(.*?)(?:\n\n\n\n|$)", dialogue, re.DOTALL)
    return found.group(1) if found else ""


def _number_after(question: str, dialogue: str, guess: int) -> str:
    found = re.search(r"\d+(?:\.\d+)?", _reply_to(question, dialogue))
    return found.group() if found else str(guess)


def features(dialogues: tuple[str, ...]) -> torch.Tensor:
    """Return the words that the dialogue holds.  # (dialogues, WORDS)"""
    rows = torch.zeros(len(dialogues), WORDS)
    for row, dialogue in enumerate(dialogues):
        for word in re.findall(r"[a-z]+|\d", dialogue.lower()):
            rows[row, zlib.crc32(word.encode()) % WORDS] = 1.0
    return rows


@dataclass
class Learner:
    """Policy, optimizer, and the mean return so far as a baseline."""

    policy: torch.nn.Module
    optimizer: torch.optim.Optimizer
    baseline: float = 0.0


def train(iterations: int = 60, num_envs: int = 16, seed: int = 0, learning_rate: float = 0.01) -> list[float]:
    """Learn; the mean return (tests passed, 0 to 1) of each iteration's episodes."""
    torch.manual_seed(seed)
    policy = torch.nn.Sequential(torch.nn.Linear(WORDS, 32), torch.nn.Tanh(), torch.nn.Linear(32, len(QUESTIONS) + 1))
    learner = Learner(policy, torch.optim.Adam(policy.parameters(), lr=learning_rate))
    envs = gym.make_vec(
        "ColBench-Backend-v0",
        num_envs=num_envs,
        tasks=Discounts(),
        reward="pass_rate",
        max_turns=MAX_TURNS,
        autoreset_mode="SameStep",
    )
    try:
        observations, _ = envs.reset(seed=seed)
        returns = []
        for _ in range(iterations):
            observations, mean = improve(learner, envs, observations)
            returns.append(mean)
        return returns
    finally:
        envs.close()


def improve(learner: Learner, envs: Vector, observations: Observations) -> tuple[Observations, float]:
    """Play until each environment has ended an episode, and take one step along the policy gradient."""
    said: list[list[torch.Tensor]] = [[] for _ in range(envs.num_envs)]
    terms: list[torch.Tensor] = []
    rewards: list[float] = []
    while len(rewards) < 2 * envs.num_envs:
        choice = torch.distributions.Categorical(logits=learner.policy(features(observations["dialogue"])))
        actions = choice.sample()
        texts = [message(int(action), text) for action, text in zip(actions, observations["dialogue"], strict=True)]
        observations, paid, ended, _, _ = envs.step(texts)
        for at, logprob in enumerate(choice.log_prob(actions)):
            said[at].append(logprob)
            if ended[at]:
                terms.append((paid[at] - learner.baseline) * torch.stack(said[at]).sum())
                rewards.append(float(paid[at]))
                said[at] = []
    loss = -torch.stack(terms).mean()
    learner.optimizer.zero_grad()
    loss.backward()
    learner.optimizer.step()
    mean = float(np.mean(rewards))
    learner.baseline = 0.8 * learner.baseline + 0.2 * mean
    return observations, mean


if __name__ == "__main__":
    torch.set_num_threads(1)
    curve = train(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    for at in range(0, len(curve), 5):
        print(f"iteration {at:3d}: {np.mean(curve[at : at + 5]):.2f} of the tests passed")
