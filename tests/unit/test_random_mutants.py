"""Wrong work in random networks is noticed, or changes next to nothing."""

import numpy
import pytest
import random_networks
from examples import small_images
from judged import judged, reference_of, shares
from mutants import mutants

from worker.frameworks.numpy.adapter import Adapter
from worker.job import Job
from worker.proof.observe import training

DRAWS = (0, 1)
PART = 10
"""How many networks a test tries: nearly sixty mutants."""
NUMBERS = [
    pytest.param(first, marks=[pytest.mark.whole] if first >= 3 * PART else [])
    for first in range(0, 90, PART)
]
SMALL = {
    "each GELU by tanh",  # 0.0005 off at most
    "first response not normalised",  # alpha is 0.0001
    "statistics 0.99",  # of images with mean 0 and variance 1, from which statistics start
    "weight_decay x 20",  # beside a learning rate of 0.00001
}
"""Mutants that in some networks change less than parity allows."""


def judgements(references, network, job, adapter):
    """What is judged of an adapter in both draws of images; a run passes with one of them."""
    return [
        judged(reference, adapter(job), network, job, draw)
        for draw, reference in zip(DRAWS, references, strict=True)
    ]


def largest_shares(results):
    return [max(shares(result).values()) for result in results]


@pytest.mark.parametrize("first", NUMBERS)
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value", "ignore:divide by zero")
def test_each_is_noticed_or_changes_next_to_nothing(first):
    unnoticed = []
    for number in range(first, first + PART):
        drawn = random_networks.of_number(number)
        job = Job(**small_images("lenet"))._replace(**drawn.settings)
        network = random_networks.build(drawn.steps, drawn.image_shape, drawn.classes)
        references = [reference_of(network, job, training, draw) for draw in DRAWS]
        right = largest_shares(judgements(references, network, job, Adapter))
        for mutant in mutants(network, job):
            results = judgements(references, network, job, mutant.adapter)
            is_noticed = not any(result["passed"] for result in results)
            is_alike = numpy.allclose(largest_shares(results), right, rtol=0.5)
            if not (is_noticed or is_alike or mutant.title in SMALL):
                unnoticed.append(f"{number}: {mutant.title}: {random_networks.text_of(network)}")
    assert not unnoticed, "\n".join(unnoticed)
