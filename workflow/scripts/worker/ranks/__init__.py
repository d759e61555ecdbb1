"""Several processes of one run: a rank for each device or node, led by the runner's process.

all_devices.py  AllRanks: the adapter that passes its methods on to all ranks
leader.py       rank 0, which calls methods on all ranks
rank.py         a rank: its adapter, its results, and how it follows the leader
followers.py    the leader's ends of the other ranks
nodes.py        how processes of other nodes connect to the leader's
follow.py       the program of such a process
network.py      addresses and interfaces by which ranks reach each other
mpi.py          an MPI world for processes that mpiexec didn't start; agent.py stands in for ssh
programs.py     programs beside a rank, which end with it
"""
