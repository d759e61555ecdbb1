"""PyTorch by the loop of its ImageNet example, since PyTorch has no training loop of its own.

In each step the example copies the loss to the host and computes two accuracies. Every `log_every`
steps it prints a line with the last values, and with the means since the epoch's start.

Source: https://github.com/pytorch/examples/blob/main/imagenet/main.py.
"""

import time
from typing import List

import torch
from torch.nn.functional import cross_entropy

from worker.frameworks.pytorch import adapter as pytorch
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop

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
        losses_of_steps = []
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
            losses_of_steps.append(losses.value)
            if step % self.loop_settings["log_every"] == 0:
                done = f"[{step + 1:{len(str(feed.steps))}d}/{feed.steps}]"
                print("\t".join(["Epoch: [0]" + done, *map(str, meters)]), flush=True)
        return losses_of_steps


class Meter:
    """The last value and the mean of a quantity, and the format in which they are printed."""

    def __init__(self, name: str, form: str) -> None:
        self.name, self.form = name, form
        self.value = self.total = 0.0
        self.count = 0

    def update(self, value: float, count: int = 1) -> None:
        """Add `value`, the mean of `count` images."""
        self.value = value
        self.total += value * count
        self.count += count

    def __str__(self) -> str:
        """The last value and the mean, as the log prints them."""
        value, mean = map(self.form.format, (self.value, self.total / self.count))
        return f"{self.name} {value} ({mean})"


def accuracies(logits: torch.Tensor, labels: torch.Tensor) -> List[torch.Tensor]:
    """Top-1 and top-5 accuracy in percent, on the device: the example waits for the loss alone."""
    with torch.no_grad():
        best = logits.topk(min(5, logits.shape[1])).indices
        is_right = best == labels[:, None]
        return [100 * is_right[:, :k].any(dim=1).float().mean() for k in (1, 5)]
