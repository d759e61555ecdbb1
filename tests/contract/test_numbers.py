"""Numbers in the documents' sentences are those of the archives that the documents lead to."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from trainmark.analyse.compare import host_speeds
from trainmark.analyse.compare.configurations import configurations, values
from trainmark.analyse.compare.statistics import ratio
from trainmark.analyse.sets import kept, result_set
from trainmark.report.words import cells

DOCUMENTS = Path(__file__).parents[2] / "docs"


class Source(NamedTuple):
    """A metric of a case of an archive."""

    archive: str
    case: str
    metric: str
    batch_size: int | None = None
    """Of a case that has several."""
    stage: str | None = None
    """Of a metric that several have."""


class Mean(NamedTuple):
    """780 ± 187: a framework's mean, with the half width of its interval."""

    source: Source
    framework: str
    digits: str = ",.0f"

    def written(self) -> str:
        row = configuration(self.source, self.framework)
        return " ± ".join(format(row[name], self.digits) for name in ("mean", "half_width"))


class Only(NamedTuple):
    """780: a framework's mean alone, in a unit of the sentence's own."""

    source: Source
    framework: str
    digits: str = ",.0f"
    unit: float = 1

    def written(self) -> str:
        mean = configuration(self.source, self.framework)["mean"]
        return format(mean / self.unit, self.digits)


class Ratio(NamedTuple):
    """1.64 (1.31 to 2.06): how many times another's value a framework has."""

    source: Source
    framework: str
    other: str
    digits: str = ".2f"

    def written(self) -> str:
        first, second = (configuration(self.source, name) for name in (self.framework, self.other))
        times = ratio(values(first), values(second))
        assert times.low is not None
        assert times.high is not None
        value, low, high = (format(x, self.digits) for x in (times.value, times.low, times.high))
        return f"{value} ({low} to {high})"


class OfHost(NamedTuple):
    """143 to 240: the lowest and the highest speed of the machine itself before an archive's runs.

    Or 181, their mean.
    """

    archive: str
    is_mean: bool = False

    def written(self) -> str:
        rows = measurements(self.archive)
        speeds = rows.loc[rows["metric"] == "host_gflops", "value"]
        ends = [speeds.mean()] if self.is_mean else [speeds.min(), speeds.max()]
        return " to ".join(format(speed, ".0f") for speed in ends)


class RatioOfHost(NamedTuple):
    """0.93 (0.87 to 0.99): how many times an earlier archive's speed the machine itself has."""

    archive: str
    earlier: str

    def written(self) -> str:
        tables = measurements(self.archive), measurements(self.earlier)
        times = host_speeds.ratios(*tables)["host_gflops"]
        return cells.factor_with_interval(times.value, times.low, times.high)


@cache
def measurements(archive: str) -> pd.DataFrame:
    return result_set.read(kept.path(archive)).measurements


@cache
def table(source: Source) -> pd.DataFrame:
    rows = measurements(source.archive)
    rows = rows[rows["case"] == source.case]
    if source.batch_size:
        rows = rows[rows["batch_size"] == source.batch_size]
    if source.stage:
        rows = rows[rows["stage"] == source.stage]
    return configurations(rows, source.metric)


def configuration(source: Source, framework: str) -> pd.Series:
    rows = table(source)
    [(_, row)] = rows[(rows["framework"] == framework) & (rows["n"] > 0)].iterrows()
    return row


