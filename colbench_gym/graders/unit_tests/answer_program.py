"""The program in an answer, as ``strict`` grading finds it: fences, several of them, and prose around the code."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from colbench_gym.action import extract_code, fenced_blocks, unindent_program
from colbench_gym.python_code.syntax import parsed_module

MAX_PARSED_CHARS = 200_000  # ours: a longer answer is taken as it stands

_CALLED = re.compile(r"\s*([^\W\d]\w*)\s*\(")
_STARTS = re.compile(r"(?:import|from|def|class|async def)\s+[^\W\d]|@[^\W\d]")
_GOES_ON = re.compile(
    r"\s|$|[)\]}#@\"']"  # indented, empty, closing, a comment, a decorator, a text
    r"|(?:import|from|def|class|async def|global|del|assert|raise|pass)\b"
    r"|(?:if|elif|for|while|with|try|except|finally|else|match)\b.*:\s*(?:#.*)?$"
    r"|[^\W\d][\w.]*(?:\[[^\]\n]*\])?\s*(?::[^=\n]*)?(?:[-+*/%|&]|//|\*\*)?=(?!=)"
    r"|[^\W\d][\w.]*\([^\n]*\)\s*(?:#.*)?$"
)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def answer_program(answer: str, calls: Sequence[str]) -> str:
    """Return the program in an answer to a task with these test calls.

    It is the first block fenced as Python (else the first block, else the whole text), except where that cannot be
    meant: a block that defines the called function goes before one that does not, blocks that define what it uses
    are put before it, and prose around code without a fence is left out when the whole is no program. A block in which
    the function stands but that is no program is the answer all the same: a later one is no second try.
    """
    if len(answer) > MAX_PARSED_CHARS:
        return extract_code(answer)
    blocks = fenced_blocks(answer)
    if not blocks:
        return _without_prose(unindent_program(answer))
    blocks = [block for block in blocks if block.python] or blocks
    programs = [_Block(unindent_program(block.text)) for block in blocks]
    wanted = _CALLED.match(calls[0]) if calls else None
    if len(programs) == 1 or wanted is None:
        return programs[0].source
    main = next((program for program in programs if program.means_to_define(wanted[1])), programs[0])
    return "\n".join(block.source for block in [*_needed_by(main, programs), main])


@dataclass(frozen=True, eq=False)
class _Block:
    """One fenced block, and the names that it makes and uses."""

    source: str

    @cached_property
    def tree(self) -> ast.Module | None:
        return parsed_module(self.source)

    @cached_property
    def defines(self) -> frozenset[str]:
        return frozenset() if self.tree is None else frozenset(_bound(self.tree.body))

    def means_to_define(self, name: str) -> bool:
        """Return whether the function of that name stands in it, in a program or in what was to be one."""
        if self.tree is not None:
            return name in self.defines
        return re.search(rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(name)}\b", self.source, re.MULTILINE) is not None

    @cached_property
    def lacks(self) -> frozenset[str]:
        """Names that are read somewhere in it and bound nowhere."""
        if self.tree is None:
            return frozenset()
        names = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name)]
        local = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        local |= {node.arg for node in ast.walk(self.tree) if isinstance(node, ast.arg)}
        read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        return frozenset(read - local - self.defines - set(dir(builtins)))


def _needed_by(main: _Block, programs: Iterable[_Block]) -> list[_Block]:
    """Return the blocks that define what ``main``, or one of them, lacks, in the order in which they stand."""
    others = [program for program in programs if program is not main and not program.defines & main.defines]
    needed: list[_Block] = []
    lacking = set(main.lacks)
    while block := next((block for block in others if block not in needed and block.defines & lacking), None):
        needed.append(block)
        lacking = lacking - block.defines | block.lacks
    return [block for block in others if block in needed]


def _bound(body: Iterable[ast.stmt]) -> Iterator[str]:
    """List the names that statements at the top of a program bind."""
    for statement in body:
        if isinstance(statement, _SCOPES):
            yield statement.name
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.split(".")[0] for alias in statement.names)
        else:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id


def _without_prose(text: str) -> str:
    """Return the code in a text without fences: all, else from the first definition as long as lines look like code."""
    lines = text.splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if _STARTS.match(line)), None)
    if first is None:
        return text
    end = next((n for n in range(first, len(lines)) if not _GOES_ON.match(lines[n])), len(lines))
    before = "".join(lines[:first])
    if end == len(lines) and not before.strip():  # no line to leave out; parsing takes longer than all else here
        return text
    code = "".join(lines[first:end])
    return text if parsed_module(text) is not None or parsed_module(code) is None else code
