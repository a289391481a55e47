"""Algorithms of the leaderboard on the menu environment: python algorithms.py METHOD ...; --help lists the options.

METHOD is random, in_order, bandit, PPO, MaskablePPO or DQN (the last three need the extra sb3), or draw, which draws
the curves. Results go to DIR/algorithms.jsonl, curves on the first test tasks to DIR/curves.jsonl; a method that is
there already is not learned again.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from colbench_gym.envs.menu.env import open_table
from colbench_gym.envs.menu.play import Table
from colbench_gym.learning.kept_outcomes import readable
from colbench_gym.learning.options import SmallTable2

ID = "ColBench-BackendMenu-v0"
POINTS, TASKS_OF_A_POINT = 6, 300  # of a curve
MODELS: dict[str, dict[str, Any]] = {
    "PPO": {"n_steps": 128, "batch_size": 512, "n_epochs": 4, "gamma": 1.0, "ent_coef": 0.003, "learning_rate": 1e-3},
    "DQN": {"buffer_size": 50_000, "learning_starts": 2_000, "gamma": 1.0, "exploration_fraction": 0.3},
}
MODELS["PPO"]["policy_kwargs"] = {"net_arch": [64]}
MODELS["MaskablePPO"] = MODELS["PPO"]
NAMES = {"random": "menu, random", "in_order": "menu, in order"}
Choose = Callable[[Any, Any], int]  # of an observation and a mask


def menu(table: Table) -> Any:
    """Return an environment that shares what is kept of replies and grades."""
    return gym.make(ID, table=table, disable_env_checker=True).unwrapped


def evaluated(table: Table, choose: Choose, first: int, number: int) -> dict[str, Any]:
    """Play test tasks, and return a row of the leaderboard without its name."""
    env, won, questions, useful = menu(table), "", 0, 0
    for position in range(first, first + number):
        seen, info = env.reset(options={"task_id": position})
        over = False
        while not over:
            seen, _, over, _, info = env.step(choose(seen, info["action_mask"]))
        won += str(int(info["success"]))
        questions += info["turn"]
        task, known = env.play.card.task, set()
        by_key, decided = {m.key: m for m in readable(task.description)[1]}, {d.key: d.says for d in task.decisions}
        for exchange in env.play.exchanges:
            key = env.keys[1 + exchange.place]
            useful += key not in known and any(option.says == decided[key] for option in by_key[key].options)
            known |= {env.keys[1 + place] for place in exchange.heard.status}
    return {"success": won, "questions": questions, "useful": useful, "labels": None}


def by_scores(scores: Callable[[int], Any]) -> Choose:
    """Return what asks the matter with the highest score of those that the mask allows."""

    def choose(_: Any, mask: Any) -> int:
        chances = np.where(mask[1:], scores(len(mask) - 1), -np.inf)
        return 1 + int(chances.argmax()) if mask[1:].any() else 0

    return choose


def bandit(table: Table, turns: int, seed: int) -> Choose:
    """Learn with Thompson's sampling how often tasks are solved in which a matter was asked; requests are not read."""
    env, rng = menu(table), np.random.default_rng(seed)
    counts = np.ones((2, env.action_space.n - 1))  # of successes and failures, by matter
    sampled, played = by_scores(lambda _: rng.beta(*counts)), 0
    _, info = env.reset(seed=seed)
    while played < turns:
        over = False
        while not over:
            _, _, over, _, info = env.step(sampled(None, info["action_mask"]))
        asked = [exchange.place for exchange in env.play.exchanges]
        counts[0 if info["success"] else 1, asked] += 1
        played += info["turn"]
        _, info = env.reset()
    return by_scores(lambda _: counts[0] / counts.sum(axis=0))


