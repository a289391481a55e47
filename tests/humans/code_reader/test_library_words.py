"""Calls of the standard library, patterns and formats in words."""

from __future__ import annotations

import ast

import pytest

from colbench_gym.humans.code_reader.verbalizer.expressions import Words
from colbench_gym.humans.code_reader.verbalizer.regexes import pattern_words
from colbench_gym.humans.code_reader.verbalizer.wording import form_words


def _straight(text: str) -> str:
    return text.translate(str.maketrans("'“”", '""' + '"'))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("re.sub(r'\\s+', '-', title)", 'the title with a run of blanks or line breaks replaced by "-", wherever it occurs'),
        ("re.sub('[^a-z]', '', title)", "the title with one of the characters other than lower-case letters removed, "
         "wherever it occurs"),
        ("re.findall(r'\\d+', note)", "every occurrence in the note of a run of digits"),
        ("re.split(',|;', note)", "the note split at text of the form “,|;”"),
        ("re.sub('a+', '-', note, flags=re.I)", "what sub of the re gives for 'a+', '-', the note and the i of the re as flags"),
        ("re.search(known, note)", "what search of the re gives for the known and the note"),
        ("datetime.strptime(day, '%d/%m/%Y')", "the date read from the day in the form day/month/year"),
        ("day.strftime('%H:%M')", "the day as text in the form hour:minute"),
        ("day.strftime(form)", "the day as text in the format the form"),
        ("date.fromisoformat(day)", "the date read from the day in the form year-month-day"),
        ("start + timedelta(days=1, hours=wait)", "the start plus 1 day and the wait hours"),
        ("name.encode('ascii', 'ignore').decode()", "the name without characters outside ASCII"),
        ("unicodedata.normalize('NFKD', name).encode('ascii', 'ignore').decode('ascii')",
         "the name without accents and without what is then left outside ASCII"),
        ("raw.decode()", "what decode of the raw gives"),
        ("Counter(words).most_common(3)", "the 3 most common of how often each item occurs in the words"),
        ("defaultdict(int)", "an empty dictionary"),
        ("zip(*rows)", "the columns of the rows"),
        ("round(price / 5) * 5", "the price rounded to the nearest multiple of 5"),
        ("round(cups * 4) / 4", "the cups rounded to the nearest multiple of 0.25"),
        ("round(price / 1234567) * 1234567", "the price rounded to the nearest multiple of 1234567"),
        ("round(price * 3) / 3", "the price rounded to the nearest multiple of 1/3"),
        ("round(price / 5, ndigits=1) * 5", "what round gives for (the price divided by 5) and 1 as ndigits times 5"),
        ("round(price / 5) * 4", "(the price divided by 5) rounded to the nearest whole number times 4"),
        ("f'{hours:02d}:{rate:+.1f}'", 'the text made of the hours padded with zeros to 2 places, then ":", then '
         "the rate with 1 decimals and with its sign"),
    ],
)  # fmt: skip
def test_calls_of_the_standard_library_in_words(expression: str, words: str) -> None:
    said = Words(expression).say(ast.parse(expression, mode="eval").body)
    assert _straight(said) == _straight(words)


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("day.weekday() >= 5", "the day is on a Saturday or Sunday"),
        ("not day.weekday() in (5, 6)", "the day is not on a Saturday or Sunday"),
        ("day.isoweekday() < 6", "the day is not on a Saturday or Sunday"),
        ("day.weekday() == 4", "the weekday of the day (0 is Monday) is 4"),
    ],
)
def test_weekends_in_words(test: str, words: str) -> None:
    assert Words(test).condition(ast.parse(test, mode="eval").body) == words


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"^\d{3}-\d{4}$", '3 digits, then "-", then 4 digits and nothing else'),
        (r"[^\w-]", 'one of the characters other than letters, digits and underscores and "-"'),
        (r"[a-f0-9]{2,}", '2 or more characters out of "a" to "f" and digits'),
        (r"[\n\t]", ""),
        (r"[^\x00-\x7F]+", ""),
        (r"[ -~]", ""),
        (r"[\W_]", ""),
        (r"[ ,]+", 'a run of characters out of a blank, ","'),
        (r"\W+", "a run of characters that are no letters, digits or underscores"),
        (r"urgent|asap|now", '"urgent", "asap" or "now"'),
        (r"\.$", '"." at the end'),
        (r"([!?.])\1{2,}", ""),
        (r"(a+)+$", ""),
        ("x" * 40, ""),
        ("[", ""),
        ("", ""),
    ],
)
def test_patterns_in_words(pattern: str, words: str) -> None:
    assert pattern_words(pattern) == words


def test_formats_that_no_short_phrase_tells_have_none() -> None:
    assert [form_words(form) for form in ("g", "^10", "04x", ".1%")] == [""] * 4
