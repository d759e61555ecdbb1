"""Equal work, shown: each network on small images, in each framework, against the reference."""

from pathlib import Path

import examples
import pytest

from trainmark.runs import events
from trainmark.study import plugins
from worker import networks

PROBE = Path(__file__).parent / "probe_networks.py"
# Some minutes each in some frameworks. The study of parity has them; of their kinds of layers and
# blocks, resnet50 and tests/little_networks.py have all.
DEEP = {"densenet161", "resnet152"}
JOBS = {name: examples.small_images(name) for name in plugins.names("network") if name not in DEEP}
JOBS["lenet"]["learning_rate"] = 0.001  # on random images, larger steps of this one diverge
# Where rounding decides a ReLU or a maximum, float32 alone is off by some 1e-3 in these two.
LIMITS = dict.fromkeys(JOBS, 1e-3) | {"googlenet": 1e-2, "resnet50": 1e-2}


@pytest.fixture(scope="module")
def parities(run_script, tmp_path_factory, reference, framework_environment):
    """The parity event of each network, all of one adapter's made in one process."""
    made = {}

    def of_adapter(adapter):
        if adapter not in made:
            environment = framework_environment(adapter)
            jobs = [
                {**examples.of_adapter(job, adapter), "reference": str(reference(job))}
                for job in JOBS.values()
            ]
            folder = tmp_path_factory.mktemp("networks") / adapter
            printed = run_script(environment, PROBE, jobs, folder, plugins.SCRIPTS, "job.json")
            told = events.parse(printed)
            made[adapter] = {
                kind: [event for event in told if event["event"] == kind]
                for kind in ("network", "parity", "window_end")
            }
        return made[adapter]

    return of_adapter


@pytest.mark.parametrize("network", JOBS)
@pytest.mark.parametrize("adapter", plugins.names("framework"))
def test_a_framework_does_the_work_of_the_reference(parities, adapter, network):
    told = {kind: found[list(JOBS).index(network)] for kind, found in parities(adapter).items()}
    expected = networks.build(network, (3, 32, 32), 10)
    assert told["network"]["parameter_count"] == expected.parameter_count
    assert told["parity"]["passed"], told["parity"]
    assert told["parity"]["error"] < LIMITS[network], told["parity"]
    assert told["window_end"]["steps"] == 1  # of the network with its dropout
