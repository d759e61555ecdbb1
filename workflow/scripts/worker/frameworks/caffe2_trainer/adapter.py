"""Caffe2, which has no loop of its own, in the form of its ResNet-50 trainer.

It times each run of the net, including its input, prints images per second, and then fetches the
loss and prints it. The accuracy of the trainer's net is left out.

Source: https://github.com/pytorch/pytorch/blob/v1.4.0/caffe2/python/examples/resnet50_trainer.py.
"""

import logging
import sys
import time
from typing import List

from caffe2.python import workspace

from worker.frameworks.caffe2 import adapter as caffe2
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop

TITLE = "Caffe2 (ResNet-50 trainer)"
FORMAT = "lmdb"
ENVIRONMENT = "caffe2"
STAGES = ("train",)
DIALECT = "caffe2"

LOG = logging.getLogger("resnet50_trainer")
FINISHED = "Finished iteration %d/%d of epoch 0 (%.2f images/sec)"


class Adapter(OwnLoop, caffe2.Adapter):
    """Caffe2's net in the trainer's loop."""

    dialect = DIALECT

    def fit(self, feed: Feed) -> List[float]:
        logging.basicConfig(stream=sys.stdout, level=logging.INFO)
        (replica,) = self.replicas
        losses = []
        for iteration in range(feed.steps):
            start = time.time()
            images, labels = next(feed)
            assert len(labels) == self.job.batch_size
            replica.feed(images=images, labels=labels)
            workspace.RunNet(self.nets["training"])
            speed = self.job.batch_size / (time.time() - start)
            LOG.info(FINISHED, iteration + 1, feed.steps, speed)
            losses.append(float(replica.fetch("loss")))
            LOG.info("Training loss: %s", losses[-1])
        return losses
