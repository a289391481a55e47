"""Every regex of the package takes time in proportion to the text, whatever the text."""

import re

import pytest
from support.regex_growth import modules, pumps, regexes, superlinear
from support.tables import cases

pytestmark = pytest.mark.slow

# Of these the work may still grow faster: the module, and why it costs nobody much today.
EXCEPTIONS = dict(cases(__file__, "exceptions"))


def excepted(module: str) -> bool:
    return any(module == known or module.startswith(f"{known}.") for known in EXCEPTIONS)


@pytest.mark.parametrize("module", [name for name in modules() if not excepted(name)])
def test_work_grows_with_the_length_of_the_text_and_no_faster(module):
    for pattern, regex in regexes(module).items():
        assert superlinear(*regex) == "", pattern


@pytest.mark.parametrize(
    ("pattern", "anchored"),
    [(r"<[^>]*>", False), (r"(a|a)*b", True), (r"/+(?:g/+)?(\d+)?/*(?:\.jpg)?/*", True), (r"/\*.*?\*/", False)],
)
def test_what_grows_faster_is_found(pattern, anchored):
    assert superlinear(re.compile(pattern, re.DOTALL), anchored)


def test_pumps_are_made_from_the_regex_itself():
    assert ("color: #", "a") in pumps(re.compile("color: #[a-f]*;"))
