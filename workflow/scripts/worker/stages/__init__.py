"""One file per stage: what is measured once a network is built and proven.

At the top of a file stand, as literals that the host reads without importing it:

    MAIN_METRIC      the metric by which its runs are ranked and compared
    UPDATES_WEIGHTS  whether it trains, so that a case needs the optimiser's settings
    INPUT_MODES      where its batches may come from
    TRAINED_INPUT_MODES  where they come from with the weights of another run, if it takes these

and for the runner:

    OBSERVE  what the parity check compares, a function of proof.observe
    run()    measures, and emits warmup, window_start and window_end at least
"""

import importlib
from typing import Any


def find(name: str) -> Any:
    """The module of a stage."""
    return importlib.import_module("worker.stages." + name)
