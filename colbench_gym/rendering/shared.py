"""The renderers by name, one of each per process, shared by everyone who holds a lease."""

from __future__ import annotations

from collections.abc import Mapping

from colbench_gym.concurrency.leases import Lease, Shared
from colbench_gym.errors import RendererError
from colbench_gym.rendering import OFFICIAL_WINDOW, WINDOW, RenderedPage, Renderer, Window


def _chromium(window: Window) -> Renderer:
    from colbench_gym.rendering.chromium import Chromium

    return Chromium(window=window)


def _closed_error(kind: str) -> RendererError:
    return RendererError(f"this {kind!r} renderer is closed; open another one with open_renderer()")


class RendererLease(Lease[Renderer]):
    """A share of the process-wide renderer of one kind; a forked child gets browsers of its own."""

    shared = Shared(
        {"chromium": lambda: _chromium(WINDOW), "chromium official": lambda: _chromium(OFFICIAL_WINDOW)}, _closed_error
    )

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions that pixels depend on; see :class:`~colbench_gym.rendering.Renderer`."""
        return self.resource().versions

    def render(self, html: str) -> RenderedPage:
        """Render in the shared renderer; see :class:`~colbench_gym.rendering.Renderer`."""
        return self.resource().render(html)
