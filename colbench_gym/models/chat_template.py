"""Take a tokenizer's chat template apart into segments: token ids in which every agent token knows its turn.

The rule that everything here keeps: an agent token stands behind exactly the ids that the model was shown when it said
it. Masks come from the segments that are put together, never from marks searched for in the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from colbench_gym.dialogue import ChatMessage
from colbench_gym.episode import clean
from colbench_gym.errors import UsageError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

NOT_AGENT = -1  # the turn number of a token that the agent did not say


@dataclass(frozen=True)
class TokenRow:
    """Sequence of tokens.

    Attributes:
        ids: token ids.
        turns: for each token the agent turn (from 0) that it belongs to, ``NOT_AGENT`` for all others.
    """

    ids: tuple[int, ...]
    turns: tuple[int, ...]

    @property
    def mask(self) -> tuple[int, ...]:
        """1 for each token that the agent said (the end of its turn included), else 0."""
        return tuple(int(turn != NOT_AGENT) for turn in self.turns)

    @property
    def spans(self) -> tuple[tuple[int, int, int], ...]:
        """``(turn, start, end)`` for each agent turn in the row, end exclusive."""
        numbers = sorted(set(self.turns) - {NOT_AGENT})
        return tuple((n, self.turns.index(n), len(self.turns) - self.turns[::-1].index(n)) for n in numbers)


@dataclass(frozen=True)
class TokenizedDialogue:
    """Dialogue as the model saw it: one row, and a new one wherever its view changed."""

    rows: tuple[TokenRow, ...]

    @property
    def longest(self) -> int:
        """Tokens in the longest row."""
        return max((len(row.ids) for row in self.rows), default=0)

    @property
    def agent_ids(self) -> tuple[int, ...]:
        """Return the agent's tokens alone, in the order they were said."""
        return tuple(i for row in self.rows for i, turn in zip(row.ids, row.turns, strict=True) if turn != NOT_AGENT)


