"""What the syntax of a program says: no is certain."""

import pytest

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


@pytest.mark.parametrize(
    ("source", "alone"),
    [
        ("def f(x, y=3):\n    return len(x) * y", True),
        ("def f(x):\n    import math\n    return math.sqrt(x)", True),
        ("def f(x):\n    def g(y):\n        return y + z\n    z = 1\n    return g(x)", True),
        ("def f(x, found=[]):\n    found.append(x)\n    return found", False),
        ("def f(x):\n    return g(x)\ndef g(x):\n    return x", False),
        ("def f(x):\n    return f(x - 1) if x else 0", False),
        ("import math\ndef f(x):\n    return math.sqrt(x)", False),
        ("def f(x):\n    global last\n    last = x\n    return last", False),
        ("@print\ndef f(x):\n    return x", False),
        ("f = lambda x: x", False),
        ("def f(x:", False),
    ],
)
def test_what_nothing_around_a_function_can_change(source, alone):
    assert stands_alone(source) == alone
