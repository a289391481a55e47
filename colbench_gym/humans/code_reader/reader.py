"""Reads a reference into facts: what a person who knows it could say about each part, in words."""

from __future__ import annotations

import ast
import threading
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from colbench_gym.humans.code_reader.code_tokens import code_tokens
from colbench_gym.humans.code_reader.contexts import (
    ELSE,
    Clause,
    Context,
    always_leaves,
    exclusive,
    in_parts,
    leaves,
    tests_of,
)
from colbench_gym.humans.code_reader.facts import Fact, Kind, literals_in, phrases, stems
from colbench_gym.humans.code_reader.kinds import is_edge, kinds_of
from colbench_gym.humans.code_reader.signature import Function, parameter_facts, result_facts, treatment_facts
from colbench_gym.humans.code_reader.types import find_clues, simple_types
from colbench_gym.humans.code_reader.verbalizer.expressions import Table, Words
from colbench_gym.humans.code_reader.verbalizer.statements import effect, handled, managed
from colbench_gym.humans.code_reader.verbalizer.wording import be, listing, name_words, names_in
from colbench_gym.tasks import BackendTask

_PARSING = threading.Lock()
_TOGETHER = 170  # characters up to which branches or steps are told in one clause
_READ = 40_000  # characters of a reference that are read; official ones have at most a few thousand


@dataclass(frozen=True)
class Reading:
    """All that can be told about a reference.

    Attributes:
        facts: in the order of the reference.
        vocabulary: stems of all that the facts are about.
        topics: stems of the description and the function's name: on the subject, even when no fact has them.
        literals: constants of the reference that the description does not give away.
        understood: whether the reference could be read at all.
    """

    facts: tuple[Fact, ...]
    vocabulary: frozenset[str]
    topics: frozenset[str]
    literals: frozenset[str]
    understood: bool = True


def read_task(task: BackendTask) -> Reading:
    """What the human knows of a task: what it was shown when that is Python, else the reference."""
    known = [read(source, task.description) for source in (task.hidden_information, task.reference) if source]
    return next((reading for reading in known if reading.understood), known[0] if known else NOTHING)


