"""Programs that format a short code from a name and a number."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, identifier, spoken
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.ontology.needs import wishes
from colbench_gym.tasks.generated_backend.shapes.base import Base
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan
from colbench_gym.tasks.generated_backend.wordings import goals, lists, matter
from colbench_gym.tasks.permutation import Draw

_TAG = re.compile(r"~ (?:an?|our) (.*?)(?: (?:for|of) .*)?$")  # what is made: "a shelf code for a novel"
_SHORT = 5  # letters; of a name that is as long as a part of it may be


class Tags(Base):
    """A tag for one thing."""

    name = "tags"
    choices: Mapping[str, tuple[str, ...]] = {"end": ("make",), "kind": ("", "kind")}

    def allows(self, domain: Domain, operators: Operators) -> bool:  # noqa: ARG002  # the protocol's arguments
        """Return whether people of the trade tag their things."""
        return bool(wishes(domain, "tags"))

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        given = goals(f"tags np {operators['kind']}".strip(), words)
        return (wishes(domain, "tags"), goals("ret tags make", words), given)

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:  # noqa: ARG002  # as above
        """Return names for the function, in the words of the goal."""
        noun = identifier(_TAG.findall(wishes(domain, "tags")[0])[0])
        return tuple(form.format(noun=noun) for form in lists("names.txt")["tags function make"])

    def role_keys(self, operators: Operators) -> Sequence[str]:
        """Return what the parameters are for."""
        return ("name", "number", *(["kind_"] if operators["kind"] else []))

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        words = self.words(domain, operators)
        names = ["letters", "capitals", "glue", "digits", "turn", *(["kind"] if operators["kind"] else [])]
        found = [matter("tags", name, words) for name in (*names, "blanks", "width")]
        found.append(matter("tags", "empty", words, spoken(("", "none", "unnamed"))))
        return tuple(found)

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        name, number, style = plan.names["name"], plan.names["number"], plan.style
        lines = []
        if "empty" in settings:
            lines += [f"if not {name}:" if style % 2 else f"if {name} == '':", f"    return {settings['empty']}"]
        text = f"{name}.replace(' ', '')" if settings.get("blanks") == "drop" else name
        letters = settings["letters"]
        consonants = f"''.join(letter for letter in {text} if letter.lower() not in 'aeiou')"
        part = consonants if letters == "vowels" else f"{text}{letters}"
        lines.append(f"letters = {part}{settings['capitals']}")
        digits = settings.get("digits")
        count = f"str({number})"
        if digits:
            count = f"str({number}).zfill({digits})" if style % 2 else f"f'{{{number}:0{digits}d}}'"
        parts = [count, "letters"] if settings.get("turn") == "number" else ["letters", count]
        kind = settings.get("kind")
        if kind:
            label = plan.names["kind_"]
            parts.append(f"{label}[:1].upper()" if kind == "first" else f"{label}.lower()")
        tag = f"'{settings['glue']}'.join([{', '.join(parts)}])"
        width = f"[:{settings['width']}]" if "width" in settings else ""
        return [*lines, f"return {tag}{width}"]

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        for turn in itertools.count():
            name = draw.pick(plan.domain.names)
            if len(name) < _SHORT and turn % 2:
                name = f"{name}{draw.pick(plan.domain.names).lower()}"
            name = draw.pick((name, name.title(), name.lower(), name[:1].upper() + name[1:]))
            if "blanks" in settings and draw.below(2):
                name = draw.pick(
                    (f"{name[:1]} {name[1:]}", f"{name[:2]} {name[2:]}", f"{name[:-1]} {name[-1:]}", f" {name}")
                )
            if "empty" in settings and turn in (4, 9):
                name = ""
            value = draw.pick(
                (draw.between(1, 9), draw.between(10, 99), draw.between(100, 999), draw.between(1000, 40000))
            )
            more = [draw.pick(plan.domain.kinds)] if plan.operators["kind"] else []
            yield (name, value, *more)
