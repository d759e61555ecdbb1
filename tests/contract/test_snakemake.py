"""What the workflow relies on in Snakemake though it isn't promised."""

import inspect

import snakemake.api
from snakemake.scheduling.job_scheduler import JobScheduler


def test_without_a_rate_limiter_the_scheduler_wakes_only_for_jobs():
    """The Snakefile takes it away, so that nothing but the run works while one is measured."""
    waking = inspect.getsource(JobScheduler.schedule)
    assert "if self.job_rate_limiter is not None:" in waking
    assert waking.count("_schedule_reevalutation") == 2  # that one, and for input from a queue


def test_without_the_users_force_only_what_is_marked_as_incomplete_is_forced():
    """By that common.smk finds the runs whose end Snakemake took no note of."""
    checking = inspect.getsource(snakemake.dag.DAG.check_incomplete)
    assert "self.forcefiles.update(incomplete_files)" in checking


def test_on_a_keyboard_interrupt_the_scheduler_starts_nothing_more():
    """That is the way on which SIGINT and SIGTERM end a study (`stopping`)."""
    scheduling = inspect.getsource(JobScheduler.schedule)
    assert "except (KeyboardInterrupt, SystemExit):" in scheduling
