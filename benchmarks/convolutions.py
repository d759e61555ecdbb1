"""How fast JAX's convolutions and products are by XLA, and in our adapter's ways.

usage: python benchmarks/convolutions.py [--threads N]

On the CPU, forward and both gradients, in three ways in turns in one process: XLA's convolution;
the same with a gradient by the kernel of products, one for each of its positions; all as sums of
such products. Then products of a dense layer: by XLA, and with a gradient by a single row that is a
product of the kernel and a column. Printed are median milliseconds, and in brackets the seconds of
the first call, which compiles. From this come the rules in convolutions.py and products.py of
worker/frameworks/jax.
"""

import argparse
import os
import subprocess
import sys

from interpreters import framework_interpreter
from places import RIVALS, SCRIPTS


def main() -> None:
    """Print a line for each convolution."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    threads = parser.parse_args().threads
    interpreter = framework_interpreter("jax")
    if interpreter is None:
        sys.exit("jax: its environment is not built")
    script = RIVALS / "convolutions_jax.py"
    command = [interpreter.python, str(script), str(threads), str(SCRIPTS)]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
