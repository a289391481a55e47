"""Any OpenAI-compatible server that gives log-probabilities, of what it sampled and of prompts (vLLM, SGLang)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from colbench_gym.errors import ChatError, MissingExtraError, UsageError

CONCURRENCY = 16  # requests at once
RETRIES = 5
TIMEOUT_S = 600.0  # sixteen candidates of a busy server


class ModelServer:
    """Language model behind a server. Thread-safe.

    Args:
        spec: ``openai:MODEL@BASE_URL``.
        role: for the error message, such as ``sampler``.

    Raises:
        UsageError: the spec is none.
        MissingExtraError: the openai package is not installed.
    """

    def __init__(self, spec: str, role: str) -> None:
        name, _, rest = spec.partition(":")
        self.model, _, url = rest.partition("@")
        if name != "openai" or not self.model:
            raise UsageError(f"got the {role} {spec!r}; expected openai:MODEL@BASE_URL, or leave it out")
        try:
            import openai
        except ImportError as e:
            raise MissingExtraError.of("openai", "llm", f"a {role} behind a server") from e
        self._names_ids = True
        key = os.environ.get("OPENAI_API_KEY") or "none"
        self._client = openai.OpenAI(api_key=key, base_url=url or None, max_retries=RETRIES, timeout=TIMEOUT_S)

    def chat(self, **fields: Any) -> Any:  # Any: the client's own types
        """Return the answer to a chat request: with log-probabilities, tokens by their ids where the server can.

        Raises:
            ChatError: the server failed.
        """
        import openai

        create = self._client.chat.completions.create
        with self._explained():
            if self._names_ids:
                try:
                    return create(
                        model=self.model, logprobs=True, extra_body={"return_tokens_as_token_ids": True}, **fields
                    )
                except openai.BadRequestError:
                    self._names_ids = False  # a server that refuses fields it does not know
            return create(model=self.model, logprobs=True, **fields)

    def said_logprobs(self, prompt: Sequence[int], said: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return log pi(token | prompt, tokens before it) for each token of each continuation, natural log.

        Raises:
            ChatError: the server failed, or it gives no log-probabilities of prompts.
        """
        rows = [[*prompt, *one] for one in said]
        with self._explained():
            answer = self._client.completions.create(
                model=self.model, prompt=rows, echo=True, logprobs=1, max_tokens=1, temperature=0
            )
        made = [c.logprobs and c.logprobs.token_logprobs for c in sorted(answer.choices, key=lambda c: c.index)]
        echoed = [values[len(prompt) : len(row)] for values, row in zip(made, rows, strict=False) if values]
        if list(map(len, echoed)) != list(map(len, said)) or any(value is None for row in echoed for value in row):
            raise ChatError(
                f"the server gave no log-probabilities of the prompts for {self.model!r}; expected completions with "
                "echo and logprobs, as vLLM has them. Use such a server, or score here: leave out --scorer"
            )
        return [[float(value) for value in row if value is not None] for row in echoed]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        import openai

        try:
            yield
        except openai.OpenAIError as e:
            raise ChatError(
                f"the server failed for {self.model!r} ({e}); check that it runs, that it knows the model and that it "
                "gives log-probabilities, then go on with --resume"
            ) from e
