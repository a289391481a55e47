"""Algorithms of the leaderboard on the menu environment: python algorithms.py METHOD ...; --help lists the options.

Each learns on training tasks with the same budget of turns; what it plays the test with is the point of its learning
that did best on validation tasks, and test tasks are played once, at the end. Rows go to DIR/algorithms.jsonl, curves
on validation tasks to DIR/curves.jsonl; a method that is there already is not learned again. ``draw`` draws the curves.
Where DIR has the options.json of `colbench small-table2`, the same tasks are played. PPO, MaskablePPO and DQN need the
extra sb3.
"""

import argparse
import copy
import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from zlib import crc32

import gymnasium as gym
import numpy as np

from colbench_gym.envs.menu.env import open_table
from colbench_gym.envs.menu.play import WORDS, Table
from colbench_gym.envs.menu.sheets import TOLD, UNKNOWN
from colbench_gym.learning.encoder import other_tasks
from colbench_gym.learning.experiment import OPTIONS
from colbench_gym.learning.kept_outcomes import readable
from colbench_gym.learning.options import SmallTable2
from colbench_gym.tasks.generated_backend.drafts import habit
from colbench_gym.tasks.generated_backend.matters import Matter
from colbench_gym.tasks.generated_backend.requests import may_be_open
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan

ID = "ColBench-BackendMenu-v0"
POINTS = 10  # of a curve, beside its start
MODELS: dict[str, dict[str, Any]] = {
    "PPO": {"n_steps": 128, "batch_size": 512, "n_epochs": 4, "gamma": 1.0, "ent_coef": 0.003, "learning_rate": 1e-3},
    "DQN": {
        "buffer_size": 100_000,
        "learning_starts": 2_000,
        "gamma": 1.0,
        "exploration_fraction": 0.5,
        "learning_rate": 5e-4,
        "target_update_interval": 1_000,
    },
}
MODELS["PPO"]["policy_kwargs"] = MODELS["DQN"]["policy_kwargs"] = {"net_arch": [64]}
MODELS["MaskablePPO"], MODELS["DQN, masked"] = MODELS["PPO"], MODELS["DQN"]
NAMES = {  # of the players that do not learn from playing
    "random": "menu, random",
    "asker": "menu, what asker:5 asks",
    "in_order": "menu, in order",
    "constant": "menu, constant order",
    "ceiling": "public ceiling",
}
LEARNERS = ("bandit", "REINFORCE", *MODELS)
BATCH, RATE = 64, 3e-3  # of REINFORCE: dialogues in an update, learning rate of Adam
DRAWN, BUCKETS, EPOCHS = 60_000, 1 << 18, 6  # of the ceiling: other tasks tried (a third comes to something), features
Choose = Callable[[Any, Any, Any], int]  # of the environment, an observation and a mask


def menu(table: Table) -> Any:
    """Return an environment that shares what is kept of replies and grades."""
    return gym.make(ID, table=table, disable_env_checker=True).unwrapped


def evaluated(table: Table, choose: Choose, first: int, number: int) -> dict[str, Any]:
    """Play tasks, and return a row of the leaderboard without its name."""
    env, won, questions, useful = menu(table), "", 0, 0
    for position in range(first, first + number):
        seen, info = env.reset(options={"task_id": position})
        over = False
        while not over:
            seen, _, over, _, info = env.step(choose(env, seen, info["action_mask"]))
        won += str(int(info["success"]))
        questions += info["turn"]
        task, known = env.play.card.task, set()
        by_key, decided = {m.key: m for m in readable(task.description)[1]}, {d.key: d.says for d in task.decisions}
        for exchange in env.play.exchanges:
            key = env.keys[1 + exchange.place]
            useful += key not in known and any(option.says == decided[key] for option in by_key[key].options)
            known |= {env.keys[1 + place] for place in exchange.heard.status}
    return {"success": won, "questions": questions, "useful": useful, "labels": None}


def share(row: dict[str, Any]) -> float:
    """Return the share of the tasks of a row that were solved."""
    success: str = row["success"]
    return round(success.count("1") / len(success), 4)


