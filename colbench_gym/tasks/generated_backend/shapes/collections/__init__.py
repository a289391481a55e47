"""Programs over many things: filtered, mapped, grouped, aggregated, ranked, judged or listed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, Words, number, numbers, usual
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.ontology.needs import wishes
from colbench_gym.tasks.generated_backend.shapes.base import Base
from colbench_gym.tasks.generated_backend.shapes.collections.code import collection_body
from colbench_gym.tasks.generated_backend.shapes.collections.matters import FORMS, collection_matters, collection_words
from colbench_gym.tasks.generated_backend.shapes.collections.sources import (
    GROUPED,
    RICH,
    SOURCES,
    Thing,
    handed_over,
    source_phrases,
    source_roles,
)
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan
from colbench_gym.tasks.generated_backend.wordings import goals
from colbench_gym.tasks.permutation import Draw

_NAMED = ("best", "least", "top", "labels", "listing")  # ends that need the names of things
_SUMS = ("total", "groups")
_ONE = re.compile(r"the \{g\}[\w ]+? (?:that |who |(with )|(?=we ))")  # "the large photo that got the most likes"
_ENDS = "total mean best least top groups tally share labels listing"


def _wishes(domain: Domain, operators: Operators) -> tuple[str, ...]:
    """Return what people of a trade want to know, with gaps for what limits the things."""
    end, keep, one = operators["end"], operators["keep"], domain.measures[int(operators["main"])].name
    every = wishes(domain, end) if end == "tally" else wishes(domain, end, one)
    gap = {"kind": "{w}", "least": "{w}", "good": "{g}"}.get(keep, "")
    return tuple(text for text in every if gap in text)


class Collections(Base):
    """Programs over a collection of things."""

    name = "collection"
    choices: Mapping[str, tuple[str, ...]] = {
        "source": SOURCES,
        "keep": ("all", "kind", "least", "good"),
        "end": tuple(_ENDS.split()),
        "main": ("0", "1", "2"),
    }

    def allows(self, domain: Domain, operators: Operators) -> bool:
        """Return whether the operators can be composed."""
        source, keep, end = operators["source"], operators["keep"], operators["end"]
        if end in ("groups", "tally") and (source not in GROUPED or keep in ("kind", "least")):
            return False
        if source == "columns" and (end not in _NAMED or keep != "kind"):
            return False  # a list that no program of the kind looks at
        if end in _SUMS and not domain.measures[int(operators["main"])].summable:
            return False
        if (end != "share" and not _wishes(domain, operators)) or (end == "tally" and operators["main"] != "0"):
            return False
        if end == "share" and (keep in ("all", "kind") or source not in RICH or not wishes(domain, "share")):
            return False
        if end == "share" and keep == "good" and operators["main"] == "2":
            return False  # only the vague word tells what such a request is about, and there are two of them
        return keep == "all" or source in RICH or (keep == "kind" and source in GROUPED)

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words, keep, end = collection_words(domain, operators), operators["keep"], operators["end"]
        good = words["good"] * (keep == "good")
        limited = keep in ("kind", "least") and end != "share"
        found: list[str] = []
        for text in goals(f"collection share {keep}", words) if end == "share" else _wishes(domain, operators):
            where = "among" if end in ("best", "least") else "which" if text.endswith("{w}") else "only"
            if limited and where == "only":  # what limits the things would stand between them and their verb
                text = text.replace("{w}", "") + "{w}"
            if good:
                text = _ONE.sub(lambda m: f"out which of the {{g}}{domain.items} {'has ' if m[1] else ''}", text)
            for which in goals(f"collection {where} {keep}", words) if limited else ("",):
                more = {**words, "g": f"{good} " * bool(good), "w": f"{',' * (where == 'only')} {which}" * bool(which)}
                found.append(text.format_map(Words(more)))
            if good and end != "share":
                apart = Words({**words, "g": "", "w": ""})
                found += [f"{text.format_map(apart)}, {which}" for which in goals("collection only good", words)]
        result = () if end in FORMS else goals(f"ret collection {end}", words)
        one = domain.measures[int(operators["main"])]
        return (tuple(found), result, source_phrases(domain, operators["source"], one))

    def role_keys(self, operators: Operators) -> Sequence[str]:
        """Return what the parameters are for."""
        kept = {"kind": ["wanted"], "least": ["least"]}.get(operators["keep"], [])
        return [*source_roles(operators["source"]), *kept]

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        return tuple(collection_matters(domain, operators))

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        return collection_body(plan, settings)

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        matters = {matter.key: matter for matter in self.matters(plan.domain, plan.operators)}
        return (self._input(plan, settings, matters, draw, turn) for turn in itertools.count())

    def _input(self, plan: Plan, settings: Settings, matters: Mapping[str, Matter], draw: Draw, turn: int) -> Arguments:
        domain, operators = plan.domain, plan.operators
        one, two = self.measures(domain, operators)
        most = (1.0, 0.5, 0.25, 1.0)[turn % 4]
        count = 0 if "empty" in settings and turn == 3 else (1, 3, 4, 5, 6, 8, 3, 5)[turn % 8]
        if count and operators["end"] in ("top", "share", "groups", "tally", "mean") and draw.below(3):
            count = 6 + draw.below(3)
        names = draw.some(domain.names, min(count, len(domain.names)))
        near = {"one": [n for key in ("cuts", "itemcap") if key in settings for n in numbers(matters[key].options)]}
        near["two"] = numbers(matters["good"].options) if "good" in settings else []
        things = []
        for name in names:
            value = usual(one, draw, most=most)
            other = usual(two, draw)
            if near["one"] and draw.below(2):
                value = number(draw.pick(near["one"]) + draw.pick((0, 0, -1, 1)) * one.step)
            if near["two"] and draw.below(2):
                other = number(draw.pick(near["two"]) + draw.pick((0, 0, -1, 1)) * two.step)
            kind = draw.pick(domain.kinds)
            if "case" in settings and not draw.below(3):
                kind = draw.pick((kind.upper(), kind.capitalize()))
            if "blanks" in settings and not draw.below(3):
                kind = draw.pick((f" {kind}", f"{kind} "))
            if "unknown" in settings and not draw.below(3):
                kind = ""
            things.append(Thing(name, value, other, kind, draw.below(2) == 1))
        if operators["source"] == "lines" and "blanks" in settings:
            for thing in things:
                thing.name = draw.pick(("", " ")) + thing.name + draw.pick(("", " "))
        if len(things) > 1:
            self._hazards(things, settings, draw)
        handed = list(handed_over(domain, operators["source"], things, one, two))
        if operators["keep"] == "kind":
            kind = draw.pick([t.kind for t in things] if things and draw.below(8) else domain.kinds)
            handed.append(kind.lower() if draw.below(2) else kind)
        if operators["keep"] == "least":
            limits = [thing.two for thing in things] if draw.below(3) else []
            handed.append(draw.pick(limits) if limits else usual(two, draw, most=0.7))
        return tuple(handed)

    def _hazards(self, things: list[Thing], settings: Settings, draw: Draw) -> None:
        some = draw.pick(things)
        if "missing" in settings and draw.below(2):
            some.missing = True
        if "broken" in settings and draw.below(2):
            draw.pick(things).missing = True
        if "negative" in settings and draw.below(2):
            draw.pick(things).one *= -1
        if "zero" in settings and draw.below(2):
            draw.pick(things).one = 0
        if "repeat" in settings and draw.below(3):
            things[-1].name = things[0].name
        if "ties" in settings and draw.below(4):
            least, *_, most = sorted(t.one for t in things)
            for thing in draw.some(things, 2):
                thing.one = most if draw.below(2) else least
