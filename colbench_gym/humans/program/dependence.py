"""Facts about what a result depends on: which arguments and entries do not count."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.claims import Parameter
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.telling import tell
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.wording import be, quoted, the

_DISPLAYS = (ast.Dict, ast.List, ast.Set, ast.Tuple, ast.DictComp, ast.ListComp)


def dependence_facts(said: Spoken, values: Sequence[Any]) -> Iterator[Fact]:
    """Yield what a result does not depend on; ``values`` are what the reference returned on realistic arguments."""
    known = said.knowledge
    names, returned = {parameter.name for parameter in known.parameters}, repr(values)
    for parameter in known.parameters:
        name = the(parameter.name)
        if not parameter.used and not parameter.extra:
            told = f"{name} {be(name)} not used, so {'they make' if be(name) == 'are' else 'it makes'} no difference"
            yield tell("unused", parameter.name, key=parameter.name, words=told)
            continue
        unread = _unread(known, parameter)
        carried = any(repr(key) in returned for key in unread)  # records that come back as they are
        without = "is not looked at" if carried else "plays no part"
        for key in (key for key in unread if key not in names):
            yield tell("unused", key, key=key, words=f"the {quoted(key, known.source)} entry {without}")


def _unread(known: Knowledge, parameter: Parameter) -> list[str]:
    """Return which entries of an argument, or of records in it, are not read; none where that is open."""
    fields = [key for key, _ in (parameter.shape.item or parameter.shape).fields]
    others = {other.name for other in known.parameters if other is not parameter or parameter.shape.item}
    opened: list[ast.expr] = []  # looked up by a key that is not in the code, or gone through
    for node in known.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if isinstance(value, _DISPLAYS):
                others.add(name)
            case (
                ast.Subscript(value=owner, slice=ast.Name() | ast.Subscript() | ast.Attribute() | ast.JoinedStr())
                | ast.Subscript(value=owner, slice=ast.Call() | ast.BinOp() | ast.IfExp())
                | ast.Call(func=ast.Attribute(value=owner, attr="get" | "pop"), args=[ast.Name() | ast.Subscript(), *_])
                | ast.Call(func=ast.Attribute(value=owner, attr="items" | "values" | "keys"))
            ):
                opened.append(owner)
    if any(getattr(owner, "id", None) not in others for owner in opened):
        return []
    unread = [key for key in fields if key not in known.strings]
    return unread if len(unread) < len(fields) else []
