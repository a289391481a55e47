"""Bytes that stand in a text as base64 and its kin, hexadecimal, decimal, octal or binary codes, or escapes."""

from __future__ import annotations

import base64
import binascii
import re
import string
import zlib
from collections.abc import Callable, Iterator
from urllib.parse import unquote_to_bytes

MAX_BYTES = 8_000  # of one reading; compressed ones are cut there
_SHORTEST_BLOB = 16
_SHORTEST_CODES = 12
_SHORTEST_TEXT = _SHORTEST_BLOB  # so many codes, with a mark between any two, are longer
_BLOB = re.compile(rf"[A-Za-z0-9+/_=-]{{{_SHORTEST_BLOB},}}")
_BLOB_85 = re.compile(rf"\S{{{_SHORTEST_BLOB},}}")
_NO_BASE_85 = re.compile(r"[^0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]")
_BASE_32 = {ord(c): "!" for c in "0189+/_-"} | {  # to the digits of int()
    ord(c): digit
    for letters in (string.ascii_uppercase, string.ascii_lowercase)
    for c, digit in zip(f"{letters}234567", string.digits + string.ascii_lowercase, strict=False)
}
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|[0-9a-fA-F]+")
_HEX_DIGITS = frozenset(string.hexdigits)
_ESCAPE = re.compile(r"\\[xu]|U\+|&#x")
_BETWEEN = dict.fromkeys(map(ord, ",;:.|/\\&#_-"), " ")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_BITS = re.compile(r"[01\s]{32,}")
_COMPRESSED = (b"\x78", b"\x1f\x8b")
_GZIP_OR_ZLIB = 47


def decoded_bytes(text: str) -> Iterator[bytes]:
    """Yield what runs of a text may encode; each takes linear time."""
    for data in _all(text):
        if data:
            yield data
            if data.startswith(_COMPRESSED):
                yield _inflated(data)


def _all(text: str) -> Iterator[bytes]:
    if len(text) < _SHORTEST_TEXT:
        return
    squeezed = "".join(text.split())
    blobs = _BLOB.findall(text)
    for blob in dict.fromkeys([*blobs, *(["".join(blobs)] if blobs else []), *_BLOB.findall(squeezed)]):
        yield from (_tried(decode, blob) for decode in (_base64, _base32, bytes.fromhex))
    for blob in dict.fromkeys([*_BLOB_85.findall(text), squeezed]):
        if len(blob) >= _SHORTEST_BLOB:
            yield from (_tried(decode, blob) for decode in (_base85, _ascii85))
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


def _base32(blob: str) -> bytes:
    bare = blob.replace("=", "").translate(_BASE_32)
    groups = len(bare) // 8
    return int(bare[: 8 * groups], 32).to_bytes(5 * groups, "big")  # base64's own takes ten times as long


def _base85(blob: str) -> bytes:
    return b"" if _NO_BASE_85.search(blob) else base64.b85decode(blob)  # which takes long to find that out


def _ascii85(blob: str) -> bytes:
    return base64.a85decode(blob, adobe=blob.startswith("<~") and blob.endswith("~>"))


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


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompressobj(_GZIP_OR_ZLIB).decompress(data, MAX_BYTES)
    except zlib.error:
        return b""
