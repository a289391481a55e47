"""PPO in one file learns which questions are worth asking: python menu_ppo.py [STEPS] [TASKS] (needs torch).

Actions that would waste a question are masked out. Every update prints the share of solved episodes and the speed.
"""

import sys
import time
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from gymnasium.spaces import Discrete
from torch import nn
from torch.distributions import Categorical

import colbench_gym  # noqa: F401  registers the environments

ENVS, HORIZON, EPOCHS, MINIBATCHES = 16, 32, 4, 4
LEARNING_RATE, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 1e-3, 1.0, 0.95, 0.2, 0.01, 0.5


class Agent(nn.Module):  # type: ignore[misc]  # torch has no types here
    """A policy and a value on one body."""

    def __init__(self, size: int, actions: int, hidden: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.policy, self.value = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over actions and the value, for rows of observations and masks."""
        body = self.body(seen)
        logits = self.policy(body).masked_fill(mask == 0, -1e8)
        return Categorical(logits=logits), self.value(body).squeeze(-1)


def advantages_of(rewards: torch.Tensor, values: torch.Tensor, ends: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    """Return generalised advantage estimates; all (HORIZON, ENVS), ``last`` the values after them."""
    advantages, running = torch.zeros_like(rewards), torch.zeros_like(last)
    after = [*values[1:], last]
    for t in reversed(range(len(rewards))):
        going_on = 1 - ends[t]
        delta = rewards[t] + GAMMA * after[t] * going_on - values[t]
        running = delta + GAMMA * LAMBDA * going_on * running
        advantages[t] = running
    return advantages


def train(steps: int, seed: int = 0, **options: Any) -> list[float]:
    """Train an agent and print how it gets on; return for each episode whether its task was solved."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    envs = gym.make_vec("ColBench-BackendMenu-v0", ENVS, autoreset_mode="SameStep", **options)
    shape, actions = envs.single_observation_space.shape, envs.single_action_space
    assert shape is not None
    assert isinstance(actions, Discrete)
    agent = Agent(shape[0], int(actions.n))
    optimizer = torch.optim.Adam(agent.parameters(), LEARNING_RATE, eps=1e-5)
    seen, infos = envs.reset(seed=seed)
    solved: list[float] = []
    began = time.time()
    for update in range(1, steps // (ENVS * HORIZON) + 1):
        rows = []
        for _ in range(HORIZON):
            observed, mask = torch.as_tensor(seen), torch.as_tensor(infos["action_mask"])
            with torch.no_grad():
                chances, value = agent(observed, mask)
                action = chances.sample()
                logprob = chances.log_prob(action)
            seen, reward, ended, _, infos = envs.step(action.numpy())
            rows.append(
                (observed, mask, action, logprob, value, torch.tensor(reward).float(), torch.tensor(ended).float())
            )
            solved += reward[ended].tolist()
        observed, mask, action, logprob, value, reward, ended = map(torch.stack, zip(*rows, strict=True))
        with torch.no_grad():
            last = agent(torch.as_tensor(seen), torch.as_tensor(infos["action_mask"]))[1]
        advantage = advantages_of(reward, value, ended, last)
        batch = [t.flatten(0, 1) for t in (observed, mask, action, logprob, advantage, advantage + value)]
        for _ in range(EPOCHS):
            for part in torch.randperm(ENVS * HORIZON).chunk(MINIBATCHES):
                o, m, a, old, gain, target = (t[part] for t in batch)
                chances, value = agent(o, m)
                ratio = (chances.log_prob(a) - old).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                loss = policy_loss + VALUE * (value - target).pow(2).mean() - ENTROPY * chances.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
        if update % 10 == 0:
            done = update * ENVS * HORIZON
            print(f"{done:7} steps: solved {np.mean(solved[-1000:]):.3f}, {done / (time.time() - began):.0f} steps/s")
    envs.close()
    return solved


if __name__ == "__main__":
    train(
        int(sys.argv[1]) if len(sys.argv) > 1 else 100_000,
        tasks=sys.argv[2] if len(sys.argv) > 2 else "generated:train",
        questions=3,
    )
