"""Any server that speaks the OpenAI chat protocol: retries, time-outs, token counts, errors that say what to do."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from colbench_gym.chat.http_post import Answer, Client, DeadlineError, NoAnswerError, Route, reach
from colbench_gym.chat.model import FREE, Completion, Message, Meter, Sampling, Usage
from colbench_gym.chat.options import KEY_VARIABLE, ChatOptions
from colbench_gym.episode import clean
from colbench_gym.errors import ChatError, UsageError
from colbench_gym.version import __version__

OPENAI_URL = "https://api.openai.com/v1"
CHAT_PATH = "/chat/completions"
TIMEOUT_S = 120.0  # ours: a long answer of a slow server fits; COLBENCH_CHAT_TIMEOUT_S overrides it
MAX_RETRIES = 5  # ours: with doubling waits about a minute of trouble is survived; COLBENCH_CHAT_RETRIES overrides it
CONNECT_S = 1.5  # ours: a server answers within it from anywhere; a wrong address is reported after it
BACKOFF_S = 0.5  # ours: before the first retry; doubled each time
MAX_BACKOFF_S = 8.0
MAX_RETRY_AFTER_S = 60.0  # ours: a server that asks for a longer wait gets the usual one
MAX_TOKENS = 10_000_000  # ours: more than any context window; a larger count is no count
_SHOWN_CHARS = 300  # of a server's own words in an error message
_NO_KEY = "none"  # some local servers want any key
_TRANSIENT = (408, 409, 429)  # and every 5xx
_REFUSED = (400, 422)
_HARMLESS_QUERY = {"api-version"}  # of a base URL; any other could be a key, and base URLs stand in run files
_ADVICE = {
    400: "check the model's name and what this server supports (temperature, seed, max_tokens, pictures)",
    403: "use a key that may use this model, or another model",
    404: "check the model's name and the base URL, which usually ends in /v1",
}
_NOT_THERE = "check that the server runs and that the address is right"
_ACCOUNT = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}


class OpenAIChat:
    """A ChatModel behind an OpenAI-compatible server. Thread-safe.

    A time-out, a dropped connection, status 408, 409, 429 or 5xx, and an answer that is too large, no JSON, no chat
    completion or blank are tried again, ``max_retries`` times in all; any other status is an error at once. Waits
    double from ``backoff_s``, or are what the server's Retry-After says.

    Args:
        model: as the server knows it.
        base_url: of the server, usually ending in /v1; by default OPENAI_BASE_URL, else OpenAI's own.
        timeout_s: for each request, from the connection to the last byte; by default COLBENCH_CHAT_TIMEOUT_S, else 120.
        max_retries: by default COLBENCH_CHAT_RETRIES, else 5.
        backoff_s: before the first retry.
        options: fields of each request that are the same, and the variable with the key.
        optional: parameters that are left out from then on when the server refuses them by name: ``temperature``,
            ``seed``.
        render: makes one text of the messages, for a server's plain completions; None for its chat completions.

    Proxies are those of the environment when it is built (HTTP_PROXY, HTTPS_PROXY, NO_PROXY). The key is read from
    OPENAI_API_KEY, or from the variable that ``options`` names, and is never logged, shown or
    recorded; a server with a base URL of its own may need none.

    Raises:
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
        options: ChatOptions | None = None,
        optional: Iterable[str] = ("seed",),
        render: Callable[[Sequence[Message]], str] | None = None,
    ) -> None:
        url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        options = options or ChatOptions()
        key = options.key()
        if url is None and not key:
            name, at, host = model.partition("@")
            hint = f" ({at + host!r} was taken for a part of the name: an address begins with http://)" if at else ""
            raise UsageError(
                f"no key and no server for the model {model!r}{hint}; set OPENAI_API_KEY, or name the server: "
                f"openai:{name}@http://localhost:8000/v1 (or OPENAI_BASE_URL)"
            )
        if url is not None:
            _check_url(url, recorded=base_url is not None)
        self.name = model
        self._key = key
        self._timeout_s = _number("COLBENCH_CHAT_TIMEOUT_S", TIMEOUT_S) if timeout_s is None else timeout_s
        self._max_retries = int(_number("COLBENCH_CHAT_RETRIES", MAX_RETRIES)) if max_retries is None else max_retries
        self._backoff_s = backoff_s
        self._meter = Meter()
        self._limit_name = "max_tokens"
        self._extra = dict(options.extra_body)
        self._key_variable = options.api_key_var or KEY_VARIABLE
        self._optional = frozenset(optional)
        self._left_out: frozenset[str] = frozenset()  # those that this server has refused
        self._render = render
        self._where = _without_secrets(url or OPENAI_URL)
        account = {header: os.environ[name] for header, name in _ACCOUNT.items() if os.environ.get(name)}
        headers = {
            **account,
            "Authorization": f"Bearer {key or _NO_KEY}",
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"colbench-gym/{__version__}",
        }
        self._client = Client(Route.to(_completions_url(url or OPENAI_URL, chat=render is None)), headers)

    def __repr__(self) -> str:
        return f"OpenAIChat({self.name!r}, {self._where!r})"

    @property
    def usage(self) -> Usage:
        """Totals since it was built."""
        return self._meter.usage

    def complete(self, messages: Sequence[Message], sampling: Sampling = FREE) -> Completion:
        """Return the model's next message; see :class:`~colbench_gym.chat.ChatModel`."""
        self._meter.add(calls=1)
        asked = {"messages": list(messages)} if self._render is None else {"prompt": self._render(messages)}
        request: dict[str, object] = {"model": self.name, **asked, **self._extra}
        wanted = {"temperature": sampling.temperature, "seed": sampling.seed}
        request |= {name: value for name, value in wanted.items() if value is not None and name not in self._left_out}
        retries = 0
        while True:
            limit = {} if sampling.max_tokens is None else {self._limit_name: sampling.max_tokens}
            try:
                answer = self._send(request | limit)
                if "max_tokens" in limit and _wants_other_limit(answer):
                    self._limit_name = "max_completion_tokens"
                    continue
                if refused := [name for name in self._optional if name in request and _refuses(answer, name)]:
                    self._left_out |= set(refused)
                    request = {name: value for name, value in request.items() if name not in refused}
                    continue
                self._check_status(answer)
                return self._completion(answer)
            except _TransientError as e:
                if retries >= self._max_retries:
                    raise self._error(f"{e}, also after {retries} retries", e.advice) from e
                wait_s = min(self._backoff_s * 2**retries, MAX_BACKOFF_S) if e.wait_s is None else e.wait_s
            retries += 1
            self._meter.add(retries=1)
            time.sleep(wait_s)

    def check_server(self, within_s: float = CONNECT_S) -> None:
        """Connect to the server and send nothing, so that a wrong address is found out at once; ChatError if none."""
        try:
            reach(self._client.route, within_s)
        except NoAnswerError as e:
            raise self._error(f"the connection failed ({e})", _NOT_THERE) from e

    def _send(self, request: Mapping[str, object]) -> Answer:
        try:
            return self._client.post(json.dumps(request).encode("ascii"), deadline_s=self._timeout_s)
        except DeadlineError as e:
            advice = "check that the server works, or raise COLBENCH_CHAT_TIMEOUT_S"
            raise _TransientError(f"no answer within {self._timeout_s:g} s", advice) from e
        except NoAnswerError as e:
            raise _TransientError(f"the connection failed ({e})", _NOT_THERE) from e

    def _check_status(self, answer: Answer) -> None:
        """Raise where the server refuses: _TransientError, or ChatError where asking again would not help."""
        status = answer.status
        if 200 <= status < 300:
            return
        said = f"status {status} ({_complaint(answer)})"
        if status in _TRANSIENT or status >= 500:
            wait = "wait, or lower the concurrency" if status == 429 else "look at the server's log"
            raise _TransientError(said, f"{wait}, then go on with --resume", _retry_after_s(answer))
        advice = _ADVICE.get(status, "check what the server supports")
        if status == 401:
            advice = f"set {self._key_variable} to a valid key for this server"
        raise self._error(said, advice)

    def _completion(self, answer: Answer) -> Completion:
        """Return the completion in an answer; _TransientError where it is no chat completion, or a blank one."""
        body = _text(answer)
        try:
            parsed = json.loads(body)
        except (ValueError, RecursionError) as e:
            raise _TransientError(f"an answer that is no JSON: {body[:_SHOWN_CHARS]!r}") from e
        usage = parsed.get("usage") if isinstance(parsed, dict) else None
        prompt_tokens, completion_tokens = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
        self._meter.add(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
        try:
            choice = parsed["choices"][0]
            text = choice["message"].get("content") if self._render is None else choice["text"]
            reason = choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError) as e:
            raise _TransientError(f"an answer without choices[0].message: {body[:_SHOWN_CHARS]!r}") from e
        if not isinstance(text, str):
            raise _TransientError(f"a message whose content is of type {type(text).__name__}, not a string")
        if not text.strip():
            raise _TransientError(f"an empty message (finish_reason {str(reason)[:_SHOWN_CHARS]!r})")
        return Completion(clean(text), prompt_tokens, completion_tokens)

    def _error(self, got: str, advice: str) -> ChatError:
        words = " ".join(got.split())
        words = words.replace(self._key, "***") if self._key else words
        words = words if len(words) <= 2 * _SHOWN_CHARS else words[: 2 * _SHOWN_CHARS] + " ..."
        return ChatError(f"model {self.name!r} at {self._where}: {words}; expected a chat completion; {advice}")

    def close(self) -> None:
        """Close the connections that nobody uses. A second call does nothing."""
        self._client.close()


