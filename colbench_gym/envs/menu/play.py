"""One episode on the menu as an immutable value, and the table at which many are played and replies are kept."""

from __future__ import annotations

import re
import zlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from colbench_gym.dialogue import Dialogue
from colbench_gym.envs.menu.sheets import TOLD, UNKNOWN, WAVED_OFF, BackendSheet, FrontendSheet, Heard, Sheet, keys_of
from colbench_gym.episode import Episode
from colbench_gym.graders import Grade
from colbench_gym.scenario import Scenario
from colbench_gym.task_episode import TaskEpisode
from colbench_gym.tasks import Task

WORDS = 512  # hash buckets of the request's words; collisions cost a little, a vocabulary would go stale
MAX_CARDS = 20_000  # tasks whose replies and grades are kept
_WORD = re.compile(r"\w+")
Vector = npt.NDArray[np.float32]
Status = npt.NDArray[np.int8]  # (keys,)


@dataclass(frozen=True)
class Exchange:
    """A question, its reply, and what that tells."""

    place: int
    question: str
    reply: str
    heard: Heard


@dataclass(frozen=True, eq=False)
class Card:
    """One task on the table.

    Attributes:
        words: of the request, hashed.
        status: of each key when the episode begins.
        replies, grades: what is kept, by question and by what the answer depends on.
    """

    task: Task
    sheet: Sheet
    words: Vector
    status: Status
    replies: dict[str, Exchange] = field(default_factory=dict)
    grades: dict[Hashable, tuple[Grade, float]] = field(default_factory=dict)


