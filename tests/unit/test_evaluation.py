"""Which predictions count as right."""

import numpy as np
import pytest

from worker.accuracy.evaluation import agreement, shares
from worker.input import dataset

NAN = float("nan")


def test_of_equal_logits_the_first_is_the_prediction():
    logits = np.array([[1.0, 5.0, 5.0], [5.0, 1.0, 5.0], [2.0, 2.0, 2.0]])
    assert shares([(logits, logits.argmax(axis=1))])["top1"] == 100
    assert shares([(logits, np.array([2, 2, 1]))])["top1"] == 0


def test_five_places_take_the_first_of_equal_logits_too():
    logits = np.zeros((8, 8))
    accuracies = shares([(logits, np.arange(8))])
    assert (accuracies["top1"], accuracies["top5"]) == (12.5, 62.5)


def test_the_loss_is_the_mean_cross_entropy_of_all_labels():
    logits = np.log(np.array([[[0.5, 0.25, 0.25], [0.1, 0.8, 0.1]]]))  # a text of two tokens
    shared = shares([(logits, np.array([[0, 2]]))])
    assert (shared["count"], shared["top1"]) == (2, 50)
    assert shared["loss"] == pytest.approx(-np.log([0.5, 0.1]).mean())


def test_a_logit_that_is_no_number_is_never_right_and_comes_before_the_others():
    logits = np.array([[NAN, 1, 2, 3, 4, 5, 6]] * 2)
    accuracies = shares([(logits, np.array([0, 6]))])
    assert (accuracies["top1"], accuracies["top5"]) == (0, 50)


def test_texts_agree_token_by_token():
    expected = np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]])
    logits = np.array([[[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]])
    agreed = agreement(logits, expected, labels=np.array([[0, 1, 0]]))
    counts = {name: agreed[name] for name in ("count", "same", "gained", "lost")}
    assert counts == {"count": 3, "same": 2, "gained": 0, "lost": 1}


def test_a_split_with_fewer_images_than_a_batch_is_refused():
    index = {"splits": {"train": {"count": 200}, "test": {"count": 40}}}
    dataset.check_batch(index, 64)
    with pytest.raises(dataset.DataError, match="40 images of split test fill no batch of 64"):
        dataset.check_batch(index, 64, "test")
