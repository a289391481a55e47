"""From trajectories to token ids: what the model saw at each turn, with or without the training-time information."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from colbench_gym.dialogue import ChatMessage, Turn
from colbench_gym.models.chat_template import ChatTokens, TokenizedDialogue
from colbench_gym.models.judges import PRIVILEGED_PREFIX, with_privileged_prefix
from colbench_gym.prompts import Prompts, default_prompts
from colbench_gym.trajectory import Trajectory


def agent_turns(
    trajectory: Trajectory, prompts: Prompts | None = None, privileged: bool = False
) -> tuple[tuple[tuple[ChatMessage, ...], str], ...]:
    """Return for each agent turn the messages it was given and the raw text it said, hidden thinking included.

    The recorded prompt of a turn is used where it is one (chat messages that begin with a brief); where there is none,
    as in official files, the brief is written anew.

    Args:
        trajectory: the dialogue.
        prompts: the wording of a brief that was not recorded; our own by default.
        privileged: put the reference in front (the critic's view; never the actor's).
    """
    rules = trajectory.rules
    brief = ChatMessage(role="system", content=(prompts or default_prompts(rules.track)).agent_brief(rules))
    spoken = trajectory.dialogue.messages("agent")
    turns = []
    for index, turn in enumerate(trajectory.dialogue.turns):
        if turn.seat != "agent" or index == 0:
            continue
        messages = tuple(turn.input) if turn.input and _usable(turn) else (brief, *spoken[:index])
        if privileged:
            messages = with_privileged_prefix(messages, trajectory.task.reference)
        turns.append((messages, turn.content if turn.output is None else turn.output))
    return tuple(turns)


def records_prompts(trajectory: Trajectory) -> bool:
    """Return whether every agent turn has the messages that it was given."""
    return all(_usable(turn) for turn in trajectory.dialogue.turns[1:] if turn.seat == "agent")


def _usable(turn: Turn) -> bool:
    recorded = turn.input or ()
    return len(recorded) > 1 and recorded[0]["role"] == "system" and recorded[-1]["role"] == "user"


def sampled_ids(trajectory: Trajectory, tokens: ChatTokens) -> dict[int, tuple[int, ...]]:
    """Return the ids that were sampled, end of turn included, by agent turn; without those of another tokenizer.

    A turn that was cut at the limit of new tokens, or ended with another token than the template's, gets the template's
    end of turn, as it would from its text.
    """
    sampled: dict[int, tuple[int, ...]] = {}
    turns = [turn for turn in trajectory.dialogue.turns[1:] if turn.seat == "agent"]
    for number, turn in enumerate(turns):
        ids, end = turn.token_ids or (), tokens.end_ids
        if ids[-len(end) :] == end:
            ids = ids[: -len(end)]
        elif ids and ids[-1] in tokens.tokenizer.all_special_ids:
            ids = ids[:-1]
        if ids and max(ids) < len(tokens.tokenizer) and tokens.text(ids) == (turn.output or turn.content):
            sampled[number] = (*ids, *end)
    return sampled


@dataclass(frozen=True)
class TokenCounts:
    """Counts of what became of the dialogues.

    Attributes:
        dialogues: how many came in.
        empty: without an agent turn; left out.
        too_long: with a row over the limit; left out whole, never cut.
        rows: rows of the dialogues that were kept.
        split: dialogues that needed more than one row (hidden thinking, or a template that rewrites history).
        agent_tokens: tokens that the agent said, in the dialogues that were kept.
        sampled_turns: turns whose ids are those that were sampled, in all dialogues; the others are tokenized anew.
        max_tokens: the limit.
    """

    dialogues: int
    empty: int
    too_long: int
    rows: int
    split: int
    agent_tokens: int
    sampled_turns: int
    max_tokens: int


def tokenize_dialogues(
    trajectories: Iterable[Trajectory],
    tokens: ChatTokens,
    max_tokens: int,
    prompts: Prompts | None = None,
    privileged: bool = False,
    released: bool = False,
) -> tuple[tuple[TokenizedDialogue | None, ...], TokenCounts]:
    """Tokenize many dialogues; None stands where one was left out. ``released``: as one text each, by its marks."""
    sampled = [(trajectory, {} if released else sampled_ids(trajectory, tokens)) for trajectory in trajectories]
    if released:
        made = [_marked(trajectory, tokens, prompts, privileged) for trajectory, _ in sampled]
    else:
        made = [tokens.rows(agent_turns(trajectory, prompts, privileged), ids) for trajectory, ids in sampled]
    kept = [d if d.rows and d.longest <= max_tokens else None for d in made]
    used = [d for d in kept if d is not None]
    counts = TokenCounts(
        dialogues=len(made),
        empty=sum(not d.rows for d in made),
        too_long=sum(d.longest > max_tokens for d in made),
        rows=sum(len(d.rows) for d in used),
        split=sum(len(d.rows) > 1 for d in used),
        agent_tokens=sum(len(d.agent_ids) for d in used),
        sampled_turns=sum(len(ids) for _, ids in sampled),
        max_tokens=max_tokens,
    )
    return tuple(kept), counts


def _marked(trajectory: Trajectory, tokens: ChatTokens, prompts: Prompts | None, privileged: bool) -> TokenizedDialogue:
    turns = agent_turns(trajectory, prompts)
    front = PRIVILEGED_PREFIX.replace("{reference}", trajectory.task.reference) if privileged else ""
    return TokenizedDialogue((tokens.marked_row(*turns[-1], front),) if turns else ())
