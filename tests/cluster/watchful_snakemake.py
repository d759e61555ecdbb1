"""Snakemake that looks every second for the end of its jobs.

Its plug-in for Slurm looks after some seconds and then after 10 more each time, which no setting
changes: a job of three seconds would be waited for a quarter of a minute.
"""

from snakemake import cli
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor

RemoteExecutor.next_seconds_between_status_checks = property(
    lambda self: 1, lambda self, seconds: None
)
cli.main()
