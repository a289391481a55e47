"""Bytes that stand in a text as base64 and its kin, hexadecimal, decimal, octal or binary codes, or escapes."""

from __future__ import annotations

import base64
import binascii
import re
import string
from collections.abc import Callable, Iterator
from urllib.parse import unquote_to_bytes

_SHORTEST_BLOB = 16
_SHORTEST_CODES = 12
_SHORTEST_TEXT = _SHORTEST_BLOB  # so many codes, with a mark between any two, are longer
_BLOB = re.compile(rf"[A-Za-z0-9+/_=-]{{{_SHORTEST_BLOB},}}")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|[0-9a-fA-F]+")
_HEX_DIGITS = frozenset(string.hexdigits)
_ESCAPE = re.compile(r"\\[xu]|U\+|&#x")
_BETWEEN = dict.fromkeys(map(ord, ",;:.|/\\&#_-"), " ")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_BITS = re.compile(r"[01\s]{32,}")


def decoded_bytes(text: str) -> Iterator[bytes]:
    """Yield what runs of a text may encode, as a person or a model can write it; each takes linear time."""
    if len(text) < _SHORTEST_TEXT:
        return
    squeezed = "".join(text.split())
    blobs = _BLOB.findall(text)
    for blob in dict.fromkeys([*blobs, *(["".join(blobs)] if blobs else []), *_BLOB.findall(squeezed)]):
        yield from (_tried(decode, blob) for decode in (_base64, bytes.fromhex))
    if len(_PERCENT.findall(text)) >= _SHORTEST_CODES:
        yield unquote_to_bytes(text)
    yield from _numbers(text)
    for run in _BITS.findall(text) if "0" in text or "1" in text else ():
        yield _from_bits("".join(run.split()))


def _tried(decode: Callable[[str], bytes], blob: str) -> bytes:
    try:
        return decode(blob)
    except (binascii.Error, ValueError, ArithmeticError):
        return b""


def _base64(blob: str) -> bytes:
    bare = blob.replace("=", "")
    bare = bare[: len(bare) - (len(bare) % 4 == 1)]  # cut in the middle
    return base64.b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_" if "-" in blob or "_" in blob else None)


def _numbers(text: str) -> Iterator[bytes]:
    """Yield what numbers in a row are as the codes of characters, in each base that they can be written in."""
    pieces = _ESCAPE.sub(" 0x", text).translate(_BETWEEN).split()
    numbers = [piece for piece in pieces if piece[0] in _HEX_DIGITS and _NUMBER.fullmatch(piece)]
    if len(numbers) < _SHORTEST_CODES:
        return
    for base in (16, 10, 8, 2):
        codes = [_code(piece, base) for piece in numbers]
        if sum(0 < code < 0x110000 for code in codes) >= max(_SHORTEST_CODES, len(codes) // 2):
            yield "".join(chr(code) for code in codes if 0 < code < 0xD800).encode()


def _code(piece: str, base: int) -> int:
    if len(piece) > 9 or (piece[:2] in ("0x", "0X") and base != 16):
        return -1
    try:
        return int(piece, base)
    except ValueError:
        return -1


def _from_bits(bits: str) -> bytes:
    for size in (8, 7):
        codes = bytes(int(bits[start : start + size], 2) for start in range(0, len(bits) - size + 1, size))
        if sum(32 <= code < 127 or code in b"\n\t" for code in codes) > 0.9 * len(codes):
            return codes
    return b""
