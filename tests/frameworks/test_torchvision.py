"""PyTorch beside torchvision: its networks are ours, and it decodes the image files."""

import subprocess
from pathlib import Path

import examples
import image_files
import numpy as np
import pytest

from trainmark.runs import events
from trainmark.study import plugins

PROBE = Path(__file__).parent / "probe_torchvision.py"
# Our networks that are torchvision's too, by their names. Its AlexNet and its GoogLeNet are others:
# docs/reference/networks.md says in what.
SAME = (
    "densenet161",
    "efficientnet_b0",
    "mobilenet_v2",
    "resnet152",
    "resnet50",
    "vgg16",
    "vit_b_16",
)
PUBLISHED = {**examples.LENET, "image_shape": [3, 224, 224], "classes": 1000, "batch_size": 2}
IMAGES = {
    **examples.LENET,
    "dataset": image_files.UNTOUCHED,
    "image_shape": [3, 32, 32],
    "classes": image_files.CLASSES,
    "batch_size": 4,
    "steps": 2,
}


@pytest.fixture(scope="module")
def environment(framework_environment):
    """PyTorch's environment, if torchvision is installed in it."""
    interpreter = framework_environment("pytorch")
    program = "import importlib.util as u, sys; sys.exit(u.find_spec('torchvision') is None)"
    if subprocess.run([interpreter.python, "-I", "-c", program]).returncode:
        pytest.skip(f"needs torchvision, which {interpreter.python} has not")
    return interpreter


LARGEST = ("densenet161", "resnet152", "vgg16")


@pytest.mark.parametrize(
    "network",
    [pytest.param(name, marks=pytest.mark.whole if name in LARGEST else ()) for name in SAME],
)
def test_the_same_weights_give_the_same_logits(run_script, environment, tmp_path, network):
    job, folder = {**PUBLISHED, "network": network}, tmp_path / "run"
    run_script(environment, PROBE, job, folder, plugins.SCRIPTS, "job.json", "logits.npz")
    with np.load(folder / "logits.npz") as logits:
        assert logits["theirs"].std() > 0.1
        np.testing.assert_allclose(logits["ours"], logits["theirs"], rtol=1e-4, atol=1e-4)


def test_torchvision_decodes_image_files(environment, run_events):
    log = run_events("pytorch", IMAGES, environment).events
    assert events.last(log, "environment")["libraries"]["torchvision"].startswith("0.")


def test_pillow_does_where_torchvision_can_not_be_imported(environment, run_events):
    if "LD_LIBRARY_PATH" not in environment.variables:
        pytest.skip("needs a torchvision that is built for another PyTorch")
    log = run_events("pytorch", IMAGES, environment._replace(variables={})).events
    assert events.last(log, "environment")["libraries"]["torchvision"] is None
    assert log[-1]["event"] == "end"


def test_runs_without_image_files_do_without_it(environment, run_events):
    log = run_events("pytorch", examples.LENET, environment).events
    assert "torchvision" not in events.last(log, "environment")["libraries"]
