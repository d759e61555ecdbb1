"""A schedule's learning rates go on from the warm-up into the window."""

import itertools

from examples import LENET

from worker.job import Job
from worker.stages import train


class Trainer:
    """An adapter that notes the rates of its steps."""

    def __init__(self):
        self.rates = []

    def set_rate(self, rate):
        self.rate = rate

    def train_step(self, batch):
        self.rates.append(self.rate)
        return 2.3

    def synchronise(self):
        pass


def test_the_rate_is_set_before_each_step(monkeypatch):
    monkeypatch.setattr(train.modes, "training_batches", lambda *_: itertools.repeat(None))
    schedule = {"steps": {"every": 2, "factor": 0.5}}
    settings = {"learning_rate": 1.0, "schedule": schedule, "warmup_steps": 3, "steps": 3}
    trainer = Trainer()
    train.train(trainer, Job(**{**LENET, **settings}))
    assert trainer.rates == [1, 1, 0.5, 0.5, 0.25, 0.25]