@lru_cache(maxsize=2048)
def read(reference: str, description: str = "") -> Reading:
    """The facts of a reference; none when it is not Python."""
    topics = stems([description[:_READ]])
    try:
        with _PARSING, warnings.catch_warnings():  # the filters of warnings are shared by all threads
            warnings.simplefilter("ignore")  # an invalid escape in other people's code is no concern of ours
            tree = ast.parse(reference[:_READ])
        facts = _Reader(reference).module(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Reading((), frozenset(), topics, frozenset(), understood=False)
    hidden = frozenset(literal for literal in literals_in([tree]) if literal not in description)
    names = [node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    vocabulary = frozenset(word for fact in facts for word in fact.words)
    return Reading(tuple(facts), vocabulary, topics | stems(names), hidden)


NOTHING = Reading((), frozenset(), frozenset(), frozenset(), understood=False)


class _Reader:
    """Walks one reference."""

    def __init__(self, reference: str) -> None:
        self.source = reference
        self.words = Words(reference)
        self.facts: list[Fact] = []
        self.tokens = code_tokens(reference)
        self.met: set[str] = set()  # loops that were told in full
        self.returned: set[str] = set()  # names that are returned and assigned only once

    def module(self, tree: ast.Module) -> list[Fact]:
        functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        clues = find_clues(tree)
        self.words.types = simple_types(clues)
        wanted = functions[-1] if functions else None
        if wanted is not None:
            self.returned = _returned_once(wanted)
            self.facts += parameter_facts(wanted, self.words, clues)
            self.facts += result_facts(wanted, self.words)
            self._tell_tables()
            self.facts += treatment_facts(wanted)
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._function(node, Context(), helper=node is not wanted)
            else:
                self._statements([node], Context())
        unique = dict.fromkeys(fact for fact in self.facts if not self.tokens.quoted_in(fact.text))
        return list(unique)

    def _function(self, node: Function, context: Context, helper: bool) -> None:
        if helper:
            context = context.inside(Clause(f"in the helper {name_words(node.name)}"), ast.Name(node.name))
        self._statements(node.body, context)

    def _statements(self, body: Sequence[ast.stmt], context: Context) -> None:
        left: tuple[ast.expr, ...] = ()  # tests of the branches right above that end the function
        for node in body:
            if isinstance(node, ast.Return) and left:
                self._simple([node], context.inside(ELSE, fallback=True))
            elif isinstance(node, ast.If) and left and not all(is_edge(test) for test in left):
                self._if(node, context, left)
            else:
                self._statement(node, context)
            left = (*left, *tests_of(node)) if isinstance(node, ast.If) and always_leaves(node) else ()

    def _statement(self, node: ast.stmt, context: Context) -> None:
        if isinstance(node, ast.If):
            self._if(node, context)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            inner = context.inside(self._loop(node), node.target, node.iter)
            self._block(node.body, inner, "loops")
            self._statements(node.orelse, context)
        elif isinstance(node, ast.While):
            clause = Clause(f"as long as {self.words.condition(node.test)}", short="in that loop")
            self._block(node.body, context.inside(clause, node.test), "loops")
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":  # TryStar: Python 3.11 and later
            self._try(cast(ast.Try, node), context)  # the two have the same fields
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            opened = [managed(self.words, item) for item in node.items]
            self._block(node.body, context.inside(Clause(" and ".join(opened), short="there"), *node.items))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._function(node, context, helper=True)
        elif isinstance(node, ast.ClassDef):
            clause = Clause(f"in the class {name_words(node.name)}")
            self._statements(node.body, context.inside(clause, ast.Name(node.name)))
        elif isinstance(node, ast.Match):
            self._match(node, context)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node)
        else:
            self._simple([node], context)

    def _block(self, body: Sequence[ast.stmt], context: Context, kind: Kind | None = None) -> None:
        """Statements under a head, told together when they are few."""
        if not self._simple(body, context, kind, together=True):
            self._statements(body, context)

    def _effects(self, body: Sequence[ast.stmt]) -> str | None:
        effects = [effect(self.words, node) for node in body]
        told = [text for text in effects if text]
        return " and ".join(told) if None not in effects else None

    def _simple(
        self, body: Sequence[ast.stmt], context: Context, kind: Kind | None = None, together: bool = False
    ) -> bool:
        mark = len(self.words.tables)
        told = self._effects(body)
        if told is None or (together and (len(told) > _TOGETHER and len(body) > 1)):
            del self.words.tables[mark:]
            return False
        if told:
            kinds: set[Kind] = {kind} if kind else set()
            if any(_assigns(node, self.returned) for node in body):
                kinds.add("returns")
            for text in in_parts(context.prefix(self.met), told):
                self._emit(text, context, body, kinds)
        self._tell_tables()
        return True

    def _loop(self, node: ast.For | ast.AsyncFor) -> Clause:
        told = self.words.loop(node.target, node.iter)
        return Clause(f"for {told}", short=f"for {told.partition(' in ')[0]}")

    def _if(self, node: ast.If, context: Context, before: tuple[ast.expr, ...] = ()) -> None:
        """One branch and what comes after it; ``before`` are the tests of the branches before it."""
        test = self.words.condition(node.test)
        clause = Clause(test, condition=True)
        if before and not exclusive([*before, node.test]):
            nested = any(outer.condition for outer in context.clauses)
            clause = (
                Clause(f"{test} (and no earlier case applies)", True) if nested else Clause(f"otherwise, if {test}")
            )
        mark = len(self.words.tables)
        first, last = self._effects(node.body), self._effects(node.orelse) if node.orelse else ""
        if first and last and len(first) + len(last) < _TOGETHER and not self.words.tables[mark:]:
            other = "in all other cases" if before else "otherwise"
            text = f"{context.inside(clause).prefix(self.met)}{first}; {other} {last}"
            for part in in_parts("", text):
                self._emit(part, context, [node.test, *node.body, *node.orelse], _edges(node))
            return
        del self.words.tables[mark:]
        start = len(self.facts)
        self._block(node.body, context.inside(clause, node.test))
        if is_edge(node.test) or (not before and not node.orelse and leaves(node.body) and len(node.body) == 1):
            self.facts[start:] = [replace(fact, kinds=fact.kinds | _edges(node)) for fact in self.facts[start:]]
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self._if(node.orelse[0], context, (*before, node.test))
        elif node.orelse:
            negated = self.words.condition(node.test, negated=True)
            plain = not before and len(negated) < _TOGETHER // 2
            lead, nodes = (Clause(negated, condition=True), [node.test]) if plain else (ELSE, [])
            self._block(node.orelse, context.inside(lead, *nodes, fallback=True))

    def _try(self, node: ast.Try, context: Context) -> None:
        self._statements([*node.body, *node.orelse], context)
        for handler in node.handlers:
            before = len(self.facts)
            self._block(handler.body, context.inside(Clause(handled(self.words, handler)), *_handled_nodes(handler)))
            more: frozenset[Kind] = frozenset({"edges", "errors"})
            self.facts[before:] = [replace(fact, kinds=fact.kinds | more) for fact in self.facts[before:]]
        self._statements(node.finalbody, context)

    def _match(self, node: ast.Match, context: Context) -> None:
        subject = self.words.say(node.subject, 2)
        for case in node.cases:
            values = [self.words.say(p.value) for p in ast.walk(case.pattern) if isinstance(p, ast.MatchValue)]
            clause = f"{subject} {be(subject)} {listing(values, 'or')}"
            if case.guard is not None:
                clause += f" and {self.words.condition(case.guard)}"
            lead = Clause(clause, condition=True) if values or case.guard else ELSE
            self._block(case.body, context.inside(lead, node.subject, case.pattern, fallback=not values))

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        names = [alias.name for alias in node.names]
        module = node.module.replace(".", " ") if isinstance(node, ast.ImportFrom) and node.module else ""
        origin = f" of the {module} module" if module else ""
        text = f"{listing(names)}{origin} {'are' if len(names) > 1 else 'is'} used"
        words = stems([*names, origin, "import", "library", "module", "package"])
        self.facts.append(Fact(text, frozenset({"imports"}), words))

    def _tell_tables(self) -> None:
        for table in self.words.tables:
            self._tell_table(table)
        self.words.tables.clear()

    def _tell_table(self, table: Table) -> None:
        """Its entries, a few in each fact."""
        title = table.title
        chunk: list[str] = []
        for entry in [*table.entries, ""]:
            if chunk and (not entry or len(", ".join([*chunk, entry])) > _TOGETHER):
                text = f"{title} {'include' if be(title) == 'are' else 'includes'} {listing(chunk)}"
                for part in in_parts("", text):
                    self._emit(part, Context(), [table.node], {"constants", "keys", "format"}, told=part)
                chunk = []
            chunk.append(entry)

    def _emit(
        self, text: str, context: Context, body: Sequence[ast.AST], kinds: Iterable[Kind] = (), told: str = ""
    ) -> None:
        nodes = [*context.nodes, *body]
        found = kinds_of(nodes) | set(kinds)
        if any(clause.condition for clause in context.clauses) or any(isinstance(node, ast.If) for node in body):
            found.add("conditions")
        if context.fallback:
            found |= {"edges", "conditions"}
        if not found & {"returns", "conditions", "loops", "constants", "formula"}:
            found.add("steps")
        literals = frozenset(literal for literal in literals_in(nodes) if literal in text)
        names = [name for node in nodes for name in names_in(node)] if not told else [told]
        words = stems(names)
        if any(isinstance(node, ast.Return) for node in nodes):
            words |= stems(["result"])
        self.facts.append(Fact(text, frozenset(found), words, literals, phrases(names)))


def _assigns(node: ast.stmt, names: set[str]) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in names for t in node.targets)


def _returned_once(function: Function) -> set[str]:
    """Names that a function returns and that stand for one expression only."""
    nodes = list(ast.walk(function))
    returned = {n.value.id for n in nodes if isinstance(n, ast.Return) and isinstance(n.value, ast.Name)}
    stored = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return {name for name in returned if stored[name] == 1}


def _edges(node: ast.If) -> frozenset[Kind]:
    return (
        frozenset({"edges"})
        if is_edge(node.test) or any(isinstance(n, ast.Raise) for n in ast.walk(node))
        else frozenset()
    )


def _handled_nodes(handler: ast.ExceptHandler) -> list[ast.AST]:
    return [handler.type] if handler.type is not None else []
