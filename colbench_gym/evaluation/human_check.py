"""Check a human: natural questions about known tasks, and whether each reply settles what was asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import colbench_gym.humans
from colbench_gym.errors import HumanError, InputFileError
from colbench_gym.evaluation.statistics.groups import grouped
from colbench_gym.jsonl import read_rows, read_toml, text_field, wrong_type
from colbench_gym.rules import Track

Verdict = Literal["settled", "rightly_unknown", "false", "evasive", "unsettled", "invented", "failed"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
MAX_REPLY_CHARS = 4000  # ours: patterns of a file are matched against no more than this

_UNQUOTED = r'(?=(?:[^"]*"[^"]*")*[^"]*$)'  # behind what is said in a reply's own words
_YES, _NO, _UNKNOWN = (
    re.compile(rf"{before}(?:{'|'.join(read_toml(Path(__file__).with_suffix('.toml'))[name])}){after}", re.I)
    for name, before, after in (("yes", r"\W*", ""), ("no", r"\W*", ""), ("unknown", r"\b", rf"\b{_UNQUOTED}"))
)
_CLAUSE = re.compile(rf"(?:(?<=[.!?;])\s+|,?\s+(?=but\b|however\b|though\b)){_UNQUOTED}")
_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d\u2011\u00a0", "''\"\"- ")


@dataclass(frozen=True)
class Question:
    """Question about a task, and what a good reply conveys."""

    task_id: str
    track: Track
    text: str  # as it is put
    kind: str  # a label to group by, such as ``threshold``
    settled_by: tuple[tuple[re.Pattern[str], ...], ...]  # of each group one is found in a reply that settles it
    wrong: tuple[re.Pattern[str], ...] = ()  # found in false replies only
    polarity: Literal["yes", "no"] | None = None  # where the first word of a right reply may say so
    unknowable: bool = False  # by the reference: ``settled_by`` then finds an admission of that


@dataclass(frozen=True)
class CheckedReply:
    """Reply to one question, and what it is worth."""

    question: Question
    reply: str
    verdict: Verdict


@dataclass(frozen=True)
class Shares:
    """Shares of the verdicts among so many questions, each in [0, 1]."""

    questions: int
    verdicts: Mapping[str, float]

    @classmethod
    def of(cls, replies: Sequence[CheckedReply]) -> Shares:
        """Return the shares among some replies."""
        counts = Counter(checked.verdict for checked in replies)
        return cls(len(replies), {verdict: counts[verdict] / max(1, len(replies)) for verdict in VERDICTS})

    @property
    def good(self) -> float:
        """Share of the replies that settle the question or rightly say that nothing settles it."""
        return self.verdicts["settled"] + self.verdicts["rightly_unknown"]

    def as_json(self) -> dict[str, float]:
        """Return them for a file."""
        return {"questions": self.questions, "good": self.good, **self.verdicts}


@dataclass(frozen=True)
class HumanReport:
    """Replies of one human to all questions."""

    replies: tuple[CheckedReply, ...]

    @property
    def total(self) -> Shares:
        """Shares over all questions."""
        return Shares.of(self.replies)

    @property
    def mean_chars(self) -> float:
        """Mean length of the replies, in characters."""
        return sum(len(checked.reply) for checked in self.replies) / max(1, len(self.replies))

    @property
    def by_kind(self) -> dict[str, Shares]:
        """Shares of each kind of question, in the order of their names."""
        kinds = grouped((checked.question.kind, checked) for checked in self.replies)
        return {kind: Shares.of(of) for kind, of in sorted(kinds.items())}

    def as_json(self) -> dict[str, Any]:  # Any: JSON
        """Return the shares and every reply, for a file."""
        asked = ((checked, checked.question) for checked in self.replies)
        return {
            "total": self.total.as_json() | {"mean_chars": self.mean_chars},
            "by_kind": {kind: shares.as_json() for kind, shares in self.by_kind.items()},
            "replies": [
                {"task_id": q.task_id, "kind": q.kind, "question": q.text, "reply": of.reply, "verdict": of.verdict}
                for of, q in asked
            ],
        }


def check_human(
    questions: Sequence[Question],
    ask: Callable[[Question], str],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> HumanReport:
    """Put every question in a dialogue of its own by ``ask``, and judge the replies."""
    replies: list[CheckedReply] = []
    for question in questions:
        try:
            reply = ask(question)
            replies.append(CheckedReply(question, reply, judge(question, reply)))
        except HumanError as e:
            replies.append(CheckedReply(question, str(e), "failed"))
        progress(len(replies), len(questions))
    return HumanReport(tuple(replies))


def judge(question: Question, reply: str) -> Verdict:
    """Return what a reply is worth; the same for straight and curly quotes and any white space."""
    text = " ".join(reply[:MAX_REPLY_CHARS].translate(_STRAIGHT).replace("**", "").split())
    known = " ".join(clause for clause in _CLAUSE.split(text) if not _UNKNOWN.search(clause))
    stated = text if question.unknowable else known
    opening = "yes" if _YES.match(stated) else "no" if _NO.match(stated) else None
    contradicts = opening is not None and question.polarity not in (None, opening) and not question.unknowable
    if contradicts or any(pattern.search(stated) for pattern in question.wrong):
        return "false"
    conveys = all(any(pattern.search(stated) for pattern in group) for group in question.settled_by)
    if question.unknowable:
        return "rightly_unknown" if conveys else "invented"
    if stated and conveys:
        return "settled"
    return "evasive" if _UNKNOWN.search(text) else "unsettled"


def shipped_questions(track: Track) -> tuple[str, Path]:
    """Return the tasks and the questions about them that ship with the package, as paths of files."""
    card = Path(colbench_gym.humans.__file__).with_name("card")
    name = "functions" if track == "backend" else "pages"
    return str(card / f"{name}_tasks.jsonl"), card / f"{name}_questions.jsonl"


def read_questions(path: Path, track: Track) -> tuple[Question, ...]:
    """Read the questions of one track from a JSONL file.

    A row has ``question``, ``task_id`` (or ``index``), ``settled_by`` (a list of groups, each a list of regular
    expressions), and may have ``track`` (rows of the other one are left out), ``kind``, ``wrong``, ``polarity`` and
    ``unknowable``.

    Raises:
        InputFileError: a row is broken (file, line and field are named), or no row is of the track.
    """
    with closing(read_rows(path)) as rows:
        of_track = ((number, row) for number, row in rows if row.get("track", track) == track)
        questions = tuple(_question(path, number, row, track) for number, row in of_track)
    if not questions:
        raise InputFileError(f"{path}: got no question about a {track} task; expected at least one row")
    return questions


def _question(path: Path, number: int, row: Mapping[str, Any], track: Track) -> Question:  # Any: JSON of other people
    task_id = row.get("task_id", row.get("index"))
    if isinstance(task_id, bool) or not isinstance(task_id, (str, int)):
        raise wrong_type(path, number, "task_id", task_id, "the id of a task")
    polarity = row.get("polarity")
    if polarity not in ("yes", "no", None):
        wanted = "expected 'yes', 'no' or null; mend the row"
        raise InputFileError(f"{path}, line {number}: got polarity {polarity!r}; {wanted}")
    groups = row.get("settled_by")
    if not isinstance(groups, list) or not groups:
        raise wrong_type(path, number, "settled_by", groups, "a list of lists of regular expressions")
    return Question(
        task_id=str(task_id),
        track=track,
        text=text_field(path, number, row, "question"),
        kind=str(row.get("kind", "all")),
        settled_by=tuple(_patterns(path, number, "settled_by", group) for group in groups),
        wrong=_patterns(path, number, "wrong", row.get("wrong", [])),
        polarity=polarity,
        unknowable=bool(row.get("unknowable", False)),
    )


def _patterns(path: Path, number: int, name: str, texts: object) -> tuple[re.Pattern[str], ...]:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise wrong_type(path, number, name, texts, "a list of regular expressions")
    try:
        return tuple(re.compile(text, re.I) for text in texts)
    except re.error as e:
        raise InputFileError(
            f"{path}, line {number}: field {name!r} holds no regular expression ({e}); mend the pattern"
        ) from e
