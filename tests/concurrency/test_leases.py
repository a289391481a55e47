"""A shared resource is opened once, outlives all leases but the last, and stays its parent's in a forked child."""

import os
import pickle

import pytest

from colbench_gym.concurrency.leases import Lease, Shared, close_all
from colbench_gym.errors import ColBenchError


class Thing:
    opened = closed = abandoned = 0

    def __init__(self):
        type(self).opened += 1

    def close(self):
        type(self).closed += 1

    def abandon_after_fork(self):
        type(self).abandoned += 1


class ThingLease(Lease[Thing]):
    shared = Shared({"thing": Thing}, lambda kind: ColBenchError(f"{kind} is closed"))


@pytest.fixture(autouse=True)
def fresh():
    Thing.opened = Thing.closed = Thing.abandoned = 0
    yield
    close_all()


def test_the_last_lease_closes():
    with ThingLease("thing") as first:
        second = ThingLease("thing")
        assert first.resource() is second.resource()
        second.close()
        second.close()
        assert (Thing.opened, Thing.closed) == (1, 0)
    assert Thing.closed == 1
    with pytest.raises(ColBenchError, match="thing is closed"):
        second.resource()


def test_what_close_all_ended_is_opened_again_on_demand():
    lease = ThingLease("thing")
    close_all()
    assert Thing.closed == 1
    lease.resource()
    assert Thing.opened == 2


def test_a_lease_can_be_pickled():
    with ThingLease("thing") as lease, pickle.loads(pickle.dumps(lease)) as copy:
        assert copy.resource() is lease.resource()
        assert repr(copy) == "ThingLease('thing')"


def test_a_forked_child_gets_its_own():
    with ThingLease("thing") as lease:
        mine = lease.resource()
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.write(writer, bytes([lease.resource() is not mine, Thing.abandoned, Thing.closed]))
            os._exit(0)
        os.waitpid(child, 0)
        assert os.read(reader, 3) == bytes([1, 1, 0])
        os.close(reader)
        os.close(writer)
        assert lease.resource() is mine
