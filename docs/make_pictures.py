"""Make the pictures of the documentation from real runs, into docs/assets.

    python docs/make_pictures.py [NAME ...]     NAME: demo, asking, report, loop, badges; all of them when not given

It needs the extras render and report, a Chromium and the stylesheet of the pages (``colbench doctor`` says what is
missing). The terminal of ``demo.gif`` shows what ``colbench demo`` printed; only its timing is made up.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

if TYPE_CHECKING:
    from PIL import Image

ASSETS = Path(__file__).parent / "assets"
ASKED = (0, 1, 2, 3, 4, 6, 9)
TASKS = 100
COLUMNS, ROWS, FONT_PX, LINE_PX, MARGIN_PX = 104, 34, 13, 18, 14
PAPER, INK = "#14171d", "#d7dae0"
COLOURS = {"color(6)": "#56b6c2", "color(2)": "#98c379", "color(3)": "#e5c07b"}  # cyan, green, yellow
STEP_MS, END_MS = 900, 6000
REPORT_PX = (1280, 900)
BADGES = {
    "python": ("python", "3.10 to 3.13"),
    "api": ("API", "Gymnasium, PettingZoo"),
    "licence": ("licence", "Apache-2.0"),
    "paper": ("paper", "arXiv 2503.15478"),
}


class Terminal(io.StringIO):
    """Stream that rich takes for a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def command(*words: str) -> str:
    """Run ``colbench WORDS`` in this process; return what it printed, colours included."""
    from colbench_gym.cli import main

    printed = Terminal()
    with redirect_stdout(printed):
        try:
            main(list(words))
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"colbench {' '.join(words)} ended with status {ended.code}") from ended
    return printed.getvalue()


def demo() -> None:
    """Draw ``demo.gif`` (a terminal) and ``pages.png`` (what the demo draws)."""
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder:
        printed = command("demo", "--out", folder)
        with Image.open(Path(folder) / "pages.png") as sheet:
            wide = sheet.convert("RGB").resize(
                (1500, round(sheet.height * 1500 / sheet.width)), Image.Resampling.LANCZOS
            )
    wide.quantize(96).save(ASSETS / "pages.png", optimize=True)
    shown = printed.replace(f"{folder}/", "colbench-demo/")
    frames = [terminal(lines) for lines in screens(Text.from_ansi("$ colbench demo\n" + shown))]
    palette = frames[-1].quantize(24)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [STEP_MS] * (len(small) - 1) + [END_MS]
    small[0].save(
        ASSETS / "demo.gif", save_all=True, append_images=small[1:], duration=durations, loop=0, optimize=True
    )


def screens(text: Text) -> Iterator[list[Text]]:
    """Yield what the terminal shows, a paragraph or a line of a table at a time."""
    from rich.console import Console

    console = Console(width=COLUMNS, force_terminal=True, file=io.StringIO())
    shown: list[Text] = []
    for line in text.split("\n"):
        line.rstrip()
        shown += line.wrap(console, COLUMNS) or [Text()]
        heading = line.plain.startswith(("$", "One dialogue", "What asking", "def ", "    "))
        if line.plain and not heading:
            yield shown[-ROWS:]


def terminal(lines: list[Text]) -> Image.Image:
    """Draw one screen."""
    from matplotlib import get_data_path
    from PIL import Image, ImageDraw, ImageFont

    fonts = Path(get_data_path()) / "fonts" / "ttf"
    plain, bold = (
        ImageFont.truetype(str(fonts / name), FONT_PX) for name in ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")
    )
    step = plain.getlength("M")
    size = (round(2 * MARGIN_PX + COLUMNS * step), 2 * MARGIN_PX + ROWS * LINE_PX)
    image = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        for place, character in enumerate(line.plain):
            styles = [span.style for span in line.spans if span.start <= place < span.end]
            heavy = any(getattr(style, "bold", False) for style in styles)
            names = [style.color.name for style in styles if getattr(style, "color", None)]
            colour = next((COLOURS[name] for name in names if name in COLOURS), "#ffffff" if heavy else INK)
            at = (MARGIN_PX + place * step, MARGIN_PX + row * LINE_PX)
            draw.text(at, character, colour, bold if heavy else plain)
    return image


