"""Spans of a run's steps are those of numpy.array_split."""

import numpy as np
import pytest

from trainmark.analyse.run.spans import of_spans


@pytest.mark.parametrize("count", [1, 3, 50, 51, 99, 100, 1017])
@pytest.mark.parametrize("function", [np.median, np.mean, np.max])
def test_each_span_has_the_value_of_its_part(function, count):
    values = np.random.default_rng(count).random(count)
    parts = np.array_split(values, min(count, 50))
    assert of_spans(function, values, 50).tolist() == [function(part) for part in parts]
