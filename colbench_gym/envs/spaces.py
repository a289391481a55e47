"""Spaces of the environments: UnicodeText, any text, also in shared memory, and what a seat observes and says."""

from __future__ import annotations

import ctypes
import multiprocessing
import string
import textwrap
from collections.abc import Iterator, Sequence, Set
from multiprocessing.context import BaseContext
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Space, Text
from gymnasium.vector.utils.shared_memory import create_shared_memory, read_from_shared_memory, write_to_shared_memory

from colbench_gym.dialogue import Seat
from colbench_gym.errors import MissingExtraError
from colbench_gym.person import harmless
from colbench_gym.rendering import VIEWPORT_HEIGHT, VIEWPORT_WIDTH, RenderedPage
from colbench_gym.rendering.pictures import as_array
from colbench_gym.rules import Rules

PICTURE_SHAPE = (VIEWPORT_HEIGHT, VIEWPORT_WIDTH, 3)  # of what is observed and rendered: rows, columns, RGB
_LINES, _LINE_CHARS = 29, 118  # of text that fit into it
_BLOCK_CHARS = 64  # more than the role and the blank lines that the transcript puts around a message
_BRIEF_CHARS = 3  # a brief is the wording, the description and the hidden information: each at most a message long
_FIRST_SURROGATE, _SURROGATES = 0xD800, 0x800
_CHARACTERS = 0x110000 - _SURROGATES  # every Unicode code point that UTF-8 can carry
_MAX_SAMPLE_CHARS = 80  # a random message is for checkers; longer ones only cost time
_SAMPLED = string.ascii_letters + string.digits + string.punctuation + " "
_BYTES_PER_CHAR = 4  # UTF-8, at most
_LENGTH_BYTES = 8  # the header of a slot: how many bytes of text follow


class UnicodeText(Text):
    """Every string of ``min_length`` to ``max_length`` characters that can be written as UTF-8.

    ``gymnasium.spaces.Text`` takes ASCII letters and digits by default and holds its character set in memory; here
    blanks, newlines, the empty string and all of Unicode belong to the space, and the character properties are
    computed. Lone surrogates do not belong to it: UTF-8 cannot carry them. In the shared memory of ``AsyncVectorEnv`` a
    text takes four bytes for each character of ``max_length``.

    >>> "naïve\\n → 日本" in UnicodeText(100), "" in UnicodeText(100), "\\ud800" in UnicodeText(100)
    (True, True, False)

    Args:
        max_length: most characters.
        min_length: fewest characters.
        seed: of ``sample``, which draws short printable ASCII.
    """

    def __init__(self, max_length: int, *, min_length: int = 0, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=min_length, charset=_SAMPLED, seed=seed)

    def contains(self, x: Any) -> bool:  # Any: as in Space
        """Return whether ``x`` is a string of a fitting length without lone surrogates."""
        return isinstance(x, str) and self.min_length <= len(x) <= self.max_length and _is_utf8(x)

    def sample(self, mask: Any = None, probability: Any = None) -> str:  # Any: only None is allowed
        """Return a random text of printable ASCII, at most 80 characters longer than ``min_length``.

        Raises:
            ValueError: a mask was given; a text space of all Unicode has none.
        """
        if mask is not None or probability is not None:
            raise ValueError("UnicodeText.sample takes no mask and no probability; call it without them")
        longest = min(self.max_length, self.min_length + _MAX_SAMPLE_CHARS)
        length = int(self.np_random.integers(self.min_length, longest + 1))
        return "".join(_SAMPLED[index] for index in self.np_random.integers(len(_SAMPLED), size=length))

    @property
    def character_set(self) -> Set[str]:  # type: ignore[override]  # a computed set is no frozenset
        """Every character there is, as a computed set."""
        return _AllCharacters()

    @property
    def character_list(self) -> Sequence[str]:  # type: ignore[override]  # a computed sequence is no tuple
        """Every character there is, in the order of the code points."""
        return _AllCharacters()

    def character_index(self, char: str) -> np.int32:
        """Return the position of a character in :attr:`character_list`."""
        position: np.int32 = np.int32(_AllCharacters().index(char))
        return position

    @property
    def characters(self) -> str:
        """Characters that ``sample`` draws from; all of them would be a string of several megabytes."""
        return _SAMPLED

    def __repr__(self) -> str:
        return f"UnicodeText({self.min_length}, {self.max_length})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, UnicodeText)
            and self.min_length == other.min_length
            and self.max_length == other.max_length
        )

    __hash__ = None  # type: ignore[assignment]  # as Text: a space holds a generator, so it cannot be hashed


