"""Episode played by a trainer that samples token ids: what was sampled, what was heard, and a mask that tells them
apart."""

from __future__ import annotations

from collections.abc import Sequence

from colbench_gym.errors import UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.task_episode import TaskEpisode


class TokenDialogue:
    """Dialogue as a prompt and a completion. Sampled ids stay as they are, replies are appended, nothing is rendered
    or tokenized twice: so the mask is exact, also where a template would show the history otherwise.

    A dialogue without room for its next message ends unanswered, as that was the agent's to use.

    Args:
        episode: at its beginning.
        tokens: of the model's tokenizer.
        room: most ids of the completion.
        context: most ids of prompt and completion.
        longest_prompt: most ids of the prompt; bounded by ``context`` alone when None.

    Attributes:
        prompt_ids: what the model is given first.
        completion_ids: all that follows, replies included.
        mask: 1 for each id of the completion that was sampled, else 0.
        logprobs: natural log of the probability of each sampled id where it is known, else 0.0.
        cut: no room was left.

    Raises:
        UsageError: the prompt is too long, or there is no room for a message.
    """

    def __init__(
        self, episode: TaskEpisode, tokens: ChatTokens, room: int, context: int, longest_prompt: int | None = None
    ) -> None:
        self.episode = episode
        self.cut = False
        self.prompt_ids = list(tokens.prompt_ids(episode.messages))
        self.completion_ids: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] = []
        self._tokens = tokens
        self._room = min(room, context - len(self.prompt_ids))
        self._message = ""
        if self._room < 1 or len(self.prompt_ids) > (longest_prompt or context):
            raise UsageError(
                f"got a prompt of {len(self.prompt_ids)} tokens, expected at most {longest_prompt or context - 1}, and "
                f"room for a message ({room}); allow longer prompts, or use a model with a longer context"
            )

    @property
    def going(self) -> bool:
        """True while the agent is to speak."""
        return not self.episode.over and not self.cut

    @property
    def ids(self) -> list[int]:
        """Ids that the agent speaks after."""
        return [*self.prompt_ids, *self.completion_ids]

    @property
    def reward(self) -> float:
        """Reward of the scenario; 0.0 where the dialogue was cut."""
        return self.episode.reward

    @property
    def outcome(self) -> str:
        """``out_of_tokens`` where the dialogue was cut, else the episode's outcome."""
        return "out_of_tokens" if self.cut else self.episode.episode.outcome

    def say(self, ids: Sequence[int], logprobs: Sequence[float] | None = None) -> None:
        """Add a sampled message, with its end where that was reached, as much of it as there is room for."""
        left = self._room - len(self.completion_ids)
        self.cut = len(ids) > left
        said, end = ids[:left], self._tokens.end_ids
        self._add(said, 1, logprobs and logprobs[:left])
        text = said[: -len(end)] if tuple(said[-len(end) :]) == end else said
        decoded: object = self._tokens.tokenizer.decode(text, skip_special_tokens=True)
        self._message = str(decoded)

    def hear(self) -> None:
        """Hand the message to the episode, and add the reply where there is one and room for more; else cut.

        Raises:
            InfrastructureError, UsageError: as :meth:`TaskEpisode.say`; nothing is added.
        """
        reply = None if self.cut else self.episode.say(self._message)
        if reply is None:
            return
        end = self._tokens.end_ids
        ended = tuple(self.completion_ids[-len(end) :]) == end
        heard = [*(() if ended else end), *self._tokens.reply_ids(reply)]
        if len(self.completion_ids) + len(heard) < self._room:
            self._add(heard, 0)
        else:
            self.cut = True

    def _add(self, ids: Sequence[int], sampled: int, logprobs: Sequence[float] | None = None) -> None:
        self.completion_ids += ids
        self.mask += [sampled] * len(ids)
        self.logprobs += [0.0] * len(ids) if logprobs is None else logprobs
