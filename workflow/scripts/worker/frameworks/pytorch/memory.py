"""Memory on processors: glibc returns what PyTorch frees, so each step takes its blocks anew."""

import ctypes

from worker.events import Unsupported

# <malloc.h>
TRIM_THRESHOLD, MMAP_MAX = -1, -4


def keep_freed() -> None:
    """Have glibc keep all freed memory of this process (mallopt(3)).

    By default it maps each block above 32 MiB for itself, and the kernel clears every page of it
    when it is first touched. Raises Unsupported where another library allocates.
    """
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt"):
        raise Unsupported("option keep_memory needs glibc")
    library.mallopt(TRIM_THRESHOLD, -1)
    library.mallopt(MMAP_MAX, 0)
