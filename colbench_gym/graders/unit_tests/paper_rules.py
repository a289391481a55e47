"""Treatment of an answer and of two values by the official grader: the rules of ``grading="paper"``.

Bug-compatible on purpose, so that scores can be compared with the paper's. Two things are not reproduced, as they
would need the answer to run in the grader's own process: an object whose ``__eq__`` lies scores nothing, and an answer
that ends its process loses that test, not the whole evaluation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from colbench_gym import rules

_PYTHON_FENCE, _FENCE = "```python", "```"


def refused_word(answer: str) -> str | None:
    """Return the first word for which the official grader refuses an answer unread, comments included, if any."""
    return next((word for word in rules.PAPER_REFUSED_WORDS if word in answer), None)


def official_code(answer: str) -> str:
    """Return the text after an answer's first python fence, and of that the text after the first fence that is left."""
    code = answer
    if _PYTHON_FENCE in code:
        code = code.split(_PYTHON_FENCE)[1].split(_FENCE)[0]
    if _FENCE in code:
        code = code.split(_FENCE)[1]
    return code


def official_match(wanted: Any, got: Any) -> bool:  # Any: data of any type
    """Python's ``==``, where None is never matched, and neither is what ``==`` fails on (such as arrays)."""
    if wanted is None or got is None:
        return False
    if isinstance(wanted, np.ndarray) or isinstance(got, np.ndarray):
        return _match_arrays(wanted, got)
    try:
        return bool(got == wanted)
    except (ValueError, TypeError, ArithmeticError, RecursionError):
        return False


def _match_arrays(wanted: Any, got: Any) -> bool:  # Any: data of any type
    """``==`` of arrays has no truth value unless it leaves one element, which is then the verdict."""
    try:
        shape = np.broadcast_shapes(np.shape(wanted), np.shape(got))
        if int(np.prod(shape)) != 1:
            return False
        return bool(np.asarray(wanted).reshape(()).item() == np.asarray(got).reshape(()).item())
    except (ValueError, TypeError, ArithmeticError, RecursionError):
        return False
