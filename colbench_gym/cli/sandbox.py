"""``colbench sandbox``: build the image of the docker sandbox, and see what contains what on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from colbench_gym.cli import COMMANDS
from colbench_gym.cli.tables import JsonFlag, print_error, print_note, print_rows, print_table, table, to_json

if TYPE_CHECKING:
    from colbench_gym.sandboxes.check import SandboxCheck


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
        print_rows(
            ("sandbox", "way", "state", "contains", "of itself"),
            ((of.sandbox, of.way, of.state, ", ".join(of.contains) or "-", of.text) for of in results),
        )
        shown = table("promise", *kept, "what it means")
        for promise, meaning in COMMANDS["sandbox"]["promises"].items():
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
