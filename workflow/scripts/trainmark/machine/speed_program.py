"""The program that measures a machine's speed: NumPy's products of matrices, and copies in memory.

usage: python speed_program.py THREADS

It prints GFLOP/s and GB/s as JSON. The product has as many threads as NumPy's BLAS was told by
variables of the environment. Sources: GEMM of BLAS, level 3 (Dongarra et al. 1990); Copy of STREAM
(McCalpin 1995), whose bytes are those read and those written.
"""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import perf_counter

import numpy as np

SIZE = 1024  # rows and columns of a matrix
COPIED_BYTES = 2**26  # by all threads together,
LEAST_COPIED_BYTES = 2**24  # but by each thread more than its caches hold
SECONDS = 0.15  # of each measurement


def gflops() -> float:
    """Billions of operations per second of products of two matrices."""
    first, second, product = (np.ones((SIZE, SIZE), np.float32) for _ in range(3))
    return 2 * SIZE**3 * per_second(lambda: np.matmul(first, second, out=product)) / 1e9


def gigabytes_per_second(threads: int) -> float:
    """Billions of bytes per second of copies, by all threads at once."""
    size = max(COPIED_BYTES // threads, LEAST_COPIED_BYTES)
    start = Barrier(threads)
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(_copied_per_second, [size] * threads, [start] * threads)) / 1e9


def _copied_per_second(size: int, start: Barrier) -> float:
    """Bytes per second that a thread reads and writes, timed while all others copy as well."""
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    start.wait()
    return 2 * size * per_second(lambda: np.copyto(target, source))


def per_second(call: Callable[[], object]) -> float:
    """How often a second a call can be made, after a first one that isn't timed."""
    call()
    count, start = 0, perf_counter()
    while True:
        call()
        count, seconds = count + 1, perf_counter() - start
        if seconds > SECONDS:
            return count / seconds


if __name__ == "__main__":
    print(json.dumps([gflops(), gigabytes_per_second(int(sys.argv[1]))]))
