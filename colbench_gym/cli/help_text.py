"""Help pages without "(default: None)": what a flag is without a value stands in its words."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from tyro.conf import arg
from tyro.constructors import ConstructorRegistry, StructConstructorSpec, StructTypeInfo

_UNSAID = arg(help_behavior_hint="")


def quiet_defaults() -> ConstructorRegistry:
    """Return rules for ``tyro.cli`` by which a default that says nothing (None, an empty text) is left out."""
    registry = ConstructorRegistry()
    asking = False

    @registry.struct_rule
    def rule(info: StructTypeInfo) -> StructConstructorSpec | None:
        nonlocal asking
        if asking:
            return None
        asking = True
        try:
            spec = ConstructorRegistry.get_struct_spec(info)
        finally:
            asking = False
        if not isinstance(spec, StructConstructorSpec):
            return None
        unsaid: Any = _UNSAID  # Any: tyro calls it an object
        fields = (
            replace(field, type=Annotated[field.type, unsaid]) if field.default in (None, "") else field  # type: ignore[arg-type, unused-ignore]
            for field in spec.fields
        )
        return replace(spec, fields=tuple(fields))

    return registry
