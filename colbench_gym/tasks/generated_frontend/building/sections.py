"""A section of a page as an element."""

from __future__ import annotations

from functools import lru_cache

from colbench_gym.tasks.generated_frontend.building.elements import Node, el, say
from colbench_gym.tasks.generated_frontend.building.offer_sections import OFFER_SECTIONS
from colbench_gym.tasks.generated_frontend.building.people_sections import PEOPLE_SECTIONS
from colbench_gym.tasks.generated_frontend.building.section_parts import Part
from colbench_gym.tasks.generated_frontend.building.style import style_of
from colbench_gym.tasks.generated_frontend.content import items_of, titles_of
from colbench_gym.tasks.generated_frontend.domains import Domain
from colbench_gym.tasks.generated_frontend.page import Look, Section

BUILDERS = {**OFFER_SECTIONS, **PEOPLE_SECTIONS}
_TINTED = ("figures", "call", "subscribe")  # kinds with variants that bring their own ground


@lru_cache(maxsize=65536)
def section_node(domain: Domain, branch: int, section: Section, look: Look, banded: bool, framed: bool) -> Node:
    """Return one section.

    Args:
        domain: whose words it has.
        branch: of the domain.
        section: what it shows and how.
        look: of the page.
        banded: whether it stands on the second ground.
        framed: whether it stands beside a sidebar, so that its contents are not held to a width of their own.
    """
    style = style_of(look)
    content = items_of(domain, branch, section.kind)
    chosen = [content[i] for i in section.items]
    title = titles_of(domain, section.kind)[section.title]
    inside = BUILDERS[section.kind](Part(style, chosen, section.variant, domain, branch))
    colors = style.colors
    if section.kind in _TINTED and section.variant in ("accent bar", "accent band", "dark band", "band"):
        dark = section.variant == "dark band"
        ground = "bg-gray-900 text-white" if dark else f"bg-{colors.accent} text-{colors.on_accent}"
        heading = say("h2", "text-2xl font-bold mb-4", title)
        return el("section", f"{ground} {style.pad} px-8 text-center", heading, *inside)
    ground = f"bg-{colors.band}" if banded else ""
    within = el("div", "" if framed else style.width, style.title(title), *inside)
    return el("section", f"{ground} {style.pad} {'px-6' if framed else 'px-8'} {style.align}", within)
