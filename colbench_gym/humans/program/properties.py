"""Facts about properties, decided from the code: order, ties, rounding, limits, how conditions go together."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from colbench_gym.humans.asking.lexicon import word_set
from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.reader import Knowledge, called, names_in, stripped
from colbench_gym.humans.program.shapes import is_number, shape_of_values
from colbench_gym.humans.program.telling import tell
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.calls import applied, sort_order
from colbench_gym.humans.program.verbalizer.syntax import ATOM, is_fixed, keyword_in
from colbench_gym.humans.program.verbalizer.wording import listing, the
from colbench_gym.python_code.syntax import nodes_of

_PURE = word_set("math re collections itertools functools string statistics datetime json decimal typing numpy pandas")
_READING = word_set(
    "open input exec eval __import__ now today utcnow execute cursor request urlopen listdir load loadtxt "
    "random randint randn choice shuffle sample uniform normal rand time"
)
MAX_LOOKED_AT = 20  # calls or comparisons of a reference that facts are made of
_BOUNDING = frozenset(("max", "min", "abs", "clip", "filter", "any", "all"))
_TURNED = frozenset(("reversed", "reverse", "pop", "insert", "set"))


def calls_of(known: Knowledge, *names: str) -> list[ast.Call]:
    """Return the calls of functions or methods with some names."""
    return [node for node in known.nodes if isinstance(node, ast.Call) and called(node) in names][:MAX_LOOKED_AT]


def property_facts(said: Spoken, values: Sequence[object] = ()) -> Iterator[Fact]:
    """Yield what can be said of a reference's properties; ``values`` is what it returned on realistic arguments."""
    known = said.knowledge
    if not values or any(isinstance(value, (list, tuple, dict, set)) for value in values):
        yield from _order(said)
    sorts = calls_of(known, "sorted", "sort", "max", "min")
    if len(sorts) == 1 and keyword_in(sorts[0].keywords, "key") and not _turned(known):
        yield tell("ties")
    written = any(isinstance(n, ast.FormattedValue) or called(n) in ("str", "format") for n in known.nodes)
    if not values or written or "'number'" in repr(shape_of_values(values, frozenset())):
        yield from _rounding(said)
    yield from _letter_case(said)
    yield from _blanks(known)
    yield from _boundaries(said)
    yield from _sequence(known)
    tests = (ast.Compare, ast.BoolOp, ast.If, ast.IfExp, ast.While, ast.Match, ast.Try, ast.Raise, ast.Assert)
    if not any(isinstance(n, tests) or getattr(n, "ifs", 0) or called(n) in _BOUNDING for n in known.nodes):
        yield tell("no_checks")
    tells = re.search(r"(?<![a-z])error(?![a-z])", " ".join(known.strings), re.I) or "exit" in known.called
    if not tells and not any(isinstance(n, (ast.Raise, ast.Assert)) for n in known.nodes):
        yield tell("no_error")


def structure_facts(said: Spoken) -> Iterator[Fact]:
    """Yield how texts and items go together: of the code, where no author has decided it."""
    yield from (*_inside(said), *_alone(said.knowledge))


def _inside(said: Spoken) -> Iterator[Fact]:
    """Yield where a text that comes in, alone or in a list, is searched for another one."""
    known = said.knowledge
    stores = Counter(n.id for n in known.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    respelt = [(ast.unparse(n.targets[0]), stripped(n.value)) for n in known.nodes if isinstance(n, ast.Assign)]
    given = [p for p in known.parameters if stores[p.name] == respelt.count((p.name, p.name))]
    texts = {p.name for p in given if p.shape.kind == "text"}
    lists = {p.name for p in given if p.shape.kind == "list" and getattr(p.shape.item, "kind", "") == "text"}
    loops = [n for n in known.nodes if isinstance(n, (ast.For, ast.comprehension))]
    names = [ast.unparse(n.target) for n in loops if getattr(n.iter, "id", "") in lists]
    texts |= {name for name in names if stores[name] == 1}
    texts |= {name for name, of in respelt if of in texts and stores[name] == 1}
    for node in (n for n in known.nodes if isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.In, ast.NotIn))):
        letter = isinstance(node.left, ast.Constant) and len(str(node.left.value)) < 2
        if stripped(node.comparators[0]) in texts and not letter:
            yield tell("inside", *names_in(node), words=said.words.say(node.comparators[0], ATOM))