TUNED = "tuned-short/2026-11-27-amd-epyc-2-cores"
RELEASES = "releases-short/2026-11-26-amd-epyc-2-cores"
LANGUAGE = "language/2026-11-26-amd-epyc-2-cores"
THESIS = "thesis-short/2026-11-28-intel-r-xeon-r-processor-2-cores"
GENERATE = "generate/2026-11-27-amd-epyc-2-cores"
ON_XEON = Source(
    "quick/2026-11-28-intel-r-xeon-r-processor-2-cores", "resnet20-synthetic", "training_speed"
)
LATER_ON_XEON = ON_XEON._replace(archive=f"{ON_XEON.archive}-2")
TRAINED = Source(TUNED, "resnet20", "training_speed")
PREDICTED = Source(TUNED, "resnet20", "inference_speed")
BUILT_TO_PREDICT = Source(TUNED, "resnet20", "compile_time", stage="infer")
BUILT_TO_TRAIN = Source(TUNED, "resnet20", "compile_time", stage="train")
RELEASED = Source(RELEASES, "lenet-digits", "training_speed")
MEMORY = Source(RELEASES, "lenet-digits", "cpu_memory")
BUILT = Source(RELEASES, "lenet-digits", "compile_time")
DECODER = Source(LANGUAGE, "gpt2_mini-128", "token_speed")
LSTM = Source(LANGUAGE, "char_lstm-64", "token_speed")
PRODUCTS = Source(LANGUAGE, "matrix_products", "achieved_gflops")
LENET = Source(THESIS, "lenet-mnist", "training_speed")
ALEXNET = Source(THESIS, "alexnet-cifar10", "training_speed")
GOOGLENET = Source(THESIS, "googlenet-imagenet", "training_speed")
RESNET50 = Source(THESIS, "resnet50-cifar10", "training_speed")
VGG16 = Source(THESIS, "vgg16-cifar10", "training_speed")
SINGLE = Source(GENERATE, "gpt2_mini-64-64", "generation_speed", 1)
BATCH = Source(GENERATE, "gpt2_mini-64-64", "generation_speed", 16)
LONG = Source(GENERATE, "gpt2_mini-448-64", "generation_speed", 16)
SINGLE_LSTM = Source(GENERATE, "char_lstm-64-64", "generation_speed", 1)


