"""What the documents name is there: files, folders, names of the code, commands; contracts are those of the code."""

import itertools
import re
from dataclasses import fields
from pathlib import Path

import pytest
from support.command import ROOT
from support.documents import PAGES, blocks, command_lines, languages

from colbench_gym.rules import ENV_IDS
from colbench_gym.scenario import OPTIONS

DOCUMENTS = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"]
FOLDERS = ("", "colbench_gym", "docs", "benchmarks", "tests")  # from which paths are given
PATH = re.compile(r"[\w.\-]+(/[\w.\-]*)+|[\w\-]+\.(py|md|js|toml|txt|jsonl?|ya?ml|cff|ipynb)")
NAME = re.compile(r"[A-Za-z_][\w.]*(\(\))?")


@pytest.fixture(scope="module")
def source():
    """All that is code as one text, its words, and the ends of the paths of its files."""
    folders = [ROOT / name for name in ("colbench_gym", "tests", "benchmarks", "examples", ".ci")]
    files = [
        path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".sh", ".yaml", ".txt", "")
    ]
    files += [ROOT / "Makefile", ROOT / "pyproject.toml"]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files if path.is_file())
    packages = [path for name in ("colbench_gym", "tests") for path in (ROOT / name).rglob("*")]
    tails = {"/".join(path.parts[-depth:]) for path in packages for depth in (1, 2, 3)}
    return text, set(re.findall(r"\w+", text)), tails


def code_in(document):
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"`([^`\n]+)`", text)


def exists(path, document, tails):
    return (
        (document.parent / path).exists() or any((ROOT / folder / path).exists() for folder in FOLDERS) or path in tails
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_is_there(document, source):
    text, words, tails = source
    missing = []
    for code in code_in(document):
        if PATH.fullmatch(code):
            written = Path(code).name in text  # such as run.json, which a run writes
            missing += [] if written or exists(code.rstrip("/"), document, tails) else [code]
        elif NAME.fullmatch(code):
            missing += [code] if set(code.removesuffix("()").split(".")) - words else []
    assert missing == []


PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
EXTRAS = set(
    re.findall(
        r"^(\w+) = \[", PROJECT.partition("[project.optional-dependencies]")[2].partition("\n[project.")[0], re.M
    )
)
TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def check_command(words):
    """Check that a command of ours, with these flags, is one, as the parser of the command line sees it."""
    from colbench_gym.cli import parse

    program, *rest = words
    if program == "colbench" and rest != ["--version"]:
        parse(rest)
    elif program == "make":
        assert {word for word in rest if "=" not in word} <= TARGETS
    elif program == "pip":
        named = re.findall(r"\[([\w,]+)\]", " ".join(rest))
        assert {extra for text in named for extra in text.split(",")} <= EXTRAS
    elif program in ("python", "bash") and rest[0] not in ("-m", "-c"):
        assert (ROOT / rest[0]).exists()
    else:
        assert program in ("colbench", "python", "export", "playwright", "pre-commit", "git"), f"{program}: not known"


@pytest.mark.parametrize(
    "page",
    [path for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES] if "sh" in languages(path)],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_commands_of_a_page_exist(page, capsys):
    for block in blocks(page):
        for words in command_lines(block.code) if block.language == "sh" else ():
            try:
                check_command(words)
            except SystemExit as refused:
                if refused.code not in (0, None):
                    pytest.fail(f"{page}, line {block.line}: {' '.join(words)}\n{capsys.readouterr().err}")


def table_below(page, heading):
    """Return the rows of the first table below a heading, as lists of cells without backquotes."""
    lines = page.read_text(encoding="utf-8").partition(heading)[2].lstrip().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("|"))
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[first + 2 :])
    return [[cell.strip().strip("`") for cell in row.strip("|").split(" | ")] for row in rows]


@pytest.mark.parametrize("track", ["backend", "frontend"])
def test_page_of_an_environment_is_its_contract(track):
    import gymnasium

    page = ROOT / "docs" / "environments" / f"{track}.md"
    options = {"renderer": "scripted"} if track == "frontend" else {}
    env = gymnasium.make(ENV_IDS[track], **options)
    _, info = env.reset(seed=0)
    facts = {row[0]: row[1] for row in table_below(page, "\n\n")}
    assert facts["Action space"] == repr(env.action_space)
    assert facts["Observation space"] == repr(env.observation_space)
    assert sorted(re.findall(r"\w+", facts["Render modes"])) == sorted(env.metadata["render_modes"])
    assert {row[0]: row[1].split()[0] for row in table_below(page, "## Info")} == {
        key: type(value).__name__ for key, value in info.items()
    }
    defaults = {field.name: repr(field.default).replace("'", '"') for field in fields(OPTIONS[track])}
    shown = {row[0]: row[1] for row in table_below(page, "## Arguments")}
    assert shown == defaults | {"render_mode": "None", "scenario": "None"}
    env.close()


def test_every_public_name_is_in_the_reference():
    import colbench_gym

    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").glob("*.md"))
    assert [name for name in colbench_gym.__all__ if not re.search(rf"\b{name}\b", pages)] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("[a-z]*.md")), ids=lambda page: page.stem)
def test_a_decision_is_short_and_has_a_date(page):
    text = page.read_text(encoding="utf-8")
    decisions = re.findall(r"^- .*(?:\n  .*)*", text, re.MULTILINE)
    kept = "\n## " in text and all(re.search(r"\(20\d\d-\d\d-\d\d\)$", d) and d.count("\n") < 6 for d in decisions)
    assert kept, f"{page.stem}: headings, at most six lines, a date at the end"