@dataclass
class Curve:
    """Points of one method and seed on validation tasks, and the player at the best of them.

    Attributes:
        table: with the validation tasks.
        number: how many of them.
        file: where points go.
        of: method and seed.
    """

    table: Table
    number: int
    file: Path
    of: dict[str, Any]

    def __post_init__(self) -> None:
        self.best: tuple[float, int, Choose] | None = None
        self.began, self.paused = time.monotonic(), 0.0

    def point(self, turns: int, choose: Choose) -> None:
        """Play the validation tasks with what has been learned in so many turns; it must not change any more."""
        now = time.monotonic()
        success = share(evaluated(self.table, choose, 0, self.number))
        row = {**self.of, "turns": turns, "seconds": round(now - self.began - self.paused, 1), "success": success}
        self.paused += time.monotonic() - now
        if self.best is None or success > self.best[0]:
            self.best = (success, turns, choose)
        with self.file.open("a", encoding="utf-8") as sink:
            sink.write(json.dumps(row) + "\n")
        print(row, flush=True)


def by_scores(scores: Callable[[Any], Any]) -> Choose:
    """Return what asks the matter with the highest score of those that the mask allows; -inf for none."""

    def choose(env: Any, _: Any, mask: Any) -> int:
        chances = np.where(mask[1:], scores(env), -np.inf)
        return 1 + int(chances.argmax()) if np.isfinite(chances).any() else 0

    return choose


def asked_by_asker(env: Any) -> Any:
    """Return scores of what the scripted agent would ask: what may be open as requests point at it."""
    description = env.play.card.task.description
    its = {m.key for m in may_be_open(description, readable(description)[1])}
    return np.array([-place if key in its else -np.inf for place, key in enumerate(env.keys[1:])])


class Ceiling:
    """Chances that a matter is open, from the request and what has been told: the most that reading these can give.

    A logistic regression on tasks far behind those of any experiment, of which anybody can draw as many as they want.
    It is told the habits, which unlimited draws would teach.
    """

    def __init__(self, level: str, drawn: int) -> None:
        import torch

        drafts, rng, rows, opens = other_tasks(level, drawn), np.random.default_rng(0), [], []
        for one in drafts:
            silent = [m for m in one.matters if m.key not in one.stated and not m.told]
            shown = rng.permutation(len(silent))[: rng.integers(min(5, len(silent)))]
            told = {silent[place].key: silent[place].key in one.settings for place in shown}
            for matter in silent:
                if matter.key not in told:
                    rows.append(self.features(one.plan, matter, one.stated, told))
                    opens.append(float(matter.key in one.settings))
        width, wanted = max(map(len, rows)), torch.tensor(opens)
        places = torch.tensor([row + [BUCKETS] * (width - len(row)) for row in rows])
        torch.manual_seed(0)
        weights = torch.nn.EmbeddingBag(BUCKETS + 1, 1, mode="sum", padding_idx=BUCKETS)
        torch.nn.init.zeros_(weights.weight)
        optimizer = torch.optim.Adam(weights.parameters(), 0.01)
        for _ in range(EPOCHS):
            for batch in torch.randperm(len(rows)).split(1024):
                optimizer.zero_grad()
                guessed = weights(places[batch]).squeeze(1)
                torch.nn.functional.binary_cross_entropy_with_logits(guessed, wanted[batch]).backward()
                optimizer.step()
        self.weights = weights.weight.detach().numpy()[:, 0]

    @staticmethod
    def features(plan: Plan, matter: Matter, stated: Iterable[str], told: dict[str, bool]) -> list[int]:
        """Return the hashed features of a matter in a state of a dialogue."""
        key, kind, followed = matter.key, matter.kind, habit(plan.domain.key, matter.kind)
        names = [key, kind, f"{plan.domain.key} {kind}", f"{plan.domain.key} {key}", f"{plan.shape} {key}"]
        names += [f"{followed} {kind}", f"{followed} {key}", f"{followed} {plan.shape} {key}"]
        names += [f"{name} {value} {key}" for name, value in plan.operators.items()]
        names += [f"{other} is stated, {key}" for other in stated]
        names += [f"{other} {is_open} {key}" for other, is_open in told.items()]
        names += [f"{sum(told.values())} open", f"{len(told) - sum(told.values())} not"]
        return [crc32(name.encode()) % BUCKETS for name in names]

    def __call__(self, env: Any) -> Any:
        """Return the chances of all keys, as scores."""
        plan, matters, _ = readable(env.play.card.task.description)
        place, now = {key: at for at, key in enumerate(env.keys[1:])}, env.play.status
        before = env.play.card.status
        stated = [m.key for m in matters if m.key in place and before[place[m.key]] == TOLD]
        changed = [m.key for m in matters if m.key in place and before[place[m.key]] != now[place[m.key]]]
        told = {key: bool(now[place[key]] == TOLD) for key in changed}
        scores = np.full(len(place), -np.inf)
        for m in matters:
            if m.key in place and now[place[m.key]] == UNKNOWN:
                scores[place[m.key]] = self.weights[self.features(plan, m, stated, told)].sum()
        return scores