class _TransientError(Exception):
    """Failure that may not come again at the next request: what to do when it does, and the wait that was asked for."""

    def __init__(self, got: str, advice: str = "look at the server's log", wait_s: float | None = None) -> None:
        super().__init__(got)
        self.advice, self.wait_s = advice, wait_s


def _text(answer: Answer) -> str:
    """Return the body as UTF-8, as JSON always is, whatever charset the server claims."""
    return answer.body.decode("utf-8-sig", "replace")


def _error_object(answer: Answer) -> dict[str, Any]:  # Any: JSON
    try:
        error = json.loads(_text(answer))["error"]
    except (ValueError, RecursionError, KeyError, IndexError, TypeError):
        return {}
    return error if isinstance(error, dict) else {"message": error}


def _complaint(answer: Answer) -> str:
    message = _error_object(answer).get("message")
    return (message if isinstance(message, str) else _text(answer))[:_SHOWN_CHARS]


def _wants_other_limit(answer: Answer) -> bool:
    """Return whether the server takes max_completion_tokens only, as OpenAI's reasoning models do."""
    error = _error_object(answer) if answer.status == 400 else {}
    return error.get("param") == "max_tokens" and "max_completion_tokens" in str(error.get("message"))


def _refuses(answer: Answer, parameter: str) -> bool:
    """Return whether the server refuses a request for that parameter, as reasoning models refuse a temperature."""
    refused = answer.status in _REFUSED
    return refused and (_error_object(answer).get("param") == parameter or parameter in _complaint(answer))


