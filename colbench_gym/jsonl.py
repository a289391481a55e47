"""Files of data: JSON Lines, with errors that name file, line and field and writes that leave no half line; TOML."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

from colbench_gym.errors import InputFileError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: Path) -> dict[str, Any]:  # Any: TOML
    """Return the content of a TOML file.

    Raises:
        InputFileError: the file cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise InputFileError(f"{path}: cannot be read ({e}); expected TOML, such as: agents = ['asker:3']") from e


def read_rows(path: Path) -> Generator[tuple[int, dict[str, Any]], None, None]:  # Any: JSON of other people
    """Yield ``(line number from 1, row)`` for every line that is not blank.

    The file is open until the end, or until it is closed: an expression that may raise over a row wants ``closing``.

    Raises:
        InputFileError: the file cannot be read, a line is no JSON, or a row is no object.
    """
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, _row(path, number, line)
    except UnicodeDecodeError as e:
        raise InputFileError(f"{path}: not UTF-8 text ({e.reason}); expected one JSON object a line") from e
    except OSError as e:
        raise InputFileError(f"{path}: cannot be read ({e.strerror}); expected a JSONL file") from e


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as e:
        raise InputFileError(f"{path}, line {number}: no JSON ({e}); expected one JSON object a line") from e
    if not isinstance(row, dict):
        raise InputFileError(f"{path}, line {number}: a JSON {type(row).__name__} was got; expected an object")
    return row


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def text_field(path: Path, number: int, row: Mapping[str, Any], name: str) -> str:
    """Return the field of a row, which must be a string.

    Raises:
        InputFileError: it is missing or of another type; file, line and field are named.
    """
    if name not in row:
        got = ", ".join(sorted(map(str, row))) or "none"
        raise InputFileError(f"{path}, line {number}: field {name!r} is missing; the row has: {got}")
    value = row[name]
    if not isinstance(value, str):
        raise wrong_type(path, number, name, value, "a string")
    return value


def wrong_type(path: Path, number: int, name: str, value: object, expected: str) -> InputFileError:
    """Return the error for a field of the wrong type, or with a number that cannot stand there."""
    got = f" ({value!r:.20})" if isinstance(value, (int, float)) else ""
    return InputFileError(
        f"{path}, line {number}: field {name!r} is of type {type(value).__name__}{got}; expected {expected}"
    )


def encodable(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the row with the lone surrogates in its texts replaced, so that these can be written as UTF-8."""
    line = json.dumps(row, ensure_ascii=False)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        changed: dict[str, Any] = json.loads(line.encode("utf-8", "replace"))
        return changed
    return row


def dump_row(row: Mapping[str, Any]) -> str:
    """Return one line of JSON, the newline included; equal rows give equal bytes. Lone surrogates are escaped."""
    line = json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(", ", ": ")) + "\n"
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        line = json.dumps(row, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n"
    return line


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a whole file, or leave what was there: a temporary neighbour is renamed over it at the end.

    A device or a pipe (``/dev/null``, ``/dev/stdout``) is written to as it is.

    Raises:
        InputFileError: the file cannot be written.
    """
    special = path.exists() and not path.is_file()
    path = path if special else path.resolve()  # a symbolic link stays one; that of a pipe leads nowhere
    with writing(path), path.open("w", encoding="utf-8", newline="\n") if special else replacing(path) as out:
        for row in rows:
            out.write(dump_row(row))


@contextmanager
def writing(
    path: Path, then: str = "name a file in a folder you may write", problem: str = "cannot be written"
) -> Iterator[None]:
    """Raise InputFileError, with what to do then, where the system refuses to write ``path`` inside the block."""
    try:
        yield
    except OSError as e:
        raise InputFileError(f"{path}: {problem} ({e.strerror or e}); {then}") from e


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Give a file to write that takes the place of ``path`` when all went well; else what was there stays.

    It is a new file beside it, ``NAME.partial``: what lies there is removed, and a link that somebody puts there is
    not followed.

    Raises:
        OSError: it cannot be written.
    """
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as out:
            yield out
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def ready_to_append(path: Path) -> None:
    """Make sure that the file exists, and cut what a killed process left of its last line.

    Raises:
        InputFileError: the file cannot be written.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            file.seek(0)
            content = file.read()
            if content and not content.endswith(b"\n"):
                file.truncate(content.rfind(b"\n") + 1)


def append_row(path: Path, row: Mapping[str, Any]) -> None:
    """Add one line to a file; not for several threads at once.

    Raises:
        InputFileError: the file cannot be written.
    """
    with writing(path), path.open("ab") as out:
        out.write(dump_row(row).encode("utf-8", "replace"))
