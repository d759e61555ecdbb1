"""Our convolutions and products in JAX are those of XLA, and so are their gradients."""

import json
from pathlib import Path

import examples
import numpy as np
import pytest

from trainmark.study import plugins

PROBE = Path(__file__).parent / "probe_jax_convolutions.py"
SETTINGS = [
    {"kernel": 3, "padding": 1},
    {"kernel": 3, "stride": 2, "padding": 1},
    {"kernel": 5, "stride": 3},
    {"kernel": 4, "stride": 2, "padding": 2},
    {"kernel": 1, "padding": 1},
]


@pytest.fixture(scope="module")
def differences(run_script, framework_environment, tmp_path_factory):
    arguments = (plugins.SCRIPTS, json.dumps(SETTINGS))
    environment = framework_environment("jax")
    folder = tmp_path_factory.mktemp("differences") / "probe"
    printed = run_script(environment, PROBE, examples.LENET, folder, *arguments)
    return json.loads(printed.splitlines()[-1])


def test_products_give_what_convolutions_give(differences):
    of_convolutions = differences["convolutions"]
    assert 0 < np.max(of_convolutions) < 1e-5  # of equal ways they would be 0
    assert len(of_convolutions) == len(SETTINGS)


def test_a_column_gives_what_a_row_and_a_transposed_matrix_give(differences):
    assert 0 < np.max(differences["products"]) < 1e-5
    assert len(differences["products"]) == 2
