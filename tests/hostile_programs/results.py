"""Results that are too large, too deep, circular or odd to be carried, and exceptions like that."""

from __future__ import annotations

from .attack import Attack

ATTACKS = (
    Attack(
        "nested-result",
        "Returns a list nested a million deep.",
        """
def solve(n):
    item = []
    for _ in range(10 ** 6): item = [item]
    return item
""",
        calls=2,
    ),
    Attack(
        "circular-result",
        "Returns containers that contain themselves.",
        """
def solve(n):
    items, table = [], {}
    items.append(items)
    table["x"] = table
    return [items, table, (items,), [table]][n % 4]
""",
        calls=4,
    ),
    Attack(
        "doubled-result",
        "Returns 2**60 items in a few bytes, by sharing.",
        """
def solve(n):
    item = [n]
    for _ in range(60): item = [item, item]
    return item
""",
        calls=2,
    ),
    Attack(
        "long-result",
        "Returns a text of 300 MB.",
        'def solve(n): return "x" * (300 << 20)',
        calls=2,
    ),
    Attack(
        "wide-result",
        "Returns twenty million numbers.",
        "def solve(n): return list(range(20_000_000))",
        calls=2,
    ),
    Attack(
        "long-number",
        "Returns a number of ten million digits.",
        "def solve(n): return 1 << 40_000_000",
        calls=2,
    ),
    Attack(
        "large-array",
        "Returns arrays that are small in memory and huge when written out.",
        """
import numpy
def solve(n): return [numpy.broadcast_to(numpy.float64(1), (10 ** 6, 10 ** 6)), numpy.zeros(3 * 10 ** 7)][n % 2]
""",
        calls=2,
    ),
    Attack(
        "result-just-too-long",
        "Returns texts at the size cap and one byte over it.",
        'def solve(n): return "x" * ((1 << 20) + n - 5)',
    ),
    Attack(
        "odd-text",
        "Returns texts with lone surrogates, zero bytes and the highest code points.",
        'def solve(n): return ["\\ud800", "\\0" * 99, "\\U0010ffff", b"\\xff".decode("utf-8", "surrogateescape"), "\\u2028"][n % 5]',
    ),
    Attack(
        "hash-collisions",
        "Fills a dictionary whose keys collide.",
        """
class K:
    def __hash__(self): return 1
def solve(n): return len({K(): i for i in range(10 ** 6)})
""",
        calls=2,
    ),
    Attack(
        "exception-chain",
        "Raises an exception with a chain, a text and notes without end.",
        """
def solve(n):
    error = ValueError("x" * 10 ** 8)
    for _ in range(50_000):
        new = ValueError()
        new.__cause__ = error
        error = new
    raise error
""",
        calls=2,
    ),
)