def _retry_after_s(answer: Answer) -> float | None:
    written = answer.headers.get("retry-after", "").strip()
    if not re.fullmatch(r"\d{1,9}(\.\d{0,9})?", written, re.ASCII):  # a date, which servers of models do not send
        return None
    return wait_s if (wait_s := float(written)) <= MAX_RETRY_AFTER_S else None


def _count(usage: object, name: str) -> int:
    """Return a count of tokens; 0 where the server does not tell."""
    if usage is not None and not isinstance(usage, dict):
        raise _TransientError(f"usage of type {type(usage).__name__}, not an object")
    value = usage.get(name) if usage else None
    if value is None:
        return 0
    if type(value) is not int or not 0 <= value <= MAX_TOKENS:
        shown = str(value)[:40] if isinstance(value, float | str) else type(value).__name__
        raise _TransientError(f"{name} that are no count of tokens: {shown}")
    return value


def _completions_url(base_url: str, chat: bool) -> str:
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/").removesuffix(CHAT_PATH)  # what one pastes may end in it already
    return urlunsplit((parts.scheme, parts.netloc, path + (CHAT_PATH if chat else "/completions"), parts.query, ""))


def _check_url(url: str, recorded: bool) -> None:
    parts = urlsplit(url)
    try:
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number, or beyond 65535
        usable = False
    if not usable:
        raise UsageError(
            f"got the base URL {_without_secrets(url)!r}, expected http://HOST[:PORT]/v1 or https://HOST/v1"
        )
    named = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)} - _HARMLESS_QUERY
    if parts.username or parts.password or (recorded and (named or parts.fragment)):
        what = "a name or password" if parts.username or parts.password else "a query other than api-version"
        raise UsageError(
            f"the base URL {_without_secrets(url)!r} holds {what}, which would end up in run files; "
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
        raise UsageError(f"got {variable}={text!r}, expected a number of at least 0; unset it or correct it")
    return value
