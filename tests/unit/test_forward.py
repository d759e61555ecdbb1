"""The forward pass over a framework's table of layers."""

import pytest

from worker.events import Unsupported
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import forward

KINDS = {"conv": lambda layer, weights, x: x, "dense": lambda layer, weights, x: x}


def test_a_kind_that_a_framework_has_not_is_reported():
    net = Network((1, 4, 4), classes=10)
    net.relu("stem/relu", net.input)
    message = "no layer kind relu, as layer stem/relu is; there are conv, dense"
    with pytest.raises(Unsupported, match=message):
        forward(net, KINDS, images=None, values={})
