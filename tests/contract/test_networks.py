"""What every network found must hold."""

import pytest

from trainmark.study import plugins
from worker import networks

PUBLISHED = [
    pytest.param(name, variant, count, id=f"{name}-{variant}")
    for name in plugins.names("network")
    for variant, count in plugins.facts("network", name)["PUBLISHED"].items()
]


@pytest.mark.parametrize(("name", "variant", "count"), PUBLISHED)
def test_it_has_the_published_number_of_parameters(name, variant, count):
    shape, classes = variant.rsplit("-", 1)
    network = networks.build(name, tuple(map(int, shape.split("x"))), int(classes))
    assert network.parameter_count == count


@pytest.mark.parametrize("name", plugins.names("network"))
def test_it_states_its_source(name):
    assert len(plugins.facts("network", name)["SOURCE"]) > 20


@pytest.mark.parametrize(("name", "variant", "count"), PUBLISHED)
def test_its_layers_have_names_of_their_own_and_end_in_the_classes(name, variant, count):
    shape, classes = variant.rsplit("-", 1)
    network = networks.build(name, tuple(map(int, shape.split("x"))), int(classes))
    names = [layer.name for layer in network.layers]
    assert len(names) == len(set(names))
    assert network.layers[-1].shape == (int(classes),)
