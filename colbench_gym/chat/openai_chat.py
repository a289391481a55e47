"""Any server that speaks the OpenAI chat protocol: retries, time-outs, token counts, errors that say what to do."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from colbench_gym.chat.model import Completion, Message, Meter, Usage
from colbench_gym.episode import clean
from colbench_gym.errors import ChatError, MissingExtraError, UsageError

if TYPE_CHECKING:
    import openai

TIMEOUT_S = 120.0  # ours: a long answer of a slow server fits; COLBENCH_CHAT_TIMEOUT_S overrides it
MAX_RETRIES = 5  # ours: with doubling waits about a minute of trouble is survived; COLBENCH_CHAT_RETRIES overrides it
BACKOFF_S = 0.5  # ours: before the first retry of an unusable answer; doubled each time
MAX_BACKOFF_S = 8.0
_SHOWN_CHARS = 300  # of a server's own words in an error message
_NO_KEY = "none"  # the client wants some key; local servers ignore it
_TRANSIENT = (408, 409, 429)  # and every 5xx: what the openai client retries by itself
_ADVICE = {
    400: "check the model's name and what this server supports (temperature, seed, max_tokens, pictures)",
    401: "set OPENAI_API_KEY to a valid key for this server",
    403: "use a key that may use this model, or another model",
    404: "check the model's name and the base URL, which usually ends in /v1",
}


class OpenAIChat:
    """A ChatModel behind an OpenAI-compatible server. Thread-safe.

    Time-outs, dropped connections, 408, 409, 429 and 5xx (by the openai client, which honours Retry-After) and answers
    that are no JSON, no chat completion or blank are tried again, ``max_retries`` times in all; other refusals fail at
    once.

    Args:
        model: as the server knows it.
        base_url: of the server, usually ending in /v1; by default OPENAI_BASE_URL, else OpenAI's own.
        timeout_s: for each request; by default COLBENCH_CHAT_TIMEOUT_S, else 120.
        max_retries: by default COLBENCH_CHAT_RETRIES, else 5.
        backoff_s: before the first retry of an unusable answer.

    The key is read from OPENAI_API_KEY and is never logged, shown or recorded; a server with a base URL of its own
    may need none.

    Raises:
        MissingExtraError: the openai package is not installed.
        UsageError: neither a key nor a server; a base URL that is none or holds a password; a variable of the above
            that is no number.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        timeout_s: float | None = None,
        max_retries: int | None = None,
        backoff_s: float = BACKOFF_S,
    ) -> None:
        try:
            import openai
        except ImportError as e:
            raise MissingExtraError.of("openai", "llm", "talking to a model server") from e
        url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        key = os.environ.get("OPENAI_API_KEY", "")
        if url is None and not key:
            raise UsageError(
                f"no key and no server for the model {model!r}; set OPENAI_API_KEY, or name the server: "
                f"openai:{model}@http://localhost:8000/v1 (or OPENAI_BASE_URL)"
            )
        if url is not None:
            _check_url(url)
        self.name = model
        self._key = key
        self._timeout_s = _number("COLBENCH_CHAT_TIMEOUT_S", TIMEOUT_S) if timeout_s is None else timeout_s
        self._max_retries = int(_number("COLBENCH_CHAT_RETRIES", MAX_RETRIES)) if max_retries is None else max_retries
        self._backoff_s = backoff_s
        self._meter = Meter()
        self._limit_name = "max_tokens"
        self._client = openai.OpenAI(api_key=key or _NO_KEY, base_url=url, timeout=self._timeout_s)
        self._where = _without_secrets(str(self._client.base_url))

    def __repr__(self) -> str:
        return f"OpenAIChat({self.name!r}, {self._where!r})"

    @property
    def usage(self) -> Usage:
        """Totals since it was built."""
        return self._meter.usage

    def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int | None = None,
        seed: int | None = None,
    ) -> Completion:
        """The model's next message; see :class:`~colbench_gym.chat.ChatModel`."""
        self._meter.add(calls=1)
        request: dict[str, Any] = {"temperature": temperature}  # Any: arguments of the client
        if seed is not None:
            request["seed"] = seed
        left = self._max_retries
        while True:
            limit = {} if max_tokens is None else {self._limit_name: max_tokens}
            body, used = self._send(messages, request | limit, left)
            left -= used
            if body is None:  # refused for the name of the limit alone
                continue
            try:
                return self._completion(body)
            except _UnusableError as e:
                if left <= 0:
                    raise self._error(f"{e}, also after {self._max_retries} retries", "look at the server's log") from e
            self._meter.add(retries=1)
            left -= 1
            time.sleep(min(self._backoff_s * 2 ** (self._max_retries - left - 1), MAX_BACKOFF_S))

    def _send(self, messages: Sequence[Message], request: dict[str, Any], retries: int) -> tuple[str | None, int]:
        """One request with the client's own retries: the body (None: try the other name of the limit), retries used."""
        import openai

        chat: Any = self._client.with_options(max_retries=retries).chat.completions.with_raw_response
        # Any: the client's message types spell out each role; ours are checked where they are built
        try:
            response = chat.create(model=self.name, messages=list(messages), **request)
        except openai.APIStatusError as e:
            if _wants_other_limit(e) and "max_tokens" in request:
                self._limit_name = "max_completion_tokens"
                return None, 0
            raise self._refused(e, retries) from e
        except openai.APITimeoutError as e:
            self._meter.add(retries=retries)
            raise self._error(
                f"no answer within {self._timeout_s:g} s, also after {retries} retries",
                "check that the server works, or raise COLBENCH_CHAT_TIMEOUT_S",
            ) from e
        except openai.APIConnectionError as e:
            self._meter.add(retries=retries)
            raise self._error(
                f"the connection failed ({e.__cause__ or e}), also after {retries} retries",
                "check that the server runs and that the address is right",
            ) from e
        self._meter.add(retries=response.retries_taken)
        return response.http_response.text, response.retries_taken

    def _refused(self, e: openai.APIStatusError, retries: int) -> ChatError:
        status, said = e.status_code, f"status {e.status_code} ({e.message})"
        if status in _TRANSIENT or status >= 500:
            self._meter.add(retries=retries)
            wait = "wait, or lower the concurrency" if status == 429 else "look at the server's log"
            return self._error(f"{said}, also after {retries} retries", f"{wait}, then go on with --resume")
        return self._error(said, _ADVICE.get(status, "check what the server supports"))

    def _completion(self, body: str) -> Completion:
        """The completion in an answer.

        Raises:
            _UnusableError: it is no chat completion, or a blank one.
        """
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError) as e:
            raise _UnusableError(f"an answer that is no JSON: {body[:_SHOWN_CHARS]!r}") from e
        usage = answer.get("usage") if isinstance(answer, dict) else None
        prompt_tokens, completion_tokens = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
        self._meter.add(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
        try:
            choice = answer["choices"][0]
            text = choice["message"].get("content")
        except (KeyError, IndexError, TypeError, AttributeError) as e:
            raise _UnusableError(f"an answer without choices[0].message: {body[:_SHOWN_CHARS]!r}") from e
        if not isinstance(text, str) or not text.strip():
            raise _UnusableError(f"an empty message (finish_reason {choice.get('finish_reason')!r})")
        return Completion(clean(text), prompt_tokens, completion_tokens)

    def _error(self, got: str, advice: str) -> ChatError:
        words = " ".join(got.split())
        if self._key:
            words = words.replace(self._key, "***")
        if len(words) > 2 * _SHOWN_CHARS:
            words = words[: 2 * _SHOWN_CHARS] + " ..."
        return ChatError(f"model {self.name!r} at {self._where}: {words}; expected a chat completion; {advice}")

    def close(self) -> None:
        """Close the connections. A second call does nothing."""
        self._client.close()


class _UnusableError(Exception):
    """An answer arrived and cannot be used."""


def _wants_other_limit(e: openai.APIStatusError) -> bool:
    """Whether the server takes max_completion_tokens only, as OpenAI's reasoning models do."""
    return e.status_code == 400 and getattr(e, "param", None) == "max_tokens" and "max_completion_tokens" in e.message


def _count(usage: object, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) else 0


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            f"the base URL {_without_secrets(url)!r} was got; expected http://HOST[:PORT]/v1 or https://HOST/v1"
        )
    if parts.username or parts.password:
        raise UsageError(
            f"the base URL {_without_secrets(url)!r} holds a name or password, which would end up in run files; "
            "expected an address without; put the key into OPENAI_API_KEY"
        )


def _without_secrets(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def _number(variable: str, default: float) -> float:
    text = os.environ.get(variable)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise UsageError(f"{variable}={text!r} was got; expected a number of at least 0; unset it or correct it")
    return value
