"""The page of the grammar that agrees best with all that was said, found by changing one decision after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from colbench_gym.page_language.statements import Statement, Subject
from colbench_gym.policies.designer.brief import name_in, usual_section
from colbench_gym.policies.designer.evidence import Evidence, agreement
from colbench_gym.policies.designer.things import Features, plain
from colbench_gym.tasks.generated_frontend.content import items_of, titles_of
from colbench_gym.tasks.generated_frontend.domains import Domain
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.generated_frontend.page import BRANCHES, LOOK_OPTIONS, PART_OPTIONS, Page, Section

MAX_SWEEPS = 4  # ours: over all changes, while something gets better
MAX_SECTIONS = 7  # ours: on a page
CHANGE_COST = 0.03  # ours: what a change must gain, so that nothing is changed for nothing


def improve(page: Page, heard: Sequence[Evidence]) -> Page:
    """Return the page that agrees best with what was heard, as far as single changes lead there."""
    best, score = page, agreement(features_of(page), heard)
    kinds = mentioned_kinds(page.domain, heard)
    names = [name for text in texts(heard) if (name := name_in(text, page.domain))]
    for _ in range(MAX_SWEEPS):
        before = score
        for changed in _changes(best, names):
            best, score = _best_of(best, score, changed, heard)
        for place in range(len(best.sections) + 1):  # with the section there changed, taken out, moved, or one put in
            every = [replace(best, sections=sections) for sections in _section_changes(best, place, kinds)]
            best, score = _best_of(best, score, every, heard)
        if score <= before:
            break
    return best


def _best_of(best: Page, score: float, pages: Iterable[Page], heard: Sequence[Evidence]) -> tuple[Page, float]:
    """Return the page that agrees best, with how well it does: one of some pages where it gains enough."""
    for candidate in pages:
        value = agreement(features_of(candidate), heard)
        if value > score + CHANGE_COST:
            best, score = candidate, value
    return best, score


@lru_cache(maxsize=4096)
def features_of(page: Page) -> Features:
    """Return what stands on a page."""
    return Features(page)


def texts(heard: Sequence[Evidence]) -> list[str]:
    """Return every text that is quoted in what was heard."""
    return [text for evidence in heard for text in _quoted(evidence.statement)]


def _quoted(said: Statement) -> Iterator[str]:
    if said.kind == "wording":
        yield said.wanted
    for subject in (said.subject, said.other, *said.items):
        if isinstance(subject, Subject) and subject.text:
            yield subject.text


def mentioned_kinds(domain: Domain, heard: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the kinds of section to which a quoted text may belong."""
    quoted = {plain(text) for text in texts(heard)}
    return tuple(kind for kind in KINDS if quoted & _texts_of_kind(domain, kind))


@lru_cache(maxsize=4096)
def _texts_of_kind(domain: Domain, kind: str) -> frozenset[str]:
    known_texts = {plain(title) for title in titles_of(domain, kind)} | {plain(KINDS[kind].link)}
    for branch in range(BRANCHES):
        known_texts |= {plain(text) for item in items_of(domain, branch, kind) for text in item}
    return frozenset(known_texts)


def _changes(page: Page, names: Sequence[str]) -> Iterator[list[Page]]:
    """Yield groups of pages that differ in one decision; the caller takes the best of each group."""
    for name, options in LOOK_OPTIONS.items():
        yield [replace(page, look=replace(page.look, **{name: value})) for value in options]
    for name, values in PART_OPTIONS.items():
        yield [replace(page, **{name: value}) for value in values]  # type: ignore[arg-type]  # fields of texts
    yield [replace(page, headline=i) for i in range(len(page.domain.headlines))]
    yield [replace(page, lead=i) for i in range(len(page.domain.leads))]
    yield [replace(page, action=i, button=button) for i in range(len(page.domain.actions)) for button in (True, False)]
    yield [replace(page, branch=i) for i in range(BRANCHES)]
    yield [replace(page, branch=i, frame=frame) for i in range(BRANCHES) for frame in PART_OPTIONS["frame"][1:]]
    if page.notice == "none":
        yield [replace(page, branch=i, notice=PART_OPTIONS["notice"][1]) for i in range(BRANCHES)]
    yield [replace(page, name=name) for name in names]


def _section_changes(page: Page, place: int, kinds: Sequence[str]) -> Iterator[tuple[Section, ...]]:
    sections = page.sections
    present = {section.kind for section in sections}
    if len(sections) < MAX_SECTIONS:
        for kind in kinds:
            if kind not in present:
                section = usual_section(kind, page.domain)
                for title in range(len(titles_of(page.domain, kind))):
                    yield (*sections[:place], replace(section, title=title), *sections[place:])
    if place >= len(sections):
        return
    section, rest = sections[place], (*sections[:place], *sections[place + 1 :])
    yield rest
    for new_place in range(len(rest) + 1):
        if new_place != place:
            yield (*rest[:new_place], section, *rest[new_place:])
    for changed in _section_variants(page.domain, section, kinds):
        yield (*sections[:place], changed, *sections[place + 1 :])


def _section_variants(domain: Domain, section: Section, kinds: Sequence[str]) -> Iterator[Section]:
    for title in range(len(titles_of(domain, section.kind))):
        yield replace(section, title=title)
    many = len(items_of(domain, 0, section.kind))
    for variant, counts in KINDS[section.kind].variants.items():
        for count in counts:
            if count <= many:
                yield replace(section, variant=variant, items=_resized(section.items, count, many))
    for leaving in section.items:
        for coming in range(many):
            if coming not in section.items:
                yield replace(section, items=tuple(sorted({*section.items, coming} - {leaving})))
    for kind in kinds:
        if kind != section.kind:
            yield usual_section(kind, domain)


def _resized(items: tuple[int, ...], count: int, many: int) -> tuple[int, ...]:
    kept = list(items[:count])
    kept += [i for i in range(many) if i not in kept][: count - len(kept)]
    return tuple(sorted(kept))
