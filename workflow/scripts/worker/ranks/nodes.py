"""Several nodes: their processes connect to the leader's, over TCP and with a key.

The host starts one process on each other node (follow.py), and hands the leader the socket that it
listens on. Where it doesn't, the nodes are processes of this machine, which the leader starts.

Each process connects twice: for orders, and for its life, by which either end sees the other end.
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

from worker.ranks import network

LEADER = network.LEADER
KEY, SOCKET = "TRAINMARK_KEY", "TRAINMARK_SOCKET"
NODE, NUMBER = "TRAINMARK_NODE", "TRAINMARK_NUMBER"
"""Variables of the environment: where the leader is, the key, the leader's socket, which node, and
which process of it."""
FOLLOW = str(Path(__file__).resolve().with_name("follow.py"))
CONNECT_SECONDS = 60.0
WAITING = 1024  # connections that aren't accepted yet


class NotJoined(Exception):
    """A node that has not connected to the leader; a line."""


Found = Dict[Tuple[int, int, bool], connection.Connection]
"""The connection of a node's process, of both that for its life or the other one."""


class Place(NamedTuple):
    """A process of another node: its two connections, and where it is, for messages."""

    orders: connection.Connection
    life: connection.Connection
    where: str


def join(nodes: int, of_each: int) -> List[Place]:
    """Connect with `of_each` processes of each node but this one; by node, then by number.

    Raises NotJoined.
    """
    found: Found = {}
    with _listening(nodes) as own:
        own.settimeout(CONNECT_SECONDS)
        while len(found) < 2 * (nodes - 1) * of_each:
            try:
                stream = _accepted(own)
                node, number, is_life = stream.recv()
            except socket.timeout:
                raise NotJoined(_missing(own, nodes, of_each, found)) from None
            except (AuthenticationError, EOFError, OSError):  # somebody else
                continue
            found[node, number, is_life] = stream
            if not is_life:
                stream.send((of_each, sys.path))
    return [
        Place(found[node, number, False], found[node, number, True], _name(node, found))
        for node in range(1, nodes)
        for number in range(of_each)
    ]


def follow_leader() -> Tuple[connection.Connection, connection.Connection]:
    """Connect as a process of another node; orders and life.

    The first one of a node starts the others.
    """
    address, _, port = os.environ[LEADER].partition(":")
    place = int(os.environ[NODE]), int(os.environ.get(NUMBER, "0"))
    key = bytes.fromhex(os.environ[KEY])
    both = []
    for is_life in (False, True):
        stream = connection.Client((address, int(port)), authkey=key)
        both.append(network.without_delay(stream))
        stream.send((*place, is_life))
    orders, life = both
    count, sys.path[:] = orders.recv()
    if place[1] == 0:
        for number in range(1, count):
            _start({NUMBER: str(number)})
    return orders, life


def _listening(nodes: int) -> socket.socket:
    """The socket that the host has opened, or one to processes on this machine."""
    if SOCKET in os.environ:
        return socket.socket(fileno=int(os.environ.pop(SOCKET)))
    own = socket.socket()
    own.bind((network.LOOPBACK, 0))
    own.listen(WAITING)
    os.environ[KEY] = secrets.token_hex()
    os.environ[LEADER] = "{}:{}".format(*own.getsockname())
    for node in range(1, nodes):
        _start({NODE: str(node)})
    return own


def _start(variables: Dict[str, str]) -> None:
    """Start a process that follows; it ends when the leader does."""
    command = [sys.executable, "-I", FOLLOW]
    subprocess.Popen(command, env=dict(os.environ, **variables), stdin=subprocess.DEVNULL)


def _accepted(own: socket.socket) -> connection.Connection:
    """The next connection of a process that has the key; each end shows the other that it has."""
    accepted, _ = own.accept()
    stream = connection.Connection(accepted.detach())
    key = bytes.fromhex(os.environ[KEY])
    connection.deliver_challenge(stream, key)
    connection.answer_challenge(stream, key)
    return network.without_delay(stream)


def _name(node: int, found: Found) -> str:
    """A node in messages: "node 2 (10.0.0.2)"."""
    return f"node {node + 1} ({network.peer(found[node, 0, False])})"


def _missing(own: socket.socket, nodes: int, of_each: int, found: Found) -> str:
    there = Counter(node for node, *_ in found)
    names = ", ".join(str(node + 1) for node in range(1, nodes) if there[node] < 2 * of_each)
    address, port = own.getsockname()
    return (
        f"processes of node {names} haven't reached {address}:{port} within {CONNECT_SECONDS:.0f} "
        "s; a log says why, or a firewall is between them"
    )
