"""What other tasks teach: which kinds of matters are open in general, and to read in a program what it decides."""

from __future__ import annotations

import builtins
import keyword
import re
import zlib
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812  the field's name for it

from colbench_gym.tasks.generated_backend.drafts import Draft, draft
from colbench_gym.tasks.generated_backend.requests import may_be_open

BUCKETS = 1024  # of hashed word groups; ours
STEPS, RATE, DECAY = 120, 0.05, 1e-4  # of Adam; ours
_TOKEN = re.compile(r"\"[^\"]*\"|'[^']*'|\.\w+|\d[\d.]*|\w+|[<>=!*/+-]=|//|\*\*|[^\w\s]")
_KNOWN = {*keyword.kwlist, *dir(builtins)}

Vector = npt.NDArray[np.float32]


def words_of(source: str) -> Vector:
    """Return which groups of one to three tokens a program has; names, numbers and texts are not told apart."""
    tokens = [_plain(token) for token in _TOKEN.findall(source)]
    seen: Vector = np.zeros(BUCKETS, np.float32)
    for length in (1, 2, 3):
        for start in range(len(tokens) - length + 1):
            seen[zlib.crc32(" ".join(tokens[start : start + length]).encode()) % BUCKETS] = 1.0
    return seen


def _plain(token: str) -> str:
    if token[0] in "\"'":
        return "text" if len(token) > 2 else "empty text"
    if token[0].isdigit():
        return token if token in ("0", "1", "2") else "number"
    return token if token in _KNOWN or token[0] == "." or not token[0].isalpha() else "name"


def other_tasks(level: str, number: int, first: int = 10**6) -> list[Draft]:
    """Return drafts of the training grammar, far behind the tasks of any experiment."""
    drafts = (draft("train", level, first + index, 0) for index in range(number))
    return [one for one in drafts if one is not None]


def general_weights(kinds: Sequence[str], drafts: Sequence[Draft], all_matters: bool) -> Vector:
    """Return the log-odds that a matter of a kind is open, whatever the trade.  # (kinds,)

    Args:
        kinds: of matters.
        drafts: of other tasks; what is open in them is known.
        all_matters: whether requests point at nothing, so that all that is not told may be open.
    """
    counts = {kind: [1, 1] for kind in kinds}  # so few cases prove nothing
    for one in drafts:
        silent = [m for m in one.matters if m.key not in one.stated and not m.told]
        for matter in silent if all_matters else may_be_open(one.description, one.matters):
            if matter.kind in counts:
                counts[matter.kind][matter.key in one.settings] += 1
    return np.array([np.log(is_open / closed) for closed, is_open in counts.values()], np.float32)


class Encoder:
    """Reader of references: for each kind of matter, whether a program decides something of it.

    Args:
        kinds: of matters; others are unknown to it.
        drafts: of other tasks.
    """

    def __init__(self, kinds: Sequence[str], drafts: Sequence[Draft]) -> None:
        self.kinds = {kind: number for number, kind in enumerate(kinds)}
        sources: list[Vector] = []
        of_source, of_kind, decided = [], [], []
        for one in drafts:
            for matter in one.matters:
                if not matter.told and matter.kind in self.kinds:
                    of_source.append(len(sources))
                    of_kind.append(self.kinds[matter.kind])
                    decided.append(float(matter.key in one.settings))
            sources.append(words_of(one.reference))
        words, places = torch.from_numpy(np.stack(sources)), torch.tensor(of_source)
        kind, wanted = torch.tensor(of_kind), torch.tensor(decided)
        self._weights = torch.zeros(BUCKETS + 1, len(kinds), requires_grad=True)
        optimizer = torch.optim.Adam([self._weights], RATE, weight_decay=DECAY)
        for _ in range(STEPS):
            optimizer.zero_grad()
            guessed = self._logits(words)[places, kind]
            F.binary_cross_entropy_with_logits(guessed, wanted).backward()
            optimizer.step()

    def _logits(self, words: torch.Tensor) -> torch.Tensor:
        return words @ self._weights[:-1] + self._weights[-1]

    def read(self, sources: Iterable[str]) -> Vector:
        """Return for each program and kind the chance that something is decided, from -0.5 to 0.5.  # (tasks, kinds)"""
        with torch.no_grad():
            words = torch.from_numpy(np.stack([words_of(source) for source in sources]))
            chances: Vector = (torch.sigmoid(self._logits(words)) - 0.5).numpy()
            return chances
