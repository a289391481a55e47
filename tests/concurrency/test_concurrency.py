"""Work mapped in threads keeps its order; caches, places and batches keep their bounds."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from colbench_gym.concurrency import BatchedCalls, Cache, FairSemaphore, map_in_threads, waiting_for_places


def test_results_come_in_order_and_progress_before_each():
    events = []
    for item, result in map_in_threads(
        lambda n: n * n, range(20), threads=4, progress=lambda *done: events.append(done)
    ):
        events.append((item, result))
    assert events == [event for n in range(20) for event in ((n + 1, 20), (n, n * n))]


def test_items_are_read_as_they_are_needed():
    read = []

    def items():
        for n in range(100):
            read.append(n)
            yield n

    results = map_in_threads(lambda n: n, items(), threads=2, ahead=5)
    assert next(results) == (0, 0)
    assert len(read) == 5
    results.close()
    assert len(read) == 5


def test_work_that_raises_ends_the_rest():
    done = []

    def work(n):
        if n == 3:
            raise ValueError("three")
        done.append(n)

    with pytest.raises(ValueError, match="three"):
        list(map_in_threads(work, range(1000), threads=1, ahead=8))
    assert len(done) < 20


def test_places_are_given_in_the_order_of_asking():
    places = FairSemaphore(1)
    order = []

    def ask(n):
        with places:
            order.append(n)

    threads = []
    with places:
        for n in range(8):
            threads.append(threading.Thread(target=ask, args=(n,)))
            threads[-1].start()
            while len(places._waiting) <= n:
                threading.Event().wait(0.001)
        idents = [thread.ident or 0 for thread in threads]
        assert waiting_for_places(idents) == 8
        assert waiting_for_places(idents[:3]) == 3
        assert waiting_for_places([threading.get_ident()]) == 0
    for thread in threads:
        thread.join()
    assert order == list(range(8))
    assert waiting_for_places(idents) == 0
    places.wait_until_empty(0.0)


def test_a_cache_drops_what_was_used_least_recently():
    cache = Cache(10, weight=len)
    for key in "abc":
        cache.setdefault(key, key * 4)
        cache.get("a")
    assert [cache.get(key) for key in "abc"] == ["aaaa", None, "cccc"]
    assert cache.setdefault("a", "other") == "aaaa"
    cache.discard("a", "other")
    assert len(cache) == 2
    assert cache.setdefault("d", "d" * 11) == "d" * 11  # heavier than all that may be kept
    assert cache.get("d") is None
    cache.setdefault("e", "e")
    cache.clear()
    assert cache.get("e") is None


def test_threads_share_batches_and_one_bad_item_fails_alone():
    sizes = []

    def work(items):
        sizes.append(len(items))
        if "bad" in items:
            raise KeyError("bad")
        return [item.upper() for item in items]

    together = BatchedCalls(work, 4, gather_s=0.2, alone_after=(KeyError,))
    words = ["a", "b", "bad", "c"]
    with ThreadPoolExecutor(4) as threads:
        futures = [threads.submit(together, [word]) for word in words]
    assert [future.exception() is None for future in futures] == [True, True, False, True]
    assert futures[3].result() == ["C"]
    assert max(sizes) == 4
    assert together(["x", "y", "z", "p", "q"]) == ["X", "Y", "Z", "P", "Q"]


def test_a_batch_that_fails_fails_for_all_who_asked_and_the_next_one_works():
    fails = [True]

    def work(items):
        if fails.pop() if fails else False:
            raise RuntimeError("broken")
        return items

    together = BatchedCalls(work, 4)
    with pytest.raises(RuntimeError, match="broken"):
        together([1, 2])
    assert together([1, 2]) == [1, 2]


def test_an_interrupted_batch_goes_on_in_another_thread():
    interrupts = [True]

    def work(items):
        if interrupts:
            interrupts.pop()
            raise KeyboardInterrupt
        return items

    together = BatchedCalls(work, 4)
    with pytest.raises(KeyboardInterrupt):
        together([1])
    assert together([2]) == [2]
