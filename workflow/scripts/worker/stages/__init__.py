"""One file per stage: what is measured once a network is built and proven.

Each file begins with literals that the host reads without importing it:

    MAIN_METRIC      the metric by which its runs are ranked and compared
    UPDATES_WEIGHTS  whether it trains, so that a case needs the optimiser's settings
    INPUT_MODES      the input modes of its batches
    TRAINED_INPUT_MODES  the input modes with the weights of another run, if it takes these

For the runner it defines

    OBSERVE  what the parity check compares, a function of proof.observe
    run()    measures, and emits warmup, window_start and window_end at least
"""

import importlib
from typing import Any


def find(name: str) -> Any:
    """The module of a stage."""
    return importlib.import_module("worker.stages." + name)
