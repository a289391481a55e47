"""Expressions in words, by many threads at once."""

import ast
from concurrent.futures import ThreadPoolExecutor

from colbench_gym.humans.program.verbalizer.expressions import Words
from colbench_gym.humans.program.verbalizer.wording import the

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


def test_an_argument_that_brings_its_own_article_gets_no_second():
    assert the("its_season_kind") == "its season kind"
    assert the("season_kind") == "the season kind"
    assert (the("height_cm"), the("price_per_kg")) == ("the height in cm", "the price per kg")