class ChatTokens:
    """A tokenizer's chat template, taken apart into segments. Any Hugging Face tokenizer with a template will do.

    Args:
        tokenizer: its ``chat_template`` must be set.
        settings: what the template takes besides messages, such as ``enable_thinking``.

    Raises:
        UsageError: no chat template, or a broken one, or nothing by which the end of a turn could be known.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, settings: Mapping[str, Any] | None = None) -> None:
        if not tokenizer.chat_template:
            raise UsageError(
                f"the tokenizer of {tokenizer.name_or_path!r} has no chat template, so a dialogue cannot be put into "
                "its words; use the model's instruct version, or name a Jinja template with --chat-template FILE"
            )
        self.tokenizer = tokenizer
        self.settings = dict(settings or {})
        self.encode = lru_cache(maxsize=65536)(self._encode_now)
        self._render = lru_cache(maxsize=4096)(self._render_now)
        self._system_role = True
        self._check_template()
        self._system_role = self._takes_system_role()
        self.end_text, self.end_ids = self._end_of_turn()

    @property
    def stop_id(self) -> int:
        """Id that ends a turn."""
        return self.end_ids[-1]

    def prompt_ids(
        self, messages: Sequence[ChatMessage], sampled: Mapping[int, Sequence[int]] | None = None
    ) -> tuple[int, ...]:
        """Return the tokens that the model is given before it speaks.

        Args:
            messages: the brief, then the dialogue with the agent's own words as ``assistant``.
            sampled: for some of the agent's own messages (by their number among those, from 0) the ids that were
                sampled, end of turn included; the others are tokenized from their text.
        """
        pairs = tuple((m["role"], m["content"]) for m in messages)
        whole, done, ids, own = self.prompt_text(messages), 0, list[int](), -1
        for at, (role, content) in enumerate(pairs):
            if role != "assistant":
                continue
            own += 1
            before = self._render(pairs[:at])
            if len(before) < done or not whole.startswith(before + content + self.end_text):
                continue  # the template shows it otherwise than it was said: context like any other
            ids += self.encode(whole[done : len(before)])
            ids += sampled[own] if sampled and own in sampled else self.turn_ids(content)
            done = len(before) + len(content) + len(self.end_text)
        return (*ids, *self.encode(whole[done:]))

    def prompt_text(self, messages: Sequence[ChatMessage]) -> str:
        """Return the messages in the template's words, up to where the agent speaks."""
        return self._render(tuple((m["role"], m["content"]) for m in messages))

    def marked_row(self, messages: Sequence[ChatMessage], said: str, front: str = "") -> TokenRow:
        """Return a dialogue as the released trainer reads it: one text, taken apart by the template's marks.

        A turn's tokens begin right behind the name of its speaker and end with the next end of turn.

        Args:
            messages: what the agent was given in its last turn.
            said: in that turn.
            front: stands before the whole templated prompt.

        Raises:
            UsageError: the template has no marks around a turn.
        """
        asked = [{"role": "user", "content": "x"}]
        without = str(self.tokenizer.apply_chat_template(asked, tokenize=False, **self.settings))
        mark = self._render((("user", "x"),)).removeprefix(without).rstrip()
        if not mark or not self.end_text:
            raise UsageError(
                f"the chat template of {self.tokenizer.name_or_path!r} has no marks around an agent's turn, by which "
                "the released code finds it; expected some; use --recipe paper"
            )
        text = f"{front}{self.prompt_text(messages)}{said.rstrip(chr(10))} {self.end_text}"
        before, *parts = text.split(mark)
        ids, turns = list(self.encode(before)), [NOT_AGENT] * len(self.encode(before))
        for number, part in enumerate(parts):
            own, end, rest = part.partition(self.end_text)
            for piece, turn in ((mark, NOT_AGENT), (own + end, number), (rest, NOT_AGENT)):
                ids += self.encode(piece)
                turns += [turn] * len(self.encode(piece))
        return TokenRow(tuple(ids), tuple(turns))

    def turn_ids(self, text: str) -> tuple[int, ...]:
        """Return the tokens of one agent message, its end of turn included."""
        return (*self.encode(text), *self.end_ids)

    def text(self, ids: Sequence[int]) -> str:
        """Return what ids say, without special tokens, so that it can be written as UTF-8."""
        said = self.tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return clean(str(said))

    def reply_ids(self, reply: str) -> tuple[int, ...]:
        """Return the tokens between the end of an agent's turn and its next words: the reply, and what begins a turn.

        Appended to what was sampled, they give the next prompt without rendering anew what was said before.
        """
        probe = "TURN-PROBE"
        shown = self._render_now((("user", "x"), ("assistant", probe), ("user", reply)))
        return self._encode_now(shown.partition(probe)[2].removeprefix(self.end_text))

    def rows(
        self, turns: Sequence[tuple[Sequence[ChatMessage], str]], sampled: Mapping[int, Sequence[int]] | None = None
    ) -> TokenizedDialogue:
        """Put the agent's turns into as few rows as their contexts allow.

        Args:
            turns: for each agent turn the messages it was given and the raw text it said.
            sampled: for some turns (by number) the ids that were sampled, end of turn included.
        """
        rows: list[tuple[list[int], list[int]]] = []
        sampled = sampled or {}
        for number, (messages, text) in enumerate(turns):
            own = [message["content"] for message in messages if message["role"] == "assistant"]
            # A message whose hidden thinking is left out is shown with other ids than those that were sampled.
            shown = {at: ids for at, ids in sampled.items() if own[at : at + 1] == [turns[at][1]]}
            prompt = self.prompt_ids(messages, shown)
            said = tuple(sampled[number]) if number in sampled else self.turn_ids(text)
            if not rows or list(prompt[: len(rows[-1][0])]) != rows[-1][0]:
                rows.append(([], []))
            ids, marks = rows[-1]
            marks += [NOT_AGENT] * (len(prompt) - len(ids)) + [number] * len(said)
            ids[len(ids) :] = [*prompt[len(ids) :], *said]
        return TokenizedDialogue(tuple(TokenRow(tuple(ids), tuple(marks)) for ids, marks in rows))

    def _encode_now(self, text: str) -> tuple[int, ...]:
        # The template writes the beginning-of-sequence mark itself: adding special tokens would double it.
        return tuple(self.tokenizer.encode(text, add_special_tokens=False)) if text else ()

    def _render_now(self, messages: tuple[tuple[str, str], ...]) -> str:
        shown = list(messages)
        if not self._system_role and len(shown) > 1 and shown[0][0] == "system":
            shown[:2] = [(shown[1][0], f"{shown[0][1]}\n\n{shown[1][1]}")]
        chat = [{"role": role, "content": content} for role, content in shown]
        shown_text = self.tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True, **self.settings
        )
        return str(shown_text)

    def _check_template(self) -> None:
        from jinja2 import TemplateError

        name = self.tokenizer.name_or_path
        wanted = "expected a Jinja template over messages with role and content; name another with --chat-template FILE"
        try:
            shows_messages = "USER-PROBE" in self._render_now((("user", "USER-PROBE"),))
        except TemplateError as e:
            line = f"line {e.lineno}: " if hasattr(e, "lineno") else ""
            raise UsageError(f"the chat template of {name!r} cannot be rendered ({line}{e.message}); {wanted}") from e
        if not shows_messages:
            raise UsageError(f"the chat template of {name!r} does not show the messages; {wanted}")

    def _takes_system_role(self) -> bool:
        from jinja2 import TemplateError

        try:
            return "SYSTEM-PROBE" in self._render_now((("system", "SYSTEM-PROBE"), ("user", "x")))
        except TemplateError:
            return False

    def _end_of_turn(self) -> tuple[str, tuple[int, ...]]:
        """Return the text and ids that end an agent turn: all up to the first special token of the template."""
        probe = "TURN-PROBE"
        after = self._render_now((("user", "x"), ("assistant", probe), ("user", "y"))).partition(probe)[2]
        special = set(self.tokenizer.all_special_ids)
        special |= {i for i, token in self.tokenizer.added_tokens_decoder.items() if token.special}
        ids = self._encode_now(after)
        first = next((at for at, i in enumerate(ids) if i in special), None)
        if first is not None:
            mark = str(self.tokenizer.convert_ids_to_tokens(ids[first]))
            if mark in after:
                return after[: after.index(mark) + len(mark)], ids[: first + 1]
        eos: Any = self.tokenizer.eos_token_id  # Any: the tokenizer's own type allows lists
        if isinstance(eos, int):
            return "", (eos,)
        raise UsageError(
            f"the chat template of {self.tokenizer.name_or_path!r} ends an assistant turn without a special token and "
            "the tokenizer has no end-of-sequence token, so no turn would ever end; set its eos_token"
        )
