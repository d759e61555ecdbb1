"""Memory on processors: glibc returns what PyTorch frees, so each step takes its blocks anew."""

import ctypes

# <malloc.h>
TRIM_THRESHOLD, MMAP_MAX = -1, -4


def keep_freed() -> None:
    """Have glibc keep all freed memory of this process (mallopt(3)).

    By default it maps each block above 32 MiB for itself, and the kernel clears every page of it
    when it is first touched. Freed blocks of other sizes don't fit, so the process grows.
    """
    library = ctypes.CDLL(None)
    library.mallopt(TRIM_THRESHOLD, -1)
    library.mallopt(MMAP_MAX, 0)
