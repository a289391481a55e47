"""``colbench sandbox``: build the image of the docker sandbox, and see what contains what on this machine."""

from __future__ import annotations

from contextlib import closing
from typing import Literal

from colbench_gym.cli import COMMANDS, print_error
from colbench_gym.cli.tables import AsJson, print_note, print_rows, print_table, table, to_json


def build(base: str | None = None) -> None:
    """Run ``colbench sandbox build``."""
    from colbench_gym.sandboxes.docker import connect
    from colbench_gym.sandboxes.docker.image import build_image

    with closing(connect()) as client:
        print_note(f"built {build_image(client, print_note, base)}")


def check(only: Literal["process", "docker", "unsafe"] | None = None, json: AsJson = False) -> int:
    """Run ``colbench sandbox check``; 1 where a sandbox breaks its contract, or the one asked for refuses."""
    from colbench_gym.sandboxes.check import check_sandboxes

    results = [one for one in check_sandboxes() if only in (None, one.sandbox)]
    kept = {name: _promises(name) for name in dict.fromkeys(c.sandbox for c in results if c.state != "refused")}
    if json:
        print_note(to_json({"ways": results, "broken_promises": kept}))
    else:
        ways = ((of.sandbox, of.way, of.state, ", ".join(of.contains) or "-", of.text) for of in results)
        print_rows(("sandbox", "way", "state", "contains", "of itself"), ways)
        shown = table("promise", *kept, "what it means")
        for promise, meaning in COMMANDS["sandbox"]["promises"].items():
            shown.add_row(promise, *(_cell(promises.get(promise)) for promises in kept.values()), meaning)
        print_table(shown)
    broken = [f"{name}: {p}: {x}" for name, promises in kept.items() for p, xs in promises.items() for x in xs]
    for line in broken:
        print_error(line)
    return 1 if broken or (only and not kept) else 0


def _promises(name: str) -> dict[str, list[str]]:
    from colbench_gym.sandboxes.shared import SANDBOXES
    from colbench_gym.testing.sandbox import broken_promises

    with closing(SANDBOXES[name]()) as sandbox:
        return broken_promises(sandbox, contained=name != "unsafe")


def _cell(problems: list[str] | None) -> str:
    return "not promised" if problems is None else "[red]broken[/]" if problems else "[green]kept[/]"
