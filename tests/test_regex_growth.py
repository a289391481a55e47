"""Every regex of the package takes time in proportion to the text, whatever the text."""

import re

import pytest
from support.regex_growth import modules, pumps, regexes, superlinear

pytestmark = pytest.mark.slow

# Of these the work may still grow faster: the module, and why it costs nobody much today.
EXCEPTIONS = {
    "colbench_gym.curation.drafts": "reads what a model drafted, in the user's own curation run",
    "colbench_gym.evaluation.human_check": "reads replies of at most 1,000 characters",
    "colbench_gym.humans.asking": "reads at most 4,000 characters of a message, its start and its end",
    "colbench_gym.humans.program": "the same; tests/humans/test_growth.py measures whole messages",
    "colbench_gym.humans.leaks": "reads references, and replies up to 8,000 characters",
    "colbench_gym.humans.leaks.pages": "reads at most 8,000 characters of a reply",
    "colbench_gym.humans.page": "reads questions of at most 600 characters, texts of at most 2,000",
    "colbench_gym.page_language.subjects": "reads replies, which the rules cut at 1,000 characters",
    "colbench_gym.page_language.sentences": "reads replies, which the rules cut at 1,000 characters",
    "colbench_gym.policies.asker": "reads descriptions of tasks and replies of at most 400 characters",
    "colbench_gym.policies.designer.free_words": "reads descriptions of tasks and replies of at most 1,000 characters",
    "colbench_gym.sandboxes.docker.image": "reads what ldd prints",
}


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
