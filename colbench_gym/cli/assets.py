"""``colbench assets``: fetch what pages link, once, and see what is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from colbench_gym.cli.tables import print_note, print_rows


@dataclass(frozen=True)
class Fetch:
    """Command ``colbench assets fetch``."""

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
    """Command ``colbench assets list``."""

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.rendering.assets import ASSETS, cache_folder, state_of

        rows = []
        for asset in ASSETS:
            state, text = state_of(asset, cache_folder())
            size, file = f"{asset.size_bytes:,}", cache_folder() / asset.name
            rows.append((asset.name, state, size, asset.sha256, asset.licence, file))
            if text:
                print_note(text)
        print_rows(("asset", "state", "bytes", "sha256", "licence", "file"), rows)
        return 0