@dataclass
class Fixed:
    """Players that do not learn from playing: what they know stands in the grammar, or in other tasks of it."""

    options: SmallTable2

    @cached_property
    def ceiling(self) -> Ceiling:
        """The public ceiling, taught once."""
        return Ceiling(self.options.level, DRAWN)

    @cached_property
    def often(self) -> dict[str, float]:
        """How often a matter is open that a request does not state, in other tasks, by its key."""
        counts: dict[str, list[int]] = {}
        for one in other_tasks(self.options.level, self.options.other_tasks):
            for matter in one.matters:
                if matter.key not in one.stated and not matter.told:
                    counts.setdefault(matter.key, [1, 1])[matter.key in one.settings] += 1
        return {key: is_open / (is_open + closed) for key, (closed, is_open) in counts.items()}

    def player(self, method: str, seed: int) -> Choose:
        """Return one of them."""
        rng = np.random.default_rng(seed)
        scores: dict[str, Callable[[], Callable[[Any], Any]]] = {
            "random": lambda: lambda env: rng.random(len(env.keys) - 1),
            "asker": lambda: asked_by_asker,
            "in_order": lambda: lambda env: -np.arange(len(env.keys) - 1),
            "constant": lambda: lambda env: np.array([self.often.get(key, 0.5) for key in env.keys[1:]]),
            "ceiling": lambda: self.ceiling,
        }
        return by_scores(scores[method]())


def bandit(table: Table, turns: int, seed: int, curve: Curve) -> None:
    """Learn with Thompson's sampling how often tasks are solved in which a matter was asked; requests are not read."""
    env, rng = menu(table), np.random.default_rng(seed)
    counts = np.ones((2, env.action_space.n - 1))  # of successes and failures, by matter
    sampled, played = by_scores(lambda _: rng.beta(*counts)), 0
    _, info = env.reset(seed=seed)
    for point in range(POINTS + 1):
        while played < turns * point / POINTS:
            over = False
            while not over:
                _, _, over, _, info = env.step(sampled(env, None, info["action_mask"]))
            asked = [exchange.place for exchange in env.play.exchanges]
            counts[0 if info["success"] else 1, asked] += 1
            played += info["turn"]
            _, info = env.reset()
        curve.point(played, by_scores(partial(lambda shares, _: shares, counts[0] / counts.sum(axis=0))))


