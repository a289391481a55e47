"""The code of programs over many things."""

from __future__ import annotations

from dataclasses import replace

from colbench_gym.tasks.generated_backend.ladders import label_expression, ladder
from colbench_gym.tasks.generated_backend.matters import Settings
from colbench_gym.tasks.generated_backend.shapes.collections.loops import Loop
from colbench_gym.tasks.generated_backend.shapes.collections.sources import reach
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan


def _loop(plan: Plan, settings: Settings) -> Loop:
    domain, names = plan.domain, plan.names
    main = int(plan.operators["main"])
    one, two = domain.measures[main], domain.measures[(main + 1) % 3]
    parts = reach(domain, plan.operators["source"], names, one, two, settings)
    conditions, setup, inside = list(parts.guards), [], list(parts.before)
    if settings.get("repeat") == "first":
        setup.append("seen = set()")
        inside += [f"if {parts.name} in seen:", "    continue", f"seen.add({parts.name})"]
    keep = plan.operators["keep"]
    kind = _plain(parts.kind, settings)
    if keep == "kind":
        conditions.append(f"{kind} == {_plain(names['wanted'], settings)}")
    elif keep == "least":
        conditions.append(f"{parts.two} >= {names['least']}")
    elif keep == "good":
        conditions.append(f"{parts.two} {settings['good']}")
    exempt = settings.get("exempt", "")
    if exempt.startswith("kind "):
        conditions.append(f"{kind} != {exempt[5:]!r}")
    elif exempt:
        conditions.append(f"not {parts.flag}" if exempt == "flag" else parts.flag)
    value = parts.one
    negative = settings.get("negative")
    if negative == "skip":
        conditions.append(f"{value} >= 0")
    elif negative:
        value = f"max({value}, 0)" if negative == "zero" else f"abs({value})"
    if settings.get("zero") == "skip":
        conditions.append(f"{value} != 0")
    if "itemcap" in settings:
        value = f"min({value}, {settings['itemcap']})"
    if settings.get("unknown") == "skip":
        conditions.append(kind)
    return Loop(parts, tuple(setup), tuple(inside), tuple(conditions), value)


def _plain(text: str, settings: Settings) -> str:
    """Return the expression of a text with its blanks and its letter case taken care of."""
    stripped = f"{text}.strip()" if settings.get("blanks") == "strip" else text
    return f"{stripped}.casefold()" if settings.get("case") == "ignore" else stripped


def collection_body(plan: Plan, settings: Settings) -> list[str]:
    """Return the statements of the function."""
    loop = _loop(plan, settings)
    end = plan.operators["end"]
    lines = {
        "total": _total,
        "mean": _mean,
        "best": _best,
        "least": _best,
        "top": _top,
        "groups": _groups,
        "tally": _groups,
        "share": _share,
        "labels": _labels,
        "listing": _listing,
    }[end](plan, settings, loop)
    whole = end in ("top", "tally", "groups", "labels") or (end == "listing" and "sum" not in settings)
    return or_else(lines, settings) if whole else lines


def or_else(lines: list[str], settings: Settings) -> list[str]:
    """Return statements whose last one gives a list, dict or text back, or what is wanted in place of an empty one."""
    return [*lines[:-1], f"{lines[-1]} or {settings['empty']}"] if "empty" in settings else lines


def _otherwise(name: str, settings: Settings) -> list[str]:
    return [f"if not {name}:", f"    return {settings['empty']}"] if "empty" in settings else []


def _total(plan: Plan, settings: Settings, loop: Loop) -> list[str]:
    style = plan.style
    if "empty" in settings:
        lines = [*loop.gather("amounts", loop.value, style), *_otherwise("amounts", settings)]
        total = "sum(amounts)"
    elif not loop.inside and style % 6:
        guard = f" if {' and '.join(loop.conditions)}" if loop.conditions else ""
        lines, total = list(loop.setup), f"sum({loop.value} {loop.parts.head}{guard})"
    else:
        lines = [f"total = {settings.get('base', '0')}", *loop.each([f"total += {loop.value}"], style)]
        return [*lines, *_finished("total", {k: v for k, v in settings.items() if k != "base"})]
    return [*lines, *_finished(total, settings)]


def _finished(value: str, settings: Settings) -> list[str]:
    """Return the statements that finish a number: fixed part, limits, unit, rounding."""
    if "base" in settings:
        value = f"{settings['base']} + {value}"
    if "cap" in settings:
        value = f"min({value}, {settings['cap']})"
    if "unit" in settings:
        value = f"{f'({value})' if ' + ' in value and not value.startswith('min(') else value} {settings['unit']}"
    if "rounded" in settings:
        value = settings["rounded"].format(value)
    return [f"return {value}"]


def _mean(plan: Plan, settings: Settings, loop: Loop) -> list[str]:
    lines = [*loop.gather("amounts", loop.value, plan.style), *_otherwise("amounts", settings)]
    average = settings.get("average")
    value = "sum(amounts) / len(amounts)"
    if average == "median":
        lines += ["amounts.sort()", "middle = len(amounts) // 2"]
        value = "(amounts[middle] + amounts[-middle - 1]) / 2"
    elif average == "trimmed":
        lines += ["if len(amounts) > 2:", "    amounts = sorted(amounts)[1:-1]"]
    return [*lines, *_finished(value, settings)]


def _share(plan: Plan, settings: Settings, loop: Loop) -> list[str]:
    kept = f"{loop.parts.two} " + (settings.get("good") or f">= {plan.names['least']}")
    every = replace(loop, conditions=tuple(condition for condition in loop.conditions if condition != kept))
    lines = ["part = whole = 0", *every.each(["whole += 1", f"if {kept}:", "    part += 1"], plan.style)]
    if "empty" in settings:
        lines += ["if whole == 0:", f"    return {settings['empty']}"]
    value = f"part / whole {settings['percent']}" if "percent" in settings else "part / whole"
    return [*lines, *_finished(value, settings)]


