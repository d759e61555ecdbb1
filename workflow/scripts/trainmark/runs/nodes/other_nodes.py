"""All nodes of a run but the first; none if the run has one node."""

import secrets
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from trainmark.machine.disturbances import Limits
from trainmark.machine.file_locks import machine_lock
from trainmark.machine.speed import Speed
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
    def all_locked(
        cls, task: Task, hosts: Sequence[Host], guard: Guard, report: Callable[[str], None]
    ) -> Iterator[Self]:
        """Lock all machines of a run, this one too; leaving the context ends what runs elsewhere.

        They are locked in the order of their names, so that two runs don't wait for each other.
        Raises NoNodes where a node doesn't have the devices that the job requests.
        """
        task.folder.mkdir(parents=True, exist_ok=True)  # other nodes look for it
        started: list[Node] = []
        with ExitStack() as stack:
            for number, host in enumerate(hosts, start=2):
                started.append(Node(number, host, guard, report))
                stack.callback(started[-1].close)
            for _, node in sorted(_by_name(started).items()):
                if node is None:
                    stack.enter_context(machine_lock(task.folder, guard.check, report))
                else:
                    _lock(node, task)
            yield cls(task, started)

    def wait_until_quiet(self, limits: Limits, seconds: float) -> None:
        """Wait until all nodes are quiet; the nodes wait at the same time."""
        self._call("wait_until_quiet", limits=limits._asdict(), seconds=seconds)

    def idle_watts(self) -> list[float | None]:
        """The idle power of each node's GPUs; None without GPUs, or where it can't be read."""
        return self._call("idle_watts")

    def speeds(self) -> list[Speed | None]:
        """The speed of each node with the run's threads; None where it can't be measured."""
        answers = self._call("speed", threads=self._task.job["threads"])
        return [Speed(*answer) if answer else None for answer in answers]

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


def _by_name(nodes: Sequence[Node]) -> dict[str, Node | None]:
    """The nodes, and None for this one, by the names of their machines.

    Raises NodeFailed where two nodes are one machine, which would wait for its own lock.
    """
    named: dict[str, Node | None] = {socket.gethostname(): None}
    for node in nodes:
        name = node.call("host_name")
        if name in named:
            raise NodeFailed(f"{node.name} is {name}, which another node of the run is already")
        named[name] = node
    return named


def _lock(node: Node, task: Task) -> None:
    """Lock another node's machine, after waiting; raises NoNodes where it lacks devices."""
    folder = str(task.folder.absolute())
    if lacking := node.call("lock", folder=folder, device=task.job["device"]):
        raise NoNodes(f"{node.name}: {lacking}")


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