@pytest.mark.parametrize(
    ("document", "sentence", "numbers"),
    [
        (
            "studies/tuned.md",
            "PyTorch predicts {} times as fast** compiled and frozen, {} images/s, after a build "
            "of {} s instead of {}.",
            [
                Ratio(PREDICTED, "pytorch-frozen", "pytorch"),
                Mean(PREDICTED, "pytorch-frozen"),
                Only(BUILT_TO_PREDICT, "pytorch-frozen"),
                Only(BUILT_TO_PREDICT, "pytorch", ".1f"),
            ],
        ),
        (
            "studies/tuned.md",
            "TensorFlow trains {} times as fast by oneDNN**, {} images/s",
            [
                Ratio(TRAINED, "tensorflow-onednn", "tensorflow"),
                Mean(TRAINED, "tensorflow-onednn"),
            ],
        ),
        (
            "studies/tuned.md",
            "channels last {} in PyTorch's training, compiling {} after {} s, fusion {} in MXNet's "
            "prediction, oneDNN {} in JAX's training",
            [
                Ratio(TRAINED, "pytorch-channels-last", "pytorch"),
                Ratio(TRAINED, "pytorch-compiled", "pytorch"),
                Only(BUILT_TO_TRAIN, "pytorch-compiled"),
                Ratio(PREDICTED, "mxnet-fused", "mxnet"),
                Ratio(TRAINED, "jax-onednn", "jax"),
            ],
        ),
        (
            "../README.md",
            "oneDNN and trains ResNet-20 at {} images/s",
            [Mean(ON_XEON, "tensorflow")],
        ),
        (
            "../README.md",
            "five hours later at {}.",
            [Mean(LATER_ON_XEON, "tensorflow")],
        ),
        (
            "method/noise.md",
            "the products have {} GFLOP/s before the 40 runs of one archive, {} on average",
            [OfHost(f"{ON_XEON.archive}-4"), OfHost(f"{ON_XEON.archive}-4", is_mean=True)],
        ),
        (
            "method/noise.md",
            "twenty minutes later they are {} times as fast",
            [RatioOfHost(f"{ON_XEON.archive}-6", f"{ON_XEON.archive}-4")],
        ),
        (
            "studies/thesis.md",
            "it trains GoogLeNet on ImageNet at {} images/s, {} times as fast as MXNet, and "
            "AlexNet on CIFAR-10 {} times as fast as PyTorch",
            [
                Mean(GOOGLENET, "tensorflow", ".1f"),
                Ratio(GOOGLENET, "tensorflow", "mxnet"),
                Ratio(ALEXNET, "tensorflow", "pytorch"),
            ],
        ),
        (
            "studies/thesis.md",
            "takes JAX {} times as long as MXNet, which trains {} images/s; ResNet-50 there {} "
            "times",
            [
                Ratio(VGG16, "mxnet", "jax"),
                Mean(VGG16, "mxnet", ".1f"),
                Ratio(RESNET50, "mxnet", "jax"),
            ],
        ),
        (
            "studies/thesis.md",
            "in LeNet PyTorch trains {} times as fast as TensorFlow",
            [Ratio(LENET, "pytorch", "tensorflow")],
        ),
        (
            "guides/releases.md",
            "TensorFlow 1.15 trains {} times as fast as 1.4**, JAX 0.5.3 {} times as fast as",
            [
                Ratio(RELEASED, "tensorflow-1.15.0", "tensorflow-1.4.0"),
                Ratio(RELEASED, "jax-0.5.3", "jax-0.4.13"),
            ],
        ),
        (
            "guides/releases.md",
            "gives TensorFlow 2.21 {} instead of {} images/s",
            [Only(RELEASED, "tensorflow-onednn-2.21.0"), Only(RELEASED, "tensorflow-2.21.0")],
        ),
        (
            "guides/releases.md",
            "JAX 0.10.2 trains {} times as fast as 0.8.2**",
            [Ratio(RELEASED, "jax-0.10.2", "jax-0.8.2")],
        ),
        (
            "guides/releases.md",
            "grew from {} to {} MiB in TensorFlow, {} to {} in PyTorch, {} to {} in JAX",
            [
                Only(MEMORY, name)
                for name in (
                    *("tensorflow-1.4.0", "tensorflow-2.21.0"),
                    *("pytorch-1.0.1", "pytorch-2.15.0"),
                    *("jax-0.4.13", "jax-0.12.0.1"),
                )
            ],
        ),
        (
            "guides/releases.md",
            "first step take {} s in PyTorch 2.0, {} in 2.2, {} in 2.15",
            [Only(BUILT, f"pytorch-{release}", ".1f") for release in ("2.0.1", "2.2.2", "2.15.0")],
        ),
        (
            "guides/releases.md",
            "`mxnet-mkl` 1.2 trains {} images/s, with both variables (below) {}",
            [Only(RELEASED, "mxnet-mkl-as-it-came-1.2.0"), Only(RELEASED, "mxnet-mkl-1.2.0")],
        ),
        (
            "studies/language.md",
            "PyTorch has the highest mean** in the decoder at each length ({} tokens/s at 128",
            [Mean(DECODER, "pytorch")],
        ),
        (
            "studies/language.md",
            "best product of matrices (MXNet's {} GFLOP/s)",
            [Only(PRODUCTS, "mxnet")],
        ),
        (
            "studies/language.md",
            "PyTorch {}, MXNet {}, Caffe2 {}, JAX {}, Caffe {}, TensorFlow {}, CNTK {}, Theano {};",
            [
                Only(LSTM, name, unit=1000)
                for name in (
                    *("pytorch", "mxnet", "caffe2", "jax"),
                    *("caffe", "tensorflow", "cntk", "theano"),
                )
            ],
        ),
        (
            "studies/language.md",
            "{} tokens/s of the decoder, {} times PyTorch's and {} times MXNet's; {} times",
            [
                Mean(SINGLE, "jax"),
                Ratio(SINGLE, "jax", "pytorch", ".1f"),
                Ratio(SINGLE, "jax", "mxnet", ".1f"),
                Ratio(SINGLE_LSTM, "jax", "pytorch", ".1f"),
            ],
        ),
        (
            "studies/language.md",
            "{} and {} tokens/s, TensorFlow {}, MXNet {}.",
            [Mean(BATCH, name) for name in ("jax", "pytorch", "tensorflow", "mxnet")],
        ),
        (
            "studies/language.md",
            "batches get {} (JAX), {}, {} and {} tokens/s",
            [Mean(LONG, name) for name in ("jax", "pytorch", "tensorflow", "mxnet")],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_sentence_has_the_numbers_of_its_archive(
    document: str, sentence: str, numbers: list[Mean | Only | Ratio | OfHost | RatioOfHost]
) -> None:
    written = sentence.format(*(number.written() for number in numbers))
    assert written in (DOCUMENTS / document).read_text(encoding="utf-8")
