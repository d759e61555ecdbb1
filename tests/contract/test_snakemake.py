"""What the workflow relies on in Snakemake though it isn't promised."""

import inspect

from snakemake.scheduling.job_scheduler import JobScheduler


def test_without_a_rate_limiter_the_scheduler_wakes_only_for_jobs():
    """The Snakefile takes it away, so that nothing but the run works while one is measured."""
    waking = inspect.getsource(JobScheduler.schedule)
    assert "if self.job_rate_limiter is not None:" in waking
    assert waking.count("_schedule_reevalutation") == 2  # that one, and for input from a queue
