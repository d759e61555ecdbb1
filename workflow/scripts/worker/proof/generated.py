"""The check of generated tokens: one pass over the generated texts must give each of them."""

import numpy

from worker import events
from worker.adapter import Adapter
from worker.input import fixed_batch
from worker.job import Job
from worker.proof import tolerances


def check(adapter: Adapter, job: Job, tokens: numpy.ndarray) -> None:
    """Emit how many tokens (n, steps), generated from the fixed batch, one pass gives, too.

    Only the distinct texts are read, which are the first ones. A token whose logit is as large as
    the largest one, as far as twice the proof's limit tells, is a tie. Raises events.ParityFailed
    for any other token.
    """
    images, labels = fixed_batch.distinct(job)
    tokens = tokens[: len(images)]
    images[..., -job.steps :] = tokens[:, None, None]
    logits, _ = adapter.predict(adapter.batch(images, labels))
    rows = logits[:, -job.steps - 1 : -1].reshape(tokens.size, -1)
    numbers = tokens.reshape(-1)
    behind = (rows.max(axis=1) - rows[numpy.arange(len(rows)), numbers]) / numpy.abs(rows).max()
    same = rows.argmax(axis=1) == numbers
    limit = 2 * tolerances.of_logits(job)
    ties = ~same & (behind <= limit)
    events.emit("generated", tokens=len(rows), same=int(same.sum()), ties=int(ties.sum()))
    wrong = int((~same & ~ties).sum())
    if wrong:
        raise events.ParityFailed(
            f"{wrong} of {len(rows)} generated tokens aren't those of one pass over the whole "
            f"texts: logits behind the largest by up to {behind.max():.1e} (allowed {limit:.0e})"
        )
