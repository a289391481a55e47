"""Every regex of the package, texts that make it work hard, and how its work grows with their length."""

import ast
import importlib
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import colbench_gym
from colbench_gym.errors import MissingExtraError

try:
    from re import _parser as parser  # type: ignore[attr-defined]  # its only home since Python 3.11
except ImportError:
    import sre_parse as parser

METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split")
ANCHORED = ("match", "fullmatch")
OPTIONAL_PACKAGES = {"torch", "transformers", "trl", "docker", "playwright", "openai", "PIL"}
ANY_PUMPS = (*"</ \n([{\"'\\`a1-_", "<a ", "</a", "&#", ". ", "a b", "url(", "<!--", "/*", "a: ")
MAX_PUMPS = 80  # of one regex
ENDS = ("", "\x00")  # after the repeated piece: as it is, and so that a whole match fails


def modules() -> list[str]:
    """Return the name of every module of the package; none is imported."""
    root = Path(str(colbench_gym.__file__)).parent
    paths = (path for path in sorted(root.rglob("*.py")) if "context" not in path.parts and path.stem != "__main__")
    return [
        ".".join(("colbench_gym", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        for path in paths
    ]


def regexes(name: str) -> dict[str, tuple[re.Pattern[str], bool]]:
    """Return each regex of a module by its pattern, and whether it only ever matches from where it is told to.

    A module whose optional package is missing has none.
    """
    try:
        module = importlib.import_module(name)
    except MissingExtraError:
        source = ast.parse(_file(name).read_text(encoding="utf-8"))
        return {pattern.pattern: (pattern, anchored) for pattern, anchored in _inline(source)}
    except ImportError as error:
        if (error.name or "").split(".")[0] in OPTIONAL_PACKAGES:
            return {}
        raise
    found: dict[str, tuple[re.Pattern[str], bool]] = {}
    names = {name: pattern for name, value in vars(module).items() for pattern in _patterns(value)}
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for pattern in names.values():
        found[pattern.pattern] = pattern, False
    for variable, pattern in names.items():
        uses = {
            n.attr
            for n in ast.walk(tree)
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == variable
        }
        if uses and uses <= set(ANCHORED):
            found[pattern.pattern] = pattern, True
    for pattern, anchored in _inline(tree):
        found.setdefault(pattern.pattern, (pattern, anchored))
    return found


def _patterns(value: object, depth: int = 2) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif depth and isinstance(value, dict):
        for item in (*value.keys(), *value.values()):
            yield from _patterns(item, depth - 1)
    elif depth and isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _patterns(item, depth - 1)


def _inline(tree: ast.AST) -> Iterator[tuple[re.Pattern[str], bool]]:
    """The patterns that calls such as ``re.sub(r"…", …)`` carry as constants."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS):
            continue
        of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
        if of_re and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            flags = 0
            for flag in ast.walk(node):
                if isinstance(flag, ast.Attribute) and flag.attr in re.RegexFlag.__members__:
                    flags |= re.RegexFlag[flag.attr]
            yield re.compile(node.args[0].value, flags), node.func.attr in ANCHORED


def _file(module: str) -> Path:
    """The file of a module, found without importing its package, which may lack the same optional part."""
    place = Path(str(colbench_gym.__file__)).parent.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def pumps(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Pairs of a beginning and a piece to repeat after it, made from the parts of the regex itself."""
    made = dict.fromkeys(("", piece) for piece in ANY_PUMPS)
    tree = list(parser.parse(pattern.pattern, pattern.flags))
    for before, item in _repeated(tree, ""):
        for piece in (item, item * 2 + " ", before + item):
            made[before, piece] = None
            made["", before + piece] = None
    whole = "".join(_example(node) for node in tree)
    for end in range(1, len(whole) + 1):
        made["", whole[:end]] = None
    return [pair for pair in reversed(made) if pair[1]][:MAX_PUMPS]


def _repeated(nodes: list[object], before: str) -> Iterator[tuple[str, str]]:
    """Every repeated part with a text that leads up to it."""
    for node in nodes:
        name, value = str(node[0]), node[1]  # type: ignore[index]
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            inner = list(value[2])
            if value[1] > 9:
                yield before, "".join(map(_example, inner)) or "a"
            yield from _repeated(inner, before)
        elif name == "SUBPATTERN":
            yield from _repeated(list(value[3]), before)
        elif name == "BRANCH":
            for branch in value[1]:
                yield from _repeated(list(branch), before)
        before += _example(node)


def _example(node: object) -> str:
    """A text that this part of a regex matches, nearly always."""
    name, value = str(node[0]), node[1]  # type: ignore[index]
    if name == "LITERAL":
        return chr(value)
    if name == "NOT_LITERAL":
        return "a" if value != ord("a") else "b"
    if name == "ANY":
        return "a"
    if name == "IN":
        return _of_class(value)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return "".join(map(_example, value[2])) * max(1, min(value[0], 9))
    if name == "SUBPATTERN":
        return "".join(map(_example, value[3]))
    if name == "BRANCH":
        return "".join(map(_example, value[1][0]))
    return ""


def _of_class(items: list[tuple[object, object]]) -> str:
    text = ""
    for candidate in (*" a1-_/\"'<>.:;,()[]{}\\=#&@*\n", *map(chr, range(33, 127)), "é"):
        if _in_class(items, candidate):
            text = candidate
            break
    return text


def _in_class(items: list[tuple[object, object]], candidate: str) -> bool:
    negated, inside = False, False
    for name, value in ((str(item[0]), item[1]) for item in items):
        if name == "NEGATE":
            negated = True
        elif name == "LITERAL":
            inside |= ord(candidate) == value
        elif name == "RANGE":
            inside |= value[0] <= ord(candidate) <= value[1]  # type: ignore[index]
        elif name == "CATEGORY":
            kind = str(value)
            positive = {
                "DIGIT": candidate.isdigit(),
                "SPACE": candidate.isspace(),
                "WORD": candidate.isalnum() or candidate == "_",
            }
            inside |= positive[kind.rsplit("_", 1)[1]] != ("_NOT_" in kind)
    return inside != negated


def seconds(pattern: re.Pattern[str], text: str, anchored: bool) -> float:
    """Processor time of this thread for one pass over the text; the least of three, as others disturb it."""
    took = []
    for _ in range(3):
        start = time.thread_time_ns()
        if anchored:
            pattern.match(text)
            pattern.fullmatch(text)
        else:
            for _ in pattern.finditer(text):
                pass
        took.append((time.thread_time_ns() - start) / 1e9)
        if took[-1] > 0.05:
            break
    return min(took)


def superlinear(pattern: re.Pattern[str], anchored: bool) -> str:
    """The first text whose work grows more than linearly, and by how much for four times its length; "" for none."""
    for before, piece in pumps(pattern):
        for end in ENDS:
            ratio = sys.float_info.max
            for _ in range(TRIES):  # the least of several, as others disturb the measure
                ratio = min(ratio, _ratio(pattern, anchored, (before, piece, end)))
                if ratio < LIMIT:
                    break
            else:
                return f"{before!r} + {piece!r} * n + {end!r}: {ratio:.0f} times the work for 4 n"
    return ""


CHARS = 500
LIMIT = 9.0  # 4 is linear, 16 is quadratic
TRIES = 4
NOISE_S = 0.0001  # shorter times are not told apart
FEW_CHARS = 18  # before more, as what doubles with every character would never end
FOR_EVER_S = 0.005  # for so few characters


def _ratio(pattern: re.Pattern[str], anchored: bool, parts: tuple[str, str, str]) -> float:
    before, piece, end = parts
    few, short, long = (before + piece * (1 + size // len(piece)) + end for size in (FEW_CHARS, CHARS, 4 * CHARS))
    if seconds(pattern, few, anchored) > FOR_EVER_S:
        return sys.float_info.max
    first = seconds(pattern, short, anchored)
    if first > FOR_EVER_S:
        return sys.float_info.max
    return seconds(pattern, long, anchored) / max(first, NOISE_S)
