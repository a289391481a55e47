"""Searches of tables are spread into statements that do the same, and into few."""

from __future__ import annotations

import ast

import pytest

from colbench_gym.humans.code_reader.branches import MAX_COPIED, spread

SEARCHES = [
    "def f(n):\n    for top, name in [(3, 'low'), (9, 'mid')]:\n        if n < top:\n            return name\n    return 'high'",
    "def f(n):\n    return next((name for top, name in ((3, 'low'), (9, 'mid')) if n < top), 'high')",
    "BANDS = {'low': 3, 'mid': 9}\ndef f(n):\n    for name, top in BANDS.items():\n        if n < top:\n            break\n"
    "    else:\n        name = 'high'\n    return name",
    "def f(n):\n    bands = [(3, -1), (9, -2)]\n    for top, less in bands:\n        if n < top:\n            n += less\n"
    "            break\n    return n",
    "def f(n):\n    label = next((w for w in ('5', '7') if str(n) == w), None)\n    return label",
    # the last entry is what the names hold where nothing is found
    "def f(n):\n    for top, price in [(3, 10), (9, 25)]:\n        if n < top:\n            break\n    return price * top",
    "def f(n):\n    for top, name in [(3, 'low'), (9, 'mid')]:\n        if n < top:\n            break\n    else:\n"
    "        name += '?'\n    return name",
    "def f(n):\n    for row in [(3, 'low'), (9, 'mid')]:\n        if n < row[0]:\n            return row[1]\n    return 'z'",
]


@pytest.mark.parametrize("source", SEARCHES)
def test_a_search_of_a_table_that_is_spread_does_the_same(source: str) -> None:
    made = ast.unparse(ast.fix_missing_locations(spread(ast.parse(source))))
    assert "for " not in made
    one: dict[str, object] = {}
    other: dict[str, object] = {}
    exec(source, one)
    exec(made, other)
    assert [one["f"](n) for n in range(-2, 12)] == [other["f"](n) for n in range(-2, 12)]  # type: ignore[operator]


@pytest.mark.parametrize(
    "source",
    [
        "def f(n, rows):\n    for top, name in rows:\n        if n < top:\n            return name",
        "def f(t):\n    for word in ['a', 'b']:\n        if word in t:\n            return True\n    return False",
        "def f(n):\n    for top, name in [(1, 'x'), (2, n)]:\n        if n < top:\n            return name",
        "def f(n):\n    for top in [1, 2]:\n        if n < top:\n            n += top",
        "def f(n):\n    a = [(1, 2)]\n    a = [(3, 4)]\n    for x, y in a:\n        if n < x:\n            return y",
        # a table that is no longer what was written
        "def f(n):\n    rows = [(3, 'a'), (9, 'b')]\n    rows.append((20, 'c'))\n    for top, name in rows:\n        if n < top:\n            return name",
        "def f(n):\n    rows = [(3, 'a'), (9, 'b')]\n    rows[0] = (5, 'c')\n    for top, name in rows:\n        if n < top:\n            return name",
        "def f(n):\n    rows = [(3, 'a'), (9, 'b')]\n    other = rows\n    other.pop()\n    for top, name in rows:\n        if n < top:\n            return name",
        "def f(n):\n    if n:\n        rows = [(3, 'a'), (9, 'b')]\n    for top, name in rows:\n        if n < top:\n            return name",
        "rows = [(3, 'a'), (9, 'b')]\ndef f(n, rows):\n    for top, name in rows:\n        if n < top:\n            return name",
        "def f(n):\n    for name, top in {'a': 3, 'b': 9, 'a': 30}.items():\n        if n < top:\n            return name",
        "def f(n):\n    for name, top in {'a': 3, 'b': 9, **more}.items():\n        if n < top:\n            return name",
        # a name that means something else
        "def f(n):\n    for top, name in [(3, 'a'), (9, 'b')]:\n        if n < top:\n            name += '!'\n            return name",
        "def f(n):\n    for w, top in [('a', 3), ('b', 9)]:\n        if any((w in n for w in 'xy')):\n            return top",
        "def f(n):\n    for top, name in [(3, 'a'), (9, 'b')]:\n        if (lambda top: top < n)(5):\n            return name",
        "def f(n):\n    for top, rest in [(3, [1]), (9, [2])]:\n        if n < top:\n            return rest",
        "def next(*a):\n    return 7\n\ndef f(n):\n    return next((w for w in (1, 2) if n < w), 0)",
    ],
)
def test_other_loops_stay_as_they_are(source: str) -> None:
    assert ast.unparse(spread(ast.parse(source))) == ast.unparse(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    [
        "def f(n):\n for a in {entry},{entry}:\n  if n:\n   return [{read}]\n return 0".format(
            entry="(" + "1," * 800 + ")", read="a," * 800
        ),
        "def f(n):\n" + " for a in 1,2:\n  if a:return a\n" * 1200,
        "def f(n):\n rows=[" + "(1,2)," * 3000 + "]\n" + " for a,b in rows:\n  if a:return b\n" * 400,
    ],
    ids=["large entries", "many loops", "a large table"],
)
def test_spreading_makes_little_of_much(source: str) -> None:
    """Each entry was copied into each place that reads it: 4,900 characters became 600 megabytes."""
    tree = ast.parse(source)
    written = sum(1 for _ in ast.walk(tree))
    assert sum(1 for _ in ast.walk(spread(tree))) < written + 4 * MAX_COPIED
