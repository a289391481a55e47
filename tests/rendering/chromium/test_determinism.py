"""The same page has the same pixels and layout: in every browser, process and order."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import ROOT
from support.samples import every
from support.tables import program

from colbench_gym.rendering import Renderer

pytestmark = pytest.mark.browser
SUBSET = 16

RENDER_ALL = program(__file__, "render_all.txt")


def official_pages(folder: Path) -> list[str]:
    lines = (folder / "frontend_tasks.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["ground_truth"] for line in lines]


@pytest.mark.full
@pytest.mark.usefixtures("renderer")
def test_two_processes_with_two_browsers_each_three_times(official_data):
    pages = official_pages(official_data)[:SUBSET]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", RENDER_ALL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment,
        )
        for _ in range(2)
    ]  # fmt: skip
    results = [
        json.loads(process.communicate(json.dumps([pages, order]))[0])
        for process, order in zip(running, (1, -1), strict=True)
    ]
    assert results[0] == results[1]
    seen, versions = results[0]
    assert [len(each) for each in seen] == [1] * len(pages)
    assert all(each[0][0] == "rendered" for each in seen)
    assert versions["fonts"]
    assert versions["assets"]
    assert versions["browser"].split("/")[1]


def test_every_official_page_renders(official_data, renderer: Renderer):
    pages = every(5, official_pages(official_data))
    assert [renderer.render(page).status for page in pages] == ["rendered"] * len(pages)
    assert sum(bool(renderer.render(page).layout.texts) for page in pages) > 0.95 * len(pages)
