"""How long the timed window is: so many steps at least, and so many seconds."""

import time

import pytest
from examples import LENET

from trainmark.analyse.run.steps import QUEUED_STEPS
from trainmark.runs import events
from worker.job import Job
from worker.stages import train
from worker.timing import windows


class Adapter:
    """Takes ten milliseconds a step, or queues them to be done when it is waited for."""

    def __init__(self, queues):
        self.queues, self.due, self.updates = queues, 0.0, 0

    def train_step(self, batch):
        self.due = max(self.due, time.monotonic()) + 0.01
        self.updates += 1
        time.sleep(0.001 if self.queues else 0.01)
        return 2.3

    def synchronise(self):
        time.sleep(max(0.0, self.due - time.monotonic()))


def window(capsys, queues=False, **settings):
    """The window of a job: its length in seconds, and the event that ends it."""
    adapter = Adapter(queues)
    train.window(adapter, adapter.train_step, iter(int, 1), Job(**{**LENET, **settings}))
    printed_events = events.parse(capsys.readouterr().out)
    start, end = (events.last(printed_events, f"window_{edge}") for edge in ("start", "end"))
    assert end["steps"] == adapter.updates == len(end["losses"]) == len(end["step_end_seconds"])
    assert end["images"] == end["steps"] * LENET["batch_size"]
    return end["time_seconds"] - start["time_seconds"], end


def test_a_window_has_the_steps_that_are_requested(capsys):
    assert window(capsys, steps=5)[1]["steps"] == 5


@pytest.mark.parametrize("queues", [False, True])
def test_a_window_of_few_steps_goes_on_until_its_seconds_are_over(capsys, queues):
    seconds, end = window(capsys, queues, steps=2, window_seconds=0.2)
    assert seconds >= 0.2
    assert 2 < end["steps"] <= 25  # of ten milliseconds at least, though queued in one


@pytest.mark.parametrize(
    ("done", "seconds", "least", "further"),
    [
        (40, 0.1, 0.0, 0),
        (40, 1.0, 2.5, 60),
        (40, 0.1, 60.0, 360),  # they may have been the slow first ones, or the fast ones
        (40, 2.49, 2.5, 4),
    ],
)
def test_as_many_steps_follow_as_the_speed_so_far_needs(done, seconds, least, further):
    assert windows.further(done, seconds, least) == further


def test_steps_that_are_only_queued_can_be_told_by_the_window_s_end(capsys):
    seconds, end = window(capsys, queues=True, steps=2, window_seconds=0.2)
    assert seconds - end["step_end_seconds"][-1] > QUEUED_STEPS * seconds / end["steps"]


def test_a_window_longer_than_its_least_seconds_has_no_step_more(capsys):
    assert window(capsys, steps=8, window_seconds=0.02)[1]["steps"] == 8


def test_the_study_may_end_a_window_before_its_least_seconds(capsys):
    bounds = {"window_seconds": 5.0, "max_seconds": 0.1}
    assert window(capsys, steps=2, **bounds)[0] < 5.0