def _alone(known: Knowledge) -> Iterator[Fact]:
    """Yield that nothing but the arguments is read, and which of two that are gone through together ends first."""
    nodes, names = known.nodes, [n for n in known.nodes if isinstance(n, ast.Name)]
    modules = [alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names]
    modules += [str(n.module) for n in nodes if isinstance(n, ast.ImportFrom)]
    bound = {getattr(n, field, None) for n in nodes for field in ("name", "asname", "arg")}.union(dir(builtins))
    bound |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    used = {name.id for name in names} | {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    pure = _PURE.issuperset(module.partition(".")[0] for module in modules) and used.isdisjoint(_READING)
    if pure and bound.issuperset(name.id for name in names) and not any(word.startswith("read") for word in used):
        tables = any(isinstance(n, (ast.Dict, ast.List)) and len(nodes_of(n)) > 2 for n in nodes)
        yield tell("nothing_else", words="" if tables else ", only what is passed in counts")
    given, loaded = {parameter.name for parameter in known.parameters}, [name.id for name in names]
    for node in calls_of(known, "zip"):
        both = [part.id for part in node.args if isinstance(part, ast.Name) and loaded.count(part.id) == 1]
        if len(node.args) == len(both) == 2 and given.issuperset(both) and not node.keywords:
            yield tell("side_by_side", *both, words=listing([the(name) for name in both]))


def _order(said: Spoken) -> Iterator[Fact]:
    known = said.knowledge
    sorts = calls_of(known, "sorted", "sort")
    for node in sorts:
        yield tell("order", *names_in(node), words=sort_key(said, node))
    if sorts or known.called & {"most_common", "nlargest", "nsmallest"}:
        return
    over = next((n.iter for n in known.nodes if isinstance(n, (ast.For, ast.comprehension))), None)
    if not _turned(known) and isinstance(over, ast.Name):
        yield tell("no_order", words=the(over.id))


def _turned(known: Knowledge) -> bool:
    """Return whether what is sorted may be turned round, taken from its end or put together anew."""
    ends = (node.step if isinstance(node, ast.Slice) else getattr(node, "slice", None) for node in known.nodes)
    return bool(known.called & _TURNED) or any(isinstance(end, ast.UnaryOp) for end in ends)


def sort_key(said: Spoken, node: ast.Call) -> str:
    """Return by what a sort orders: "It is sorted by …"."""
    words = said.words
    key, reverse = keyword_in(node.keywords, "key"), keyword_in(node.keywords, "reverse")
    if reverse is not None and not isinstance(reverse, ast.Constant):
        return f"It is sorted{sort_order(words, node.keywords)}"
    down = reverse is not None and bool(reverse.value)
    parts: list[tuple[str, bool]] = []
    if isinstance(key, ast.Lambda):
        body = key.body
        for part in body.elts if isinstance(body, ast.Tuple) else [body]:
            negative = isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub)
            inner = part.operand if isinstance(part, ast.UnaryOp) and negative else part
            parts.append((applied(words, ast.Lambda(key.args, inner)), negative is not down))
    elif key is not None:
        parts.append((applied(words, key), down))
    ways = {way for _, way in parts} or {down}
    direction = {False: "ascending (lowest or alphabetically first comes first)", True: "descending (highest first)"}
    if not parts:
        return f"It is sorted in {direction[down].replace(' (', ' order (')}"
    if len(ways) == 1:
        how = "both " if len(parts) == 2 else "all " if len(parts) > 2 else ""
        chain = parts[0][0] + "".join(f", then by {text}" for text, _ in parts[1:])
        return f"It is sorted by {chain}, {how}{direction[ways.pop()]}"
    return "It is sorted by " + ", then by ".join(f"{text} {'de' if way else 'a'}scending" for text, way in parts)


