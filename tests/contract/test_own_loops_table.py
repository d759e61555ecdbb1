"""The table of docs/studies/logs.md has the shares of the archive that it leads to."""

from pathlib import Path

import pytest
from archive_numbers import measurements

from trainmark.analyse.compare.own_loops import beside

DOCUMENT = Path(__file__).parents[2] / "docs" / "studies" / "logs.md"
ARCHIVE = "own-loops-short/2026-11-30-amd-epyc-2-cores"
CASES = ("lenet-digits", "resnet20-synthetic")
TITLES = {
    "flax_imagenet": "JAX, as in Flax's ImageNet example",
    "cntk_session": "CNTK's training session",
    "pytorch_imagenet": "PyTorch, as in its ImageNet example",
    "mxnet_module": "MXNet's `Module.fit`, Speedometer",
    "theano_tutorial": "Theano, as in its tutorials",
    "caffe2_trainer": "Caffe2, as in its ResNet-50 trainer",
    "keras_fit": "Keras's `fit`, one line",
    "keras_fit_bar": "Keras's `fit`, a bar",
    "caffe_train": "`caffe train`",
    "mxnet_estimator": "MXNet's Gluon Estimator",
}
SLOWER = {("keras_fit", "lenet-digits"), ("keras_fit_bar", "lenet-digits")}
"""The loops that the document calls significantly slower than trainmark's."""


@pytest.fixture(scope="module")
def loops():
    return beside(measurements(ARCHIVE)).set_index(["framework", "case"])


@pytest.mark.parametrize("framework", TITLES)
def test_a_row_has_the_log_s_shares_of_the_clock(loops, framework):
    rows = [loops.loc[(framework, case)] for case in CASES]
    cells = [f"{row['share_mean']:.1f} ± {row['share_half_width']:.1f}" for row in rows]
    assert f"| {TITLES[framework]} | {' | '.join(cells)} |" in DOCUMENT.read_text(encoding="utf-8")


def test_those_loops_are_slower_and_no_other(loops):
    assert set(loops.index[loops["high"] < 1]) == SLOWER
    sentences = [
        "{ratio:.2f} ({low:.2f} to {high:.2f})".format(**loops.loc[configuration])
        for configuration in sorted(SLOWER)
    ]
    one_line, bar = sentences
    text = DOCUMENT.read_text(encoding="utf-8")
    assert f"on LeNet: Keras's `fit`, {one_line}, with its bar {bar}." in text
