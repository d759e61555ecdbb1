"""JAX, which has no loop of its own, in the form of the ImageNet example of Flax.

Losses stay on the device; every `log_every` steps they are fetched, and a line has their mean and
the steps per second since the line before. The example's accuracy is left out.

Sources: https://github.com/google/flax/blob/main/examples/imagenet/train.py and
https://github.com/google/CommonLoopUtils/blob/main/clu/metric_writers/logging_writer.py.
"""

import time
from typing import List

import jax
import numpy

from worker.frameworks.jax import adapter as jax_adapter
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop

TITLE = "JAX (Flax ImageNet example)"
FORMAT = "tfrecord"
ENVIRONMENT = "jax"
STAGES = ("train",)
DIALECT = "flax"
OPTIONS = {"log_every": 10}


class Adapter(OwnLoop, jax_adapter.Adapter):
    """JAX's jitted step in the example's loop."""

    dialect = DIALECT
    loop_options = OPTIONS

    def fit(self, feed: Feed) -> List[numpy.ndarray]:
        every, losses, queued = self.loop_settings["log_every"], [], []
        last = time.time()
        for step, batch in enumerate(feed, start=1):
            queued.append(jax_adapter.Adapter.train_step(self, batch))
            if step % every == 0:
                losses += jax.device_get(queued)
                mean, queued = numpy.mean(losses[-every:]), []
                rate = every / (time.time() - last)
                print(f"[{step}] steps_per_second={rate:.6f}, train_loss={mean:.6f}", flush=True)
                last = time.time()
        return losses + queued
