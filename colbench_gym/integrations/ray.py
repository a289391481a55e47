"""Dialogues on a Ray cluster: one actor a node, which owns sandboxes and browsers; results in one folder."""

from __future__ import annotations

import os
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from colbench_gym import errors
from colbench_gym.concurrency.leases import ClosedAtExit
from colbench_gym.errors import ColBenchError, InfrastructureError, MissingExtraError, UsageError
from colbench_gym.evaluation.rollout import ConcurrencyLimits, Gates, Job, Workers, play
from colbench_gym.evaluation.run import EvalConfig, open_seats, usage_of
from colbench_gym.evaluation.run_folder import sum_counts
from colbench_gym.policies import Policy, PrivilegedPolicy
from colbench_gym.scenario import Scenario
from colbench_gym.trajectory import Trajectory

LOCAL = "local"
LOOK_S = 5.0  # new nodes are looked for this often
CONNECT_S = 2.0
GOODBYE_S = 10.0
START_S = 300.0  # a node that takes longer to open its sandboxes and browsers is not used

Json = dict[str, Any]  # Any: JSON
Failure = tuple[str, str]  # the name of an error of colbench_gym.errors, and its message


class NodePlayer:
    """A player of dialogues on one node, with a scenario and an agent of its own. Made by Ray, one a node."""

    def __init__(self, config: EvalConfig, limits: ConcurrencyLimits) -> None:
        self._stack = ExitStack()
        self._gates = Gates(limits)
        self._failure: Failure | None = None
        try:
            self._scenario, self._policy = self._stack.enter_context(open_seats(config))
        except ColBenchError as error:
            self._failure = _portable(error)

    def versions(self) -> Mapping[str, str] | Failure:
        """Return the versions that can change a number here, or the reason why nothing can be played."""
        return self._failure or self._scenario.versions

    def play(self, job: Job) -> tuple[Trajectory | Failure, Json]:
        """Play one dialogue; return it, or the error that ends the run, and what the seats here have used so far."""
        try:
            played: Trajectory | Failure = play(job, self._policy, self._scenario, self._gates)
        except ColBenchError as error:
            played = _portable(error)
        return played, {"agent": usage_of(self._policy), "human": usage_of(self._scenario.human)}

    def close(self) -> None:
        """Close sandboxes and browsers of this node."""
        self._stack.close()


@dataclass
class _Node:
    name: str
    actor: Any  # Ray's handle
    room: int
    used: Json = field(default_factory=dict)


