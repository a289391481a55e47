"""Generated pages: always the same, all different, split by what they mean, and fit to be talked about."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.samples import FULL
from support.tables import cases

from colbench_gym import UnknownNameError, UnknownTaskError, load_tasks
from colbench_gym.graders.layout_similarity import LayoutSimilarity
from colbench_gym.rendering import MAX_PAGE_HEIGHT
from colbench_gym.tasks.generated_frontend.aspects import aspects_of
from colbench_gym.tasks.generated_frontend.building.pages import page_html, page_node, texts_of
from colbench_gym.tasks.generated_frontend.building.sections import BUILDERS
from colbench_gym.tasks.generated_frontend.colors import RGB
from colbench_gym.tasks.generated_frontend.composing import MIN_RESERVED, is_reserved, neighbours
from colbench_gym.tasks.generated_frontend.content import items_of, titles_of
from colbench_gym.tasks.generated_frontend.domains import load_domains, read_domain
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.generated_frontend.page import BRANCHES, LOOK_OPTIONS
from colbench_gym.tasks.generated_frontend.requests import MAX_WORDS, MIN_WORDS, TOLD, split_of
from colbench_gym.tasks.generated_frontend.task_set import (
    SCHEMA,
    SPLITS,
    GeneratedFrontendTasks,
    domains_of,
    names_of,
)

SAMPLE = 150
every_split = pytest.mark.parametrize("split", SPLITS)


@pytest.fixture(scope="module")
def members():
    return {split: [GeneratedFrontendTasks(split).member(index) for index in range(SAMPLE)] for split in SPLITS}


# A task set


@every_split
@pytest.mark.parametrize("difficulty", ["easy", "medium", "default", "hard"])
def test_it_is_a_task_set(split, difficulty):
    tasks = load_tasks(f"generated:{split}:{difficulty}", track="frontend")
    task = tasks.at(17)
    assert load_tasks(tasks.spec, track="frontend").at(17) == task
    assert task.task_id == (f"{split}-17" if difficulty == "default" else f"{split}-{difficulty}-17")
    assert tasks.get(task.task_id) == tasks.get(17) == task
    assert tasks.at(10**15).reference


@pytest.mark.parametrize("spec", ["generated:tests", "generated:test:harder"])
def test_an_unknown_spec_is_refused(spec):
    with pytest.raises(UnknownNameError):
        load_tasks(spec, track="frontend")


@pytest.mark.parametrize("wrong", ["test", "test-", "test--1", "test-01", "train-1", "test-hard-1", "", -1, True])
def test_an_unknown_id_is_refused(wrong):
    with pytest.raises(UnknownTaskError, match="expected"):
        GeneratedFrontendTasks("test").get(wrong)


# Always the same

DIGESTS = cases(__file__, "digests")


def digest(split):
    """One text for the first tasks of a split at each difficulty."""
    rows = [GeneratedFrontendTasks(split, level).at(index).row for level in (*TOLD, "default") for index in range(20)]
    return hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


@every_split
def test_an_index_always_names_the_same_task(split):
    # Where this fails on purpose, other tasks have the old names: give SCHEMA a new number with the new digests.
    assert (SCHEMA, digest(split)) == ("generated-1", DIGESTS[split])


def test_the_hash_seed_changes_nothing():
    folder = Path(__file__).resolve().parent
    path = os.pathsep.join(map(str, (folder.parents[1], folder.parent, folder)))
    env = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": path}
    code = "import test_generated_pages as t; print(t.digest('test'))"
    out = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True).stdout
    assert out.strip() == DIGESTS["test"]


# The splits


def test_no_description_stands_in_two_splits(members):
    owners = {}
    for split, some in members.items():
        for member in some:
            masked = re.sub(r"\d+", "0", member.description.replace(member.page.name, "")).casefold()
            assert owners.setdefault(masked, split) == split
            assert split_of(member.description, member.page.name) == split


def test_names_belong_to_one_split():
    owners = {}
    for split in SPLITS:
        for domain in domains_of(split):
            for name in names_of(split, domain):
                assert owners.setdefault((domain.key, name), split) == split


def test_domains_are_kept_for_one_split(members):
    kept = {domain.key for domain in domains_of("test_domains")}
    assert len(kept) >= 12
    assert {member.page.domain.key for member in members["test_domains"]} == kept
    for split in SPLITS[:-1]:
        assert not {member.page.domain.key for member in members[split]} & kept


def test_neighbours_are_kept_for_one_split(members):
    for split, some in members.items():
        for member in some:
            reserved = sum(is_reserved(*pair) for pair in neighbours(member.page))
            assert reserved >= MIN_RESERVED if split == "test_compositions" else reserved == 0


# Requests


@every_split
def test_a_request_is_short_and_leaves_much_open(members, split):
    for member in members[split]:
        assert MIN_WORDS <= len(member.description.split()) <= MAX_WORDS
        told = [decision for decision in member.decisions if decision["told"]]
        assert TOLD["hard"][0] <= len(told) <= TOLD["easy"][1] + 1
        assert len(member.decisions) - len(told) >= 15
        page = member.page
        hidden = [page.domain.headlines[page.headline], page.domain.leads[page.lead]]
        assert not [text for text in hidden if text in member.description]


def test_harder_requests_tell_less():
    told = [
        sum(len(GeneratedFrontendTasks("test", level).member(index).told) for index in range(60))
        for level in ("easy", "medium", "hard")
    ]
    assert told[0] > told[1] * 1.4 > told[2] * 2


def test_requests_are_whole_sentences_in_many_frames(members):
    texts = [member.description for some in members.values() for member in some]
    assert not [
        text for text in texts if re.search(r"[{}]|,,| [,.?]|\b[Aa] [aeio]|\ban? an?\b|\bWe(?:'d)? was\b", text)
    ]
    assert all(re.search(r"[.?]$", text) and text[0].isupper() for text in texts)
    starts = Counter(" ".join(text.split()[:3]) for text in texts)
    assert max(starts.values()) < 0.1 * len(texts)
    assert 0.35 < sum(bool(re.search(r"\b(?:I|I'm|We|[Oo]ur)\b", text)) for text in texts) / len(texts) < 0.7


def test_no_page_has_what_its_domain_goes_without(members):
    pages = [member.page for some in members.values() for member in some]
    assert not [page for page in pages if {section.kind for section in page.sections} & set(page.domain.without)]
    assert {kind for domain in load_domains().values() for kind in domain.without} <= {"none", *KINDS}


def test_sober_business_has_no_typewriter_font_and_centred_lists_no_dots(members):
    pages = [member.page for some in members.values() for member in some]
    assert {page.look.font for page in pages if "sober" in page.domain.mood} == {"sans", "serif"}
    assert {page.look.font for page in pages} == set(LOOK_OPTIONS["font"])
    lists = {align: [page_html(page) for page in pages if page.look.align == align] for align in ("left", "center")}
    assert any('<ul class="list-disc list-inside text-lg"' in html for html in lists["left"])
    assert not any('<ul class="list-disc list-inside text-lg"' in html for html in lists["center"])
    assert any('<ul class="list-none text-lg"' in html for html in lists["center"])


def test_no_request_sees_colour_on_a_grey_page(members):
    pages = [one.page for some in members.values() for one in some if one.page.look.hue == "gray"]
    said = [text for page in pages for one in aspects_of(page) if one.key != "colour" for text in one.phrases]
    assert said
    assert not [text for text in said if "colour" in text or "tinted" in text]


def test_descriptions_and_pages_differ(members):
    for some in members.values():
        assert len({member.description.replace(member.page.name, "") for member in some}) >= 0.95 * SAMPLE
        assert len({page_html(member.page) for member in some}) == SAMPLE
        assert len({re.sub(r">[^<]*<", "><", page_html(member.page)) for member in some}) >= 0.8 * SAMPLE


# Pages


def test_no_text_stands_twice_on_a_page(members):
    for some in members.values():
        for member in some:
            texts = [text.casefold() for text in texts_of(page_node(member.page))]
            assert len(set(texts)) == len(texts)


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.classes = [], set()

    def handle_starttag(self, tag, attrs):
        self.classes |= set(dict(attrs).get("class", "").split())
        if tag not in ("link", "img", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_pages_are_valid_and_small(members):
    sizes = []
    for some in members.values():
        for member in some:
            page = page_html(member.page)
            parser = Balanced()
            parser.feed(page)
            assert parser.open == []
            assert not re.search(r"<script|<!doctype|<style|\bon\w+=", page, re.IGNORECASE)
            pictures = re.findall(r'src="([^"]*)"', page)
            assert all(re.fullmatch(r"https://picsum\.photos/id/48/\d+/\d+", address) for address in pictures)
            sizes.append(len(page.encode()))
    sizes.sort()
    assert 3000 < sizes[len(sizes) // 2] < 6000
    assert sizes[-1] < 9000


def test_every_domain_has_what_pages_need():
    assert len(load_domains()) == 60
    for domain in load_domains().values():
        for kind, made in KINDS.items():
            assert kind in BUILDERS
            assert len(set(titles_of(domain, kind))) == len(titles_of(domain, kind)) >= 3
            for branch in range(BRANCHES):
                items = items_of(domain, branch, kind)
                assert len(set(items)) == len(items)
                assert min(min(counts) for counts in made.variants.values()) <= len(items)


def test_a_broken_domain_is_refused():
    with pytest.raises(ValueError, match="expected each field once"):
        read_domain("# bakery\ncalled: bakery")


def test_colours_are_those_of_the_stylesheet():
    assert RGB["blue-800"] == (0x1E, 0x40, 0xAF)
    assert len(RGB) == 82
    assert all(len(set(options)) == len(options) >= 2 for options in LOOK_OPTIONS.values())


@pytest.mark.browser
def test_pages_render_and_win_against_themselves(renderer):
    similarity = LayoutSimilarity(renderer)
    for split in SPLITS:
        for index in range(4 if FULL else 1):
            task = GeneratedFrontendTasks(split).at(index)
            page = renderer.render(task.reference)
            assert page.status == "rendered"
            assert page.layout.width == 1280
            assert page.layout.height <= min(3600, MAX_PAGE_HEIGHT)
            assert similarity.grade(task, task.reference).score == 1.0