def _rounding(said: Spoken) -> Iterator[Fact]:
    known = said.knowledge
    cut = [node.args[0] for node in calls_of(known, "floor", "ceil", "trunc", "int") if node.args]
    worked_out = (isinstance(n, (ast.BinOp, ast.Call)) and called(n) not in ("input", "strip", "group") for n in cut)
    numbers = (isinstance(n, (ast.Name, ast.Subscript)) and said.words.kind(n) == "number" for n in cut)
    formats = (_FORMATTED.search(text[:MAX_FORMAT_CHARS]) for text in known.strings)
    floors = (isinstance(getattr(node, "op", None), ast.FloorDiv) for node in known.nodes)
    if not (
        calls_of(known, "round")
        or any(worked_out)
        or any(numbers)
        or any(formats)
        or any(floors)
        or known.called & _ROUNDERS
    ):
        yield tell("no_rounding")


_ROUNDERS = frozenset(("quantize", "around", "rint", "isqrt", "divmod", "format", "strftime"))
MAX_FORMAT_CHARS = 200  # of a text that is looked at for a format
_FORMATTED = re.compile(r"^[<>^+]?\d{0,3},?\.\d+[f%]$|%\d{0,3}\.\d+f|\{\w{0,30}:[^{}]{0,9}\.\d+[fg%]")


def _letter_case(said: Spoken) -> Iterator[Fact]:
    known = said.knowledge
    lowered = calls_of(known, "lower", "casefold", "upper")
    texts = any(p.shape.kind in ("text", "mixed") or "text" in repr(p.shape) for p in known.parameters)
    if lowered:
        owners = [said.words.say(n.func.value, ATOM) for n in lowered if isinstance(n.func, ast.Attribute)]
        owners = list(dict.fromkeys(owners))[:3]
        told = f"it is case-insensitive for {listing(owners)}"
        compared = {id(part) for n in known.nodes if isinstance(n, ast.Compare) for part in nodes_of(n)}
        if compared.isdisjoint(map(id, lowered)):
            way = "upper" if called(lowered[0]) == "upper" else "lower"
            told = f"{listing(owners)} {'are' if len(owners) > 1 else 'is'} put in {way} case"
        yield tell("letter_case", *(name for call in lowered for name in names_in(call)), words=told)
    elif texts and not calls_of(known, "capitalize", "title", "swapcase"):
        told = "capital letters stay as they are"
        if any(isinstance(n, ast.Compare) or called(n) in ("get", "count", "replace") for n in known.nodes):
            told = "texts have to match exactly; it is case-sensitive"
        yield tell("exact_case", words=told)


def _blanks(known: Knowledge) -> Iterator[Fact]:
    texts = any("text" in repr(parameter.shape) for parameter in known.parameters)
    used = {n.attr for n in known.nodes if isinstance(n, ast.Attribute)} | known.called
    if texts and used.isdisjoint(_TRIMMING) and " " not in known.strings:
        yield tell("no_blanks")


_TRIMMING = word_set(
    "strip lstrip rstrip split rsplit replace sub subn match fullmatch search findall translate partition"
)


def _sequence(known: Knowledge) -> Iterator[Fact]:
    """Yield in which order a number is changed step by step, where that matters."""
    body = known.function.body if known.function else []
    targets = [node.target for node in known.nodes if isinstance(node, ast.AugAssign)]
    names = dict.fromkeys(target.id for target in targets if isinstance(target, ast.Name))
    for name in list(names)[:MAX_LOOKED_AT]:
        steps = _steps(body, name, {parameter.name for parameter in known.parameters})
        start = next((n.value for n in body if isinstance(n, ast.Assign) and name in map(ast.unparse, n.targets)), None)
        fixed = isinstance(start, ast.BinOp) and {ast.Add, ast.Constant} <= {*map(type, ast.iter_child_nodes(start))}
        told, factor = [*["the fixed amount"] * fixed, *steps], any(steps.values())
        if len(told) > 1 and (factor or not steps.keys().isdisjoint(_BOUNDS.values())):
            lead = "Both apply" if len(told) == 2 else "All of it applies"
            each = ", each to what has come out so far" if factor else ""
            end = " at the very end" * (told[-1] in _BOUNDS.values())
            yield tell("step", *told, lead=lead, each=each, words=f"{', then '.join(told)}{end}")


