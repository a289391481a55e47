"""Things that programs do, by the words that people use for them, and whether a reference does them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.humans.code_reader.lexicon import split_words, stem
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.python_code.syntax import nodes_of

Test = Callable[[Knowledge], bool]


@dataclass(frozen=True)
class Concept:
    """One thing that a program may do.

    Attributes:
        stems: of the words for it.
        done: decides whether a reference does it.
        yes, no: what is said of references that do it, and of others; empty when nothing can be said in general.
    """

    stems: frozenset[str]
    done: Test
    yes: str
    no: str


def _operator(*kinds: type[ast.operator]) -> Test:
    return lambda known: any(isinstance(n, (ast.BinOp, ast.AugAssign)) and isinstance(n.op, kinds) for n in known.nodes)


def _calls(*names: str) -> Test:
    return lambda known: bool(known.called & set(names))


def _compares(*kinds: type[ast.cmpop]) -> Test:
    return lambda known: any(isinstance(n, ast.Compare) and isinstance(n.ops[0], kinds) for n in known.nodes)


def _has(*kinds: type[ast.AST]) -> Test:
    return lambda known: any(isinstance(n, kinds) for n in known.nodes)


def _imports(known: Knowledge) -> bool:
    return any(isinstance(n, (ast.Import, ast.ImportFrom)) for n in known.nodes)


def _any(*tests: Test) -> Test:
    return lambda known: any(test(known) for test in tests)


def _averages(known: Knowledge) -> bool:
    return bool(known.called & {"mean", "average", "fmean", "median"}) or any(
        isinstance(n, ast.BinOp)
        and isinstance(n.op, (ast.Div, ast.FloorDiv))
        and any(isinstance(p, ast.Call) and getattr(p.func, "id", "") in ("len", "sum") for p in nodes_of(n))
        for n in known.nodes
    )


def told_apart(known: Knowledge) -> bool:
    """Return whether code adds one number in one case and another number in another, or looks numbers up."""
    nodes = known.nodes
    groups: list[list[ast.expr]] = [[n.value for n in nodes if isinstance(n, ast.AugAssign)]]
    groups += [[n.body, n.orelse] for n in nodes if isinstance(n, ast.IfExp)]
    groups += [n.values for n in nodes if isinstance(n, ast.Dict)]
    groups += [n.elts for n in nodes if isinstance(n, (ast.Tuple, ast.List))]
    return any(len(set(filter(None, map(_number, group)))) > 1 for group in groups)


def _number(node: ast.expr) -> str:
    """Return a number that is written out, as text; empty for anything else."""
    return str(node.value) if isinstance(node, ast.Constant) and type(node.value) in (int, float) else ""


def _weighs(known: Knowledge) -> bool:
    return any(
        isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) and any(map(_is_weight, (n.left, n.right)))
        for n in known.nodes
    )


def _is_weight(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or "weight" in ast.unparse(node).lower()


def _specified(known: Knowledge) -> bool:
    return any(isinstance(n, ast.FormattedValue) and n.format_spec is not None for n in known.nodes) or any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) and "%." in n.value for n in known.nodes
    )


def _groups_digits(known: Knowledge) -> bool:
    return any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) and re.search(r"^,|:,", n.value) for n in known.nodes
    )


def _never(known: Knowledge) -> bool:  # noqa: ARG001 - one signature for all
    return False


def _branches(known: Knowledge) -> bool:
    return any(isinstance(n, (ast.If, ast.IfExp, ast.Compare, ast.Match)) for n in known.nodes)


def _hundred(known: Knowledge) -> bool:
    return 100 in known.numbers


_TABLE: tuple[tuple[str, Test, str, str], ...] = (
    (
        "rounded rounding truncate truncated ceil floor",
        _any(_calls("round", "int", "floor", "ceil", "trunc"), _operator(ast.FloorDiv), _specified),
        "",
        "it is not rounded",
    ),
    (
        "sort sorted sorting rank ranked ranking alphabetically ascending descending",
        _any(_calls("sorted", "sort", "most_common", "nlargest", "nsmallest"), _compares(ast.Gt, ast.Lt)),
        "",
        "the original order stays, nothing is sorted",
    ),
    (
        "multiply multiplied product factor multiplier",
        _operator(ast.Mult),
        "they are multiplied",
        "nothing is multiplied",
    ),
    (
        "divide divided quotient ratio division share shares normalise normalised normalize normalization",
        _operator(ast.Div, ast.FloorDiv),
        "it is divided",
        "nothing is divided",
    ),
    (
        "subtract subtracted deduct deducted",
        _any(_operator(ast.Sub), _has(ast.USub)),
        "it is subtracted",
        "nothing is subtracted",
    ),
    (
        "add added sum summed",
        _any(_operator(ast.Add), _calls("sum", "fsum", "add", "append")),
        "they are added up",
        "nothing is added up",
    ),
    ("average averaged mean averages averaging", _averages, "it is averaged", "nothing is averaged"),
    ("median", _calls("median"), "the median is taken", "no median is taken"),
    (
        "deviation variance percentile quantile correlation",
        _calls("stdev", "pstdev", "std", "variance", "var", "corrcoef", "pearsonr", "percentile", "quantiles"),
        "",
        "there are no such statistics",
    ),
    ("weight weighted weighting weights weighed", _any(_weighs, told_apart), "weights are used", "nothing is weighted"),
    (
        "percent percentage percentages",
        _any(_hundred, _operator(ast.Div)),
        "",
        "no percentage is worked out",
    ),
    (
        "random randomly chance probability luck dice",
        _calls("random", "choice", "randint", "shuffle", "sample", "uniform", "choices", "randrange"),
        "it is random",
        "it is completely determined by the inputs",
    ),
    (
        "validate validated validation verify sanitise sanitize",
        _any(_has(ast.Raise, ast.Assert, ast.Try), _calls("isinstance")),
        "",
        "nothing is validated",
    ),
    (
        "error exception throw valueerror typeerror",
        _has(ast.Raise, ast.Assert),
        "",
        "no error is raised on purpose",
    ),
    (
        "cap capped clamp clamped limited bounded maximum minimum",
        _any(_calls("min", "max"), _branches),
        "",
        "there is no cap or limit",
    ),
    ("square squared root power exponent exponential", _any(_operator(ast.Pow), _calls("sqrt", "exp", "pow")), "", ""),
    ("logarithm logarithmic", _calls("log", "log10", "log2"), "", "there is no logarithm"),
    ("absolute", _calls("abs", "fabs"), "the absolute value is taken", "no absolute value is taken, the sign stays"),
    ("trim trimmed strip stripped", _calls("strip", "lstrip", "rstrip", "replace", "sub"), "", "nothing is trimmed"),
    (
        "lowercase lowercased uppercase uppercased",
        _calls("lower", "upper", "casefold", "title", "capitalize"),
        "",
        "upper and lower case are left as they are",
    ),
    (
        "duplicate duplicates deduplicate unique distinct",
        _any(_calls("set", "fromkeys", "unique", "Counter"), _has(ast.SetComp, ast.Set, ast.In, ast.NotIn, ast.Dict)),
        "",
        "duplicates are not removed, they all count",
    ),
    (
        "library libraries numpy pandas nltk scipy sklearn textblob spacy vader package regex",
        _imports,
        "",
        "no library is needed, plain Python will do",
    ),
    (
        "database sql orm api http request download server internet website web endpoint",
        _any(_imports, _calls("open", "get_json")),
        "",
        "no database or service is used, only plain made-up data in Python",
    ),
    (
        "file files csv disk save saved store stored log logged",
        _any(_calls("open", "write", "dump"), _has(ast.Subscript)),
        "",
        "",
    ),
    ("print printed display", _calls("print"), "it is printed", "nothing is printed, the result is just returned"),
    (
        "sentiment nlp embedding semantic classifier neural fuzzy synonym synonyms",
        _never,
        "",
        "there is nothing of that kind, only plain rules",
    ),
    (
        "start launch execute send email notify process processed",
        _any(_imports, _calls("start", "run", "send")),
        "",
        "nothing else is done, it only returns the result",
    ),
    ("recursion recursive recursively", _never, "", "no recursion is needed"),
    (
        "cycle cycling rotate wrap modulo remainder again turn",
        _operator(ast.Mod),
        "it goes round in turn, starting again at the end",
        "",
    ),
    (
        "loop iterate iteration",
        _has(ast.For, ast.While, ast.comprehension),
        "it goes through the items",
        "a plain formula will do, no loop is needed",
    ),
    ("formula closed-form", _any(_operator(ast.Mult), _operator(ast.Div)), "", ""),
    ("warning warn", _calls("warn", "warning"), "", "there is no warning"),
    ("thousands", _groups_digits, "", "there are no such separators"),
    (
        "cents currency exchange convert conversion",
        _any(_operator(ast.Mult, ast.Div), _calls("int", "float", "str")),
        "",
        "nothing is converted",
    ),
    ("interpolate interpolation extrapolate smooth", _never, "", "there is nothing of that kind"),
    ("prefix beginning", _calls("startswith", "removeprefix"), "a common beginning is enough", ""),
    ("suffix ending", _calls("endswith", "removesuffix"), "a common ending is enough", ""),
)
CONCEPTS: tuple[Concept, ...] = tuple(
    Concept(frozenset(stem(part) for word in words.split() for part in split_words(word)), done, yes, no)
    for words, done, yes, no in _TABLE
)


def concepts_in(words: frozenset[str]) -> Iterator[Concept]:
    """Yield the concepts that some stems name."""
    for concept in CONCEPTS:
        if concept.stems & words:
            yield concept


@lru_cache(maxsize=4096)
def does(concept: Concept, known: Knowledge) -> bool:
    """Return whether a reference does what a concept stands for."""
    return concept.done(known) or bool(concept.stems & known.vocabulary)
