"""How well the scripted human reads references: what it tells, whether it is true, and that it quotes no code.

Usage: ``python benchmarks/reading.py --tasks PATH`` with official backend tasks, or with COLBENCH_OFFICIAL_DATA set to
their folder. Prints one line a measure with its goal; exit status 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.code_reader import NO_CODE, NOTHING_MORE, UNKNOWN, UNREADABLE, CodeReader
from colbench_gym.humans.code_reader.facts import split_words, stem
from colbench_gym.humans.code_reader.questions import understand
from colbench_gym.humans.code_reader.reader import read
from colbench_gym.humans.leaks import measure_reply, pastes_code
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import BackendTask, load_tasks

GENERIC = {
    "plain": (
        "What arguments does the function take, and what are their types?",
        "What does the function return?",
        "Are there any edge cases that I should handle?",
        "Which conditions decide the result?",
        "Are there any constants or thresholds?",
        "What formats do the input and the output have?",
        "Does the order matter, and how should things be sorted?",
        "Should the numbers be rounded?",
        "Is there anything else I should know?",
    ),
    "chatty": (
        "Sure, I'd be happy to help! First, could you describe the input parameters and the data type of each one?",
        "Thanks! What exactly should the output look like, and what values can it have?",
        "How should the function deal with invalid, missing or empty input?",
        "Could you walk me through the rules and the logic that you would like me to implement?",
        "Which specific numbers, weights, limits or fixed strings should I use?",
        "Is there a particular format or structure, such as dictionary keys, that I have to follow?",
        "In which order should the results come, and how are ties broken?",
        "How many decimal places do you want, and should I round up or down?",
        "Before I write the code: did I miss anything, are there any other requirements?",
    ),
    "terse": (
        "arguments?",
        "return value?",
        "edge cases?",
        "conditions?",
        "constants?",
        "format?",
        "order?",
        "rounding?",
        "anything else?",
    ),
}
FOREIGN = 500
GOAL_LITERALS, GOAL_TRUE, RUN = 0.85, 0.95, 12
_TOKEN = re.compile(r"\w+|[^\w\s]")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")
_QUOTED = re.compile(r"\"([^\"]*)\"|“([^”]*)”|(?<!\w)'([^']*)'(?!\w)")


def literals(task: BackendTask) -> set[str]:
    """Strings and numbers other than 0 and 1 that the description does not have."""
    found = {
        str(node.value)
        for node in ast.walk(ast.parse(task.reference))
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float))
        if not isinstance(node.value, bool) and node.value not in (0, 1, "")
    }
    return {literal for literal in found if literal not in task.description}


def converse(task: BackendTask, questions: Sequence[str]) -> list[str]:
    """The replies of one dialogue."""
    human, turns, replies = CodeReader(), [Turn("human", task.description)], []
    for question in questions:
        turns.append(Turn("agent", question))
        replies.append(human.reply(task, Dialogue(tuple(turns))))
        turns.append(Turn("human", replies[-1]))
    return replies


def quotes_code(task: BackendTask, reply: str) -> bool:
    """Whether a reply has RUN tokens in a row, or a whole line, of the reference; on purpose not the reader's check."""
    ours, theirs = (" ".join(_TOKEN.findall(text)) for text in (reply, task.reference))
    words = theirs.split()
    runs = (" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))
    lines = (line.strip() for line in task.reference.splitlines())
    return any(f" {run} " in f" {ours} " for run in runs) or any(
        line in reply for line in lines if len(_TOKEN.findall(line)) > 2
    )


def breaks_length(reply: str) -> bool:
    """Whether a reply is empty, too long, or more than two sentences."""
    ends = len(re.findall(r"[.!?…]+(?=\s|$)", reply))
    return not reply or len(reply) > BACKEND.human_chars or ends > 2


def foreign_questions(tasks: Sequence[BackendTask], count: int) -> list[tuple[BackendTask, str]]:
    """Questions about one task, put to another: those of its own description, and about its names and constants."""
    asked: list[str] = []
    for task in tasks:
        request = task.description.split("The signature of the function is")[0]
        asked += [sentence.strip() for sentence in re.findall(r"[^.?!\n]+\?", request)][-1:]
        tree = ast.parse(task.reference)
        names = list(dict.fromkeys(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)))
        told = [name.replace("_", " ") for name in names if len(name) > 3]
        shapes = ("What type is the {}?", "How does the {} affect the result?", "Is there a limit for the {}?")
        asked += [shape.format(name) for shape, name in zip(shapes, told, strict=False)]
        texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        asked += [f"What should happen for '{text}'?" for text in texts[:1]]
    step = len(asked) // count or 1
    chosen = asked[::step][:count]
    return [(tasks[(place * 7 + len(tasks) // 2) % len(tasks)], question) for place, question in enumerate(chosen)]


def is_ignorance(reply: str) -> bool:
    """Whether a reply says that nothing is known."""
    return "don't know" in reply or reply in (UNKNOWN, UNREADABLE, NO_CODE, NOTHING_MORE)


def untrue_parts(task: BackendTask, reply: str) -> list[str]:
    """Constants, quotations, words and clauses of a reply that this reference does not have."""
    tree = ast.parse(task.reference)
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    texts = " ".join(value for value in constants if isinstance(value, str))
    numbers = {str(value) for value in constants if isinstance(value, (int, float))} | {"0", "1"}
    wrong = [quoted for match in _QUOTED.findall(reply) for quoted in match if quoted and quoted not in texts]
    plain = _QUOTED.sub(" ", reply)
    wrong += [number for number in _NUMBER.findall(plain) if number not in numbers | set(_NUMBER.findall(texts))]
    own = {stem(word) for word in split_words(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", task.reference))}
    wrong += [word for word in split_words(plain) if stem(word) not in own | _template_words() and not word.isdigit()]
    facts = [fact.text.lower() for fact in read(task.reference, task.description).facts]
    lower = reply.lower()
    remarks = [remark for remark in _remarks() if remark in lower]
    if not remarks and not any(fact in lower for fact in facts):
        wrong.append("no fact of this reference")
    return wrong


_WORDS: set[str] = set()
_REMARKS: list[str] = []


def _template_words() -> set[str]:
    """Stems of all words that the reader itself puts between names and constants."""
    if not _WORDS:
        folder = Path(sys.modules[CodeReader.__module__].__file__ or "").parent
        for name in (
            "calls",
            "contexts",
            "expressions",
            "statements",
            "reading",
            "signature_facts",
            "type_clues",
            "wording",
            "matching",
        ):
            for node in ast.walk(ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    _WORDS.update(stem(word) for word in split_words(node.value))
    return _WORDS


def _remarks() -> list[str]:
    if not _REMARKS:
        from colbench_gym.humans.code_reader.matching import REMARKS

        _REMARKS.extend(remark.lower() for remark in REMARKS)
    return _REMARKS


def on_topic(task: BackendTask, question: str) -> bool:
    """Whether a question shares a telling word with the reference or the description, or is about any function."""
    reading, asked = read(task.reference, task.description), understand(question)
    return bool(asked.words & (reading.vocabulary | reading.topics)) or bool(asked.kinds) or asked.more


def report(name: str, text: str, good: bool) -> bool:
    """Print one measure."""
    print(f"{'ok  ' if good else 'MISS'}  {name:<34} {text}")
    return good


def measure_generic(tasks: Sequence[BackendTask], wording: str) -> tuple[bool, list[tuple[BackendTask, str, str]]]:
    """What nine questions bring out of each task."""
    shares, with_some, rows = [], [], []
    for task in tasks:
        replies = converse(task, GENERIC[wording])
        rows += [(task, question, reply) for question, reply in zip(GENERIC[wording], replies, strict=True)]
        wanted, told = literals(task), "\n".join(replies)
        shares.append(sum(literal in told for literal in wanted) / len(wanted) if wanted else 1.0)
        if wanted:
            with_some.append(shares[-1])
    mean, strict = sum(shares) / len(shares), sum(with_some) / len(with_some)
    text = (
        f"{mean:.1%} of the literals on average over {len(shares)} tasks; {strict:.1%} over {len(with_some)} with any"
    )
    return report(f"nine questions, {wording}", f"{text} (goal {GOAL_LITERALS:.0%})", strict >= GOAL_LITERALS), rows


def measure_foreign(tasks: Sequence[BackendTask]) -> tuple[bool, list[tuple[BackendTask, str, str]]]:
    """Questions from other tasks."""
    rows = [(task, question, converse(task, [question])[0]) for task, question in foreign_questions(tasks, FOREIGN)]
    unknown = sum(is_ignorance(reply) for _, _, reply in rows)
    wrong = [
        (task.task_id, question, reply, parts)
        for task, question, reply in rows
        if not is_ignorance(reply) and ((parts := untrue_parts(task, reply)) or not on_topic(task, question))
    ]
    for row in wrong[:5]:
        print("      ", row)
    good = 1 - len(wrong) / len(rows)
    text = (
        f"{good:.1%} of {len(rows)}: {unknown} unknown, {len(rows) - unknown - len(wrong)} true, {len(wrong)} neither"
    )
    return report("questions from other tasks", f"{text} (goal {GOAL_TRUE:.0%})", good >= GOAL_TRUE), rows


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    folder = os.environ.get("COLBENCH_OFFICIAL_DATA", "")
    parser.add_argument("--tasks", default=str(Path(folder) / "backend_tasks.jsonl") if folder else None)
    path = parser.parse_args().tasks
    if path is None:
        parser.error("no tasks: give --tasks PATH, or set COLBENCH_OFFICIAL_DATA to the folder of backend_tasks.jsonl")
    task_set = load_tasks(path)
    tasks = [task for place in range(task_set.size or 0) if isinstance(task := task_set.at(place), BackendTask)]
    print(f"{len(tasks)} tasks of {path}")
    good = True
    rows: list[tuple[BackendTask, str, str]] = []
    started = time.perf_counter()
    for wording in GENERIC:
        fine, found = measure_generic(tasks, wording)
        good &= fine
        rows += found
    fine, found = measure_foreign(tasks)
    good &= fine
    rows += found
    untrue = [
        (task.task_id, reply, parts)
        for task, _, reply in rows
        if not is_ignorance(reply) and (parts := untrue_parts(task, reply))
    ]
    for row in untrue[:5]:
        print("      ", row)
    good &= report("replies with something untrue", f"{len(untrue)} of {len(rows)} (goal 0)", not untrue)
    quoting = [(task.task_id, reply) for task, _, reply in rows if quotes_code(task, reply)]
    for pair in quoting[:5]:
        print("      ", pair)
    good &= report("replies that quote code", f"{len(quoting)} of {len(rows)} (goal 0)", not quoting)
    long = [reply for _, _, reply in rows if breaks_length(reply)]
    for reply in long[:5]:
        print("      ", reply)
    good &= report("replies that break the length rules", f"{len(long)} of {len(rows)} (goal 0)", not long)
    flagged = [(task.task_id, reply) for task, _, reply in rows if pastes_code(task, reply)]
    for pair in flagged[:5]:
        print("      ", pair)
    share = len(flagged) / len(rows)
    good &= report("paraphrases flagged as code", f"{share:.2%} of {len(rows)} (goal under 5%)", share < 0.05)
    leaks = [measure_reply(task, question, reply) for task, question, reply in rows]
    unasked = sum(leak.literals > 0 for leak in leaks) / len(leaks)
    runs = sum(leak.run > 0 for leak in leaks) / len(leaks)
    print(f"      replies with constants not asked for: {unasked:.2%}; with runs of code: {runs:.2%}")
    print(f"      {time.perf_counter() - started:.1f} s in all")
    good &= measure_speed(rows)
    return 0 if good else 1


def measure_speed(rows: Sequence[tuple[BackendTask, str, str]]) -> bool:
    """CPU milliseconds a reply and a measurement; wall time would measure the other users of the machine."""
    human, sample = CodeReader(), rows[:1000]
    dialogues = [
        (task, Dialogue((Turn("human", task.description), Turn("agent", question)))) for task, question, _ in sample
    ]
    started = time.process_time()
    for task, dialogue in dialogues:
        human.reply(task, dialogue)
    reply_ms = (time.process_time() - started) * 1000 / len(sample)
    started = time.process_time()
    for task, question, reply in sample:
        measure_reply(task, question, reply)
    leak_ms = (time.process_time() - started) * 1000 / len(sample)
    started = time.process_time()
    for task, _, reply in sample:
        pastes_code(task, reply)
    paste_ms = (time.process_time() - started) * 1000 / len(sample)
    text = f"{reply_ms:.3f} CPU ms a reply (goal 1), {leak_ms:.3f} measure_reply (goal 0.3), {paste_ms:.3f} pastes_code"
    return report("speed", text, reply_ms < 1 and leak_ms < 0.3)


if __name__ == "__main__":
    raise SystemExit(main())
