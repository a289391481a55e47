"""What the syntax of a program says: no is certain."""

import pytest
from support.tables import cases

from colbench_gym.curation.program_traits import may_hash, may_vary, stands_alone


@pytest.mark.parametrize(
    ("source", "varies", "hashes"),
    [
        ("def f(x):\n    return len(x) + 1", False, False),
        ("f([1, 'two', (3.5, None)])", False, False),
        ("f({'a': 1, 'b': [2]})", False, False),
        ("f({'a', 'b'})", False, True),
        ("f(set('ab'))", False, True),
        ("f(frozenset('ab'))", False, True),
        ("def f(a, b):\n    return list(a.keys() - b.keys())", False, True),
        ("import math\ndef f(x):\n    return math.sqrt(x)", False, False),
        ("def f(x):\n    import random\n    return random.choice(x)", True, True),
        ("def f(x):\n    return ｉd(x)", True, True),  # Python reads this as id
        ("f(open('x').read())", True, True),
    ],
)
def test_what_may_change_a_result(source, varies, hashes):
    assert (may_vary([source]), may_hash([source])) == (varies, hashes)


@pytest.mark.parametrize(("source", "alone"), cases(__file__, "what_nothing_around_a_function_can_change"))
def test_what_nothing_around_a_function_can_change(source, alone):
    assert stands_alone(source) == alone