def reinforce(table: Table, turns: int, seed: int, curve: Curve) -> None:
    """Learn with REINFORCE: the success of dialogues, less its mean in the batch; the mask is part of the policy."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    envs = [menu(table) for _ in range(BATCH)]
    net = torch.nn.Sequential(
        torch.nn.Linear(envs[0].observation_space.shape[0], 64), torch.nn.Tanh(), torch.nn.Linear(64, len(envs[0].keys))
    )
    optimizer = torch.optim.Adam(net.parameters(), RATE)

    def chances(net: Any, seen: Any, masks: Any) -> Any:
        logits = net(torch.from_numpy(np.stack(seen)))
        return torch.distributions.Categorical(logits=logits.masked_fill(~torch.from_numpy(masks).bool(), -torch.inf))

    def player(net: Any) -> Choose:
        with torch.no_grad():
            return lambda _, seen, mask: int(chances(net, [seen], mask[None]).logits.argmax())

    seeds, played = np.random.default_rng(seed).integers(2**31, size=BATCH), 0
    begun = [env.reset(seed=int(own)) for env, own in zip(envs, seeds, strict=True)]
    for point in range(POINTS + 1):
        while played < turns * point / POINTS:
            going, losses = list(range(BATCH)), []
            states, won = dict(enumerate(begun)), torch.zeros(BATCH)
            while going:
                seen = [states[at][0] for at in going]
                drawn = chances(net, seen, np.stack([states[at][1]["action_mask"] for at in going]))
                actions = drawn.sample()
                losses.append((torch.tensor(going), drawn.log_prob(actions)))
                played += int((actions > 0).sum())
                for at, action in zip(tuple(going), actions.tolist(), strict=True):
                    seen_next, _, over, _, info = envs[at].step(action)
                    states[at] = (seen_next, info)
                    if over:
                        won[at] = float(info["success"])
                        going.remove(at)
            better = won - won.mean()
            optimizer.zero_grad()
            (-sum((logprobs * better[of]).sum() for of, logprobs in losses) / BATCH).backward()
            optimizer.step()
            begun = [env.reset() for env in envs]
        curve.point(played, player(copy.deepcopy(net)))


def masked_dqn(env: Any) -> Any:
    """Return a policy of DQN that knows the mask, as it can be seen in the observation; it explores by it too."""
    import torch
    from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

    class Allowed(gym.spaces.Discrete):
        def sample(self, *_: Any, **__: Any) -> Any:
            return super().sample(mask=env.action_masks().astype(np.int8))

    class Masked(QNetwork):  # type: ignore[misc]  # has no types here
        def forward(self, obs: Any) -> Any:
            values = super().forward(obs)
            unknown = obs[:, WORDS : WORDS + values.shape[1] - 1] > 0
            allowed = torch.cat([torch.ones(len(obs), 1, dtype=torch.bool), unknown], dim=1)
            return values.masked_fill(~allowed, -1.0)  # below all that an answer can be worth

    class Policy(DQNPolicy):  # type: ignore[misc]
        def make_q_net(self) -> Any:
            return Masked(**self._update_features_extractor(self.net_args, features_extractor=None)).to(self.device)

    env.action_space = Allowed(env.action_space.n)
    return Policy


def trained(name: str, table: Table, turns: int, seed: int, curve: Curve) -> None:
    """Learn with Stable-Baselines3, in one call; its callback tells the points of the curve."""
    import sb3_contrib
    import stable_baselines3
    import torch
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    masked = name == "MaskablePPO"
    algorithm = getattr(sb3_contrib if masked else stable_baselines3, name.partition(",")[0])
    envs = [menu(table) for _ in range(1 if name.startswith("DQN") else 16)]
    policy = masked_dqn(envs[0]) if name == "DQN, masked" else "MlpPolicy"
    env = DummyVecEnv([lambda one=one: one for one in envs])
    model = algorithm(policy, env, seed=seed, device="cpu", **MODELS[name])

    blank = copy.deepcopy(model.policy)  # one that has learned holds gradients, which cannot be copied

    def player() -> Choose:
        policy = copy.deepcopy(blank)
        policy.load_state_dict(model.policy.state_dict())
        return lambda _, seen, mask: int(
            policy.predict(seen, deterministic=True, **({"action_masks": mask} if masked else {}))[0]
        )

    class Points(BaseCallback):  # type: ignore[misc]  # has no types here
        """Plays the validation tasks now and then."""

        told = 0

        def _on_step(self) -> bool:
            if self.num_timesteps >= turns * self.told / POINTS and self.told < POINTS:
                curve.point(self.num_timesteps, player())
                self.told += 1
            return True

    model.learn(turns, callback=Points())
    curve.point(model.num_timesteps, player())


def learn(methods: list[str], seeds: int, out: Path, options: SmallTable2) -> None:
    """Learn and play with every seed that the results do not have; write rows of results for each."""
    out.mkdir(parents=True, exist_ok=True)
    asked = {"questions": options.questions}
    level = "" if options.level == "default" else f":{options.level}"
    tables = {
        split: open_table("backend", {**asked, "tasks": f"generated:{split}{level}", "pool": options.train_tasks})
        for split in ("train", "validation", "test", "test_domains")
    }
    file, fixed = out / "algorithms.jsonl", Fixed(options)
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    have = {(row["method"], row["seed"]) for row in rows}
    for method, seed in [(method, seed) for method in methods for seed in range(seeds)]:
        name = NAMES.get(method, method)
        if (name, seed) in have:
            continue
        curve = Curve(
            tables["validation"], options.validation_tasks, out / "curves.jsonl", {"method": name, "seed": seed}
        )
        if method in NAMES:
            curve.point(0, fixed.player(method, seed))
        elif method == "bandit":
            bandit(tables["train"], options.online_turns, seed, curve)
        elif method == "REINFORCE":
            reinforce(tables["train"], options.online_turns, seed, curve)
        else:
            trained(method, tables["train"], options.online_turns, seed, curve)
        if curve.best is None:
            raise AssertionError("a curve has its start at least")
        _, turns, choose = curve.best
        found = []
        for split, number in {"test": options.test_tasks, "test_domains": options.unseen_tasks}.items():
            if number:
                played = evaluated(tables[split], choose, options.first_test, number)
                found.append({"seed": seed, "split": split, "method": name, "turns": turns, **played})
                print({**found[-1], "success": share(played)}, flush=True)
        with file.open("a", encoding="utf-8") as sink:
            sink.write("".join(json.dumps(row) + "\n" for row in found))
    for table in tables.values():
        table.scenario.close()


def draw(out: Path) -> None:
    """Draw the curves beside players that do not learn, on validation tasks: DIR/menu_curves.png."""
    from matplotlib.figure import Figure

    file = out / "curves.jsonl"
    if not file.exists():
        sys.exit(f"got no {file}, expected the curves of a method; run algorithms.py METHOD --out {out} first")
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    points = {(row["method"], row["seed"], row["turns"]): row["success"] for row in rows}  # of equal ones the last
    methods = list(dict.fromkeys(row["method"] for row in rows))
    figure = Figure(figsize=(8, 4.6), layout="constrained")
    axes = figure.add_subplot()
    levels: list[tuple[float, str]] = []
    for method in methods:
        of = {seed: [(t, 100 * y) for (m, s, t), y in points.items() if (m, s) == (method, seed)] for seed in range(99)}
        drawn = {seed: sorted(line) for seed, line in of.items() if line}
        if method in NAMES.values():
            level = float(np.mean([line[0][1] for line in drawn.values()]))
            axes.axhline(level, color="grey", lw=0.8, ls="--")
            levels.append((level, method))
            continue
        colour = f"C{[m for m in methods if m not in NAMES.values()].index(method) % 10}"
        for place, line in enumerate(drawn.values()):
            axes.plot(*zip(*line, strict=True), "o-", ms=3, color=colour, label=None if place else method)
    above = -100.0
    for level, method in sorted(levels):  # names of levels that are near stand one above the other
        above = max(level, above + 3)
        axes.annotate(method, (1.01, above - 0.8), xycoords=("axes fraction", "data"), annotation_clip=False)
    tasks = "validation tasks"
    axes.set(xlabel="turns of the environment", ylabel=f"success on {tasks}, %")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="center right", fontsize="small")
    axes.grid(alpha=0.3)
    figure.savefig(out / "menu_curves.png", dpi=120)


def options_of(out: Path) -> SmallTable2:
    """Return the options of the run in a folder, or the defaults where there is none."""
    kept = json.loads((out / OPTIONS).read_text("utf-8")) if (out / OPTIONS).exists() else {}
    return replace(SmallTable2(), **{f.name: kept[f.name] for f in fields(SmallTable2) if f.name in kept})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("methods", nargs="+", metavar="METHOD", choices=[*NAMES, *LEARNERS, "draw"])
    parser.add_argument("--turns", type=int, help="of the environment, instead of the options' online_turns")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, metavar="DIR")
    chosen = parser.parse_args()
    its = options_of(chosen.out)
    if wanted := [method for method in chosen.methods if method != "draw"]:
        learn(wanted, chosen.seeds, chosen.out, replace(its, online_turns=chosen.turns or its.online_turns))
    if "draw" in chosen.methods:
        draw(chosen.out)
