"""How fast JAX and TensorFlow are at convolutions in groups on the CPU, by each way there is.

usage: python benchmarks/groups.py [--threads N] [VARIANT ...]

Ways: each group by a convolution of its own (split), the framework's own operator for groups, and
for depthwise convolutions TensorFlow's operator for them or, in JAX, products with each place of
the kernel. Forward and backward of one convolution, all ways in turns in one process: median
milliseconds, and in brackets the seconds of the first call, which compiles. From this come the
rules in worker/frameworks/jax/layers.py and worker/frameworks/tensorflow/layers.py.
"""

import argparse
import os
import subprocess

from interpreters import framework_interpreter
from places import RIVALS

# The framework of each, and what else its script is told.
VARIANTS = {
    "jax": ("jax", ()),
    "tensorflow": ("tensorflow", ()),
    "tensorflow-xla": ("tensorflow", ("jit_compile",)),
}


def main() -> None:
    """Print a line for each convolution in each framework."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help=f"of {', '.join(VARIANTS)}")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    for variant in arguments.variants or VARIANTS:
        framework, more = VARIANTS[variant]
        interpreter = framework_interpreter(framework)
        if interpreter is None:
            print(f"{variant}: skipped, its environment is not built")
            continue
        print(variant, flush=True)
        script = RIVALS / f"groups_{framework}.py"
        command = [interpreter.python, str(script), str(arguments.threads), *more]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
