"""Several nodes: their processes connect to the leader's process, over TCP and with a key.

The host starts one process on each other node (follow.py), and passes the leader a listening
socket. Without such a socket, the leader starts processes on this machine in place of nodes.

Each process connects twice: for orders, and to notice the other side's end.
"""

import os
import secrets
import socket
import subprocess
import sys
from collections import Counter
from multiprocessing import AuthenticationError, connection
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

from worker.libraries import processor
from worker.ranks import network

LEADER = network.LEADER
KEY, SOCKET = "TRAINMARK_KEY", "TRAINMARK_SOCKET"
NODE, NUMBER = "TRAINMARK_NODE", "TRAINMARK_NUMBER"
"""Environment variables: the leader's address, the key, the leader's socket, the number of the
node, and the number of its process."""
FOLLOW = str(Path(__file__).resolve().with_name("follow.py"))
CONNECT_SECONDS = 60.0
WAITING = 1024  # the number of connections that may wait to be accepted


class NotJoined(Exception):
    """A node has not connected to the leader; the message is one line."""


Connections = Dict[Tuple[int, int, bool], connection.Connection]
"""Connections by node, process of the node, and whether the connection only shows its end."""


class RemoteProcess(NamedTuple):
    """A process of another node: its two connections, and the node's name for messages."""

    orders: connection.Connection
    life: connection.Connection
    node: str


def join(nodes: int, of_each: int) -> List[RemoteProcess]:
    """Connect with `of_each` processes of each node but this one; by node, then by number.

    Raises NotJoined.
    """
    streams: Connections = {}
    with _listening(nodes) as listener:
        listener.settimeout(CONNECT_SECONDS)
        while len(streams) < 2 * (nodes - 1) * of_each:
            try:
                stream = _accepted(listener)
                node, number, is_life = stream.recv()
            except socket.timeout:
                raise NotJoined(_missing(listener, nodes, of_each, streams)) from None
            except (AuthenticationError, EOFError, OSError):  # not one of the run's processes
                continue
            streams[node, number, is_life] = stream
            if not is_life:
                stream.send((of_each, sys.path, processor.current()))
    return [
        RemoteProcess(
            streams[node, number, False], streams[node, number, True], _name(node, streams)
        )
        for node in range(1, nodes)
        for number in range(of_each)
    ]


def follow_leader() -> Tuple[connection.Connection, connection.Connection]:
    """Connect as a process of another node; return the connections for orders and for life.

    The first process of a node starts the others.
    """
    address, _, port = os.environ[LEADER].partition(":")
    node, own_number = int(os.environ[NODE]), int(os.environ.get(NUMBER, "0"))
    key = bytes.fromhex(os.environ[KEY])
    streams = []
    for is_life in (False, True):
        stream = connection.Client((address, int(port)), authkey=key)
        streams.append(network.without_delay(stream))
        stream.send((node, own_number, is_life))
    orders, life = streams
    count, sys.path[:], variables = orders.recv()
    processor.set_as_leader(variables)
    if own_number == 0:
        for number in range(1, count):
            _start({NUMBER: str(number)})
    return orders, life


def _listening(nodes: int) -> socket.socket:
    """The socket that the host has opened, or one for processes on this machine."""
    if SOCKET in os.environ:
        return socket.socket(fileno=int(os.environ.pop(SOCKET)))
    listener = socket.socket()
    listener.bind((network.LOOPBACK, 0))
    listener.listen(WAITING)
    os.environ[KEY] = secrets.token_hex()
    os.environ[LEADER] = "{}:{}".format(*listener.getsockname())
    for node in range(1, nodes):
        _start({NODE: str(node)})
    return listener


def _start(variables: Dict[str, str]) -> None:
    """Start a process that follows; it ends when the leader does."""
    command = [sys.executable, "-I", FOLLOW]
    subprocess.Popen(command, env=dict(os.environ, **variables), stdin=subprocess.DEVNULL)


def _accepted(listener: socket.socket) -> connection.Connection:
    """The next connection of a process that has the key; both sides prove that they have it."""
    accepted, _ = listener.accept()
    stream = connection.Connection(accepted.detach())
    key = bytes.fromhex(os.environ[KEY])
    connection.deliver_challenge(stream, key)
    connection.answer_challenge(stream, key)
    return network.without_delay(stream)


def _name(node: int, streams: Connections) -> str:
    """A node in messages: "node 2 (10.0.0.2)"."""
    return f"node {node + 1} ({network.peer(streams[node, 0, False])})"


def _missing(listener: socket.socket, nodes: int, of_each: int, streams: Connections) -> str:
    """The message that names the nodes that haven't connected."""
    counts = Counter(node for node, *_ in streams)
    names = ", ".join(str(node + 1) for node in range(1, nodes) if counts[node] < 2 * of_each)
    address, port = listener.getsockname()
    return (
        f"processes of node {names} haven't reached {address}:{port} within {CONNECT_SECONDS:.0f} "
        "s; a log says why, or a firewall is between them"
    )
