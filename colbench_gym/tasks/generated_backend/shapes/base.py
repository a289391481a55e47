"""Base of the shapes: the words of a domain, and names for functions and parameters, which stand in a text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import identifier, is_plural, words_of
from colbench_gym.tasks.generated_backend.ontology import Domain, Measure
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Role
from colbench_gym.tasks.generated_backend.wordings import named_keys, names, superlatives

_AMOUNT = re.compile(r"^(number|amount|share)_of_(the_)?")  # of what a limit is for


class Base:
    """A shape that works on a main measure of the things of a domain, and perhaps on the one after it."""

    name: str
    choices: Mapping[str, tuple[str, ...]] = {}

    def allows(self, domain: Domain, operators: Operators) -> bool:  # noqa: ARG002  # the protocol's arguments
        """Return whether the operators can be composed: here they always can."""
        return True

    def measures(self, domain: Domain, operators: Operators) -> tuple[Measure, Measure]:
        """Return the main measure and the one after it."""
        main = int(operators.get("main", "0"))
        return domain.measures[main], domain.measures[(main + 1) % 3]

    def words(self, domain: Domain, operators: Operators) -> dict[str, str]:
        """Return the words of a domain for the templates."""
        one, two = self.measures(domain, operators)
        units = {"units": one.unit, "in_units": one.shown_unit, "verb": "are" if is_plural(one.phrase) else "is"}
        return {**words_of(domain), "one": one.phrase, "two": two.phrase, **units}

    def role_keys(self, operators: Operators) -> Sequence[str]:
        """Return what the parameters are for; a second word tells texts of one role apart."""
        raise NotImplementedError

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:
        """Return names for the function."""
        return self._names(f"function {operators['end']}", domain, operators)

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:
        """Return the parameters."""
        keys = self.role_keys(operators)
        every = ((key.split()[0], self._names(f"role {key}", domain, operators)) for key in keys)
        return tuple(Role(key, known, "names" * (key in ("values", "kinds"))) for key, known in every)

    def parameters(self, domain: Domain, operators: Operators) -> Mapping[str, tuple[str, ...]]:
        """Return names of parameters by which a caller may decide a matter."""
        keys = named_keys(f"{self.name} parameter ")
        return {key: self._names(f"parameter {key}", domain, operators) for key in keys}

    def _names(self, key: str, domain: Domain, operators: Operators) -> tuple[str, ...]:
        one, two = self.measures(domain, operators)
        item, noun = identifier(domain.item), identifier(self.words(domain, operators).get("noun", ""))
        *ends, of_things = superlatives(one.phrase)
        found = (f"{end}_{item}" if of_things else f"{item}_with_{end}_{one.name}" for end in map(identifier, ends))
        words = (item, identifier(domain.items), one.name, two.name, domain.kind, _AMOUNT.sub("", noun), *found)
        return names(f"{self.name} {key}", words)