class RayWorkers(ClosedAtExit, Workers):
    """Workers on a Ray cluster.

    A node that is lost takes its open dialogues with it: they are played again on another one, and what was finished is
    kept. A node that joins is used from then on. Limits of concurrency hold for each node.

    Args:
        config: the run; its paths and factories must exist on every node, under the same names.
        address: ``local`` for a cluster on this machine, else the address of a running one, such as ``HOST:6379``.
        note: called with a sentence about each node that comes, goes or cannot be used.

    Raises:
        MissingExtraError: Ray is not installed.
        UsageError: a setting that only one machine can have, or no cluster at the address.
    """

    def __init__(
        self, config: EvalConfig, address: str = LOCAL, note: Callable[[str], object] = lambda text: None
    ) -> None:
        for seat in ("agent", "human"):
            if getattr(config, seat) in ("console", "web"):
                raise UsageError(
                    f"got --{seat} {getattr(config, seat)} with --ray; a person sits at one machine: drop --ray"
                )
        if config.record:
            raise UsageError("got --record with --ray, but exchanges are recorded on one machine; drop one of them")
        try:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            import ray
        except ImportError as error:
            raise MissingExtraError.of("ray", "ray", "a run on a cluster") from error
        self._ray: Any = ray
        self._config, self._note = config, note
        self._nodes: dict[str, _Node] = {}
        self._refused: set[str] = set()
        self._gone: list[Json] = []
        self._began = not ray.is_initialized()
        if self._began:
            self._connect(address)

    def _connect(self, address: str) -> None:
        settings: Json = {"log_to_driver": False, "logging_level": "error"}
        if address == LOCAL:
            settings["include_dashboard"] = False
        else:
            _check_listens(address)
            settings["address"] = address
        try:
            self._ray.init(**settings)
        except Exception as error:
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            if address == LOCAL:
                raise InfrastructureError(f"no Ray cluster could be started on this machine ({said})") from error
            raise _no_cluster(address, said) from error

    def collect(
        self,
        jobs: Iterable[Job],
        policy: Policy | PrivilegedPolicy,  # noqa: ARG002  each node has its own
        scenario: Scenario,
        finished: Callable[[Trajectory], None],
        gates: Gates,
    ) -> None:
        """Play many dialogues on all nodes; see :func:`colbench_gym.evaluation.rollout.collect`.

        When a budget is spent, no further dialogue is begun, and those under way are played to their end.

        Raises:
            InfrastructureError: every node was lost; what was finished is kept.
            UsageError: no node can play, or one has other versions than this machine.
        """
        waiting, again = iter(jobs), deque[Job]()
        running: dict[Any, tuple[_Node, Job, ExitStack]] = {}
        looked = -LOOK_S
        while True:
            if time.monotonic() - looked >= LOOK_S:
                self._look_for_nodes(scenario.versions, gates.limits)
                looked = time.monotonic()
            for node, job in self._assign(waiting, again, gates.spent):
                counted = ExitStack()
                counted.enter_context(gates.counted())
                running[node.actor.play.remote(job)] = node, job, counted
            if not running:
                if again and not gates.spent():
                    raise InfrastructureError(
                        "every node of the cluster was lost; what was finished is kept: start nodes and go on with "
                        "--resume"
                    )
                return
            done, _ = self._ray.wait(list(running), num_returns=1, timeout=LOOK_S)
            for reference in done:
                node, job, counted = running.pop(reference)
                counted.close()
                self._receive(reference, node, job, again, finished)

    def _assign(
        self, waiting: Iterator[Job], again: deque[Job], spent: Callable[[], bool]
    ) -> Iterator[tuple[_Node, Job]]:
        for node in sorted(self._nodes.values(), key=lambda node: -node.room):
            while node.room > 0 and not spent():
                job = again.popleft() if again else next(waiting, None)
                if job is None:
                    return
                node.room -= 1
                yield node, job

    def _receive(
        self, reference: Any, node: _Node, job: Job, again: deque[Job], finished: Callable[[Trajectory], None]
    ) -> None:
        node.room += 1
        try:
            played, node.used = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise InfrastructureError(f"node {node.name} failed on task {job.task.task_id!r}: {error.cause}") from error
        except self._ray.exceptions.RayError:
            again.append(job)
            self._lose(node)
            return
        if isinstance(played, tuple):
            raise _raised(played)
        finished(played)

    def _lose(self, node: _Node) -> None:
        if self._nodes.pop(node.name, None) is not None:
            self._gone.append(node.used)
            self._note(f"node {node.name} was lost; its open dialogues are played again")

    def _look_for_nodes(self, versions: Mapping[str, str], limits: ConcurrencyLimits) -> None:
        """Start an actor on each node that is new; those that could not play are not asked again."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        alive = {node["NodeID"] for node in self._ray.nodes() if node["Alive"]}
        actors = {
            name: self._ray.remote(NodePlayer)
            .options(
                num_cpus=0,
                max_concurrency=limits.dialogues + 1,
                scheduling_strategy=NodeAffinitySchedulingStrategy(name, soft=False),
            )
            .remote(self._config, limits)
            for name in sorted(alive - self._nodes.keys() - self._refused)
        }
        problems = []
        for name, actor in actors.items():
            problem = self._problem_of(actor, versions)
            if problem:
                self._refused.add(name)
                problems.append(f"node {name} cannot be used: {problem}")
                self._note(problems[-1])
            else:
                self._nodes[name] = _Node(name, actor, limits.dialogues)
        if problems and not self._nodes:
            raise UsageError("; ".join(problems))

    def _problem_of(self, actor: Any, versions: Mapping[str, str]) -> str:
        """Return why a node must not play, in words; "" for one that may."""
        try:
            there = self._ray.get(actor.versions.remote(), timeout=START_S)
        except self._ray.exceptions.RayError as error:
            return f"it did not start ({type(error).__name__})"
        if isinstance(there, tuple):
            return str(there[1])
        names = sorted({*versions, *there})
        apart = [f"{n} {there.get(n)} and here {versions.get(n)}" for n in names if there.get(n) != versions.get(n)]
        return f"it has {', '.join(apart)}; install the same on all nodes" if apart else ""

    def used(self) -> Mapping[str, Mapping[str, Any]]:
        """Return tokens and the like of the seats on all nodes, lost ones included as far as they were heard of."""
        return sum_counts([*self._gone, *(node.used for node in self._nodes.values())])

    def close(self) -> None:
        """Close the actors, and the cluster where this object began it. A second call does nothing."""
        nodes, self._nodes = list(self._nodes.values()), {}
        self._gone += [node.used for node in nodes]
        if not self._ray.is_initialized():
            return
        if nodes:
            self._ray.wait([node.actor.close.remote() for node in nodes], num_returns=len(nodes), timeout=GOODBYE_S)
        for node in nodes:
            self._ray.kill(node.actor)
        if self._began:
            self._ray.shutdown()


def _check_listens(address: str) -> None:
    """Refuse a HOST:PORT at which nobody listens; Ray itself would wait for minutes."""
    host, colon, port = address.rpartition(":")
    if "://" in address or not (colon and port.isascii() and port.isdigit()):
        return
    try:
        socket.create_connection((host, int(port)), CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(address, str(error)) from error


def _no_cluster(address: str, said: str) -> UsageError:
    return UsageError(f"got --ray {address}, but no cluster answers there ({said}); start one with: ray start --head")


def _portable(error: ColBenchError) -> Failure:
    """Return an error as data: not every exception can be pickled."""
    return type(error).__name__, str(error)


def _raised(failure: Failure) -> ColBenchError:
    name, message = failure
    kind = getattr(errors, name, None)
    return kind(message) if isinstance(kind, type) and issubclass(kind, ColBenchError) else InfrastructureError(message)
