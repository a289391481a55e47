"""Generated pages: always the same, all different, nothing given away, and every decision can be seen."""

import hashlib
import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import ROOT
from support.samples import every

from colbench_gym.action import extract_page
from colbench_gym.errors import UnknownTaskError
from colbench_gym.rendering import MAX_HTML_BYTES
from colbench_gym.tasks import SPLITS, load_tasks
from colbench_gym.tasks.generated_frontend.schema_1.choices import (
    CHOICES,
    MEMBERS,
    OTHERS,
    alternatives,
    decided,
    make_page,
)
from colbench_gym.tasks.generated_frontend.schema_1.html import STYLESHEET, page_html
from colbench_gym.tasks.generated_frontend.schema_1.sites import SITES
from colbench_gym.tasks.generated_frontend.schema_1.task_set import (
    PAGES,
    SCHEMA,
    GeneratedFrontendTasks,
    Member,
    request,
    requests,
)
from colbench_gym.tasks.generated_frontend.schema_1.words import FIELDS, SEND, TITLES
from colbench_gym.tasks.permutation import Draw

SAMPLE = 120
sites = pytest.mark.parametrize("site", SITES, ids=lambda site: site.kind)


@pytest.fixture(scope="module")
def tasks():
    return [GeneratedFrontendTasks("test").at(index) for index in range(SAMPLE)]


# A task set


@pytest.mark.parametrize("split", SPLITS)
def test_it_is_a_task_set(split):
    tasks = load_tasks(f"generated-1:{split}", track="frontend")
    assert (tasks.spec, tasks.size) == (f"generated-1:{split}", None)
    task = tasks.at(17)
    assert (task.task_id, task.track) == (f"{split}-17", "frontend")
    assert tasks.get(task.task_id) == tasks.get(17) == task
    assert repr(tasks) == f"GeneratedFrontendTasks(split='{split}')"
    assert tasks.at(10**18).reference


def test_the_split_is_test_by_default():
    assert load_tasks("generated-1", track="frontend").spec == "generated-1:test"


@pytest.mark.parametrize("wrong", ["test", "test-", "test--1", "test-01", "train-1", "", "test-²", -1, True])
def test_an_unknown_id_is_refused(wrong):
    with pytest.raises(UnknownTaskError, match="expected"):
        GeneratedFrontendTasks("test").get(wrong)


def test_a_file_of_generated_tasks_gives_the_same_tasks_back(tmp_path, tasks):
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(task.row) + "\n" for task in tasks))
    read = load_tasks(path, track="frontend")
    assert [read.at(index) for index in range(SAMPLE)] == tasks


# Always the same

DIGESTS = {
    "train": "5d5e5581fd3e95964be61a49d133dd0e",
    "validation": "4a0a38aae6144eff4ed50a9b00a5164c",
    "test": "8de4d0b042c32adebb3ac21b3873fd79",
}


def digest(split):
    """One text for the first tasks of a split."""
    rows = [GeneratedFrontendTasks(split).at(index).row for index in range(len(SITES) * 2)]
    return hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


@pytest.mark.parametrize("split", SPLITS)
def test_an_index_always_names_the_same_task(split):
    # Where this fails on purpose, other tasks have the old names: give SCHEMA a new number with the new digests.
    assert (SCHEMA, digest(split)) == ("generated-page-1", DIGESTS[split])


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_the_hash_seed_changes_nothing(hash_seed):
    code = "import test_generated_frontend as t; print(t.digest('test'))"
    folder = Path(__file__).resolve().parent
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), str(folder)])
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    out = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True).stdout
    assert out.strip() == DIGESTS["test"]


# All different


def test_the_formula_counts_the_pages():
    # Every digit of the mixed radix is one decision, and each of them changes the page whatever the others are: so
    # sets of decisions and pages are one to one. Checked on all pairs that differ in one decision, around many pages.
    assert PAGES >= 10**6
    product = 1
    for choice in CHOICES:
        assert len(set(choice.alternatives)) == choice.size >= 2
        product *= choice.size
    assert product == MEMBERS
    assert sum(len(site.names) for site in SITES) * MEMBERS == PAGES
    for n in range(30):
        draw = Draw("formula", n)
        site, number = draw.pick(SITES), draw.below(2**24) * 64 % MEMBERS
        taken = alternatives(number)
        pages = {page_html(make_page(site, site.names[0], decided(taken)))}
        expected = 1
        for choice in CHOICES:
            for other in range(choice.size):
                if other != taken[choice.key]:
                    pages.add(page_html(make_page(site, site.names[0], decided({**taken, choice.key: other}))))
                    expected += 1
        assert len(pages) == expected


def test_many_tasks_have_many_pages():
    seen = {}
    for split in SPLITS:
        tasks = GeneratedFrontendTasks(split)
        for index in range(3000):
            member = tasks.member(index)
            assert seen.setdefault((member.site.kind, member.number), split) == split
    assert len(seen) == 3 * 3000
    pages = [GeneratedFrontendTasks(split).at(index).reference for split in SPLITS for index in range(700)]
    assert len(set(pages)) == len(pages)


