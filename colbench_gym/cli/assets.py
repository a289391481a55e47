"""``colbench assets``: fetch what pages link, once, and see what is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from colbench_gym.cli.tables import print_note, print_table, table


@dataclass(frozen=True)
class Fetch:
    """Fetch the files that pages link, each checked against its pinned hash; done once on a machine.

    They come from the address that the pages carry, else with the npm that is installed here, and are kept in
    COLBENCH_CACHE, or colbench-gym in the cache folder of the user.

    Attributes:
        source: a file to take instead of the network: tailwind.min.css, or the npm tarball.
    """

    source: Annotated[Path | None, arg(name="from", metavar="FILE")] = None

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.rendering.assets import ASSETS, cache_folder
        from colbench_gym.rendering.assets.fetch import fetch

        for asset in ASSETS:
            fetched = fetch(asset, cache_folder(), self.source)
            how = "is there already" if fetched.source == "cache" else f"fetched from {fetched.source}"
            print_note(f"{asset.name}: {how}: {fetched.path}")
        return 0


@dataclass(frozen=True)
class ListAssets:
    """Show each file that pages link: whether it is here, its size, hash and licence.

    Pictures of placeholder services are drawn in the size that is asked for. Real ones can stand in a folder that
    COLBENCH_PICTURES names, as id-48.jpg, seed-NAME.png, or any.jpg for all that have no file of their own.
    """

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.rendering.assets import ASSETS, cache_folder, state_of

        shown = table("asset", "state", "bytes", "sha256", "licence", "file")
        for asset in ASSETS:
            state, text = state_of(asset, cache_folder())
            shown.add_row(
                asset.name,
                state,
                f"{asset.size_bytes:,}",
                asset.sha256,
                asset.licence,
                str(cache_folder() / asset.name),
            )
            if text:
                print_note(text)
        print_table(shown)
        return 0
