"""Learn the weights of the scripted human's ranker from labelled questions, and cross-validate them by task.

    python benchmarks/train_ranking.py QUESTIONS.jsonl TASKS.jsonl [QUESTIONS TASKS ...] [--track frontend] [--save]

A question is learned from where it stands alone and some single fact of its task settles it; the loss is that of
choosing such a fact (softmax over the task's facts, L2 towards a few starting weights). `--save` writes the package's
humans/weights.json. Needs PyTorch, and a browser for pages.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import cast

import torch

import colbench_gym.humans.composing as composing
import colbench_gym.humans.ranking as ranking
from colbench_gym.evaluation.human_check import Question as Row
from colbench_gym.evaluation.human_check import judge, read_questions
from colbench_gym.humans.asking import questions_in
from colbench_gym.humans.composing import Composer
from colbench_gym.humans.facts import Knowledge
from colbench_gym.humans.page.human import MAX_FACTS
from colbench_gym.humans.page.knowledge import PageKnowledge
from colbench_gym.humans.program.deciding import ProgramKnowledge
from colbench_gym.humans.program.laboratory import Laboratory
from colbench_gym.humans.ranking import FactIndex, Features, Ranker
from colbench_gym.rendering import open_renderer
from colbench_gym.rules import BACKEND, Track
from colbench_gym.tasks import BackendTask, Task, load_tasks

START = {"about": 6.0, "text": 3.0, "hits": 1.0, "near": 1.5, "name": 2.0, "literal": 2.0}
START |= {"kind": 2.0, "kind about": 2.0, "weight": 0.5, "carried": 1.0}  # the last: kept where nothing teaches it
PENALTY, STARTED_PENALTY, WORD_PENALTY = 0.002, 0.0004, 0.002
LEAST_FACTS = 3  # with a feature, below which it gets no weight
LEAST_WEIGHT, LEAST_WORD_WEIGHT, LEAST_ASKED = 0.02, 0.08, 4  # that are kept; questions with a word that gets one
FOLDS = 5
WEIGHTS = Path(ranking.__file__).with_name("weights.json")

# the task, features of its facts, and those of them that settle the question, each with how much of it
Example = tuple[str, list[Features], dict[int, float]]
PART = 0.15  # of a settling fact is worth one that tells a part of what settles a question about a page


def fit(examples: list[Example]) -> dict[str, float]:
    """Return the weights under which settling facts come first."""
    count = Counter(name for _, facts, _ in examples for features in facts for name in features)
    asked = Counter(name for _, facts, _ in examples for name in {n for one in facts for n in one if " >> " in n})
    names = [name for name, number in count.items() if number >= LEAST_FACTS and asked.get(name, 99) >= LEAST_ASKED]
    column = {name: place for place, name in enumerate(names)}
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    groups: list[int] = []
    right: list[float] = []
    for group, (_, facts, settling) in enumerate(examples):
        for place, features in enumerate(facts):
            for name, value in features.items():
                if name in column:
                    rows.append(len(groups))
                    columns.append(column[name])
                    values.append(value)
            groups.append(group)
            right.append(settling.get(place, 0.0))
    places, size = torch.tensor([rows, columns]), (len(groups), len(names))
    matrix = torch.sparse_coo_tensor(places, torch.tensor(values), size).coalesce()
    group, hit = torch.tensor(groups), torch.tensor(right)
    start = torch.tensor([START.get(name, 0.0) for name in names])
    rates = [STARTED_PENALTY if n in START else WORD_PENALTY if " >> " in n else PENALTY for n in names]
    penalty = torch.tensor(rates)
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
    learned = START | dict(zip(names, weights.detach().tolist(), strict=True))
    least = (LEAST_WEIGHT, LEAST_WORD_WEIGHT)
    return {name: round(w, 3) for name, w in sorted(learned.items()) if abs(w) > least[" >> " in name]}


def main() -> None:
    """Cross-validate, print, and save when asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="pairs of QUESTIONS and TASKS")
    parser.add_argument("--save", action="store_true", help="write the weights of all rows into the package")
    parser.add_argument("--track", choices=("backend", "frontend"), default="backend")
    args = parser.parse_args()
    with ExitStack() as opened:
        _learn(args.files, args.track, _knower(args.track, opened), args.save)


def _knower(track: Track, opened: ExitStack) -> Callable[[Task], Knowledge]:
    """Return what compiles the knowledge of a task."""
    if track == "backend":
        laboratory = opened.enter_context(closing(Laboratory()))
        return lambda task: ProgramKnowledge(cast("BackendTask", task), laboratory)  # of a set of that track
    renderer = opened.enter_context(closing(open_renderer()))
    return lambda task: PageKnowledge(task.reference, renderer.render(task.reference).layout, task.description)


def _learn(files: list[Path], track: Track, known_of: Callable[[Task], Knowledge], save: bool) -> None:
    asked: list[tuple[str, Row, str, Knowledge, FactIndex]] = []
    for questions, tasks in zip(files[::2], files[1::2], strict=True):
        known: dict[str, tuple[str, Knowledge, FactIndex]] = {}
        task_set = load_tasks(str(tasks), track=track)
        for row in read_questions(questions, track):
            if row.task_id not in known:
                task = task_set.get(row.task_id)
                knowledge = known_of(task)
                known[row.task_id] = (task.description, knowledge, FactIndex(knowledge.facts))
            asked.append((questions.name, row, *known[row.task_id]))
    examples = [example for _, row, key, _, index in asked for example in _examples(row, key, index, track)]
    print(f"{len(asked)} questions, {len(examples)} to learn from")
    folds = [Ranker(fit([e for e in examples if _fold(e[0]) != fold])) for fold in range(FOLDS)]
    verdicts: dict[str, Counter[str]] = {}
    most, cost = (MAX_FACTS, 0.0) if track == "frontend" else (3, composing.COST)
    for source, row, key, knowledge, index in asked:
        composer = Composer(knowledge, index, folds[_fold(key)], most=most, cost=cost)
        reply = " ".join(part.text for part in composer.parts(questions_in(row.text, track), "", BACKEND.human_chars))
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
    if save:
        weights = json.loads(WEIGHTS.read_text(encoding="utf-8")) if WEIGHTS.exists() else {}
        weights[track] = fit(examples)
        WEIGHTS.write_text(json.dumps(weights, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{len(weights[track])} weights written, {WEIGHTS.stat().st_size} bytes")


def _examples(row: Row, key: str, index: FactIndex, track: Track) -> list[Example]:
    """Return what a row teaches; rows of several questions teach only about pages, whose facts tell parts."""
    questions = questions_in(row.text, track)
    good = ("settled", "rightly_unknown")
    settling = {place: 1.0 for place, fact in enumerate(index.facts) if judge(row, fact.text) in good}
    if track == "backend" and len(questions) != 1:
        return []
    if track == "frontend":
        for place, fact in enumerate(index.facts):
            if place not in settling and judge(row, fact.text) != "false" and _tells_part(row, fact.text):
                settling[place] = PART
    if not 0 < len(settling) < len(index.facts):
        return []
    return [(key, index.features(question), settling) for question in questions]


def _tells_part(row: Row, text: str) -> bool:
    met = sum(any(pattern.search(text) for pattern in group) for group in row.settled_by)
    return len(row.settled_by) > 1 and 2 * met > 0.8 * len(row.settled_by)


def _fold(key: str) -> int:
    return zlib.crc32(key.encode()) % FOLDS


if __name__ == "__main__":
    main()
