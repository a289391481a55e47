"""The manners of people: each takes the parts of a true reply and says them in its own way."""

from __future__ import annotations

import re

from colbench_gym.humans.personas.moments import Moment, essential, fitting, framed
from colbench_gym.humans.replies import Reply

PUT_OFF_SHARE = 0.35  # ours: how often the unsure human first has to look something up
MAX_PUT_OFF = 3  # ours: in one dialogue
ASKS_BACK_BEFORE = 5  # ours: it asks what is meant once, in one of so many turns
IMPATIENT_AFTER = 2  # ours: replies after which the impatient human leaves reasons out

_PUT_OFF = (
    "Hmm, I would have to look that up; you will have it with my next message.",
    "Good question, I need a moment for that one. I'll come back to it in a minute.",
    "Let me check that first, I don't want to tell you something wrong. More in my next message.",
    "I knew that yesterday. Give me until your next question.",
)
_ASKS_BACK = (
    "Sorry, I'm not sure that I follow. Could you ask that again?",
    "Before I say something silly: please put the question once more.",
    "I may have misread you. Would you mind asking again?",
)
_LOOKED_UP = (
    "I have checked what you asked before:",
    "So, about your question before:",
    "Now I have it, what you wanted to know before:",
)
_WONDERS = ("If I remember right:", "Let me think.", "Hm.", "I believe I know this one.", "Let me see.")
_CHAT_BEFORE = (
    "Oh, I'm glad that you ask!",
    "Funny, we talked about exactly that over lunch.",
    "Sorry for the late reply, the phone does not stop today.",
    "I was wondering when we would get to that.",
    "You ask good questions, I must say.",
    "My colleague always says I should write these things down.",
    "Thanks for looking into this so carefully.",
    "Where was I? With your message, of course.",
    "It has been quite a day here already.",
)
_CHAT_AFTER = (
    "Anyway, the coffee here is terrible today.",
    "By the way, is it raining where you are too?",
    "I could talk about this all day, but you have work to do.",
    "My sister would laugh if she saw me explain this.",
    "That reminds me that I still have to call my dentist.",
    "I hope you have a nice weekend planned.",
    "We had a long discussion about all this, believe me.",
    "But enough of my stories.",
)
_ALREADY = ("You asked that already.", "As I said.", "Again:", "I told you.")
_HURRY = ("Anything else?", "Can you go on now?", "Please get on with it.", "I have a meeting soon.")
_NOT_YET = ("Still not it.", "Not there yet.", "That is not it.", "Not what I wanted.")
_MORE = (
    "That is one part of it.",
    "Ask again for the rest.",
    "One thing at a time, please.",
    "I leave it at that for now.",
)
_ALONE = (
    "Ask me if something is unclear.",
    "That's that.",
    "Next, please.",
    "I hope that helps.",
)
_POLITE = re.compile(
    r"^(?:I(?:'d| would) (?:expect|like|want|say)(?: that)?|I (?:want|expect|think|use|need)(?: that)?|Please|Well,?)"
    r" (?=\w)"
)
_YES_NO = re.compile(r"(?P<word>Yes|No), ")


def cooperative(reply: Reply, moment: Moment) -> str:
    """Say everything as it is."""
    return reply.text(moment.max_chars)


def terse(reply: Reply, moment: Moment) -> str:
    """Say what was asked and nothing around it, without capitals and full stops."""
    if moment.intensity == 0:
        return reply.text(moment.max_chars)
    parts = essential(reply.parts)
    return fitting((_clipped(part.text) for part in parts), moment.max_chars).rstrip(";")


def _clipped(text: str) -> str:
    short = _YES_NO.sub(lambda match: f"{match['word']}: ", text.strip(), count=1)
    short = _POLITE.sub("", short)
    if len(short) > 1 and short[0].isupper() and (short[1].islower() or short[1] == " ") and not short.startswith("I "):
        short = short[0].lower() + short[1:]
    return short[:-1] + ";" if short.endswith(".") else short


def chatty(reply: Reply, moment: Moment) -> str:
    """Wrap the reply in small talk that holds no fact of the task."""
    before = moment.pick("before", _CHAT_BEFORE) if moment.happens("before", 1.0) else ""
    after = moment.pick("after", _CHAT_AFTER) if moment.happens("after", 0.8) else ""
    return framed(before, reply.text(moment.max_chars), after, moment.max_chars)


def unsure(reply: Reply, moment: Moment) -> str:
    """Put some answers off by a turn, ask back now and then, and wonder aloud."""
    said = reply.text(moment.max_chars)
    if moment.replies and moment.replies[-1] in _PUT_OFF and moment.put_off is not None:
        promised = moment.put_off.text(moment.max_chars)
        looked_up = f"{moment.pick('looked up', _LOOKED_UP)} {promised}"
        return looked_up if promised in said else fitting((looked_up, said), moment.max_chars)
    waits = moment.replies and moment.replies[-1] in (*_PUT_OFF, *_ASKS_BACK)
    if not (waits or moment.shows_page or moment.asked_before) and _answers(reply):
        put_off = sum(said_before in _PUT_OFF for said_before in moment.replies)
        if put_off < MAX_PUT_OFF and moment.happens("put off", PUT_OFF_SHARE):
            return moment.pick("put off", _PUT_OFF)
        if moment.turn == moment.once("ask back", ASKS_BACK_BEFORE) and moment.happens("ask back", 1.0):
            return moment.pick("ask back", _ASKS_BACK)
    return framed(moment.pick("wonder", _WONDERS) if moment.happens("wonder", 1.0) else "", said, "", moment.max_chars)


def _answers(reply: Reply) -> bool:
    return any(part.kind == "answer" for part in reply.parts)


def impatient(reply: Reply, moment: Moment) -> str:
    """Say less with every turn, and push back on repeated questions and on drafts that are not right."""
    hurried = moment.turn >= IMPATIENT_AFTER and moment.intensity > 0
    parts = essential(reply.parts) if hurried else reply.parts
    core = fitting((part.text for part in parts), moment.max_chars)
    before = ""
    if moment.asked_before and moment.happens("already", 1.0):
        before = moment.pick("already", _ALREADY)
    elif any(part.topic == "difference" for part in reply.parts) and moment.turn and moment.happens("not yet", 1.0):
        before = moment.pick("not yet", _NOT_YET)
    return framed(before, core, moment.pick("hurry", _HURRY) if moment.happens("hurry", 1.0) else "", moment.max_chars)


def incomplete(reply: Reply, moment: Moment) -> str:
    """Answer one part of a compound question in every second turn; the rest is told when it is asked for again."""
    answers = [part for part in reply.parts if part.kind == "answer"]
    heard = " ".join(moment.replies)
    untold = [part for part in answers if part.text not in heard]
    holds_back = len(untold) > 1 and moment.turn % 2 == 0 and moment.intensity > 0 and not moment.shows_page
    core = untold[0].text if holds_back else reply.text(moment.max_chars)
    texts = _MORE if holds_back else _ALONE
    return framed("", core, moment.pick("after", texts) if moment.happens("after", 1.0) else "", moment.max_chars)
