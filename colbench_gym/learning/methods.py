"""The methods of Table 2 on menus: filtered BC, multi-turn DPO, SWEET-RL, best of N, and online policy gradient.

An action is one token, and a turn one action; so a dialogue's score is the sum of its log-ratios in multi-turn DPO and
in SWEET's critic alike, and what tells the critic apart is that it sees c.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from colbench_gym.baselines.training.losses import preference_loss
from colbench_gym.errors import UsageError
from colbench_gym.learning.dialogues import Chooser, Played, by_policy, play_some
from colbench_gym.learning.options import SmallTable2
from colbench_gym.learning.policy import Flags, Floats, MenuPolicy, Numbers, Tasks, Turns
from colbench_gym.models.candidates import pair_candidates

Loss = Callable[[MenuPolicy], torch.Tensor]


@dataclass(frozen=True)
class Data:
    """Dialogues of the initial policy on some tasks.

    Attributes:
        tasks: played.
        played: the dialogues.
        pairs: numbers of a chosen and a rejected dialogue of one task.  # (pairs, 2)
        labelled: whether it is known which dialogues of a task succeeded.  # (tasks,)
    """

    tasks: Tasks
    played: Played
    pairs: Numbers
    labelled: Flags

    @classmethod
    def of(cls, tasks: Tasks, played: Played, labelled: int = 0) -> Data:
        """Pair each task's first success with each of its failures (the backend's rule).

        Args:
            tasks: that were played.
            played: the dialogues.
            labelled: how many of the tasks have a label of success, the first ones; 0 for all.

        Raises:
            UsageError: there is no pair.
        """
        pairs = []
        for task in range(labelled or len(tasks)):
            own = np.flatnonzero(played.task == task)
            won = own[played.success[own]]
            pairs += [(int(won[0]), int(lost)) for lost in own[~played.success[own]]] if len(won) else []
        if not pairs:
            raise UsageError(f"got no pair of dialogues in {len(tasks)} tasks, expected one at least; take more tasks")
        return cls(tasks, played, np.array(pairs), np.arange(len(tasks)) < (labelled or len(tasks)))


def imitation(data: Data) -> Loss:
    """Return the loss of filtered BC: -log pi(action), mean over the actions of the dialogues that succeeded."""
    turns = data.played.turns
    good = turns.take(data.played.success[turns.dialogue] & data.labelled[turns.task])
    return lambda policy: -policy.chosen(data.tasks, good).mean()


def preference(data: Data, initial: MenuPolicy, options: SmallTable2) -> Loss:
    """Return the loss of multi-turn DPO, which is that of SWEET's critic too (eq. 2)."""
    turns, dialogues = data.played.turns, len(data.played.task)
    of = torch.from_numpy(turns.dialogue)
    lengths = torch.zeros(dialogues).index_add(0, of, torch.ones(len(of))).clamp(min=1)

    def totals(policy: MenuPolicy) -> torch.Tensor:
        sums = torch.zeros(dialogues).index_add(0, of, policy.chosen(data.tasks, turns))
        return torch.stack([sums, sums, -sums / lengths], dim=1)[torch.from_numpy(data.pairs)]

    with torch.no_grad():
        reference = totals(initial)[..., :2]
    return lambda policy: preference_loss(totals(policy), reference, options.beta, options.nll_weight)


def fitted(start: MenuPolicy, losses: Sequence[Loss], options: SmallTable2) -> MenuPolicy:
    """Return the policy that the first loss leads to, with the regularisation that does best by the held-out one."""
    loss, held_out = losses
    best: tuple[float, MenuPolicy] | None = None
    origin = [value.detach().clone() for value in start.parameters()]
    for weight in options.regularisation:
        policy = copy.deepcopy(start)
        optimizer = torch.optim.Adam(policy.parameters(), options.learning_rate)
        for _ in range(options.steps):
            optimizer.zero_grad()
            distance = sum(((value - at) ** 2).sum() for value, at in zip(policy.parameters(), origin, strict=True))
            (loss(policy) + weight * distance).backward()
            optimizer.step()
        with torch.no_grad():
            reached = float(held_out(policy))
        if best is None or reached < best[0]:
            best = (reached, policy)
    assert best is not None
    return best[1]


@dataclass(frozen=True)
class Judged:
    """Pairs of actions at turns of stored dialogues, by a critic's scores.

    Attributes:
        turns: all turns.
        at: number of the turn of each pair.
        sides: the action that scored higher, and the other.  # (pairs, 2)
        right: share of the pairs of a useful and a useless question in which the useful one scored higher.
    """

    turns: Turns
    at: Numbers
    sides: Numbers
    right: float