def asking() -> None:
    """Draw ``asking.svg`` and ``asking_dark.svg``: success of ``asker:K`` by K, with 95 % intervals."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "colbench-gym"
    from matplotlib import pyplot

    means = {asked: _success(asked) for asked in ASKED}
    for name, ink in (("asking", "#333333"), ("asking_dark", "#dddddd")):
        figure, axes = pyplot.subplots(figsize=(6.4, 3.1), layout="constrained")
        values = [100 * mean for mean, _, _ in means.values()]
        below = [100 * (mean - low) for mean, low, _ in means.values()]
        above = [100 * (high - mean) for mean, _, high in means.values()]
        axes.errorbar(list(means), values, yerr=[below, above], color="#009485", marker="o", capsize=3)
        axes.set_xlabel(f"questions asked (asker:K, {TASKS} generated tasks, scripted human)", color=ink)
        axes.set_ylabel("success, %", color=ink)
        axes.set_ylim(-3, 103)
        axes.tick_params(colors=ink)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(ink)
        figure.savefig(ASSETS / f"{name}.svg", transparent=True, metadata={"Date": None})
        pyplot.close(figure)


def _success(asked: int) -> tuple[float, float, float]:
    from colbench_gym import EvalConfig, evaluate

    with tempfile.TemporaryDirectory() as folder:
        summary = evaluate(
            EvalConfig("ColBench-Backend-v0", Path(folder) / "run", agent=f"asker:{asked}", n=TASKS)
        ).summary
    if summary.success is None:
        raise RuntimeError("no dialogue counts")
    return summary.success.mean, summary.success.low, summary.success.high


def report() -> None:
    """Draw ``report.png`` and ``report_dark.png``: the report of two runs, as a browser shows it."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    from colbench_gym.rendering.chromium.containment import find_executable

    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        try:
            for asked in (1, 3):
                command(
                    "eval", "ColBench-Backend-v0", "--agent", f"asker:{asked}", "-n", "20", "--out", f"runs/{asked}"
                )
            command("report", "runs/1", "runs/3", "--out", "report.html")
        finally:
            os.chdir(before)
        address = (Path(folder) / "report.html").as_uri()
        with sync_playwright() as playwright:
            sandboxed = os.geteuid() != 0  # Chromium's own sandbox refuses root; the page is ours and loads nothing
            browser = playwright.chromium.launch(executable_path=find_executable(), chromium_sandbox=sandboxed)
            for name, scheme in (("report", "light"), ("report_dark", "dark")):
                size = {"width": REPORT_PX[0], "height": REPORT_PX[1]}
                with closing(browser.new_page(viewport=size, color_scheme=scheme)) as page:
                    page.goto(address)
                    picture = page.screenshot()
                with Image.open(io.BytesIO(picture)) as opened:
                    opened.convert("RGB").quantize(64).save(ASSETS / f"{name}.png", optimize=True)
            browser.close()


def badges() -> None:
    """Draw the badges of the README: plain text on two colours, nothing that changes by itself."""
    (ASSETS / "badges").mkdir(exist_ok=True)
    for name, (left, right) in BADGES.items():
        split = 10 + 6.4 * len(left)
        width = split + 10 + 6.4 * len(right)
        parts = (
            f'<rect width="{split:.0f}" height="20" fill="#444"/>',
            f'<rect x="{split:.0f}" width="{width - split:.0f}" height="20" fill="#00796b"/>',
            f'<text x="{split / 2:.0f}" y="14">{left}</text>',
            f'<text x="{(split + width) / 2:.0f}" y="14">{right}</text>',
        )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="20" role="img">'
        title = f"<title>{left}: {right}</title>"
        group = '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        text = f"{head}{title}{parts[0]}{parts[1]}{group}{parts[2]}{parts[3]}</g></svg>\n"
        (ASSETS / "badges" / f"{name}.svg").write_text(text, encoding="utf-8")


