"""One agent message, taken apart: markers, code fences, pages."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.official_code import official_pages
from support.tables import cases, values

from colbench_gym.action import Action, extract_code, extract_page, official_addresses, parse_action
from colbench_gym.jsonl import read_rows
from colbench_gym.rules import BACKEND
from colbench_gym.testing import agent_texts

T, A = BACKEND.thinking_marker, BACKEND.answer_marker


@pytest.mark.parametrize(
    ("text", "expected"), values(__file__, "action_markers.txt", {"A": A, "Action": Action, "T": T})
)
def test_markers(text, expected):
    assert parse_action(text, BACKEND) == expected


@given(agent_texts())
def test_any_text_is_taken_apart_without_loss(text):
    action = parse_action(text, BACKEND)
    assert text.startswith(action.output)
    assert action.speech in text
    assert T not in action.speech
    assert (action.answer is None) == (A not in action.speech)
    assert action.answer is None or A not in action.answer


@pytest.mark.parametrize(("text", "code"), cases(__file__, "code_is_unwrapped"))
def test_code_is_unwrapped(text, code):
    assert extract_code(text) == code


@given(st.text() | agent_texts())
def test_code_of_any_text_is_a_string(text):
    assert isinstance(extract_code(text), str)


def test_a_fence_inside_a_docstring_is_not_one():
    source = 'def f():\n    """Use it so:\n\n        ```python\n        f()\n        ```\n    """\n    return 1\n'
    assert extract_code(source) == source


def test_pages_are_taken_as_the_official_environment_takes_them(official_data):
    rows = [row for _, row in read_rows(official_data / "official_pages.jsonl")]
    assert len(rows) == 400
    for official in (True, False):
        assert [row["message"] for row in rows if extract_page(row["message"], official) != row["page"]] == []


@pytest.mark.parametrize(
    ("html", "rewritten"), cases(__file__, "the_first_address_in_an_img_that_names_a_size_becomes_the_stand_in")
)
def test_the_first_address_in_an_img_that_names_a_size_becomes_the_stand_in(html, rewritten):
    assert extract_page(f"<html>{html}</html>") == f"<html>{rewritten}</html>"


def test_an_address_of_more_than_2_kb_is_left_as_it_is():
    short, long = (f"<html><img src='https://x/{'1' * (n - 12)}x1'></html>" for n in (2048, 2049))
    assert "picsum" in extract_page(short)
    assert extract_page(long) == long


@pytest.mark.parametrize(
    ("address", "rewritten"), cases(__file__, "officially_two_addresses_are_rewritten_wherever_they_stand")
)
def test_officially_two_addresses_are_rewritten_wherever_they_stand(address, rewritten):
    for form in ("<html><img src='{}'></html>", "<html><a href={}>{}</a></html>", "<body>url({}) {}\n</body>"):
        page = form.format(address, address)
        assert extract_page(f"Look: {page} https://picsum.photos/1/2", official=True) == form.format(
            rewritten, rewritten
        )
    assert official_addresses(address) == rewritten


@pytest.mark.parametrize(("text", "page"), cases(__file__, "a_tag_ends_before_its_page_does"))
def test_a_tag_ends_before_its_page_does(text, page):
    assert extract_page(text) == extract_page(text, official=True) == page


def adversarial_pages(count):
    """Pages with addresses of pictures in places and forms that somebody might forget."""
    dice = random.Random(1)
    hosts = tuple(cases(__file__, "hosts"))
    forms = ("<img src='{}'>", '<img alt="x" src="{}"/>', "<img src={}>", "<div style='background:url({})'>", "<a href='{}'>a</a>",
             "{}", "<!-- {} -->", "<style>p {{ background: url(\"{}\") }}</style>", "<img data-src='{}' src='y'>")  # fmt: skip
    for _ in range(count):
        parts = []
        for _ in range(dice.randint(1, 6)):
            scheme = dice.choice(("https://", "https://", "https://", "http://", "//", "https://https://"))
            size = dice.choice(
                ("300/200", "300x200", "300x200/", "300", "300/200/", "٣٠/٤٠", "0/0", "300/x200", "300x200/?gym")
            )
            after = dice.choice(
                ("", "", "?cat", "/?cat", "/?a-b", ".jpg", "?blur=2", "/?é", "/?a=b&c=d", "https://picsum.photos/1/2")
            )
            parts.append(dice.choice(forms).format(f"{scheme}{dice.choice(hosts)}/{size}{after}"))
        tag = dice.choice(("html", "html", "body", "html lang='en'", "p", "html <body"))
        closing = tag.split()[0]
        before, behind = (
            dice.choice(("", "Look: ", "<body>", "https://picsum.photos/9/9", "</html>")) for _ in range(2)
        )
        yield f"{before}<{tag}>{dice.choice(('', chr(10))).join(parts)}</{closing}>{behind}"


if os.environ.get("COLBENCH_OFFICIAL"):  # an own checkout of the released code: only whoever has one can run this

    def test_all_adversarial_pages_are_the_official_ones(tmp_path):
        pages = list(adversarial_pages(1200))
        theirs = official_pages(Path(os.environ["COLBENCH_OFFICIAL"]), pages, tmp_path)
        assert [extract_page(page, official=True) for page in pages] == theirs
        assert len(set(theirs)) > 1000


def test_a_byte_order_mark_before_the_program_is_taken_off():
    for text in ("\ufeffx = 1", " \n\ufeffx = 1", "```python\n\ufeffx = 1\n```"):
        assert extract_code(text).strip() == "x = 1"
    assert extract_code("x = '\ufeff'") == "x = '\ufeff'"


@given(agent_texts())
def test_a_page_is_a_string_or_none(text):
    page = extract_page(text)
    assert page is None or page.startswith("<")
