"""Source is parsed in many threads at once without a fault of the interpreter's."""

import ast
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from colbench_gym.python_code.syntax import nodes_of, parse_expression, parse_module

NESTED = "f = " + "[" * 40 + "x" + "]" * 40


def test_what_is_parsed_is_what_ast_parses():
    assert ast.dump(parse_module(NESTED)) == ast.dump(ast.parse(NESTED))
    assert ast.dump(parse_expression("f(1)[0]")) == ast.dump(ast.parse("f(1)[0]", mode="eval").body)
    with pytest.raises(SyntaxError):
        parse_expression("x = 1")


def test_many_threads_parse_at_once():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            trees = list(threads.map(parse_module, [NESTED] * 400))
    finally:
        sys.setswitchinterval(interval)
    assert len({ast.dump(tree) for tree in trees}) == 1


def test_nodes_come_in_the_order_of_ast_walk_without_contexts():
    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    walked = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    assert [id(node) for node in nodes_of(tree)] == [id(node) for node in walked]


def test_nodes_that_lack_a_field_are_walked_too():
    assert [type(node) for node in nodes_of(ast.Return())] == [ast.Return]
