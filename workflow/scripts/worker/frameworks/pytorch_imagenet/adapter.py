"""PyTorch, which has no loop of its own, in the form of its reference ImageNet example.

Of each step that takes the loss to the host and computes two accuracies; each so many steps it
prints a line of the last values and of means since the epoch's start.

Source: https://github.com/pytorch/examples/blob/main/imagenet/main.py.
"""

import time
from typing import List

import torch
from torch.nn.functional import cross_entropy

from worker.feed import Feed
from worker.frameworks.pytorch import adapter as pytorch
from worker.own_training import OwnLoop

TITLE = "PyTorch (ImageNet example)"
FORMAT = "lmdb"
ENVIRONMENT = "pytorch"
STAGES = ("train",)
DIALECT = "pytorch_imagenet"
OPTIONS = {"log_every": 10}


class Adapter(OwnLoop, pytorch.Adapter):
    """PyTorch's module and optimiser in the example's loop."""

    dialect = DIALECT
    loop_options = OPTIONS

    def fit(self, feed: Feed) -> List[float]:
        meters = [
            Meter("Time", "{:6.3f}"),
            Meter("Data", "{:6.3f}"),
            Meter("Loss", "{:.4e}"),
            Meter("Acc@1", "{:6.2f}"),
            Meter("Acc@5", "{:6.2f}"),
        ]
        seconds, waited, losses, top1, top5 = meters
        self._set_training(True)
        each = []
        end = time.time()
        for step, (images, labels) in enumerate(feed):
            waited.update(time.time() - end)
            assert len(labels) == self.job.batch_size
            logits = self.forward(images)
            loss = cross_entropy(logits, labels)
            shares = accuracies(logits, labels)
            losses.update(loss.item(), len(labels))
            for meter, share in zip((top1, top5), shares):
                meter.update(share, len(labels))
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            seconds.update(time.time() - end)
            end = time.time()
            each.append(losses.value)
            if step % self.loop["log_every"] == 0:
                done = f"[{step + 1:{len(str(feed.steps))}d}/{feed.steps}]"
                print("\t".join(["Epoch: [0]" + done, *map(str, meters)]), flush=True)
        return each


class Meter:
    """The last value of a quantity and its mean, in a format."""

    def __init__(self, name: str, form: str) -> None:
        self.name, self.form = name, form
        self.value = self.total = 0.0
        self.count = 0

    def update(self, value: float, count: int = 1) -> None:
        """Take the mean of so many."""
        self.value = value
        self.total += value * count
        self.count += count

    def __str__(self) -> str:
        """Last value and mean, as the line has them."""
        value, mean = map(self.form.format, (self.value, self.total / self.count))
        return f"{self.name} {value} ({mean})"


def accuracies(logits: torch.Tensor, labels: torch.Tensor) -> List[float]:
    """Percent of the images whose class is the first, and among the first five."""
    with torch.no_grad():
        best = logits.topk(min(5, logits.shape[1])).indices
        found = best == labels[:, None]
        return [100 * found[:, :k].any(dim=1).float().mean().item() for k in (1, 5)]
