"""Learn the weights of the scripted human's ranker from labelled questions, and cross-validate them by task.

    python benchmarks/train_ranking.py QUESTIONS.jsonl TASKS.jsonl [QUESTIONS TASKS ...] [--save]

A question is learned from where it stands alone and some single fact of its task settles it; the loss is that of
choosing such a fact (softmax over the task's facts, L2 towards a few starting weights). `--save` writes the package's
humans/weights.json. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from pathlib import Path

import torch

import colbench_gym.humans.ranking as ranking
from colbench_gym.evaluation.human_check import Question as Row
from colbench_gym.evaluation.human_check import judge, read_questions
from colbench_gym.humans.asking import questions_in
from colbench_gym.humans.composing import Composer
from colbench_gym.humans.program.deciding import ProgramKnowledge
from colbench_gym.humans.program.laboratory import Laboratory
from colbench_gym.humans.ranking import FactIndex, Features, Ranker
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import load_tasks

START = {
    "about": 6.0,
    "text": 3.0,
    "hits": 1.0,
    "near": 1.5,
    "name": 2.0,
    "literal": 2.0,
    "kind": 2.0,
    "kind about": 2.0,
    "weight": 0.5,
}
PENALTY, STARTED_PENALTY = 0.002, 0.0004
LEAST_FACTS = 3  # with a feature, below which it gets no weight
LEAST_WEIGHT = 0.02  # that is kept
FOLDS = 5
WEIGHTS = Path(ranking.__file__).with_name("weights.json")

Example = tuple[str, list[Features], list[int]]  # the task, features of its facts, which of them settle the question


def fit(examples: list[Example]) -> dict[str, float]:
    """Return the weights under which settling facts come first."""
    count = Counter(name for _, facts, _ in examples for features in facts for name in features)
    names = [name for name, number in count.items() if number >= LEAST_FACTS]
    column = {name: place for place, name in enumerate(names)}
    rows, columns, values, groups, right = [], [], [], [], []
    for group, (_, facts, settling) in enumerate(examples):
        for place, features in enumerate(facts):
            for name, value in features.items():
                if name in column:
                    rows.append(len(groups))
                    columns.append(column[name])
                    values.append(value)
            groups.append(group)
            right.append(float(place in settling))
    matrix = torch.sparse_coo_tensor(torch.tensor([rows, columns]), torch.tensor(values), (len(groups), len(names)))
    group, hit = torch.tensor(groups), torch.tensor(right)
    start = torch.tensor([START.get(name, 0.0) for name in names])
    penalty = torch.tensor([STARTED_PENALTY if name in START else PENALTY for name in names])
    weights = start.clone().requires_grad_(True)
    optimizer = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        scores = torch.sparse.mm(matrix, weights.unsqueeze(1)).squeeze(1)
        top = torch.full((len(examples),), -1e9).scatter_reduce(0, group, scores.detach(), "amax")
        shares = torch.exp(scores - top[group])
        whole = torch.zeros(len(examples)).index_add(0, group, shares)
        part = torch.zeros(len(examples)).index_add(0, group, shares * hit)
        value = (torch.log(whole) - torch.log(part + 1e-12)).mean() + (penalty * (weights - start) ** 2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    learned = zip(names, weights.detach().tolist(), strict=True)
    return {name: round(weight, 3) for name, weight in sorted(learned) if abs(weight) > LEAST_WEIGHT}


def main() -> None:
    """Cross-validate, print, and save when asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="pairs of QUESTIONS and TASKS")
    parser.add_argument("--save", action="store_true", help="write the weights of all rows into the package")
    args = parser.parse_args()
    laboratory = Laboratory()
    asked: list[tuple[str, Row, ProgramKnowledge, FactIndex]] = []
    for questions, tasks in zip(args.files[::2], args.files[1::2], strict=True):
        known: dict[str, tuple[ProgramKnowledge, FactIndex]] = {}
        task_set = load_tasks(str(tasks), track="backend")
        for row in read_questions(questions, "backend"):
            if row.task_id not in known:
                program = ProgramKnowledge(task_set.get(row.task_id), laboratory)
                known[row.task_id] = (program, FactIndex(program.facts))
            asked.append((questions.name, row, *known[row.task_id]))
    examples = [example for _, row, program, index in asked if (example := _example(row, program, index)) is not None]
    print(f"{len(asked)} questions, {len(examples)} to learn from")
    folds = [Ranker(fit([e for e in examples if _fold(e[0]) != fold])) for fold in range(FOLDS)]
    verdicts: dict[str, Counter[str]] = {}
    for source, row, program, index in asked:
        composer = Composer(program, index, folds[_fold(program.task.description)])
        reply = " ".join(part.text for part in composer.parts(questions_in(row.text), "", BACKEND.human_chars))
        counts = verdicts.setdefault(source, Counter())
        counts.update([judge(row, reply), "questions"])
        counts["characters"] += len(reply)
    for source, counts in verdicts.items():
        number = counts["questions"]
        good = (counts["settled"] + counts["rightly_unknown"]) / number
        print(
            f"{source}: {number} questions, settled {good:.1%}, false {counts['false'] / number:.1%}, "
            f"evasive {counts['evasive'] / number:.1%}, {counts['characters'] / number:.0f} characters"
        )
    if args.save:
        weights = json.loads(WEIGHTS.read_text(encoding="utf-8")) if WEIGHTS.exists() else {}
        weights["backend"] = fit(examples)
        WEIGHTS.write_text(json.dumps(weights, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{len(weights['backend'])} weights written, {WEIGHTS.stat().st_size} bytes")
    laboratory.close()


def _example(row: Row, program: ProgramKnowledge, index: FactIndex) -> Example | None:
    questions = questions_in(row.text)
    settling = [place for place, fact in enumerate(index.facts) if judge(row, fact.text) == "settled"]
    if len(questions) != 1 or row.unknowable or not 0 < len(settling) < len(index.facts):
        return None
    return program.task.description, index.features(questions[0]), settling


def _fold(key: str) -> int:
    return zlib.crc32(key.encode()) % FOLDS


if __name__ == "__main__":
    main()