class _AllCharacters(Sequence[str], Set[str]):
    """All code points but the surrogates, computed on demand."""

    def __len__(self) -> int:
        return _CHARACTERS

    def __getitem__(self, index: Any) -> str:  # Any: an int; slices are not needed
        position = int(index)
        if not 0 <= position < _CHARACTERS:
            raise IndexError(f"character {position} was asked for; there are {_CHARACTERS}")
        return chr(position if position < _FIRST_SURROGATE else position + _SURROGATES)

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(_CHARACTERS))

    def __contains__(self, char: object) -> bool:
        return isinstance(char, str) and len(char) == 1 and _is_utf8(char)

    def index(self, char: str, start: int = 0, stop: int | None = None) -> int:  # noqa: ARG002  as in Sequence
        code = ord(char)
        if _FIRST_SURROGATE <= code < _FIRST_SURROGATE + _SURROGATES:
            raise ValueError(f"{char!r} is a lone surrogate; it belongs to no text")
        return code if code < _FIRST_SURROGATE else code - _SURROGATES


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class SharedTexts(Sequence[str]):
    """Texts of ``n`` environments in shared memory, read each time they are looked at.

    A deep copy, which ``AsyncVectorEnv(copy=True)`` returns, is a tuple of strings.
    """

    def __init__(self, memory: Any, n: int, slot_bytes: int) -> None:  # Any: a ctypes array of bytes
        self._memory = memory
        self._n = n
        self._slot_bytes = slot_bytes

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, index: Any) -> Any:  # Any: int gives str, slice gives a tuple
        if isinstance(index, slice):
            return tuple(self)[index]
        start = range(self._n)[index] * self._slot_bytes
        view = memoryview(self._memory).cast("B")
        length = int.from_bytes(view[start : start + _LENGTH_BYTES], "little")
        return bytes(view[start + _LENGTH_BYTES : start + _LENGTH_BYTES + length]).decode("utf-8")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, list, SharedTexts)) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # what it shows changes

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"SharedTexts{tuple(self)!r}"


def _slot_bytes(space: UnicodeText) -> int:
    return _LENGTH_BYTES + _BYTES_PER_CHAR * space.max_length


@create_shared_memory.register(UnicodeText)
def _create(space: UnicodeText, n: int = 1, ctx: BaseContext | Any = multiprocessing) -> Any:  # Any: module or context
    return ctx.RawArray(ctypes.c_ubyte, n * _slot_bytes(space))


@read_from_shared_memory.register(UnicodeText)
def _read(space: UnicodeText, shared_memory: Any, n: int = 1) -> SharedTexts:  # Any: a ctypes array of bytes
    return SharedTexts(shared_memory, n, _slot_bytes(space))


@write_to_shared_memory.register(UnicodeText)
def _write(space: UnicodeText, index: int, value: str, shared_memory: Any) -> None:  # Any: a ctypes array of bytes
    data = value.encode("utf-8")
    slot_bytes = _slot_bytes(space)
    if len(data) > slot_bytes - _LENGTH_BYTES:
        raise ValueError(f"got a text of {len(value)} characters, expected at most {space.max_length}")
    start = index * slot_bytes
    view = memoryview(shared_memory).cast("B")
    view[start + _LENGTH_BYTES : start + _LENGTH_BYTES + len(data)] = data
    view[start : start + _LENGTH_BYTES] = len(data).to_bytes(_LENGTH_BYTES, "little")


def observation_space(rules: Rules, seat: Seat = "agent") -> Space[Any]:  # Any: Dict's own type does not fit Env's
    """Return the space of what a seat observes; a human of the frontend track is shown pictures too."""
    longest = rules.max_message_chars
    per_turn = longest + rules.human_chars + 2 * _BLOCK_CHARS
    spaces: dict[str, Space[Any]] = {
        "instructions": UnicodeText(_BRIEF_CHARS * longest),
        "dialogue": UnicodeText(longest + _BLOCK_CHARS + rules.max_turns * per_turn),
    }
    if seat == "human" and rules.track == "frontend":
        spaces |= {name: Box(0, 255, PICTURE_SHAPE, np.uint8) for name in ("page", "reference")}
    return Dict(spaces)


def action_space(rules: Rules) -> UnicodeText:
    """Return the space of one message."""
    return UnicodeText(rules.max_message_chars)


def text_array(text: str) -> npt.NDArray[np.uint8]:
    """Return a text as a picture in :data:`PICTURE_SHAPE`, black on white; of a long one its end.

    Raises:
        MissingExtraError: Pillow is not installed.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as e:
        raise MissingExtraError.of("pillow", "render", "render_mode='rgb_array'") from e
    height, width, _ = PICTURE_SHAPE
    wrapped = [part for line in text.splitlines() for part in textwrap.wrap(line, _LINE_CHARS) or [""]]
    picture = Image.new("RGB", (width, height), "white")
    shown = harmless("\n".join(wrapped[-_LINES:]))
    ImageDraw.Draw(picture).multiline_text((20, 16), shown, "black", ImageFont.load_default(18), spacing=5)
    return np.asarray(picture)


def page_array(page: RenderedPage | None) -> npt.NDArray[np.uint8]:
    """Return the picture of a page in :data:`PICTURE_SHAPE`; white for no page and for one without a picture."""
    return as_array(page.png if page else b"", PICTURE_SHAPE)
