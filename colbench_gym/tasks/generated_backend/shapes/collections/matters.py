"""Matters that a request about many things can leave open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from colbench_gym.tasks.generated_backend.ladders import cut_options
from colbench_gym.tasks.generated_backend.matters import Matter, a, grid, kind_words, listed, spoken, tidy, words_of
from colbench_gym.tasks.generated_backend.ontology import Domain, Measure
from colbench_gym.tasks.generated_backend.ontology.needs import wishes
from colbench_gym.tasks.generated_backend.shapes.collections.sources import GROUPED, REPEATING, RICH
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators
from colbench_gym.tasks.generated_backend.wordings import alternative, lists, matter, superlatives

_VALUED = ("total", "mean", "best", "least", "top", "groups", "labels")
FORMS = {"best": "best", "least": "best", "top": "top", "groups": "groups", "tally": "groups", "labels": "labels"}
_NOUNS = {"total": "the total", "mean": "the average", "share": "the share"}
_MAYBE_ZERO = ("-1", "0", "no data", "nothing")
_NOTHING = {"total": ("-1", "no data", "nothing"), "mean": _MAYBE_ZERO, "share": _MAYBE_ZERO}
_COUNTED = re.compile(r"(?:number of |(?=hours |years ))(.+)")  # what one has so many of
_UNLIKELY = {"+": "unflag", "-": "flag"}  # what nobody means by the good ones, by what a flag does to the score


def collection_words(domain: Domain, operators: Operators) -> dict[str, str]:
    """Return the words of a domain for the templates."""
    main = int(operators["main"])
    one, two = domain.measures[main], domain.measures[(main + 1) % 3]
    noun, counted = _NOUNS.get(operators["end"], "the result"), _COUNTED.match(two.phrase)
    most, least, of_things = superlatives(one.phrase)
    most, least = ("highest", "lowest") if one.phrase.startswith("number of ") else (most, least)
    lead = domain.item if of_things else one.phrase
    return {
        **words_of(domain),
        "one": one.phrase,
        "two": two.phrase,
        "key_one": one.name,
        "negative": one.negative,
        "enough": f"at least x {counted[1]}" if counted else f"{a(two.phrase)} of at least x",
        "good": domain.good[(main + 1) % 3] if domain.good[0] else "",  # what has much of the second measure
        "noun": noun,
        "unit": f" {one.unit}",
        "figure": "count" if operators["end"] == "tally" else "total",
        "of": (*wishes(domain, "of"), "of")[0],
        "bracketed": f"{domain.names[0]} ({grid(one, 0.5)[0]})",
        "most": f"{most} {lead}",
        "least": f"{least} {lead}",
        "written": "; use small letters for it" if operators["end"] in ("groups", "tally") else "",
    }


def collection_matters(domain: Domain, operators: Operators) -> Iterator[Matter]:
    """Yield what a request about many things can leave open."""
    main = int(operators["main"])
    one, two = domain.measures[main], domain.measures[(main + 1) % 3]
    source, keep, end = operators["source"], operators["keep"], operators["end"]
    words = collection_words(domain, operators)
    grouped = end in ("groups", "tally")
    if keep == "good":
        yield _good(words, two)
    if keep == "kind" or grouped:
        yield matter("shared", "case", kind_words(domain, words))
        yield matter("shared", "blanks", kind_words(domain, words))
    elif source == "lines" and end in ("best", "least", "top", "labels"):
        yield matter("shared", "blanks", {**words, "noun": "the names"})
    if source == "lines":
        yield matter("collection", "broken", words)
    if source in RICH and end in _VALUED:
        values = ("0", *grid(one, 0.25, 0.5)) if end in ("mean", "least", "labels") else grid(one, 0.3, 0.6)
        yield matter("collection", "missing", words, listed(values))
    if end in _VALUED and one.negative:
        zero = [{"code": "zero"}] * (end in ("mean", "least", "labels"))  # elsewhere it is like leaving it out
        yield matter("collection", "negative", words, zero)
    if source in REPEATING and end not in ("labels", "listing"):
        yield matter("collection", "repeat", words)
    if source in RICH or (source in GROUPED and keep != "kind"):
        yield matter("collection", "exempt", words, _exempt(domain, source, keep))
    yield from _endings(domain, one, operators, words)


def _endings(domain: Domain, one: Measure, operators: Operators, words: Mapping[str, str]) -> Iterator[Matter]:
    end, source, keep = operators["end"], operators["source"], operators["keep"]
    if end in ("total", "top", "groups"):
        noun = f"the {one.phrase} of a single {domain.item}"
        limits = listed(grid(one, 0.4, 0.55, 0.7))
        yield matter("shared", "cap_one", {**words, "noun": noun, "unit": one.shown_unit}, limits, key="itemcap")
    if end == "total":
        yield matter("shared", "cap", words, listed(tidy(one.high * share) for share in (1.6, 2.2, 3.1)))
        yield matter("collection", "base", words, listed(tidy(one.high * share) for share in (0.12, 0.23, 0.45)))
        if one.unit in lists("units.txt"):
            other, code = lists("units.txt")[one.unit]
            yield matter("collection", "unit", {**words, "from": one.unit}, [{"code": code, "to": other}])
    if end == "mean":
        yield matter("collection", "average", words)
        if one.low == 0:
            yield matter("collection", "zero", words)
    if end in ("mean", "share"):
        yield matter("shared", "rounded", words)
    if end == "share":
        yield matter("collection", "percent", words)
    if end in ("best", "least", "top"):
        yield matter("collection", "ties", words)
    if end == "top":
        yield matter("collection", "count", words)
        low = one.name in " ".join(wishes(domain, "low")).split()  # who is fast comes first
        yield matter("collection", f"direction_{'low' if low else 'high'}", words)
    if end in FORMS:
        yield matter("collection", f"form_{FORMS[end]}", words)
    if end in ("groups", "tally") and source in GROUPED:
        yield matter("collection", "unknown", words)
        least = ("2", "3") if end == "tally" else [tidy(one.high * share) for share in (0.4, 0.8)]
        yield matter("collection", "omit", words, listed(least))
    if end == "labels":
        limits = cut_options(cuts(one), domain.verdicts, one.shown_unit)
        yield matter("shared", "cuts", {**words, "noun": one.phrase}, limits)
    if end == "listing":
        yield from (matter("collection", name, words) for name in ("separator", "entry", "order"))
        yield matter("collection", "sum", words, without=() if one.summable else ("total",))
    case = {"when": f"there are no {domain.items} to consider", "may": f"sometimes there are no {domain.items} at all"}
    texts = ("none", "nothing to show") if end in ("top", "groups", "tally", "labels") else ("none", "nothing", "")
    name = "empty_input" if keep == "all" else "empty"  # one call alone can be empty where nothing is left out
    yield matter("shared", name, {**words, **case}, spoken(_NOTHING.get(end, texts)))


def _good(words: Mapping[str, str], two: Measure) -> Matter:
    each = []
    for sign, value in zip((">=", ">", ">=", ">"), grid(two, 0.25, 0.4, 0.55, 0.7), strict=False):
        limit = f"{'at least' if sign == '>=' else 'more than'} {value}{two.shown_unit}"
        more = {"code": f"{sign} {value}", "measure": two.phrase, "limit": limit}
        each.append(alternative("good limit", {**words, **more}))
    return matter("collection", "good", words, each)


def _exempt(domain: Domain, source: str, keep: str) -> list[dict[str, str]]:
    each = []
    if keep != "kind":
        each += [{"code": f"kind {v}", "which": f'with the {domain.kind_phrase} "{v}"'} for v in domain.kinds[2:]]
    if source in RICH:
        flag, likely = domain.flags[0][1], _UNLIKELY.get(domain.leanings[0])
        both = ({"code": "flag", "which": f"that are {flag}"}, {"code": "unflag", "which": f"that are not {flag}"})
        each += [option for option in both if likely in (None, option["code"])]
    return each


def cuts(one: Measure) -> list[tuple[str, str]]:
    """Return pairs of limits between three labels."""
    return [(grid(one, 0.3 * shift)[0], grid(one, 0.6 * shift)[0]) for shift in (0.8, 1.0, 1.25)]
