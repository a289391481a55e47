"""``colbench assets``: fetch what pages link, once, and see what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from colbench_gym.cli.tables import print_note, print_rows
from colbench_gym.rendering.assets import ASSETS, cache_folder, state_of
from colbench_gym.rendering.assets.fetch import fetch


def fetch_assets(source: Annotated[Path | None, arg(name="from", metavar="FILE")] = None) -> None:
    """Run ``colbench assets fetch``."""
    for asset in ASSETS:
        fetched = fetch(asset, cache_folder(), source)
        how = "is there already" if fetched.source == "cache" else f"fetched from {fetched.source}"
        print_note(f"{asset.name}: {how}: {fetched.path}")


def list_assets() -> None:
    """Run ``colbench assets list``."""
    rows = []
    for asset in ASSETS:
        state, text = state_of(asset, cache_folder())
        size, file = f"{asset.size_bytes:,}", cache_folder() / asset.name
        rows.append((asset.name, state, size, asset.sha256, asset.licence, file))
        if text:
            print_note(text)
    print_rows(("asset", "state", "bytes", "sha256", "licence", "file"), rows)
