"""Make the pictures of the documentation from real runs, into docs/assets.

    python docs/make_pictures.py [NAME ...]     NAME: demo, asking, report, badges; all of them when not given

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
            for asked in (3, 6):
                command(
                    "eval", "ColBench-Backend-v0", "--agent", f"asker:{asked}", "-n", "20", "--out", f"runs/{asked}"
                )
            command("report", "runs/3", "runs/6", "--out", "report.html")
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


PICTURES: Mapping[str, Callable[[], Any]] = {"demo": demo, "asking": asking, "report": report, "badges": badges}


if __name__ == "__main__":
    os.environ.update(COLUMNS=str(COLUMNS), FORCE_COLOR="1")
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
        sys.stdout.write(f"{name} drawn\n")
