"""A cassette: every exchange with a model on file, and a ChatModel that replays it exactly, offline."""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from colbench_gym.chat.dialogue_name import current_dialogue
from colbench_gym.chat.model import FREE, ChatModel, Completion, Message, Meter, Sampling, Usage, check_server
from colbench_gym.episode import clean
from colbench_gym.errors import ChatError, InputFileError, UsageError
from colbench_gym.jsonl import append_row, read_rows, ready_to_append, text_field, wrong_type

_DATA_URL = "data:"
_SHOWN_CHARS = 60  # of a missed request in the error message


def request_key(model: str, messages: Sequence[Message], parameters: Mapping[str, object]) -> str:
    """Return the name of a request: equal for equal model, messages and parameters, on every machine."""
    text = json.dumps([model, [dict(m) for m in messages], dict(parameters)], sort_keys=True)
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()


# How often the same request was made in the same dialogue: each step of it is one for all threads.
_Numbering = defaultdict[tuple[str, str], Iterator[int]]


class RecordingChat:
    """Passes everything on to another ChatModel and appends each exchange to a JSONL file, one line each.

    A line holds the dialogue's name, the request (pictures as their digest), and what came back: the completion, or
    the error if it failed for good. Going on with a file is fine: of equal requests the later line counts.

    Args:
        chat: the model that answers; closed with this one.
        path: the file, made at the first request; a line that an earlier process left unfinished is removed then.
    """

    def __init__(self, chat: ChatModel, path: str | Path) -> None:
        self._chat = chat
        self._path = Path(path)
        self._numbering = _Numbering(itertools.count)
        self._lock = threading.Lock()
        self._ready = False

    def __repr__(self) -> str:
        return f"RecordingChat({self._chat!r}, {str(self._path)!r})"

    @property
    def name(self) -> str:
        """The model's name."""
        return self._chat.name

    @property
    def usage(self) -> Usage:
        """Totals of the model."""
        return self._chat.usage

    def complete(self, messages: Sequence[Message], sampling: Sampling = FREE) -> Completion:
        """Return the model's next message, once it is on file; InputFileError before any request where it cannot be."""
        with self._lock:
            if not self._ready:
                ready_to_append(self._path)
                self._ready = True
        parameters, dialogue = _parameters(sampling), current_dialogue()
        key = request_key(self.name, messages, parameters)
        row: dict[str, Any] = {  # Any: JSON
            "dialogue": dialogue,
            "key": key,
            "occurrence": next(self._numbering[dialogue, key]),
            "model": self.name,
            "parameters": parameters,
            "messages": [_readable(message) for message in messages],
        }
        try:
            completion = self._chat.complete(messages, sampling)
        except ChatError as e:
            self._append(row | {"error": clean(str(e))})
            raise
        completion = replace(completion, text=clean(completion.text))
        self._append(row | asdict(completion))
        return completion

    def _append(self, row: Mapping[str, Any]) -> None:
        with self._lock:
            append_row(self._path, row)

    def check_server(self) -> None:
        """Connect to the model's server, as :meth:`OpenAIChat.check_server`."""
        check_server(self._chat)

    def close(self) -> None:
        """Close the model."""
        self._chat.close()


class RecordedChat:
    """Replays a cassette; a request that is not in it fails.

    A dialogue that was recorded under the same name gets its own replies, the n-th equal request the n-th one. In a
    dialogue whose name the cassette does not know, a request gets the first reply recorded for it anywhere.

    Args:
        path: the file that a :class:`RecordingChat` wrote.

    Raises:
        InputFileError: the file is missing, broken or empty.
        UsageError: it holds several models.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._rows: dict[tuple[str, str, int], Mapping[str, Any]] = {}
        self._first: dict[str, Mapping[str, Any]] = {}
        self._numbering = _Numbering(itertools.count)
        self._meter = Meter()
        for number, row in read_rows(self._path):
            told = "error" if "error" in row else "text"
            dialogue, key, *_ = (text_field(self._path, number, row, f) for f in ("dialogue", "key", "model", told))
            for name in ("occurrence", *(() if "error" in row else ("prompt_tokens", "completion_tokens"))):
                if type(row.get(name)) is not int:
                    raise wrong_type(self._path, number, name, row.get(name), "an integer")
            self._rows[dialogue, key, row["occurrence"]] = row
            self._first.setdefault(key, row)
        models = {row["model"] for row in self._rows.values()}
        if not models:
            raise InputFileError(f"{self._path}: nothing is recorded in it; expected the file of a recorded run")
        if len(models) > 1:
            raise UsageError(
                f"{self._path}: recorded from several models ({', '.join(sorted(models))}); expected one; record each "
                "into a file of its own"
            )
        self.name = models.pop()
        self._dialogues = {dialogue for dialogue, _, _ in self._rows}

    def __repr__(self) -> str:
        return f"RecordedChat({str(self._path)!r})"

    @property
    def usage(self) -> Usage:
        """Totals as they were recorded, without retries."""
        return self._meter.usage

    def complete(self, messages: Sequence[Message], sampling: Sampling = FREE) -> Completion:
        """Return the recorded message; ChatError where the request is not in the file, or failed when recorded."""
        parameters, dialogue = _parameters(sampling), current_dialogue()
        key = request_key(self.name, messages, parameters)
        occurrence = next(self._numbering[dialogue, key])
        self._meter.add(calls=1)
        row = self._first.get(key)
        if dialogue in self._dialogues:
            row = self._rows.get((dialogue, key, occurrence))
        if row is None:
            raise self._miss(messages, parameters, dialogue, occurrence)
        if "error" in row:
            raise ChatError(row["error"])
        completion = Completion(row["text"], row["prompt_tokens"], row["completion_tokens"])
        self._meter.add(prompt_tokens=completion.prompt_tokens, completion_tokens=completion.completion_tokens)
        return completion

    def _miss(
        self, messages: Sequence[Message], parameters: Mapping[str, object], dialogue: str, occurrence: int
    ) -> ChatError:
        content = _readable(messages[-1])["content"] if messages else ""
        shown = content if isinstance(content, str) else json.dumps(content)
        pictures = not all(isinstance(message["content"], str) for message in messages)
        alike = " and, for equal pictures, with the browser and the fonts of then" if pictures else ""
        where = f" in dialogue {dialogue!r}" if dialogue else ""
        return ChatError(
            f"{self._path}: a request was got that is not recorded (its last message of {len(shown)} characters begins "
            f"{shown[:_SHOWN_CHARS]!r}; {dict(parameters)}, time {occurrence + 1}{where}); expected one of the "
            f"{len(self._rows)} recorded ones of model {self.name!r}; replay with the tasks, the prompts, the other "
            f"seat and the settings of the recording{alike}, or record again"
        )

    def close(self) -> None:
        """Do nothing: nothing is held."""


def _parameters(sampling: Sampling) -> dict[str, object]:
    warm = None if sampling.temperature is None else float(sampling.temperature)
    return asdict(replace(sampling, temperature=warm))


def _readable(message: Message) -> dict[str, Any]:  # Any: JSON
    """Return the message as the file keeps it: pictures as their digest."""
    content = message["content"]
    if isinstance(content, str):
        return {"role": message["role"], "content": content}
    parts: list[dict[str, object]] = []
    for part in content:
        if part["type"] == "image_url" and part["image_url"]["url"].startswith(_DATA_URL):
            digest = hashlib.blake2b(part["image_url"]["url"].encode(), digest_size=16).hexdigest()
            parts.append({"type": "image_url", "digest": digest})
        else:
            parts.append(dict(part))
    return {"role": message["role"], "content": parts}
