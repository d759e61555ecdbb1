"""The order of a case's training images: as stored, or a new one in each epoch."""

import itertools

import numpy as np
import pytest
from examples import LENET
from small_study import case, make

from trainmark.study.config.errors import StudyError
from worker.input import shuffle
from worker.job import Job

JOB = Job(**LENET)._replace(batch_size=4, shuffle=True)
LABELS = np.arange(12)


def stored():
    """Three batches of an epoch, and the same again, as a reader gives them without end."""
    images = LABELS[:, None, None, None] * np.ones((1, 1, 2, 2), np.uint8)
    for start in itertools.cycle(range(0, 12, 4)):
        yield images[start : start + 4], LABELS[start : start + 4]


def epochs(seed, count=2):
    """The labels of the first epochs, each in its order."""
    batches = itertools.islice(shuffle.shuffled(stored(), 3, JOB._replace(seed=seed)), 3 * count)
    return np.reshape([labels for _, labels in batches], (count, 12)).tolist()


def test_each_epoch_has_every_image_once_in_another_order():
    first, second = epochs(seed=1)
    assert sorted(first) == sorted(second) == LABELS.tolist()
    assert LABELS.tolist() != first != second


def test_images_keep_their_labels():
    for images, labels in itertools.islice(shuffle.shuffled(stored(), 3, JOB), 6):
        assert (images[:, 0, 0, 0] == labels).all()


def test_the_seed_decides_the_order():
    assert epochs(seed=1) == epochs(seed=1) != epochs(seed=2)


def test_a_case_says_whether_its_images_are_shuffled():
    runs = make(cases=case(shuffle=True)).runs.values()
    assert {run.settings["shuffle"] for run in runs} == {True}


def test_image_files_have_no_order_of_ours():
    images = {"dataset": "synthetic-imagenet-short256", "batch_size": 8, "shuffle": True}
    with pytest.raises(StudyError, match="shuffle are for stored pixels"):
        make(cases=case(**images))


def test_input_mode_cached_repeats_one_epoch_so_its_images_are_not_shuffled():
    both = {"cases": case(shuffle=True), "input_modes": ["dataset", "cached"]}
    with pytest.raises(StudyError, match="but input mode cached repeats one epoch's batches; set"):
        make(**both)
    left_out = [{"where": {"input_mode": "cached"}, "reason": "one order"}]
    assert make(**both, exclude=left_out).runs
