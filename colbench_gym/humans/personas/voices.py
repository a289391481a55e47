"""The manners of people: each takes the parts of a true reply and says them in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from colbench_gym.humans.personas.moments import Moment, Voice, essential, fitting, framed
from colbench_gym.humans.personas.renderings import plainly, shortly
from colbench_gym.humans.replies import Reply
from colbench_gym.humans.vocabulary import read_toml

PUT_OFF_SHARE = 0.35  # ours: how often the unsure human first has to look something up
MAX_PUT_OFF = 3  # ours: in one dialogue
ASKS_BACK_BEFORE = 5  # ours: it asks what is meant once, in one of so many turns
IMPATIENT_AFTER = 2  # ours: replies after which the impatient human leaves reasons out
SAYS = read_toml(Path(__file__).with_name("phrases.toml"))  # phrases without facts, by purpose


def cooperative(reply: Reply, moment: Moment) -> str:
    """Say everything as it is."""
    return reply.text(moment.max_chars)


def terse(reply: Reply, moment: Moment) -> str:
    """Say what was asked and nothing around it: conditions, things and values."""
    if moment.intensity == 0:
        return reply.text(moment.max_chars)
    return fitting((shortly(part.text) for part in essential(reply.parts)), moment.max_chars).rstrip(";")


def chatty(reply: Reply, moment: Moment) -> str:
    """Wrap the reply in small talk that holds no fact of the task."""
    before, after = (_say(moment, purpose, share) for purpose, share in (("chat_before", 1.0), ("chat_after", 0.8)))
    return framed(before, reply.text(moment.max_chars), after, moment.max_chars)


def unsure(reply: Reply, moment: Moment) -> str:
    """Put some answers off by a turn, ask back now and then, and wonder aloud."""
    said = reply.text(moment.max_chars)
    last = moment.replies[-1] if moment.replies else ""
    if last in SAYS["put_off"] and moment.put_off is not None:
        promised = moment.put_off.text(moment.max_chars)
        looked_up = f"{moment.pick('looked_up', SAYS['looked_up'])} {promised}"
        return looked_up if promised in said else fitting((looked_up, said), moment.max_chars)
    waits = last in (*SAYS["put_off"], *SAYS["asks_back"])
    if not (waits or moment.shows_page or moment.asked_before) and any(part.kind == "answer" for part in reply.parts):
        put_off = sum(said_before in SAYS["put_off"] for said_before in moment.replies)
        if put_off < MAX_PUT_OFF and (waiting := _say(moment, "put_off", PUT_OFF_SHARE)):
            return waiting
        if moment.turn == moment.once("asks_back", ASKS_BACK_BEFORE) and (asking := _say(moment, "asks_back")):
            return asking
    return framed(_say(moment, "wonders"), said, "", moment.max_chars)


def impatient(reply: Reply, moment: Moment) -> str:
    """Say less with every turn, and push back on repeated questions and on drafts that are not right."""
    hurried = moment.turn >= IMPATIENT_AFTER and moment.intensity > 0
    parts = essential(reply.parts) if hurried else reply.parts
    core = fitting((part.text for part in parts), moment.max_chars)
    before = ""
    if moment.asked_before:
        before = _say(moment, "already")
    elif any(part.topic == "difference" for part in reply.parts) and moment.turn:
        before = _say(moment, "not_yet")
    return framed(before, core, _say(moment, "hurry"), moment.max_chars)


def layperson(reply: Reply, moment: Moment) -> str:
    """Say the same without a programmer's words; values stay as they are."""
    core = reply.text(moment.max_chars)
    return framed(_say(moment, "plainly"), plainly(core) if moment.intensity else core, "", moment.max_chars)


def incomplete(reply: Reply, moment: Moment) -> str:
    """Leave out a part in every second turn, another question's answer or a reason; it is told when asked for again."""
    heard = " ".join(moment.replies)
    untold = [part for part in reply.parts if part.kind in ("answer", "reason") and part.text not in heard]
    holds_back = len(untold) > 1 and moment.turn % 2 == 0 and moment.intensity > 0 and not moment.shows_page
    holds_back = holds_back and not moment.asked_before
    core = untold[0].text if holds_back else reply.text(moment.max_chars)
    return framed("", core, _say(moment, "more" if holds_back else "alone"), moment.max_chars)


def _say(moment: Moment, purpose: str, share: float = 1.0) -> str:
    """Return a phrase in about a share of the turns."""
    return moment.pick(purpose, SAYS[purpose]) if moment.happens(purpose, share) else ""


VOICES: Mapping[str, Voice] = {
    voice.__name__: voice for voice in (cooperative, terse, chatty, unsure, impatient, layperson, incomplete)
}