def judged(data: Data, initial: MenuPolicy, scores: Floats, options: SmallTable2, seed: int) -> Judged:
    """Sample candidates of the initial policy at each turn, and pair them by their scores (paper, section 4).

    Args:
        data: with the turns.
        initial: that samples.
        scores: of all actions.  # (turns, places + 1)
        options: of the experiment.
        seed: of what is drawn.
    """
    turns = data.played.turns
    with torch.no_grad():
        chances = initial.logprobs(data.tasks, turns).exp()
    torch.manual_seed(seed)
    sampled = torch.multinomial(chances, options.candidates, replacement=True).numpy()
    said = {(at, 0): [str(action) for action in actions] for at, actions in enumerate(sampled)}
    scored = {(at, 0): scores[at, actions].tolist() for at, actions in enumerate(sampled)}
    made = pair_candidates(said, scored, seed)
    rows = [(at, p.chosen, p.rejected) for (at, _), pairs in made.by_turn.items() for p in pairs]
    at = np.array([row[0] for row in rows])
    sides = sampled[at[:, None], np.array([row[1:] for row in rows])]
    if options.shuffled:
        sides = np.random.default_rng(seed).permuted(sides, axis=1)
    useful = turns.useful(data.tasks)[at[:, None], sides]
    apart = useful[:, 0] != useful[:, 1]
    return Judged(turns, at, sides, float(useful[apart, 0].mean()))


def turn_preference(tasks: Tasks, pairs: Judged, initial: MenuPolicy, options: SmallTable2) -> Loss:
    """Return the loss of SWEET's actor: DPO on single turns, without c."""
    at, sides = torch.from_numpy(pairs.at)[:, None], torch.from_numpy(pairs.sides)

    def totals(policy: MenuPolicy) -> torch.Tensor:
        logprobs = policy.logprobs(tasks, pairs.turns)[at, sides]
        return torch.stack([logprobs, logprobs, -logprobs], dim=2)

    with torch.no_grad():
        reference = totals(initial)[..., :2]
    return lambda policy: preference_loss(totals(policy), reference, options.beta, options.nll_weight)


def log_ratios(critic: MenuPolicy, initial: MenuPolicy, data: Data) -> Floats:
    """Return A(o_t, a, c) of all actions at all turns (eq. 3).  # (turns, places + 1)"""
    with torch.no_grad():
        turns = data.played.turns
        ratios: Floats = (critic.logprobs(data.tasks, turns) - initial.logprobs(data.tasks, turns)).numpy()
    return np.nan_to_num(ratios, nan=-np.inf)


def sweet(
    both: Sequence[Data], initial: MenuPolicy, scores: Sequence[Floats], options: SmallTable2, seed: int
) -> tuple[MenuPolicy, float]:
    """Return SWEET's actor, and the share of its turn labels that were right.

    Args:
        both: dialogues that it learns from, and held-out ones that choose the regularisation.
        initial: the reference.
        scores: of all actions at the turns of both.
        options: of the experiment.
        seed: of what is drawn.
    """
    pairs = [judged(data, initial, of, options, seed) for data, of in zip(both, scores, strict=True)]
    losses = [turn_preference(data.tasks, of, initial, options) for data, of in zip(both, pairs, strict=True)]
    return fitted(initial, losses, options), pairs[0].right


def best_of(critic: MenuPolicy, initial: MenuPolicy, tasks: Tasks, number: int) -> Chooser:
    """Return a chooser that takes the best of so many samples of the initial policy, by a critic that sees c."""

    def probabilities(turns: Turns) -> Floats:
        with torch.no_grad():
            before, after = initial.logprobs(tasks, turns), critic.logprobs(tasks, turns)
        chances, scores = before.exp().numpy(), np.nan_to_num((after - before).numpy(), nan=-np.inf)
        order = np.argsort(scores, axis=1, kind="stable")
        below = np.take_along_axis(chances, order, 1).cumsum(axis=1).clip(0, 1) ** number
        best: Floats = np.zeros_like(chances)
        np.put_along_axis(best, order, np.diff(below, axis=1, prepend=0.0).astype(np.float32), 1)
        return best

    return probabilities


def online(start: MenuPolicy, tasks: Tasks, options: SmallTable2, seed: int, turn_reward: float) -> MenuPolicy:
    """Return what REINFORCE makes of a policy: rewards to go, less their mean at that turn.

    Args:
        start: the initial policy.
        tasks: that it plays.
        options: of the experiment: turns, batch, rate.
        seed: of what is drawn.
        turn_reward: of a useful question, beside the success in the end; 0 for none.
    """
    policy, rng, turns_left = copy.deepcopy(start), np.random.default_rng(seed), options.online_turns
    optimizer = torch.optim.Adam(policy.parameters(), options.online_rate)
    while turns_left > 0:
        task = rng.integers(len(tasks), size=options.online_batch)
        played = play_some(tasks, task, by_policy(policy, tasks), options.questions, int(rng.integers(2**31)))
        turns = played.turns
        turns_left -= len(turns)
        useful = turns.useful(tasks)[np.arange(len(turns)), turns.action]
        to_go = played.success[turns.dialogue].astype(np.float32)
        for turn in range(options.questions):
            now = turns.turn == turn
            later = np.bincount(turns.dialogue, weights=useful * (turns.turn >= turn), minlength=len(task))
            to_go[now] += turn_reward * later[turns.dialogue[now]]
            to_go[now] -= to_go[now].mean() if now.any() else 0.0
        optimizer.zero_grad()
        (-policy.chosen(tasks, turns) * torch.from_numpy(to_go)).mean().backward()
        optimizer.step()
    return policy
