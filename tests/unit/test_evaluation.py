"""Which predictions count as right."""

import numpy as np

from worker.accuracy.evaluation import shares

NAN = float("nan")


def test_of_equal_logits_the_first_is_the_prediction():
    logits = np.array([[1.0, 5.0, 5.0], [5.0, 1.0, 5.0], [2.0, 2.0, 2.0]])
    assert shares([(logits, logits.argmax(axis=1))])["top1"] == 100
    assert shares([(logits, np.array([2, 2, 1]))])["top1"] == 0


def test_five_places_take_the_first_of_equal_logits_too():
    logits = np.zeros((8, 8))
    assert shares([(logits, np.arange(8))]) == {"count": 8, "top1": 12.5, "top5": 62.5}


def test_a_logit_that_is_no_number_is_never_right_and_comes_before_the_others():
    logits = np.array([[NAN, 1, 2, 3, 4, 5, 6]] * 2)
    accuracies = shares([(logits, np.array([0, 6]))])
    assert (accuracies["top1"], accuracies["top5"]) == (0, 50)
