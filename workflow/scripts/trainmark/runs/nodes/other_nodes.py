"""All nodes of a run but the first; none if the run has one node."""

import secrets
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from trainmark.machine.disturbances import Limits
from trainmark.runs.guard import Guard
from trainmark.runs.job import Task
from trainmark.runs.launch import Exit
from trainmark.runs.nodes import sums
from trainmark.runs.nodes.hosts import Host, NoNodes
from trainmark.runs.nodes.node import Node, NodeFailed
from worker.ranks import network
from worker.ranks import nodes as of_worker

FOLLOWER = Path(of_worker.FOLLOW)
ENDING_SECONDS = 20.0  # for followers to see that the leader has ended


class LeaderStart(NamedTuple):
    """Settings to start the first node's process: its variables, and the socket that they name."""

    variables: dict[str, str]
    files: Sequence[int]


class Ended(NamedTuple):
    """How another node's process ended; its samples have times of the first node's clock."""

    node: str
    exit: Exit


class OtherNodes:
    """The other nodes of a run. All methods raise NodeFailed, and Interrupted as the guard does."""

    def __init__(self, task: Task, nodes: Sequence[Node]) -> None:
        self._task, self._nodes = task, nodes
        self.ended: list[Ended] = []

    @classmethod
    @contextmanager
    def locked(
        cls, task: Task, hosts: Sequence[Host], guard: Guard, report: Callable[[str], None]
    ) -> Iterator[Self]:
        """Lock the nodes' machines; leaving the context ends all processes started there.

        Raises NoNodes where a node doesn't have the devices that the job requests.
        """
        started: list[Node] = []
        try:
            for number, host in enumerate(hosts, start=2):
                started.append(Node(number, host, guard, report))
            _check_apart(started)
            for node in started:
                folder = str(task.folder.absolute())
                lacking = node.call("lock", folder=folder, device=task.job["device"])
                if lacking:
                    raise NoNodes(f"{node.name}: {lacking}")
            yield cls(task, started)
        finally:
            for node in started:
                node.close()

    def wait_until_quiet(self, limits: Limits, seconds: float) -> None:
        """Wait until all nodes are quiet; the nodes wait at the same time."""
        self._call("wait_until_quiet", limits=limits._asdict(), seconds=seconds)

    def idle_watts(self) -> list[float | None]:
        """The idle power of each node's GPUs; None without GPUs, or where it can't be read."""
        return self._call("idle_watts")

    def describe(self) -> list[dict[str, Any]]:
        """Each node's host and GPUs, for the record of a run."""
        return self._call("describe")

    @contextmanager
    def following(self) -> Iterator[LeaderStart]:
        """Run a follower process on each node; the leader's process runs within the context.

        Afterwards `ended` has how each follower ended.
        """
        self.ended = []
        if not self._nodes:
            yield LeaderStart({}, ())
            return
        with _listening(self._nodes[0]) as listener:
            host, port = listener.getsockname()
            address = {of_worker.LEADER: f"{host}:{port}", of_worker.KEY: secrets.token_hex()}
            before = [node.read_clocks() for node in self._nodes]
            for number, node in enumerate(self._nodes, start=1):
                self._launch(node, number, {**address, of_worker.NODE: str(number)})
            file = listener.fileno()
            yield LeaderStart({**address, of_worker.SOCKET: str(file)}, [file])
        for node, earlier in zip(self._nodes, before, strict=True):
            worker_exit = node.ended(ENDING_SECONDS)
            samples = sums.by_first_clock(worker_exit.samples, earlier, node.read_clocks())
            self.ended.append(Ended(node.name, worker_exit._replace(samples=samples)))

    def _launch(self, node: Node, number: int, variables: Mapping[str, str]) -> None:
        job, lock, folder = self._task.job, self._task.lock, self._task.folder
        node.begin(
            "launch",
            command=[str(Path.cwd() / lock["interpreter"]), "-I", str(FOLLOWER)],
            threads=job["threads"],
            variables={**lock["variables"], **variables},
            log=str(folder.absolute() / f"worker-{number + 1}.log"),
            timeout_seconds=job["timeout_seconds"] + ENDING_SECONDS,
        )

    def _call(self, method: str, **arguments: Any) -> list[Any]:
        for node in self._nodes:
            node.begin(method, **arguments)
        return [node.result() for node in self._nodes]


def _check_apart(nodes: Sequence[Node]) -> None:
    """Raise NodeFailed where two nodes are one machine, which would wait for its own lock."""
    names = {socket.gethostname()}
    for node in nodes:
        name = node.call("host_name")
        if name in names:
            raise NodeFailed(f"{node.name} is {name}, which another node of the run is already")
        names.add(name)


def _listening(other: Node) -> socket.socket:
    """A socket that other nodes can reach, on the address from which this node reaches them."""
    listener = socket.socket()
    try:
        listener.bind((network.address_towards(other.address), 0))
    except OSError as error:
        listener.close()
        raise NodeFailed(
            f"{other.name}: no way there by IPv4 ({error.strerror}): name nodes as the network does"
        ) from None
    listener.listen()
    return listener
