"""A real Slurm without root: two nodes on this host, from Debian's packages in a folder.

Sources: slurm.conf(5), cgroup.conf(5), slurmd(8) of Slurm 22.05.
"""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from waiting import PATIENCE_SECONDS, wait_for

from trainmark.environments import Unavailable, debian
from trainmark.parent import attached

OPTIONS = ("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "1")
"""Of Snakemake, for this Slurm: it keeps no accounts, and runs take seconds."""
LOCK = Path(__file__).parent / "cluster" / "slurm.debian.lock"
NODES = {"a": "first", "b": "second"}
"""Each in a partition of its own, beside the one of both."""
BOTH = "PartitionName=both Nodes=ALL MaxTime=INFINITE\n"
AS_HOST = ("unshare", "--uts", "sh", "-ec", 'hostname "$0"; exec "$@"')
"""Runs a command under another host name, the next word: for root, as slurmd sets groups."""
CONF = """\
ClusterName=little
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
PluginDir={plugins}
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdLogFile={folder}/slurmd-%n.log
SlurmdSpoolDir={folder}/spool-%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MinJobAge=600
ReturnToService=2
"""
NODE = "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} {size}\n"
PARTITION = "PartitionName={partition} Nodes={name} MaxTime=INFINITE {default}\n"
# Or slurmd ends where /sys/fs/cgroup isn't mounted.
CGROUP = "CgroupAutomount=no\nCgroupPlugin=cgroup/v1\n"
CLIENTS = ("srun", "sbatch", "squeue", "scancel", "scontrol", "sinfo", "sacct")
CLIENT = """\
#!/bin/sh
export SLURM_CONF={folder}/slurm.conf LD_LIBRARY_PATH={libraries}
exec {binary} "$@"
"""


class Slurm:
    """The daemons of one, in a folder that is an absolute path."""

    def __init__(self, folder: Path, *, are_hosts: bool = False) -> None:
        """Unpack and configure it; raises Unavailable. Its nodes may be hosts with their names."""
        self.folder, self._are_hosts = folder, are_hosts
        debian.install(LOCK, folder / "debian")
        libraries = f"{folder}/debian/usr/lib/x86_64-linux-gnu"
        self._plugins = f"{libraries}/slurm-wlm"
        self._libraries = f"{libraries}:{self._plugins}"
        self._daemons: list[subprocess.Popen[bytes]] = []
        self._configure()

    def _configure(self) -> None:
        """Write its settings, and programs that find them: jobs have no SLURM_CONF."""
        ports = free_ports(1 + len(NODES))
        host, user = socket.gethostname(), str(os.getuid())
        megabytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
        size = f"CPUs={os.cpu_count()} RealMemory={megabytes}"
        paths = {"folder": self.folder, "plugins": self._plugins}
        lines = CONF.format(**paths, host=host, user=user, port=next(ports))
        for name, partition in NODES.items():
            lines += NODE.format(name=name, host=host, port=next(ports), size=size)
            default = "Default=YES" if name == min(NODES) else ""
            lines += PARTITION.format(partition=partition, name=name, default=default)
            (self.folder / f"spool-{name}").mkdir()
        lines += BOTH
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(lines)
        (self.folder / "cgroup.conf").write_text(CGROUP)
        self.programs = self.folder / "bin"
        self.programs.mkdir()
        for client in CLIENTS:
            script = self.programs / client
            binary = self.folder / "debian/usr/bin" / client
            text = CLIENT.format(folder=self.folder, libraries=self._libraries, binary=binary)
            script.write_text(text)
            script.chmod(0o755)

    def start(self) -> None:
        """Start the daemons and wait until the nodes take jobs."""
        programs = self.folder / "debian/usr/sbin"
        self._start(programs / "slurmctld-wlm", "-D", "-c")
        for name in NODES:
            step = programs / "slurmstepd-wlm"
            before = (*AS_HOST, name) if self._are_hosts else ()
            self._start(*before, programs / "slurmd-wlm", "-D", "-N", name, "-d", str(step))
        states = ("--Node", "--noheader", "--format=%T")
        wait_for(lambda: {*self.call("sinfo", *states).split()} == {"idle"})

    def _start(self, *command: str | Path) -> None:
        """Start a daemon that ends with these tests."""
        conf = f"{self.folder}/slurm.conf"
        variables = {**os.environ, "SLURM_CONF": conf, "LD_LIBRARY_PATH": self._libraries}
        with (self.folder / "daemons.log").open("ab") as log:
            daemon = subprocess.Popen(attached(*command), env=variables, stdout=log, stderr=log)
        self._daemons.append(daemon)

    def stop(self) -> None:
        """End all jobs and daemons."""
        self.cancel_all()
        for daemon in reversed(self._daemons):
            daemon.terminate()
        for daemon in self._daemons:
            daemon.wait(timeout=PATIENCE_SECONDS)

    def call(self, program: str, *arguments: str, folder: Path | None = None) -> str:
        """What one of Slurm's programs prints."""
        command = [str(self.programs / program), *arguments]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_SECONDS
        )
        assert done.returncode == 0 or program == "sinfo", done.stderr
        return done.stdout

    def cancel_all(self) -> None:
        """Cancel all jobs and wait for their end."""
        self.call("scancel", "--user", str(os.getuid()))
        wait_for(lambda: not self.call("squeue", "--noheader"))

    def job(self, number: str) -> dict[str, str]:
        """What Slurm tells of a job."""
        words = self.call("scontrol", "--oneliner", "show", "job", number).split()
        return dict(word.partition("=")[::2] for word in words)


@contextmanager
def running(folder: Path, *, are_hosts: bool = False) -> Iterator[Slurm]:
    """One whose daemons run; where its packages can't be had, the test is skipped."""
    try:
        slurm = Slurm(folder, are_hosts=are_hosts)
    except Unavailable as error:
        pytest.skip(f"needs Slurm from Debian's packages: {error}")
    try:
        slurm.start()
        yield slurm
    finally:
        slurm.stop()


def free_ports(count: int) -> Iterator[int]:
    """Ports that nothing listens at."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    numbers = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return iter(numbers)
