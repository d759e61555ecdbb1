"""Network addresses of ranks: the leader's, this process's, and the interface between them."""

import fcntl
import os
import socket
import struct
from multiprocessing import connection

LOOPBACK = "127.0.0.1"
LEADER = "TRAINMARK_LEADER"
"""The environment variable of the leader's address and port, "10.0.0.1:4000"."""
ANY_PORT = 9  # any port will do, since nothing is sent
GET_ADDRESS = 0x8915  # SIOCGIFADDR of netdevice(7)
NAME_BYTES, REQUEST_BYTES = 16, 40
ADDRESS = slice(20, 24)


def leader_address() -> str:
    """The IPv4 address of the leader; the loopback address if all ranks are on this machine."""
    address, _, _ = os.environ.get(LEADER, LOOPBACK).partition(":")
    return address


def own_address() -> str:
    """The IPv4 address of this node on the way to the leader; other ranks reach this node by it."""
    return address_towards(leader_address())


def address_towards(other: str) -> str:
    """The IPv4 address of this node on the way to the host `other`; raises OSError for no route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as unsent:
        unsent.connect((other, ANY_PORT))
        address, _ = unsent.getsockname()
        return str(address)


def own_interface() -> str:
    """The name of the network interface of own_address(), "eth0"; raises LookupError."""
    address = own_address()
    for _, name in socket.if_nameindex():
        if _address_of(name) == address:
            return name
    raise LookupError(f"no network interface has {address} as its first address")


def free_port() -> int:
    """A TCP port of this node that is free at this moment."""
    with socket.socket() as unused:
        unused.bind((own_address(), 0))
        port: int = unused.getsockname()[1]
        return port


def without_delay(stream: connection.Connection) -> connection.Connection:
    """Send small messages without delay: Nagle's algorithm would delay each by 40 ms."""
    with _socket(stream) as copy:
        copy.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return stream


def peer(stream: connection.Connection) -> str:
    """The IPv4 address at the connection's other end."""
    with _socket(stream) as copy:
        address, _ = copy.getpeername()
        return str(address)


def _socket(stream: connection.Connection) -> socket.socket:
    """A second handle of a connection's socket; to close it leaves the connection open."""
    copy = os.dup(stream.fileno())
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, fileno=copy)


def _address_of(interface: str) -> str:
    """The IPv4 address of an interface; "" if it has none."""
    request = struct.pack(f"{REQUEST_BYTES}s", interface.encode()[: NAME_BYTES - 1])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as unsent:
        try:
            answer = fcntl.ioctl(unsent.fileno(), GET_ADDRESS, request)
        except OSError:
            return ""
    return socket.inet_ntoa(answer[ADDRESS])
