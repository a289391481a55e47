"""Leases on what a process opens once and everyone in it shares, such as a sandbox; the last lease closes it."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from colbench_gym.errors import ColBenchError


class Closeable(Protocol):
    """A resource that is closed once."""

    def close(self) -> None:
        """Let go of everything. A second call does nothing."""


Self = TypeVar("Self", bound=Closeable)


class ClosedAtExit:
    """A resource that may be used as a context manager, which closes it."""

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self: Closeable, *_: object) -> None:
        self.close()


Resource = TypeVar("Resource", bound=Closeable)


class Shared(Generic[Resource]):
    """The open resources of one sort in this process and the leases that hold them.

    A forked child starts with none: what it inherited belongs to its parent. A resource with the method
    ``abandon_after_fork()`` is told so in the child.

    Args:
        makers: opens a resource of each kind.
        closed_error: the error for the use of a closed lease on a kind.
    """

    def __init__(
        self, makers: Mapping[str, Callable[[], Resource]], closed_error: Callable[[str], ColBenchError]
    ) -> None:
        self.makers = makers
        self._closed_error = closed_error
        self._lock = threading.Lock()
        self._open: dict[str, tuple[Resource, set[int]]] = {}
        _everything.append(self)

    def acquire(self, lease: Lease[Resource]) -> Resource:
        """Return the resource of the lease's kind, opened if need be, and count the lease among its holders."""
        with self._lock:
            if lease.closed:
                raise self._closed_error(lease.kind)
            if lease.kind not in self._open:
                self._open[lease.kind] = (self.makers[lease.kind](), set())
            resource, holders = self._open[lease.kind]
            holders.add(id(lease))
            return resource

    def release(self, lease: Lease[Resource]) -> None:
        """Mark the lease as closed, and close the resource if no other lease holds it."""
        with self._lock:
            if lease.closed:
                return
            lease.closed = True
            resource, holders = self._open.get(lease.kind, (None, set()))
            holders.discard(id(lease))
            if holders:
                return
            self._open.pop(lease.kind, None)
        if resource is not None:
            resource.close()

    def close(self) -> None:
        """Close every resource, whoever holds it."""
        with self._lock:
            resources = [resource for resource, _ in self._open.values()]
            self._open.clear()
        for resource in resources:
            resource.close()

    def start_afresh(self) -> None:
        """Forget the parent's resources in a forked child, where the lock may be held by a thread that is not there."""
        self._lock = threading.Lock()
        inherited, self._open = self._open, {}
        for resource, _ in inherited.values():
            abandon = getattr(resource, "abandon_after_fork", None)
            if abandon is not None:
                abandon()


class Lease(ClosedAtExit, Generic[Resource]):
    """A share of the process-wide resource of one kind. It can be pickled, and used in a forked child.

    Subclasses set ``shared`` and pass calls on to :meth:`resource`.
    """

    shared: ClassVar[Shared[Any]]  # Any: class variables have no type parameters

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.closed = False
        self.resource()

    def resource(self) -> Resource:
        """Return what is leased, opened if need be."""
        resource: Resource = self.shared.acquire(self)
        return resource

    def close(self) -> None:
        """Give the lease back; the last one closes the resource. A second call does nothing."""
        self.shared.release(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind!r})"

    def __reduce__(self) -> tuple[Callable[[str], Lease[Resource]], tuple[str]]:
        return type(self), (self.kind,)


_everything: list[Shared[Any]] = []  # Any: resources of all sorts


def close_all() -> None:
    """Close every shared resource of this process, whoever holds it: for a process that is about to end."""
    for shared in _everything:
        shared.close()


def _start_afresh() -> None:
    for shared in _everything:
        shared.start_afresh()


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_start_afresh)
atexit.register(close_all)