def _steps(body: Sequence[ast.stmt], name: str, own: set[str]) -> dict[str, bool]:
    """Return what changes a number, in order, and whether it is a factor; empty where more happens than is read."""
    found: dict[str, bool] = {}
    ended = False
    for node in body:
        change = node.body[0] if isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse else node
        stored = any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes_of(node))
        match change:
            case ast.AugAssign(target=ast.Name(id=target)) if target == name:
                parts = [the(part) for part in names_in(node) if part in own]
                step = parts[0] if parts and found.keys().isdisjoint(parts) else ""
            case ast.Assign(value=ast.Call() as call) | ast.Return(value=ast.Call() as call) if (
                change is node
                and (stored or isinstance(node, ast.Return))
                and name in [getattr(part, "id", "") for part in call.args]
            ):
                step = _BOUNDS.get(called(call), "")
            case _:
                ended = ended or (bool(found) and any(isinstance(n, ast.Return) for n in nodes_of(node)))
                reused = [n for n in nodes_of(node) if isinstance(n, (ast.BinOp, ast.Assign)) and name in names_in(n)]
                if found and (stored or reused):
                    return {}
                continue
        if not step or step in found or ended:
            return {}
        found[step] = isinstance(change, ast.AugAssign) and isinstance(change.op, (ast.Mult, ast.Div))
    return found


def uncut_facts(known: Knowledge, values: Sequence[object]) -> Iterator[Fact]:
    """Yield that a number which is worked out has no bounds, where nothing in the code could set any."""
    nodes = known.nodes
    plus = {id(n) for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.value, ast.Constant)}
    ifs = {id(n) for n in nodes if isinstance(n, ast.If)}
    scored = [n for n in nodes if isinstance(n, ast.If) and {*map(id, (*n.body, *n.orelse))} - ifs <= plus]
    tests = [n.test for n in scored] + [test for n in nodes for test in getattr(n, "ifs", ())]
    filtered = {id(part) for test in tests for part in nodes_of(test)}
    cut = any(isinstance(n, (ast.Compare, ast.Match, ast.BoolOp)) and id(n) not in filtered for n in nodes)
    operators = [n.op for n in nodes if isinstance(n, (ast.BinOp, ast.AugAssign))]
    bounded = any(isinstance(op, (ast.Mod, ast.BitAnd)) for op in operators) or known.called & (_BOUNDING | _CUTTING)
    if operators and values and all(map(is_number, values)) and not cut and not bounded:
        yield tell("uncut")


_CUTTING = word_set("sorted sort median divmod fmod minimum maximum nsmallest nlargest remainder bool exp")
_BOUNDS = {"max": "the minimum", "min": "the maximum", **dict.fromkeys(("round", "int", "floor", "ceil"), "rounding")}
_OPPOSITE = {ast.Lt: ast.GtE(), ast.LtE: ast.Gt(), ast.Gt: ast.LtE(), ast.GtE: ast.Lt()}


def _boundaries(said: Spoken) -> Iterator[Fact]:
    """Yield on which side of each limit a value exactly at it falls."""
    nodes = said.knowledge.nodes
    skips = [node.test for node in nodes if isinstance(node, ast.If) and isinstance(node.body[0], ast.Continue)]
    for node in [node for node in nodes if isinstance(node, ast.Compare)][:MAX_LOOKED_AT]:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            if type(operator) not in _OPPOSITE or said.words.kind(left) == "text":
                continue
            operator = _OPPOSITE[type(operator)] if node in skips else operator
            condition = said.words.condition(ast.Compare(left, [operator], [right]))
            limit = said.words.say(left if is_fixed(left) else right, ATOM)
            which = "" if isinstance(operator, (ast.LtE, ast.GtE)) else "not "
            about = (*names_in(left), *names_in(right))
            if len(condition) <= MAX_CONDITION_CHARS:
                yield tell("boundary", *about, condition=condition, limit=limit, words=which)


MAX_CONDITION_CHARS = 140  # of a comparison that a fact tells
