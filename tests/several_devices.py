"""Several devices, of one node or of several, train together as the reference does alone."""

import numpy as np
import pytest

from trainmark.runs import events


def check_losses(run_events, host_environment, adapter, job, **several):
    """Each step of a job has the reference's loss where these settings make it one of several."""
    expected = run_events("numpy", job, host_environment).events
    log = run_events(adapter, {**job, **several}).events
    losses = [events.last(each, "window_end")["losses"] for each in (log, expected)]
    assert len(losses[0]) == job["steps"]
    np.testing.assert_allclose(*losses, rtol=1e-3)


def check_recognised(run_events, host_environment, adapter, job, **several):
    """As many test images are recognised; the last batch of them has one."""
    expected = events.last(run_events("numpy", job, host_environment).events, "evaluation")
    evaluation = events.last(run_events(adapter, {**job, **several}).events, "evaluation")
    both = evaluation, expected
    assert evaluation["count"] == expected["count"] == 4 * job["batch_size"] + 1, both
    assert evaluation["top1"] == pytest.approx(expected["top1"], abs=0.7), both
