"""Threads and caches: work mapped in order, a fair semaphore, a bounded cache, and batches across threads."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Generic, TypeVar

from cachetools import LRUCache

Item = TypeVar("Item")
Result = TypeVar("Result")
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

Progress = Callable[[int, int], object]  # items done and items in all

POLL_S = 0.005


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_threads(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    threads: int | None = None,
    name: str = "work",
    ahead: int | None = None,
    progress: Progress | None = None,
) -> Generator[tuple[Item, Result], None, None]:
    """Do the work of all items in threads, and yield each item with its result, in order.

    When the caller stops early, or work raises, items that have not begun are dropped and the others are waited for.

    Args:
        work: is called once per item.
        items: read as they are needed.
        threads: at work at once; by default twice as many as cores.
        name: of the threads.
        ahead: items at work or waiting at most; by default 8 times the threads.
        progress: called before each result is yielded; the number of all items is 0 where it is unknown.
    """
    threads = threads or 2 * cores()
    ahead = ahead or 8 * threads
    total = len(items) if isinstance(items, Sized) else 0
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    done = 0
    with ThreadPoolExecutor(threads, thread_name_prefix=name) as executor:
        try:
            rest = iter(items)
            while True:
                for item in itertools.islice(rest, ahead - len(waiting)):
                    waiting.append((item, executor.submit(work, item)))
                if not waiting:
                    return
                item, future = waiting.popleft()
                result = future.result()
                done += 1
                if progress is not None:
                    progress(done, total)
                yield item, result
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


_waiting: set[int] = set()  # threads that wait at a FairSemaphore
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_waiting.clear)  # which has none of these threads


def waiting_for_places(threads: Iterable[int]) -> int:
    """Return how many of some threads wait for a place at a :class:`FairSemaphore`, as further ones would."""
    return len(_waiting.intersection(threads))


class FairSemaphore:
    """Lets a limited number of threads in at once, in the order in which they came."""

    def __init__(self, limit: int) -> None:
        self._lock = threading.Lock()
        self._limit = limit
        self._free = limit
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        """Wait for a place."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            place = threading.Lock()
            place.acquire()
            self._waiting.append(place)
        thread = threading.get_ident()
        _waiting.add(thread)
        try:
            place.acquire()  # until __exit__ of another thread hands its place over
        except BaseException:  # interrupted
            with self._lock:
                waiting = place in self._waiting
                if waiting:
                    self._waiting.remove(place)
            if not waiting:
                self._leave()
            raise
        finally:
            _waiting.discard(thread)

    def __exit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        """Give the place to the thread that has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1

    def wait_until_empty(self, timeout_s: float) -> None:
        """Wait until nobody is in."""
        end = time.monotonic() + timeout_s
        while self._free < self._limit and time.monotonic() < end:
            time.sleep(POLL_S)


class Cache(Generic[Key, Value]):
    """The values used most recently, up to a total weight. Thread-safe.

    Args:
        capacity: of all values together; a value that is heavier is not kept.
        weight: of one value; by default 1, which makes ``capacity`` a number of values.
    """

    def __init__(self, capacity: int, weight: Callable[[Value], int] | None = None) -> None:
        self._lock = threading.Lock()
        self._values: LRUCache[Key, Value] = LRUCache(capacity, weight)

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, if it is there."""
        with self._lock:
            return self._values.get(key)

    def setdefault(self, key: Key, value: Value) -> Value:
        """Return the value of a key, which is ``value`` from now on if there was none."""
        with self._lock, suppress(ValueError):  # too heavy
            return self._values.setdefault(key, value)
        return value

    def discard(self, key: Key, value: Value) -> None:
        """Drop a key if it still has that value."""
        with self._lock:
            if self._values.get(key) is value:
                del self._values[key]

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)


class BatchedCalls(Generic[Item, Result]):
    """Puts the items of many threads into batches. One of the threads that wait works on a batch for all of them.

    Args:
        work: returns a result per item of a batch, in order; one call at a time.
        max_items: in a batch.
        gather_s: how long a batch that is not full waits for more items.
        alone_after: errors of a batch after which each of its items is tried alone, so that a bad item does not fail
            its neighbours. Other errors, and those of a single item, are raised to whoever asked.
    """

    def __init__(
        self,
        work: Callable[[Sequence[Item]], Sequence[Result]],
        max_items: int,
        gather_s: float = 0.0,
        alone_after: tuple[type[Exception], ...] = (),
    ) -> None:
        self._work = work
        self._max_items = max_items
        self._gather_s = gather_s
        self._alone_after = alone_after
        self._waiting: deque[tuple[Item, Future[Result]]] = deque()
        self._changed = threading.Condition()
        self._working = threading.Lock()

    def __call__(self, items: Sequence[Item]) -> list[Result]:
        """Return the results of ``items`` once all are there."""
        asked = [(item, Future[Result]()) for item in items]
        with self._changed:
            self._waiting.extend(asked)
            self._changed.notify()
        with self._working:
            while not all(future.done() for _, future in asked):
                self._answer(self._next_batch())
        return [future.result() for _, future in asked]

    def _next_batch(self) -> list[tuple[Item, Future[Result]]]:
        with self._changed:
            if self._gather_s:
                self._changed.wait_for(lambda: len(self._waiting) >= self._max_items, self._gather_s)
            return [self._waiting.popleft() for _ in range(min(self._max_items, len(self._waiting)))]

    def _answer(self, batch: Sequence[tuple[Item, Future[Result]]]) -> None:
        try:
            results = self._work([item for item, _ in batch])
        except Exception as error:  # noqa: BLE001  whoever asked gets it
            if len(batch) > 1 and isinstance(error, self._alone_after):
                for item in batch:
                    self._answer([item])
                return
            for _, future in batch:
                future.set_exception(error)
        except BaseException:  # interrupted: another thread that waits goes on with the batch
            self._waiting.extendleft(reversed(batch))
            raise
        else:
            for (_, future), result in zip(batch, results, strict=True):
                future.set_result(result)
