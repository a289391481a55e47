"""Expressions in words, by many threads at once."""

import ast
from concurrent.futures import ThreadPoolExecutor

from colbench_gym.humans.program.verbalizer.expressions import Words

DEEP = ast.parse("-(" * 20 + "x" + ")" * 20, mode="eval").body


def test_how_deep_one_thread_is_does_not_shorten_what_another_says():
    said = []

    class Shared(Words):
        def _phrase(self, node):
            if isinstance(node, ast.Name) and not said:
                said.append("")
                said.append(other.submit(self.say, DEEP).result())
            return super()._phrase(node)

    with ThreadPoolExecutor(1) as other:
        alone = Words("").say(DEEP)
        assert Shared("").say(DEEP) == alone
    assert said == ["", alone]
