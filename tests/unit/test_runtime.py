"""What runtimes lack is refused by their base class, in one line."""

import adapters
import pytest
from examples import LENET

from trainmark.study import plugins
from worker.events import Unsupported
from worker.job import Job
from worker.models.runtime import Runtime

LACKED = {
    "train_step": ((None,), "litert predicts only"),
    "set_rate": ((0.1,), "litert predicts only"),
    "input_gradient": ((None, None), "litert has no gradient by its images"),
    "prefill": ((None,), "litert has no stage generate"),
}
"""Methods with arguments and the message."""


class Bare(Runtime):
    """What a runtime has of its base class."""

    def __init__(self, job):
        self.job = job


Bare.__abstractmethods__ = frozenset()


@pytest.mark.parametrize("method", LACKED)
def test_it_is_refused(method):
    arguments, message = LACKED[method]
    with pytest.raises(Unsupported, match=message):
        getattr(Bare(Job(**{**LENET, "adapter": "litert"})), method)(*arguments)


@pytest.mark.parametrize("name", adapters.RUNTIMES)
def test_no_runtime_has_it(name):
    text = plugins.path("framework", name).read_text(encoding="utf-8")
    assert not any(f"def {method}(" in text for method in LACKED)