def test_after_the_last_set_of_decisions_the_names_change():
    tasks = GeneratedFrontendTasks("validation")
    again = tasks.distinct // min(len(site.names) for site in SITES)
    first, second = tasks.member(0), tasks.member(again)
    numbers = {tasks.member(index).number: tasks.member(index).named for index in range(len(SITES))}
    assert tasks.distinct > 10**6
    assert first != second
    for index in range(again, again + len(SITES)):
        member = tasks.member(index)
        assert numbers[member.number] != member.named


@sites
def test_the_words_of_a_site_are_told_apart(site):
    pairs = (*site.offers, *site.prices, *site.quotes, *site.numbers)
    words = [*site.names, *site.headlines, site.lead, site.button, *site.links, *site.offer_titles, site.story]
    words += [*(text for pair in pairs for text in pair), *site.steps, *FIELDS, SEND]
    words += [title for titles in TITLES.values() for title in titles]
    assert len({text.lower() for text in words}) == len(words)
    assert len(site.offers) == 6
    assert len(set(site.names)) == len(site.names) == 4


def test_the_decisions_are_even():
    members = [GeneratedFrontendTasks("test").member(index) for index in range(1200)]
    for choice in CHOICES:
        taken = [member.alternatives[choice.key] for member in members]
        if choice.size <= 10:
            assert min(taken.count(i) for i in range(choice.size)) >= 1200 / choice.size / 2
        else:
            assert len(set(taken)) >= 0.9 * choice.size


# Nothing given away

TELLING = re.findall(
    r"\w+",
    "red yellow green blue purple pink white grey gray black dark bright deep colour color column columns card cards "
    "left right center centre centred header footer banner button rounded square outlined table form quote quotes "
    "steps",
)


@sites
def test_the_request_is_public_and_vague(site):
    assert requests(site) == 9
    for name in site.names:
        shown = {request(site, name, wording) for wording in range(requests(site))}
        assert len(shown) == requests(site)
        for text in shown:
            assert name in text
            vague = text.replace(name, "")
            assert not re.search(r"\d", vague)
            assert not set(re.findall(r"[a-z]+", vague.lower())) & set(TELLING)
            hidden = [*site.headlines, site.lead, site.button, *site.offer_titles, site.story, *site.steps]
            hidden += [title for kind in OTHERS for title in TITLES[kind]]
            assert not [words for words in hidden if words.lower() in vague.lower()]


def test_the_request_does_not_depend_on_the_decisions():
    # which request is drawn says nothing about the decisions: each comes with every alternative of each of them
    tasks = GeneratedFrontendTasks("test")
    members = [tasks.member(index) for index in range(4000)]
    for choice in CHOICES:
        if choice.size <= 6:
            seen = {(member.wording, member.alternatives[choice.key]) for member in members}
            assert len(seen) == 9 * choice.size


# Pages


def test_pages_look_like_the_official_ones(tasks):
    for task in tasks:
        page = task.reference
        assert page.startswith("<html>\n")
        assert page.endswith("</html>")
        assert extract_page(f"Here it is:\n```html\n{page}\n```") == page
        assert re.findall(r'(?:href|src)="(?!#)([^"]*)"', page)[0] == STYLESHEET
        pictures = re.findall(r'src="([^"]*)"', page)
        assert all(re.fullmatch(r"https://picsum\.photos/id/48/\d+/\d+", address) for address in pictures)
        assert not re.search(r"<script|<!doctype|<style|\bon\w+=", page, re.IGNORECASE)
        assert len(page.encode()) < MAX_HTML_BYTES / 10
        tags = re.findall(r"<(/?)(\w+)", page)
        depth = sum({"": 1, "/": -1}[slash] for slash, name in tags if name not in ("link", "img", "input"))
        assert depth == 0
    lengths = sorted(len(task.reference) for task in tasks)
    assert 2000 < lengths[len(lengths) // 2] < 5000


def test_words_are_escaped():
    site = SITES[0]
    page = make_page(site, "Salt & <Pepper>", decided(alternatives(0)))
    assert html.escape("Salt & <Pepper>") in page_html(page)
    assert "<Pepper>" not in page_html(page)


def test_a_member_shows_its_decisions():
    member = GeneratedFrontendTasks("test").member(0)
    assert 4 <= len(member.alternatives) <= 10
    assert member.name in member.description
    assert Member(member.site, member.number, member.named, 0).page == member.page


@pytest.mark.browser
def test_every_single_decision_can_be_seen(renderer):
    draw = Draw("pairs")
    for choice in every(3, CHOICES):
        site, taken = draw.pick(SITES), alternatives(draw.below(2**24) * 64 % MEMBERS)
        one, other = draw.some(range(choice.size), 2)
        pages = [
            page_html(make_page(site, site.names[0], decided({**taken, choice.key: picked}))) for picked in (one, other)
        ]
        seen = [renderer.render(page) for page in pages]
        assert [page.status for page in seen] == ["rendered", "rendered"]
        assert seen[0].png != seen[1].png, (choice.key, one, other)


@pytest.mark.browser
def test_every_word_of_a_page_can_be_read(renderer):
    member = GeneratedFrontendTasks("test").member(2)
    layout = renderer.render(page_html(member.page)).layout
    shown = " ".join(block.text for block in layout.texts)
    page = member.page
    for section in page.sections:
        assert section.title in shown
        if section.kind != "form":
            assert all(text in shown for item in section.items for text in item)
    assert page.hero.headline in shown
    assert page.header.name in shown
