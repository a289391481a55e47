"""The report of some runs: what it holds, that it runs nothing an agent wrote, and that it works in a browser."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.command import colbench_here
from support.tables import cases, values

from colbench_gym import BACKEND, FRONTEND, BackendTask, Dialogue, FrontendTask, Trajectory, Turn, write_trajectories
from colbench_gym.errors import MissingExtraError
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.report import dialogues
from colbench_gym.report.dialogues import line_diff, report_data
from colbench_gym.report.page import write_report
from colbench_gym.report.plots import plots
from colbench_gym.report.thumbnails import NOT_DRAWN

HOSTILE = (
    "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 1'>"
    "<a href='javascript:window.broken = 1'>x</a><!--<script> \u2028 \u202etxet {{ 7 * 7 }}"
)
PAGE = "<html><body><h1>Héllo</h1></body></html>"


def backend(task_id="a", success=True, said="Which number?", repeat=0, score=None):
    task = BackendTask(task_id, f"Write {task_id}.", "def f():\n    return 1\n", ("f()",), ("t1",), "hidden")
    answer = "def f():\n    return 1\n" if success else "def f():\n    return 2\n"
    turns = (
        Turn("human", f"Write {task_id}."),
        Turn("agent", said, output=f"I wonder. OUTPUT: {said}"),
        Turn("human", "One."),
        Turn("agent", f"I WANT TO ANSWER: {answer}"),
    )
    score = float(success) if score is None else score
    return Trajectory(
        task, Dialogue(turns), answer, score, BACKEND, "answered", success=success, pass_rate=score,
        metric="pass_rate", test_outcomes=("passed" if success else "wrong",), leak={"run": 0.25},
        env_id="ColBench-Backend-v0", repeat=repeat,
    )  # fmt: skip


def frontend():
    task = FrontendTask("page", "A page.", PAGE)
    turns = (
        Turn("human", "A page."),
        Turn("agent", f"Like this?\n```html\n{PAGE}\n```\nIs it right?"),
        Turn("human", "Move “Héllo” down."),
        Turn("agent", f"I WANT TO ANSWER: {PAGE}"),
    )
    return Trajectory(
        task, Dialogue(turns), PAGE, 1.0, FRONTEND, "answered", similarity=1.0, metric="layout-2", env_id="x"
    )


def data_of(file):
    text = file.read_text("utf-8")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


def test_each_task_stands_once_and_runs_are_told_apart():
    data = report_data({"one": [backend(), backend("b")], "two": [backend(success=False)]}).to_json()
    assert data["runs"] == ["one", "two"]
    assert [task["id"] for task in data["tasks"]] == ["a", "b"]
    played = [(d["run"], d["task"], d["success"]) for d in data["dialogues"]]
    assert played == [(0, 0, True), (0, 1, True), (1, 0, False)]


def test_hidden_thoughts_are_kept_apart_from_what_was_said():
    turns = report_data({"one": [backend()]}).dialogues[0]["turns"]
    assert turns[1]["text"] == "Which number?"
    assert turns[1]["output"] == "I wonder. OUTPUT: Which number?"
    assert "output" not in turns[3]


def test_an_answer_is_set_apart_as_code():
    last = report_data({"one": [backend()]}).dialogues[0]["turns"][-1]
    assert (last["text"], last["code"]) == ("I WANT TO ANSWER:", " def f():\n    return 1")
    without = replace(backend(), dialogue=Dialogue((Turn("human", "Write f."), Turn("agent", "def f(): pass"))))
    assert "code" not in report_data({"one": [without]}).dialogues[0]["turns"][-1]


def test_a_page_is_cut_out_of_what_was_said():
    data = report_data({"one": [frontend()]})
    draft = data.dialogues[0]["turns"][1]
    assert draft["text"].strip() == "Like this?"
    assert draft["html"] == PAGE
    assert draft["after"].strip() == "Is it right?"
    assert set(data.pages.values()) == {PAGE}


@pytest.mark.parametrize(("answer", "expected"), values(__file__, "page_diffs.txt", globals()))
def test_lines_stand_side_by_side(answer, expected):
    assert line_diff(answer, "a\nc") == expected


def test_a_long_line_is_cut_and_said_to_be():
    text = report_data({"one": [backend(said="x" * 1_000_000)]}).dialogues[0]["turns"][1]["text"]
    assert len(text) < dialogues.MAX_TEXT_CHARS + 100
    assert text.endswith("[980,000 more characters are in trajectories.jsonl]")


def test_nothing_that_was_said_is_markup(tmp_path):
    hostile = replace(backend(said=HOSTILE), task=replace(backend().task, task_id=HOSTILE))
    file = write_report({HOSTILE: [hostile]}, {}, tmp_path / "report.html", None).path
    text = file.read_text("utf-8")
    assert text.count("<script") == text.count("</script>") == 2
    assert "<img src=x" not in text
    assert "49" not in text.partition("<main>")[0]
    said = data_of(file)["dialogues"][0]["turns"][1]["text"]
    assert said.startswith("</script><script>window.broken")
    assert "\u202e" not in said


def test_plots_say_in_words_what_they_show():
    drawn = plots({"one": [backend(), backend("b", success=False)]})
    assert [plot.title for plot in drawn] == ["Tests passed", "Reward beside leak"]  # no plot of one point
    longer = replace(backend("c"), dialogue=Dialogue((*backend().dialogue.turns[:3], *backend().dialogue.turns[1:])))
    more = plots({"one": [backend(), longer]})
    assert [plot.title for plot in more[:2]] == ["Success by agent turns", "Success by questions asked"]
    assert more[0].words == "one: 2 agent turns 100%, 3 agent turns 100%"
    assert more[1].words == "one: 1 questions 100%, 2 questions 100%"
    assert all(plot.svg.startswith(b"<?xml") for plot in drawn)
    assert plots({"one": []}) == ()


def test_groups_of_tasks_are_told_apart():
    runs = {"one": [of_family("a", "x"), of_family("b", "y", success=False)], "two": [of_family("b", "y")]}
    (plot,) = (plot for plot in plots(runs) if plot.title == "Success by family")
    assert plot.words == "one: x 100%, y 0%; two: y 100%"
    many = {"one": [of_family(str(n), str(n)) for n in range(30)]}
    assert not [plot for plot in plots(many) if plot.title == "Success by family"]


def of_family(task_id, family, success=True):
    played = backend(task_id, success=success)
    return replace(played, task=replace(played.task, row={"family": family}))


def test_equal_runs_give_equal_plots_whatever_they_are_called():
    runs = {"_$x$": [backend()], "two": [backend(success=False)]}
    assert plots(runs) == plots(runs)
    assert b"_$x$" in plots(runs)[0].svg


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_package_names_the_pip_line(tmp_path, monkeypatch, package):
    for module in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"colbench-gym\[report\]"):
        write_report({"one": [backend()]}, {}, tmp_path / "report.html", None)


def test_pages_are_drawn_once(tmp_path):
    opened = []

    def open_renderer():
        opened.append(ScriptedRenderer())
        return opened[-1]

    file = write_report({"one": [frontend()]}, {}, tmp_path / "report.html", open_renderer).path
    (key,) = data_of(file)["pictures"]
    picture = data_of(file)["pictures"][key]
    assert picture["src"].startswith("data:image/webp;base64,")
    assert (tmp_path / picture["full"]).read_bytes().startswith(b"\x89PNG")
    assert len(opened) == 1
    _, draft, reply, _ = data_of(file)["dialogues"][0]["turns"]
    assert [len(draft["marks"][name]) for name in ("page", "wanted")] == [1, 1]
    assert reply["marked"] == ["“Héllo”"]


def test_pages_for_which_there_is_no_time_are_counted_and_drawn_later(tmp_path):
    runs = {"one": [frontend()]}
    report = write_report(runs, {}, tmp_path / "report.html", ScriptedRenderer, within_s=0)
    assert {picture["status"] for picture in data_of(report.path)["pictures"].values()} == {NOT_DRAWN}
    assert report.not_drawn == len(data_of(report.path)["pictures"]) > 0
    report = write_report(runs, {}, tmp_path / "report.html", ScriptedRenderer)
    assert report.not_drawn == 0
    write_report(runs, {}, tmp_path / "report.html", ScriptedRenderer, within_s=0)
    assert {picture["status"] for picture in data_of(report.path)["pictures"].values()} == {"rendered"}


def test_the_commands_report_and_show(tmp_path):
    for name, success in (("one", True), ("two", False)):
        (tmp_path / name).mkdir()
        write_trajectories(tmp_path / name / "trajectories.jsonl", [backend(success=success), backend("b")])
    assert colbench_here("report", "one", "two", cwd=tmp_path).stdout.strip() == (
        f"4 dialogues written to {Path('one') / 'report.html'}"
    )
    assert data_of(tmp_path / "one" / "report.html")["runs"] == ["one", "two"]
    assert colbench_here("show", "two", cwd=tmp_path).stdout.splitlines() == [
        "a: answered, 0%, 2 turns",
        "b: answered, 100%, 2 turns",
    ]
    assert "agent: Which number?" in colbench_here("show", "two", "a", cwd=tmp_path).stdout


def write_run(folder, agent, trajectories, **settings):
    folder.mkdir(parents=True)
    write_trajectories(folder / "trajectories.jsonl", trajectories)
    run = {"status": "finished", "configuration": {"agent": agent, **settings}}
    (folder / "run.json").write_text(json.dumps(run))
    spent = [{"task_id": t.task.task_id, "repeat": 0, "seconds": 2.5, "tokens": 1234} for t in trajectories]
    (folder / "spent.jsonl").write_text("".join(json.dumps(row) + "\n" for row in spent))


def test_a_report_of_two_runs_says_who_is_better(tmp_path):
    tasks = [str(n) for n in range(12)]
    server = "http://localhost:8000/v1"
    write_run(tmp_path / "a", f"openai:Q/q-4b@{server}", [backend(n, n == "7") for n in tasks], human="h", seed=1)
    write_run(tmp_path / "b", f"openai:Q/q-8b@{server}", [backend(n, n != "7") for n in tasks], human="h", seed=2)
    colbench_here("report", "a", "b", cwd=tmp_path)
    text = (tmp_path / "a/report.html").read_text("utf-8")
    shown = " ".join(re.sub(r"<[^>]*>", " ", text.partition('<section class="panel')[0].partition("<body>")[2]).split())
    printed = colbench_here("compare", "b", "a", "--json", cwd=tmp_path)
    difference = json.loads(printed.stdout)["success"]["difference"]
    assert shown.startswith("openai:Q/q-4b and openai:Q/q-8b ColBench report · human h".replace("openai:Q/", ""))
    assert "q-8b is better than q-4b" in shown
    assert f"{100 * difference['mean']:+.1f} [{100 * difference['low']:+.1f}, " in shown
    assert "Of 12 tasks better on 11, worse on 1, alike on 0: win rate 91.7 %" in shown
    assert "differs in seed: 2 / 1" in shown
    assert data_of(tmp_path / "a/report.html")["runs"] == ["q-4b", "q-8b"]
    dialogue = data_of(tmp_path / "a/report.html")["dialogues"][0]
    assert (dialogue["seconds"], dialogue["tokens"]) == (2.5, 1234)


@pytest.mark.parametrize(
    "spent", [{"seconds": "1"}, {"tokens": -1}, {"seconds": 1e300}, {"tokens": [1]}, {"repeat": "0"}, {"task_id": 7}]
)
def test_what_a_stranger_says_was_spent_is_checked(tmp_path, spent):
    write_run(tmp_path / "one", "m", [backend()])
    row = {"task_id": "a", "repeat": 0, "seconds": 1.0, "tokens": None}
    (tmp_path / "one/spent.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({**row, **spent}) + "\n")
    refused = colbench_here("report", "one", cwd=tmp_path, status=2)
    assert f"spent.jsonl, line 2: field {next(iter(spent))!r}".replace("'repeat'", "'task_id'") in refused.stderr


def test_a_run_may_be_named(tmp_path):
    for name in ("one", "two"):
        write_run(tmp_path / name, "same", [backend(success=name == "one")])
    colbench_here("report", "base=one", "two", cwd=tmp_path)
    assert data_of(tmp_path / "one/report.html")["runs"] == ["base", "two"]
    refused = colbench_here("report", "x=one", "x=two", cwd=tmp_path, status=2)
    assert "expected a name of its own" in refused.stderr


def test_what_a_run_used_stands_in_its_report(tmp_path):
    (tmp_path / "one").mkdir()
    write_trajectories(tmp_path / "one/trajectories.jsonl", [backend(), backend("b")])
    used = {"seconds": 75.0, "agent": {"calls": 3, "retries": 1, "prompt_tokens": 2000, "completion_tokens": 300}}
    run = {"status": "finished", "configuration": {"agent": "m"}, "used": used, "cost": {"total": 0.5}}
    (tmp_path / "one/run.json").write_text(json.dumps(run))
    colbench_here("report", "one", cwd=tmp_path)
    text = (tmp_path / "one/report.html").read_text("utf-8")
    cells = ("m", "1 min 15 s", "4", "1,000 read, 150 written", "–", "0.5")
    assert "".join(f"<td>{cell}</td>" for cell in cells) in text


@pytest.mark.parametrize(("arguments", "said"), cases(__file__, "wrong_usage_is_refused"))
def test_wrong_usage_is_refused(tmp_path, arguments, said):
    (tmp_path / "one").mkdir()
    write_trajectories(tmp_path / "one" / "trajectories.jsonl", [backend()])
    refused = colbench_here(*arguments, cwd=tmp_path, status=2)
    assert said in refused.stderr.replace("\n", " ")


@pytest.fixture
def opened(browser):
    page = browser.new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("request", lambda request: page.said.append(request.url) if request.url[:5] != "data:" else None)
    return page


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_that_keeps_people_out(opened, tmp_path, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    runs = {
        "one": [backend(), of_family("b", "y", success=False), frontend()],
        "two": [backend(success=False), of_family("b", "x")],
    }
    scored = {name: scored_run(name, run) for name, run in runs.items()}
    file = write_report(runs, scored, tmp_path / "report.html", ScriptedRenderer).path
    opened.emulate_media(color_scheme=scheme)
    opened.goto(file.as_uri())
    for _ in range(3):
        opened.keyboard.press("o")
        found = axe.run(opened).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []
        opened.keyboard.press("j")
    opened.goto(f"{file.as_uri()}#page%2F0")
    mark = opened.locator(".mark").first
    inner, outer = mark.bounding_box(), mark.locator("..").locator("img").bounding_box()
    assert opened.locator(".mark").count() == 2  # on the draft and on the wanted page
    assert outer["x"] <= inner["x"] <= inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
    assert outer["y"] <= inner["y"] <= inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1


def scored_run(name, run):
    scores = {t.task.task_id: (t.score,) for t in run if t.rules.track == "backend"}
    return ScoredRun(name, "backend", "pass_rate", scores, scores, used={"seconds": 3.0})


@pytest.mark.browser
def test_two_runs_are_compared_first_and_long_messages_are_folded(opened, tmp_path):
    from playwright.sync_api import expect

    long = "many words " * 1500
    runs = {
        "one": [backend(str(n), said=long if n == 3 else "What?") for n in range(8)],
        "two": [backend(str(n), success=n == 5) for n in range(8)],
    }
    scored = {name: scored_run(name, run) for name, run in runs.items()}
    file = write_report(runs, scored, tmp_path / "report.html", None).path
    opened.goto(file.as_uri())
    verdict = opened.locator(".verdict")
    assert verdict.locator("h2").inner_text() == "one is better than two"
    assert verdict.locator(".flips a").all_text_contents() == ["0", "1", "2", "3", "4", "6", "7"]
    opened.get_by_role("tab", name="Plots").click()
    assert not opened.locator("#list").is_visible()
    assert opened.locator(".plots img").first.is_visible()
    verdict.get_by_role("link", name="3").click()  # shows the dialogue again
    expect(opened.locator("article > h3")).to_have_text("3")
    assert opened.locator("#list").is_visible()
    fold = opened.locator("article summary", has_text="more characters")
    assert len(opened.locator("article").inner_text()) < 7000
    fold.click()
    expect(opened.locator("article .turn.agent p.said").nth(1)).to_contain_text("many words")
    assert len(opened.locator("article").inner_text()) > 16_000
    opened.get_by_label("Ended").select_option("one better than two")
    assert opened.locator("nav li").count() == 7
    assert opened.said == [file.as_uri()]


@pytest.mark.browser
def test_the_report_works_in_a_browser(opened, tmp_path):
    from playwright.sync_api import expect

    runs = {
        "one": [backend(said=HOSTILE), backend("b"), backend("c", success=False)],
        "two": [backend(), backend("b", success=False), backend("c", success=False)],
    }
    file = write_report(runs, {}, tmp_path / "report.html", None).path
    opened.goto(file.as_uri())
    assert opened.said == [file.as_uri()]
    assert opened.locator("nav li .name").all_text_contents() == ["b", "a", "c"]  # flips first
    opened.get_by_label("Order").select_option("task")
    assert HOSTILE[:30] in opened.locator(".turn.agent").first.inner_text()
    opened.keyboard.press("j")
    expect(opened.locator("article > h3")).to_have_text("b")  # which is shown once the address has changed
    assert opened.get_by_text("Link to this dialogue").get_attribute("href") == "#b%2F0"
    opened.get_by_text("Answer beside the reference").nth(1).click()
    assert opened.locator(".diff .lost").first.inner_text().strip() == "return 2"
    opened.get_by_label("Order").select_option("flips")
    assert opened.locator("nav .name").first.text_content() == "b"
    opened.get_by_label("Ended").select_option("without success")
    assert opened.locator("nav li").count() == 2
    opened.get_by_label("Search").fill("no such word")
    assert opened.locator("nav li").count() == 0
    assert opened.evaluate("window.broken") is None
    assert opened.said == [file.as_uri()]
    opened.goto("about:blank")
    opened.goto(f"{file.as_uri()}#c%2F0")
    assert opened.locator("article > h3").inner_text() == "c"
    assert opened.locator("article details[open]").count() == 0
    opened.keyboard.press("o")
    assert opened.locator("article details[open]").count() > 2
