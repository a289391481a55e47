"""Sixty ways of asking, and the share of all decisions of generated tasks that each brings out (for ``asking.py``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans import HumanSimulator
from colbench_gym.humans.code_reader.intents.decisions import NO_PREFERENCE
from colbench_gym.tasks import BackendTask, Decision

FRAMES = (  # {} stands for a noun phrase, such as "an episode exactly on the limit"
    "What about {}?",
    "How about {}?",
    "And {}?",
    "Could you tell me about {}?",
    "Can you please tell me more about {}?",
    "What have you decided about {}?",
    "What do you want regarding {}?",
    "What should I do about {}?",
    "How should I deal with {}?",
    "How do you want me to handle {}?",
    "What are your wishes concerning {}?",
    "Do you have a rule for {}?",
    "Is there anything special about {}?",
    "Is there a rule about {}, or is that up to me?",
    "Have you thought about {}?",
    "Does the function have to care about {}?",
    "Should I pay attention to {}?",
    "Are there any requirements for {}?",
    "Any preference with regard to {}?",
    "Could you clarify {}?",
    "Please clarify {}.",
    "Please explain {}.",
    "Tell me about {}.",
    "Let us talk about {}.",
    "I'd like to know more about {}.",
    "I am not sure about {}.",
    "I'm still unclear on {}, could you help?",
    "It isn't clear to me what you want with respect to {}.",
    "One thing is missing for me: {}.",
    "My next question is about {}.",
    "Next, {}: what should happen?",
    "Regarding {}: what do you expect?",
    "As for {}, what would you like?",
    "When it comes to {}, what is your preference?",
    "With {}, what exactly is wanted?",
    "{}? What is the rule there?",
    "Thanks! Now, what about {}?",
    "Great, that helps a lot. Next question: what about {}?",
    "Understood. Could you also say something about {}?",
    "Hi! Before I start, I have one question. What is the plan for {}?",
    "Sorry to bother you again, but what do you need concerning {}?",
    "Okay, got it. And how is it with {}?",
    "I want to get the details right. Could you describe {}?",
    "To make sure that I build the right thing: what did you have in mind for {}?",
    "Before writing the function I need to understand {}. Can you explain it?",
    "The description does not mention {}. What should I assume?",
    "You did not say anything about {}. Does it matter?",
    "Your request leaves {} open; what is right?",
    "Suppose I come across {} - what then?",
    "If there is a question of {}, what is the right thing to do?",
    "In your business, what is usual for {}?",
    "From your point of view, what matters about {}?",
    "Which behaviour do you expect for {}?",
    "Which behavior would be correct for {}?",
    "what abuot {}?",
    "cud you tell me about {} pls",
    "WHAT ABOUT {}?",
    "Question about {}. How do you see it?",
    "May I ask how you would treat {}?",
    "I wonder about {} - would you mind telling me?",
)

# The matters of generated tasks in other words than those of their author; {} is the thing that has the influence.
OTHER_WORDS: Mapping[str, str] = {
    "alone": "keys that occur in only one of the two inputs",
    "average": "which sort of mean is meant",
    "banned": "characters that must not occur",
    "base": "a flat charge that applies in every case",
    "below": "a withdrawal bigger than the stock",
    "blanks": "leading or trailing whitespace",
    "broken": "lines that are not well-formed",
    "by": "whether the proportion is counted in entries or in amounts",
    "cap": "a ceiling for the final number",
    "capitals": "upper or lower case in the output",
    "case": "upper versus lower case when comparing",
    "check": "an extra character at the very end",
    "conflict": "a key that both inputs contain",
    "count": "how many entries the list should hold",
    "cuts": "the cut-offs between the categories",
    "digits": "zero-padding of the number",
    "direction": "ascending or descending sorting",
    "edge": "a value exactly equal to the threshold",
    "edge2": "a value that falls right on a cut-off",
    "empty": "the outcome when nothing qualifies",
    "entry": "the format of each single entry",
    "exempt": "anything that should always be excluded",
    "flag": "the consequences of {}",
    "flag2": "the consequences of {}",
    "floor": "the smallest amount that can come out",
    "form": "the type and shape of the return value",
    "free": "an allowance that does not count",
    "gap": "entries that are None",
    "glue": "the character that joins the parts",
    "good": "how to tell which ones qualify",
    "invalid": "zero or negative input",
    "itemcap": "a ceiling for each single entry",
    "kind": "how {} affects the outcome",
    "kind format": "the use of {}",
    "letters": "which letters of the names are used, and how they are written",
    "letters letter case": "upper or lower case in the keywords",
    "limit": "the threshold used",
    "loss": "shrinkage with each withdrawal",
    "missing": "records lacking a value",
    "negative": "values less than zero",
    "omit": "groups too small to list",
    "order": "the sorting of the entries",
    "percent": "fraction versus percentage",
    "reached": "a running total equal to the threshold",
    "repeat": "duplicate names",
    "room": "the maximum capacity",
    "rounded": "the precision of the number",
    "separator": "the delimiter between entries",
    "sequence": "the order of operations, additions versus multiplications",
    "small": "a minimum below which groups are dropped",
    "spelling": "names that only differ in capitalisation",
    "start": "zero-based or one-based positions",
    "strange": "unrecognised movement types",
    "sum": "a closing total",
    "tariff": "the exact rate per unit",
    "ties": "several entries with the same value",
    "turn": "which part leads",
    "two": "how {} affects the outcome",
    "unit": "the unit of measurement",
    "unknown": "blank categories",
    "warn": "an alert when stock runs low",
    "weight": "anything that should weigh more than the rest",
    "width": "the maximum length",
    "zero": "zeros in the average",
    "backwards": "bookings whose end precedes their start",
    "clock": "how times of day are written",
    "comma": "the delimiter in the text",
    "ends": "positions where the window is incomplete",
    "same": "overlaps of one name with itself",
    "touch": "bookings that are back to back",
    "window": "the span of the moving average",
    "closing": "the latest finishing time",
    "equals": "the symbol between key and value",
    "front": "priority in the queue",
    "grid": "rounding of start times",
    "kinds": "the permitted categories",
    "least": "a minimum duration",
    "length": "over-long names",
    "lunch": "a midday break",
    "named": "blank names",
    "nobody": "taking from an empty queue",
    "noise": "whitespace around entries",
    "pause": "gaps between appointments",
    "prefix": "a link between category and code",
    "range": "the plausible minimum and maximum",
    "stranger": "cancelling somebody unknown",
}
_THING = re.compile(r"(?:the influence of|the part for|the effect of) (.+)")


@dataclass(frozen=True)
class FrameShare:
    """Counts of how often one frame brought out a decision.

    Attributes:
        frame: the way of asking.
        asked: how many decisions were asked for in it.
        by_author: of them those that were settled when asked for in the words of the task's author.
        by_others: the same in the words of :data:`OTHER_WORDS`.
        false_unknown: how often, in other words, the human said that it does not know or mind, though it had decided.
    """

    frame: str
    asked: int
    by_author: int
    by_others: int
    false_unknown: int


def measure_frames(human: HumanSimulator, tasks: Sequence[BackendTask]) -> list[FrameShare]:
    """Ask for every decision of some tasks in every frame, each in a dialogue of its own."""
    return [_measure(human, tasks, frame) for frame in FRAMES]


def _measure(human: HumanSimulator, tasks: Sequence[BackendTask], frame: str) -> FrameShare:
    by_author = by_others = false_unknown = asked = 0
    for task in tasks:
        for decision in task.decisions:
            asked += 1
            by_author += settles(decision, first_reply(human, task, in_frame(frame, authored(frame, task, decision))))
            reply = first_reply(human, task, in_frame(frame, other_words(decision)))
            by_others += settles(decision, reply)
            false_unknown += bool(decision.says) and ("don't know" in reply or NO_PREFERENCE in reply)
    return FrameShare(frame, asked, by_author, by_others, false_unknown)


def authored(frame: str, task: BackendTask, decision: Decision) -> str:
    """Return one of the author's phrases for a decision."""
    return decision.about[crc32(f"{frame}/{task.task_id}/{decision.key}".encode()) % len(decision.about)]


def other_words(decision: Decision) -> str:
    """Return a phrase for a decision that its author did not write."""
    thing = next((match[1] for phrase in decision.about if (match := _THING.fullmatch(phrase))), "")
    phrase = OTHER_WORDS.get(f"{decision.key} {decision.kind}", OTHER_WORDS[decision.key])
    return phrase.format(thing)


def in_frame(frame: str, phrase: str) -> str:
    """Return a question about what a phrase names."""
    text = frame.format(phrase.upper() if frame.isupper() else phrase)
    return text[:1].upper() + text[1:] if frame.startswith("{}") else text


def first_reply(human: HumanSimulator, task: BackendTask, question: str) -> str:
    """Return the reply to a question that opens a dialogue."""
    return human.reply(task, Dialogue((Turn("human", task.description), Turn("agent", question))))


def settles(decision: Decision, reply: str) -> bool:
    """Return whether a reply states a decision, or that nothing was decided where that is so."""
    return any(sentence in reply for sentence in decision.says) if decision.says else NO_PREFERENCE in reply
