"""One renderer of each kind per process, shared by everyone who holds a lease on it."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable, Mapping
from types import TracebackType

from colbench_gym.errors import RendererError, UnknownNameError
from colbench_gym.rendering import RenderedPage, Renderer


def _chromium() -> Renderer:
    from colbench_gym.rendering.chromium import Chromium

    return Chromium()


RENDERERS: dict[str, Callable[[], Renderer]] = {"chromium": _chromium}


class Lease:
    """A share of the process-wide renderer of one kind. Usable in a forked child, which gets browsers of its own."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._closed = False
        self._renderer()

    @property
    def versions(self) -> Mapping[str, str]:
        """What pixels depend on; see :class:`~colbench_gym.rendering.Renderer`."""
        return self._renderer().versions

    def render(self, html: str) -> RenderedPage:
        """Render in the shared renderer; see :class:`~colbench_gym.rendering.Renderer`."""
        return self._renderer().render(html)

    def close(self) -> None:
        """Give the lease back; the last one ends the renderer."""
        with _state.lock:
            if self._closed:
                return
            self._closed = True
            renderer = _state.release(self)
        if renderer is not None:
            renderer.close()

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Lease({self.kind!r})"

    def __reduce__(self) -> tuple[Callable[[str], Lease], tuple[str]]:
        return Lease, (self.kind,)

    def _renderer(self) -> Renderer:
        with _state.lock:
            if self._closed:
                raise RendererError(f"this {self.kind!r} renderer is closed; open another one with open_renderer()")
            return _state.acquire(self)


class _State:
    """The open renderers of this process and who holds them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open: dict[str, tuple[Renderer, set[int]]] = {}

    def acquire(self, holder: Lease) -> Renderer:
        if holder.kind not in self.open:
            self.open[holder.kind] = (RENDERERS[holder.kind](), set())
        renderer, holders = self.open[holder.kind]
        holders.add(id(holder))
        return renderer

    def release(self, holder: Lease) -> Renderer | None:
        renderer, holders = self.open.get(holder.kind, (None, {id(holder)}))
        holders.discard(id(holder))
        if holders:
            return None
        self.open.pop(holder.kind, None)
        return renderer

    def close(self) -> None:
        with self.lock:
            renderers = [renderer for renderer, _ in self.open.values()]
            self.open.clear()
        for renderer in renderers:
            renderer.close()


_state = _State()


def _forget_after_fork() -> None:
    """In a forked child: the parent's browsers are the parent's. Start afresh on demand."""
    global _state
    _state = _State()


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_forget_after_fork)


def close_all() -> None:
    """End every shared renderer of this process, whoever holds it: for a process that is about to end."""
    _state.close()


atexit.register(close_all)


def lease(spec: str) -> Lease:
    """Return a lease on the renderer that ``spec`` names; see :func:`~colbench_gym.rendering.open_renderer`."""
    if spec not in RENDERERS:
        raise UnknownNameError.among("renderer", spec, RENDERERS)
    return Lease(spec)
