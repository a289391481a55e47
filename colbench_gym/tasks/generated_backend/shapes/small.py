"""Base of the shapes that have one composition, or a few."""

from __future__ import annotations

from collections.abc import Mapping

from colbench_gym.tasks.generated_backend.matters import words_of
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators


class Small:
    """A shape that works on one measure of the things of a domain."""

    choices: Mapping[str, tuple[str, ...]] = {}

    def allows(self, domain: Domain, operators: Operators) -> bool:  # noqa: ARG002  # the protocol's arguments
        """Return whether the operators can be composed: here they always can."""
        return True

    def words(self, domain: Domain, operators: Operators) -> dict[str, str]:
        """Return the words of a domain for the templates."""
        one = domain.measures[int(operators.get("main", "0"))]
        return {**words_of(domain), "one": one.phrase, "units": one.unit, "in_units": one.shown_unit}

    def parameters(self, domain: Domain, operators: Operators) -> Mapping[str, tuple[str, ...]]:  # noqa: ARG002  # as above
        """Return names of parameters by which a caller may decide a matter: here there are none."""
        return {}
