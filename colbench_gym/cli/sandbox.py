"""``colbench sandbox``: build the image of the docker sandbox, and see what contains what on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rich.markup import escape

from colbench_gym.cli.tables import JsonFlag, print_error, print_note, print_table, table, to_json

if TYPE_CHECKING:
    from colbench_gym.sandboxes.check import SandboxCheck

PROMISES = {
    "values": "results come back as plain data, malformed ones are refused",
    "modules": "helpers, constants, imports and recursion work; both scopings",
    "failures": "crashes, exits and syntax errors are data",
    "stalls": "loops, sleeps and big integers end in time, with their children",
    "resources": "memory, output, processes and nesting are bounded",
    "repeatable": "randomness and hashes are alike on every run",
    "threads": "many threads may run programs at once",
    "forgery": "a program cannot forge the result of a call that it did not finish",
    "traces": "nothing that a program leaves is there for the next one",
    "secrets": "files, environment, network and other processes are out of reach",
}


@dataclass(frozen=True)
class Build:
    """Command ``colbench sandbox build``."""

    base: str | None = None

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.sandboxes.docker import connect
        from colbench_gym.sandboxes.docker.image import build_image

        with closing(connect()) as client:
            print_note(f"built {build_image(client, print_note, self.base)}")
        return 0


@dataclass(frozen=True)
class CheckSandboxes(JsonFlag):
    """Command ``colbench sandbox check``."""

    only: Literal["process", "docker", "unsafe"] | None = None

    def run(self) -> int:
        """Run the command; the exit status is 1 where a sandbox breaks its contract, or the one asked for refuses."""
        from colbench_gym.sandboxes.check import check_sandboxes

        results = [check for check in check_sandboxes() if self.only in (None, check.sandbox)]
        kept = {name: _promises(name) for name in dict.fromkeys(c.sandbox for c in results if c.state != "refused")}
        if self.json:
            print_note(to_json({"ways": results, "broken_promises": kept}))
        else:
            self._print(results, kept)
        broken = [f"{name}: {p}: {x}" for name, promises in kept.items() for p, xs in promises.items() for x in xs]
        for line in broken:
            print_error(line)
        return 1 if broken or (self.only and not kept) else 0

    @staticmethod
    def _print(
        results: Sequence[SandboxCheck], kept: Mapping[Any, Mapping[str, list[str]]]
    ) -> None:  # Any: a name of a sandbox
        ways = table("sandbox", "way", "state", "contains", "of itself")
        for check in results:
            ways.add_row(check.sandbox, check.way, check.state, ", ".join(check.contains) or "-", escape(check.text))
        print_table(ways)
        shown = table("promise", *kept, "what it means")
        for promise, meaning in PROMISES.items():
            shown.add_row(promise, *(_cell(promises.get(promise)) for promises in kept.values()), meaning)
        print_table(shown)


def _promises(name: str) -> dict[str, list[str]]:
    from colbench_gym.sandboxes.shared import SANDBOXES
    from colbench_gym.testing.sandbox import broken_promises

    with closing(SANDBOXES[name]()) as sandbox:
        return broken_promises(sandbox, contained=name != "unsafe")


def _cell(problems: list[str] | None) -> str:
    if problems is None:
        return "not promised"
    return "[red]broken[/]" if problems else "[green]kept[/]"