def _best(plan: Plan, settings: Settings, loop: Loop) -> list[str]:
    pick = "min" if plan.operators["end"] == "least" else "max"
    lines = [*loop.gather("found", f"({loop.parts.name}, {loop.value})", plan.style), *_otherwise("found", settings)]
    lines.append(f"best = {pick}(amount for _, amount in found)")
    ties, form = settings.get("ties"), settings.get("form")
    shape = {"pair": "(winner, best)", "text": "f'{winner} ({best})'"}.get(form or "", "winner")
    if ties == "alphabet":
        lines.append("winner = min(name for name, amount in found if amount == best)")
    elif ties == "later":
        lines.append("winner = [name for name, amount in found if amount == best][-1]")
    elif plan.style % 2:
        lines.append("winner = next(name for name, amount in found if amount == best)")
    else:
        lines[-1:] = [f"winner, best = {pick}(found, key=lambda pair: pair[1])"]
    return [*lines, f"return {shape}"]


def _top(plan: Plan, settings: Settings, loop: Loop) -> list[str]:
    lines = loop.gather("ranking", f"({loop.parts.name}, {loop.value})", plan.style)
    ties, low = settings.get("ties"), settings.get("direction") == "low"
    if ties == "later":
        lines.append("ranking.reverse()" if plan.style % 2 else "ranking = list(reversed(ranking))")
    key = "pair[1]" if low else "-pair[1]"
    key = f"({key}, pair[0])" if ties == "alphabet" else key
    if not low and ties != "alphabet" and ties != "later" and plan.style % 2:
        lines.append("ranking.sort(key=lambda pair: pair[1], reverse=True)")
    else:
        lines.append(f"ranking.sort(key=lambda pair: {key})")
    first = f"ranking[:{settings['count']}]"
    forms = {
        "pairs": first,
        "text": f"', '.join(name for name, _ in {first})",
        "ranks": f"{{name: rank for rank, (name, _) in enumerate({first}, start=1)}}",
    }
    return [*lines, f"return {forms.get(settings.get('form', ''), f'[name for name, _ in {first}]')}"]


def _groups(plan: Plan, settings: Settings, loop: Loop) -> list[str]:
    tally = plan.operators["end"] == "tally"
    kind = _plain(loop.parts.kind, settings)
    amount = "1" if tally else loop.value
    unknown = settings.get("unknown")
    key = f"{kind} or {unknown}" if unknown and unknown != "skip" else kind
    names = ("counts", "count") if tally else ("sums", "amount")
    if plan.style % 2:
        step = [f"label = {key}", f"{names[0]}[label] = {names[0]}.get(label, 0) + {amount}"]
    else:
        step = [f"{names[0]}.setdefault({key}, 0)", f"{names[0]}[{key}] += {amount}"]
    lines = [f"{names[0]} = {{}}", *loop.each(step, plan.style // 2)]
    if "omit" in settings:
        kept = f"for label, {names[1]} in {names[0]}.items() if {names[1]} >= {settings['omit']}"
        lines.append(f"{names[0]} = {{label: {names[1]} {kept}}}")
    more = {"sorted": "", "ranked": ", key=lambda pair: pair[1], reverse=True"}.get(settings.get("form", ""))
    return [*lines, f"return {names[0]}" if more is None else f"return sorted({names[0]}.items(){more})"]


def _labels(plan: Plan, settings: Settings, loop: Loop) -> list[str]:
    form, name = settings.get("form"), loop.parts.name
    value = "value" if not loop.value.isidentifier() else loop.value
    start = [f"value = {loop.value}"] if value == "value" else []
    target = {"pairs": "labelled", "groups": "groups", "counts": "counts"}.get(form or "", "labels")
    store = {
        "labelled": [f"labelled.append(({name}, label))"],
        "groups": [f"groups.setdefault(label, []).append({name})"],
        "counts": ["counts[label] = counts.get(label, 0) + 1"],
        "labels": [f"labels[{name}] = label"],
    }[target]
    if plan.style % 8:
        label = [f"label = {label_expression(value, settings, plan.domain.verdicts, plan.style)}"]
    else:
        label = ladder(value, settings, plan.domain.verdicts, 5)[:-1]
    begin = f"{target} = {'[]' if target == 'labelled' else '{}'}"
    return [begin, *loop.each([*start, *label, *store], plan.style // 2), f"return {target}"]


def _listing(plan: Plan, settings: Settings, loop: Loop) -> list[str]:
    pattern = settings["entry"]
    order = settings.get("order")
    lines = loop.gather("found", f"({loop.parts.name}, {loop.value})", plan.style)
    lines += _otherwise("found", settings) if "sum" in settings else []
    if order:
        key = {"high": "key=lambda pair: -pair[1]", "low": "key=lambda pair: pair[1]"}.get(order, "")
        lines.append(f"found.sort({key})")
    if "sum" in settings:
        last = {"total": "sum(amount for _, amount in found)", "count": "len(found)"}[settings["sum"]]
        lines.append(f"found.append(({settings['sum']!r}, {last}))")
    entry = pattern.format(name="{name}", one="{amount}")
    if plan.style % 2:
        return [*lines, f"return {settings['separator']}.join(f'{entry}' for name, amount in found)"]
    call = pattern.format(name="{}", one="{}")
    order_of = "name, amount" if pattern.index("{name}") < pattern.index("{one}") else "amount, name"
    return [
        *lines,
        f"parts = [{call!r}.format({order_of}) for name, amount in found]",
        f"return {settings['separator']}.join(parts)",
    ]
