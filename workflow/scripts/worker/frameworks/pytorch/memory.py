"""Memory on processors: glibc returns what PyTorch frees, so each step takes its blocks anew."""

import ctypes
from typing import Any, Mapping

from worker.events import Unsupported
from worker.job import Job

# <malloc.h>
TRIM_THRESHOLD, MMAP_MAX = -1, -4


def check(job: Job, options: Mapping[str, Any]) -> None:
    """Raise Unsupported for the option `keep_memory` on GPUs."""
    if options["keep_memory"] and job.device_kind != "cpu":
        raise Unsupported("option keep_memory is for processors")


def keep_freed() -> None:
    """Have glibc keep all freed memory of this process (mallopt(3)).

    By default it gives back each block above 32 MiB, and of smaller ones what is free at the end of
    its heap; the kernel clears each page that is taken anew. Kept blocks of other sizes don't fit,
    so the process may grow.
    """
    library = ctypes.CDLL(None)
    library.mallopt(TRIM_THRESHOLD, -1)
    library.mallopt(MMAP_MAX, 0)
