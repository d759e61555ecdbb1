"""One file per stage: the measurement that follows once a network is built and proven.

Each file begins with literals that the host reads without importing it:

    MAIN_METRIC          the metric by which the stage's runs are ranked and compared
    UPDATES_WEIGHTS      whether the stage trains, so that a case needs the optimiser's settings
    INPUT_MODES          the input modes that a case of the stage may have
    TRAINED_INPUT_MODES  the input modes of a case that starts from another run's trained weights;
                         absent where the stage accepts no such weights

For the runner, each file defines

    OBSERVE  the function of proof.observe that gets the quantities for the parity check
    run()    measures, and emits the events warmup, window_start and window_end at least
"""

import importlib
from typing import Any


def find(name: str) -> Any:
    """The module of a stage."""
    return importlib.import_module("worker.stages." + name)