class Table:
    """Scenario, rules of the menu, and what is kept of replies and grades; episodes of many environments share it.

    Args:
        scenario: what is played with.
        questions: budget of an episode.
        question_cost: taken off the reward for each.
        keep_replies: keep replies by (task, question) and grades by (task, answer).
        pool: tasks are drawn from the first ones of the set, so many; 0 draws from all.
    """

    def __init__(self, scenario: Scenario, questions: int, question_cost: float, keep_replies: bool, pool: int) -> None:
        self.scenario, self.questions, self.question_cost = scenario, questions, question_cost
        self.keep_replies = keep_replies
        self.track = scenario.rules.track
        self.keys = tuple(keys_of(self.track))
        size = scenario.tasks.size
        self.pool = min(pool, size) if pool and size is not None else pool or size or 0
        self._cards: dict[str, Card] = {}
        self._by_index: dict[int, Card] = {}

    def draw(self, rng: np.random.Generator) -> Card:
        """Return a card, drawn with replacement from the pool."""
        if not self.pool:
            return self.card(self.scenario.tasks.sample(rng))
        index = int(rng.integers(self.pool))
        card = self._by_index.get(index)
        if card is None:
            card = self.card(self.scenario.tasks.at(index))
            if len(self._by_index) < MAX_CARDS:
                self._by_index[index] = card
        return card

    def card(self, task: Task) -> Card:
        """Return the card of a task.

        Raises:
            UsageError: the task is none of the grammar.
        """
        card = self._cards.get(task.task_id)
        if card is None or card.task != task:
            sheet: Sheet = BackendSheet(task) if self.track == "backend" else FrontendSheet(task)
            status: Status = np.zeros(len(self.keys), np.int8)  # absent
            status[list(sheet.status)] = list(sheet.status.values())
            card = Card(task, sheet, _hashed(task.description), status)
            while len(self._cards) >= MAX_CARDS:
                del self._cards[next(iter(self._cards))]
            self._cards[task.task_id] = card
        return card

    def ask(self, play: Play, place: int) -> Exchange:
        """Return what the human replies to a question, as if it were the first one, and what that tells.

        Raises:
            HumanError, RendererError, AssetError: as :meth:`TaskEpisode.say`.
        """
        card = play.card
        question = card.sheet.question(place, play.known)
        kept = card.replies.get(question)
        if kept is None:
            reply = self.scenario.episode_of(card.task).say(question) or ""
            kept = Exchange(place, question, reply, card.sheet.heard(place, reply))
            if self.keep_replies:  # the first one, where another thread asked at the same time
                kept = card.replies.setdefault(question, kept)
        return kept

    def grade(self, play: Play) -> tuple[Grade, float]:
        """Return the grade of the answer that follows from what is known, and what is paid for it.

        Raises:
            GraderError, RendererError, AssetError: as :meth:`TaskEpisode.say`.
        """
        card = play.card
        key = play.known
        if callable(self.scenario.reward):  # it is called with the info of the dialogue
            key = (key, tuple(exchange.question for exchange in play.exchanges))
        kept = card.grades.get(key)
        if kept is None:
            episode = play.dialogue(self)
            episode.speak("agent", answer_message(self, play))
            episode.grade()
            if episode.final_grade is None:
                raise AssertionError("a finished dialogue was graded")
            kept = (episode.final_grade, episode.reward)
            if self.keep_replies:
                kept = card.grades.setdefault(key, kept)
        return kept

    def keeps(self, play: Play, action: int) -> bool:
        """Return whether nobody has to be waited for, neither the human nor the grader."""
        known = play.known
        if action and play.status[action - 1] == UNKNOWN:
            kept = play.card.replies.get(play.card.sheet.question(action - 1, known))
            if kept is None:
                return False
            known = play.card.sheet.with_facts(known, kept.heard.facts)
        return (action > 0 and play.turn + 1 < self.questions) or known in play.card.grades

    def after(self, play: Play, action: int) -> Play:
        """Return the episode after an action; the one before stays as it is.

        Raises:
            HumanError, GraderError, RendererError, AssetError: as :meth:`ask` and :meth:`grade`.
        """
        place, asks = action - 1, action > 0
        if asks and play.status[place] == UNKNOWN:
            exchange = self.ask(play, place)
            status = play.status.copy()
            for changed, number in exchange.heard.status.items():
                status[changed] = number
            known = play.card.sheet.with_facts(play.known, exchange.heard.facts)
            play = Play(play.card, status, known, play.turn, (*play.exchanges, exchange))
        turn = play.turn + asks
        if asks and turn < self.questions:
            return Play(play.card, play.status, play.known, turn, play.exchanges, 0.0 - self.question_cost)
        grade, paid = self.grade(play)
        reward = paid - self.question_cost * asks
        return replace(play, turn=turn, reward=reward, grade=grade)

    def restored(self, saved: dict[str, Any]) -> Play:  # Any: see Play.saved
        """Return an episode that another process has saved."""
        return Play(**{**saved, "card": self.card(saved["card"])})

    def __getstate__(self) -> dict[str, Any]:  # Any: its attributes
        """Return all but what is kept, which another process finds out by itself."""
        return {**vars(self), "_cards": {}, "_by_index": {}}

    def info(self, play: Play) -> dict[str, Any]:  # Any: of several types
        """Return the info of an episode: always the same keys and types, new objects each time."""
        grade = play.grade
        return {
            "task_id": play.card.task.task_id,
            "turn": play.turn,
            "outcome": play.outcome,
            "success": grade is not None and grade.success,
            score_name(self): 0.0 if grade is None else float(grade.score),
            "action_mask": masks(play.status[None])[0],
        }