def trained(name: str, table: Table, turns: int, seed: int, point: Callable[[int, Choose], None]) -> Choose:
    """Learn with Stable-Baselines3; tell a point of the curve now and then."""
    import sb3_contrib
    import stable_baselines3
    import torch
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    masked = name == "MaskablePPO"
    algorithm = getattr(sb3_contrib if masked else stable_baselines3, name)
    env = DummyVecEnv([lambda: menu(table)] * (1 if name == "DQN" else 16))
    model = algorithm("MlpPolicy", env, seed=seed, device="cpu", **MODELS[name])

    def choose(seen: Any, mask: Any) -> int:
        return int(model.predict(seen, deterministic=True, **({"action_masks": mask} if masked else {}))[0])

    for _ in range(POINTS):
        point(model.num_timesteps, choose)
        model.learn(turns // POINTS, reset_num_timesteps=False)
    point(model.num_timesteps, choose)
    return choose


def learn(methods: list[str], turns: int, seeds: int, out: Path, options: SmallTable2) -> None:
    """Learn and play with every seed that the results do not have; write rows of results for each."""
    asked = {"questions": options.questions}
    train = open_table("backend", {**asked, "tasks": "generated:train:habits", "pool": options.train_tasks})
    tables = {
        split: open_table("backend", {**asked, "tasks": f"generated:{split}:habits"})
        for split in ("test", "test_domains")
    }
    file, curves = out / "algorithms.jsonl", out / "curves.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    have = {(row["method"], row["seed"]) for row in rows}
    for method, seed in [(method, seed) for method in methods for seed in range(seeds)]:
        if (NAMES.get(method, method), seed) in have:
            continue
        began, spent = time.monotonic(), [0.0]

        def point(
            done: int,
            choose: Choose,
            method: str = method,
            seed: int = seed,
            began: float = began,
            spent: list[float] = spent,
        ) -> None:
            paused = time.monotonic()
            won = evaluated(tables["test"], choose, options.first_test, min(TASKS_OF_A_POINT, options.test_tasks))
            row = {"method": method, "seed": seed, "turns": done, "seconds": round(paused - began - spent[0], 1)}
            spent[0] += time.monotonic() - paused
            row["success"] = round(won["success"].count("1") / len(won["success"]), 4)
            with curves.open("a") as sink:
                sink.write(json.dumps(row) + "\n")
            print(row, flush=True)

        rng = np.random.default_rng(seed)
        if method == "random":
            choose = by_scores(rng.random)
        elif method == "in_order":
            choose = by_scores(lambda keys: -np.arange(keys))
        elif method == "bandit":
            choose = bandit(train, turns, seed)
        else:
            choose = trained(method, train, turns, seed, point)
        name = NAMES.get(method, method)
        numbers = {"test": options.test_tasks, "test_domains": options.unseen_tasks}
        found = [
            {
                "seed": seed,
                "split": split,
                "method": name,
                **evaluated(tables[split], choose, options.first_test, number),
            }
            for split, number in numbers.items()
        ]
        with file.open("a") as sink:
            sink.write("".join(json.dumps(row) + "\n" for row in found))
    for table in (train, *tables.values()):
        table.scenario.close()


def draw(out: Path, results: Path) -> None:
    """Draw the curves beside players that do not learn; DIR/menu_curves.png."""
    from matplotlib.figure import Figure

    rows = [json.loads(line) for line in (out / "curves.jsonl").read_text().splitlines()]
    lines = [json.loads(line) for file in (results, out / "algorithms.jsonl") for line in file.read_text().splitlines()]
    figure = Figure(figsize=(7.5, 4.2), layout="constrained")
    axes = figure.add_subplot()
    colours = dict(zip(dict.fromkeys(row["method"] for row in rows), ("C0", "C1", "C2"), strict=False))
    for method, seed in dict.fromkeys((row["method"], row["seed"]) for row in rows):
        mine = [row for row in rows if (row["method"], row["seed"]) == (method, seed)]
        label = method if seed == 0 else None
        axes.plot(
            [r["turns"] for r in mine],
            [100 * r["success"] for r in mine],
            "o-",
            ms=3,
            color=colours[method],
            label=label,
        )
    for name in ("menu, in order", "random order", "best constant order", "the secret map"):
        marks = "".join(
            line["success"][:TASKS_OF_A_POINT] for line in lines if (line["split"], line["method"]) == ("test", name)
        )
        level = 100 * marks.count("1") / len(marks)
        axes.axhline(level, color="grey", lw=0.8, ls="--")
        axes.annotate(name, (1, level), xycoords=("axes fraction", "data"), xytext=(4, -3), textcoords="offset points")
    axes.set(xlabel="turns of the environment", ylabel=f"success on {TASKS_OF_A_POINT} test tasks, %")
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    figure.savefig(out / "menu_curves.png", dpi=120)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("methods", nargs="+", choices=["random", "in_order", "bandit", *MODELS, "draw"])
    parser.add_argument("--turns", type=int, default=30_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    chosen = parser.parse_args()
    if chosen.methods == ["draw"]:
        draw(chosen.out, Path(__file__).parent / "results.jsonl")
    else:
        learn(chosen.methods, chosen.turns, chosen.seeds, chosen.out, SmallTable2())
