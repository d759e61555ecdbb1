"""Progress of a long conversion: a bar on a terminal, and now and then a line in the log."""

import logging
import time
from collections.abc import Iterator

from tqdm import tqdm

from trainmark.data.write.encoded import Block

LOG_SECONDS = 5.0

logger = logging.getLogger(__name__)


def shown(blocks: Iterator[Block], name: str, first: int, count: int) -> Iterator[Block]:
    """Pass blocks of images on; `count` are to come in all, from number `first` on."""
    started = reported = time.monotonic()
    done = first
    with tqdm(total=count, initial=first, desc=name, unit="image", disable=None) as bar:
        for block in blocks:
            yield block
            bar.update(len(block.images))
            done += len(block.images)
            now = time.monotonic()
            if now - reported > LOG_SECONDS:
                reported, speed = now, (done - first) / (now - started)
                left = (count - done) / speed
                logger.info(
                    "%s: %d of %d images, %.0f images/s, %.0f s left",
                    name,
                    done,
                    count,
                    speed,
                    left,
                )
