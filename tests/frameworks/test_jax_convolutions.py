"""JAX's convolutions by products are those of XLA, and so are their gradients."""

import json
from pathlib import Path

import examples
import numpy as np

from trainmark.study import plugins

PROBE = Path(__file__).parent / "probe_jax_convolutions.py"
SETTINGS = [
    {"kernel": 3, "padding": 1},
    {"kernel": 3, "stride": 2, "padding": 1},
    {"kernel": 5, "stride": 3},
    {"kernel": 4, "stride": 2, "padding": 2},
    {"kernel": 1, "padding": 1},
]


def test_products_give_what_convolutions_give(run_script, framework_environment, tmp_path):
    arguments = (plugins.SCRIPTS, json.dumps(SETTINGS))
    environment = framework_environment("jax")
    printed = run_script(environment, PROBE, examples.LENET, tmp_path / "probe", *arguments)
    differences = json.loads(printed.splitlines()[-1])
    assert 0 < np.max(differences) < 1e-5  # of equal ways they would be 0
    assert len(differences) == len(SETTINGS)