@dataclass(frozen=True, eq=False, slots=True)
class Play:
    """One episode so far.

    Attributes:
        card: the task.
        status: of each key.
        known: what was told, the request included, as the card's sheet has it.
        turn: questions that were used.
        exchanges: what was said; a question that was wasted is not among them.
        reward: of the last action.
        grade: of the answer; None until then.
    """

    card: Card
    status: Status
    known: Any  # Any: see attributes
    turn: int = 0
    exchanges: tuple[Exchange, ...] = ()
    reward: float = 0.0
    grade: Grade | None = None

    @property
    def over(self) -> bool:
        """True once the answer was given."""
        return self.grade is not None

    @property
    def outcome(self) -> str:
        """``ongoing`` or ``answered``."""
        return "answered" if self.over else "ongoing"

    def saved(self) -> dict[str, Any]:  # Any: its attributes
        """Return its attributes with the task in place of the card, for :meth:`Table.restored`."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"card": self.card.task}

    def dialogue(self, table: Table) -> TaskEpisode:
        """Return the dialogue so far, without the answer."""
        episode = table.scenario.episode_of(self.card.task)
        for exchange in self.exchanges:
            episode.speak("agent", exchange.question)
            episode.speak("human", exchange.reply)
        return episode

    def said(self, table: Table) -> Dialogue:
        """Return what was said so far; what the replies gave away is not measured again."""
        episode = Episode(table.scenario.rules, self.card.task.description)
        for exchange in self.exchanges:
            episode.say("agent", exchange.question)
            episode.say("human", exchange.reply)
        return episode.dialogue


def score_name(table: Table) -> str:
    """Return what the score is called in the info."""
    return "pass_rate" if table.track == "backend" else "similarity"


def begin(card: Card) -> Play:
    """Return an episode about a task before its first action."""
    return Play(card, card.status, card.sheet.stated)


def answer_message(table: Table, play: Play) -> str:
    """Return the message that gives the answer which follows from what is known."""
    return f"{table.scenario.rules.answer_marker}\n{play.card.sheet.answer(play.known)}"


def entries(table: Table, play: Play) -> dict[int, str]:
    """Return the messages that the actions say which waste nothing."""
    places = (int(place) for place in np.flatnonzero(play.status == UNKNOWN))
    questions = {1 + place: play.card.sheet.question(place, play.known) for place in places}
    return {0: answer_message(table, play), **questions}


def vectors(plays: Sequence[Play], questions: int) -> Vector:
    """Return the observations of some episodes as vectors, in a new array."""
    status = np.array([play.status for play in plays])
    keys = status.shape[1]
    seen: Vector = np.empty((len(plays), WORDS + 3 * keys + 1), np.float32)
    seen[:, :WORDS] = [play.card.words for play in plays]
    for number in (UNKNOWN, TOLD, WAVED_OFF):
        seen[:, WORDS + (number - 1) * keys : WORDS + number * keys] = status == number
    seen[:, -1] = [play.turn / questions for play in plays]
    return seen


def text(table: Table, play: Play) -> str:
    """Return the observation of an episode as text: the dialogue, and what can be done."""
    said = play.said(table).transcript()
    lines = [
        f"{action}: {table.keys[action - 1]}: {message.splitlines()[0]}" if action else "0: answer"
        for action, message in entries(table, play).items()
    ]
    left = f"Questions left: {table.questions - play.turn}"
    return "\n".join([said, "", left, *lines])


def transcript(table: Table, play: Play) -> str:
    """Return the dialogue for a reader, with the answer if it was given, and how it stands."""
    lines = [f"{turn.seat}: {turn.content}" for turn in play.said(table).turns]
    if play.grade is not None:
        lines.append(f"agent: {answer_message(table, play)}")
    state = f"[task {play.card.task.task_id}, questions {play.turn} of {table.questions}, {play.outcome}"
    if play.grade is not None:
        state += f", {play.grade.metric} {play.grade.score:.2f}"
    return "\n\n".join([*lines, f"{state}]\n"])


def masks(status: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return for rows of statuses which actions waste nothing: 1 for the answer and for what is unknown."""
    mask = np.ones((status.shape[0], 1 + status.shape[1]), np.int8)
    mask[:, 1:] = status == UNKNOWN
    return mask


def _hashed(request: str) -> Vector:
    words: Vector = np.zeros(WORDS, np.float32)
    for word in _WORD.findall(request.lower()):
        words[zlib.crc32(word.encode()) % WORDS] = 1.0
    return words
