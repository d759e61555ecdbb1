"""What every network in the folder must fulfil."""

import pytest

from trainmark.study import plugins
from worker import networks
from worker.networks.neutral import operations

PUBLISHED = [
    pytest.param(name, variant, count, id=f"{name}-{variant}")
    for name in plugins.names("network")
    for variant, count in plugins.facts("network", name)["PUBLISHED"].items()
]

MULTIPLY_ADDS = [
    pytest.param(name, variant, count, id=f"{name}-{variant}")
    for name in plugins.names("network")
    for variant, count in plugins.facts("network", name).get("PUBLISHED_MULTIPLY_ADDS", {}).items()
]


def built(name, variant):
    shape, classes = variant.rsplit("-", 1)
    return networks.build(name, tuple(map(int, shape.split("x"))), int(classes))


@pytest.mark.parametrize(("name", "variant", "count"), PUBLISHED)
def test_it_has_the_published_number_of_parameters(name, variant, count):
    assert built(name, variant).parameter_count == count


@pytest.mark.parametrize(("name", "variant", "count"), PUBLISHED)
def test_it_reads_text_where_it_has_an_embedding(name, variant, count):
    kinds = {layer.kind for layer in built(name, variant).layers}
    assert networks.reads_text(name) == ("embedding" in kinds)


@pytest.mark.parametrize(("name", "variant", "count"), MULTIPLY_ADDS)
def test_it_has_the_published_number_of_multiply_adds(name, variant, count):
    assert operations.forward(built(name, variant)) == pytest.approx(count, abs=0.5e6)


@pytest.mark.parametrize("name", plugins.names("network"))
def test_it_states_its_source(name):
    assert len(plugins.facts("network", name)["SOURCE"]) > 20


@pytest.mark.parametrize(("name", "variant", "count"), PUBLISHED)
def test_its_layers_have_names_of_their_own_and_end_in_the_classes(name, variant, count):
    network = built(name, variant)
    names = [layer.name for layer in network.layers]
    assert len(names) == len(set(names))
    assert network.layers[-1].shape[-1] == network.classes