LOOP_COLOURS = {  # ink, quiet ink, boxes, agent, human, sandbox, grader
    "": ("#1f2933", "#5b6770", "#ffffff", "#00796b", "#c2410c", "#5b6770", "#6d28d9"),
    "_dark": ("#e6e9ec", "#a3adb6", "#1b222a", "#4db6ac", "#fb923c", "#a3adb6", "#a78bfa"),
}
LOOP_BOXES = (  # place, title, what it is, the rooms of the package
    (24, 52, "agent", "a model, or any policy", "policies/  models/  chat/"),
    (616, 52, "human", "knows what is wanted", "humans/  page_language/"),
    (320, 236, "sandbox", "runs code, draws pages", "sandboxes/  rendering/"),
    (616, 236, "grader", "ten hidden tests, or likeness", "graders/"),
)
BOX_PX = (180, 92)
_PLAYED_BY = "envs/, evaluation/ and integrations/ play it over tasks/; report/ shows it; baselines/ learn from it"
_SAID = (
    "The agent asks the human over up to ten turns; its answer runs in a sandbox; a grader pays the reward at the end"
)


def loop() -> None:
    """Draw ``loop.svg``, how an episode goes, and ``rooms.svg``, the same with the rooms of the package on it."""
    for name in ("loop", "rooms"):
        for shade, colours in LOOP_COLOURS.items():
            (ASSETS / f"{name}{shade}.svg").write_text(_loop(colours, rooms=name == "rooms"), encoding="utf-8")


def _loop(colours: tuple[str, ...], rooms: bool) -> str:
    ink, quiet, fill, *accents = colours
    width, height = BOX_PX
    parts = []
    for (x, y, title, what, where), accent in zip(LOOP_BOXES, accents, strict=True):
        rows = [
            (title, 18, "bold", accent),
            (what, 11, "normal", ink),
            *([(where, 11, "code", quiet)] if rooms else []),
        ]
        parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="{fill}" stroke="{accent}"/>'
        )
        for row, (text, size, style, colour) in enumerate(rows):
            top = y + (40 if not rooms else 30) + 22 * row
            parts.append(_words(x + width / 2, top, text, colour, size, style))
    arrows = (
        ("M204 84 H612", "asks, or shows a draft: up to ten turns", 410, 76, "episode.py has the rules"),
        ("M616 112 H208", "answers what was asked", 410, 128, ""),
        ("M80 144 V282 H316", "its answer, once", 200, 274, "task_episode.py"),
        ("M500 282 H612", "values", 556, 274, ""),
        ("M706 328 V356 H48 V148", "reward, at the end", 410, 349, "scenario/ opens and closes all of it"),
    )
    for path, text, x, y, where in arrows:
        parts.append(f'<path d="{path}" fill="none" stroke="{quiet}" stroke-width="1.6" marker-end="url(#tip)"/>')
        parts.append(_words(x, y, text, ink, 12, "normal"))
        if rooms and where:
            parts.append(_words(x, y - 16 if y < 100 else y + 24, where, quiet, 11, "code"))
    parts.append(f'<path d="M706 144 V232" fill="none" stroke="{quiet}" stroke-width="1.6" stroke-dasharray="4 4"/>')
    parts.append(_words(700, 192, "the wanted function or page", ink, 12, "end"))
    if rooms:
        parts.append(
            _words(
                410,
                22,
                _PLAYED_BY,
                quiet,
                11,
                "code",
            )
        )
        parts.append(_words(700, 208, "tasks/", quiet, 11, "end"))
    tip = (
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{quiet}"/></marker>'
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 384" role="img" aria-label="{_SAID}" '
        'font-family="Verdana,DejaVu Sans,sans-serif">'
    )
    return "\n".join([head, f"<defs>{tip}</defs>", *parts, "</svg>"]) + "\n"


def _words(x: float, y: float, text: str, colour: str, size: int, style: str) -> str:
    looks = {"bold": ' font-weight="bold"', "code": ' font-family="DejaVu Sans Mono,monospace"'}
    anchor = "end" if style == "end" else "middle"
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
    return f"<text {place}{looks.get(style, '')}>{text}</text>"


PICTURES: Mapping[str, Callable[[], Any]] = {
    "demo": demo,
    "asking": asking,
    "report": report,
    "loop": loop,
    "badges": badges,
}


if __name__ == "__main__":
    os.environ.update(COLUMNS=str(COLUMNS), FORCE_COLOR="1")
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
        sys.stdout.write(f"{name} drawn\n")
