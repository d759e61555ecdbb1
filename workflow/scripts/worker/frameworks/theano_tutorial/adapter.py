"""Theano, which has no loop of its own, in the form of the deep learning tutorials.

A line precedes every hundredth iteration, and the last line has the minutes of the training. The
tutorials also validate after each epoch, within that time; here nothing is validated.

Source: https://github.com/lisa-lab/DeepLearningTutorials/blob/master/code/convolutional_mlp.py.
"""

import sys
import timeit
from pathlib import Path
from typing import List

from worker.frameworks.theano import adapter as theano
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop

TITLE = "Theano (tutorial)"
FORMAT = "lmdb"
ENVIRONMENT = "theano"
STAGES = ("train",)
DIALECT = "theano"
OPTIONS = {"log_every": 100}


class Adapter(OwnLoop, theano.Adapter):
    """Theano's function of a step in the tutorials' loop."""

    dialect = DIALECT
    loop_options = OPTIONS

    def fit(self, feed: Feed) -> List[float]:
        losses = []
        start = timeit.default_timer()
        for iteration, batch in enumerate(feed):
            if iteration % self.loop_settings["log_every"] == 0:
                print("training @ iter = ", iteration, flush=True)
            losses.append(float(theano.Adapter.train_step(self, batch)))
        minutes = (timeit.default_timer() - start) / 60
        print("Optimization complete.", flush=True)
        print(
            f"The code for file {Path(__file__).name} ran for {minutes:.2f}m",
            file=sys.stderr,
            flush=True,
        )
        return losses
