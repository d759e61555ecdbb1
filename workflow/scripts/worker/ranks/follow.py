"""The program of a process on another node: connects to the leader's process and follows it.

usage: python -I follow.py, with the environment that worker.ranks.nodes names
"""

import sys
from contextlib import suppress
from pathlib import Path

# Last in the path, so that this folder shadows none of the environment's packages.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from worker.ranks import nodes
from worker.ranks.rank import follow


def main() -> None:
    """Follow until the leader ends."""
    orders, life = nodes.follow_leader()
    with suppress(EOFError):  # the leader ended before it gave this process a rank
        rank, make, arguments = orders.recv()
        follow(rank, make, arguments, orders, life)


if __name__ == "__main__":
    main()
