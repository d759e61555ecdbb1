"""Numbers in the documents' sentences are those of the archives that the documents lead to."""

from pathlib import Path
from typing import NamedTuple, Protocol

import pytest
from archive_numbers import (
    Different,
    Disturbed,
    Equals,
    HostCorrelation,
    InOrder,
    Mean,
    Only,
    RangeOfRatios,
    Ratio,
    Source,
    Spread,
)

DOCUMENTS = Path(__file__).parents[2] / "docs"


class Number(Protocol):
    """A number as a sentence writes it."""

    def written(self) -> str: ...


TUNED = "tuned-short/2026-11-27-amd-epyc-2-cores"
RELEASES = "releases-short/2026-11-26-amd-epyc-2-cores"
LANGUAGE = "language/2026-11-26-amd-epyc-2-cores"
THESIS = "thesis-short/2026-11-28-intel-r-xeon-r-processor-2-cores"
GTDLBENCH = "gtdlbench-short/2026-11-29-intel-r-xeon-r-processor-2-cores"
GENERATE = "generate/2026-11-27-amd-epyc-2-cores"
ON_XEON = Source(
    "quick/2026-11-28-intel-r-xeon-r-processor-2-cores", "resnet20-synthetic", "training_speed"
)
LATER_ON_XEON = ON_XEON._replace(archive=f"{ON_XEON.archive}-2")
EPYC, XEON = "AMD EPYC, 2 cores", "Intel(R) Xeon(R) Processor, 2 cores"
BY = "2026-11-30"
EQUALS = "equals/2026-11-30-amd-epyc-2-cores"
BATCH16 = "latency-batch16/2026-11-30-amd-epyc-2-cores"
BATCHES = "latency-batches-short/2026-11-30-amd-epyc-2-cores"
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
OF_CAFFE = Source(GTDLBENCH, "cifar10-caffe", "training_speed")
VGG16 = Source(THESIS, "vgg16-cifar10", "training_speed")
SINGLE = Source(GENERATE, "gpt2_mini-64-64", "generation_speed", 1)
BATCH = Source(GENERATE, "gpt2_mini-64-64", "generation_speed", 16)
LONG = Source(GENERATE, "gpt2_mini-448-64", "generation_speed", 16)
SINGLE_LSTM = Source(GENERATE, "char_lstm-64-64", "generation_speed", 1)


class ByBatch(NamedTuple):
    """1.17: how many times as fast a framework predicts with 16 images as with one."""

    case: str
    framework: str

    def written(self) -> str:
        one, sixteen = (
            Only(Source(BATCHES, self.case, "inference_speed", batch), self.framework).value()
            for batch in (1, 16)
        )
        return f"{sixteen / one:.2f}"


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
            "studies/gtdlbench.md",
            "TensorFlow trains Caffe's CIFAR-10 setting at {} images/s, Caffe at {}.",
            [Only(OF_CAFFE, "tensorflow", ",.0f"), Only(OF_CAFFE, "caffe", ".1f")],
        ),
        (
            "method/noise.md",
            "| AMD EPYC, 2 cores | - | {} | {} |",
            [Different("quick", EPYC, apart, BY) for apart in ("within a day", "days apart")],
        ),
        (
            "method/noise.md",
            "| Intel Xeon, 2 cores | {} | {} | - |",
            [Different("quick", XEON, apart, BY) for apart in ("within an hour", "within a day")],
        ),
        (
            "method/noise.md",
            "repeats have a standard deviation of {} % in windows below 4 s, of {} % in those of 4 "
            "to 16 s, and of {} % in longer ones",
            [Spread(0, 4, BY), Spread(4, 16, BY), Spread(16, 1000, BY)],
        ),
        (
            "method/noise.md",
            "{} cases are distinguishable (three repeats, ratios {}, [archive]",
            [Equals(EQUALS), RangeOfRatios(EQUALS)],
        ),
        (
            "studies/latency.md",
            "in three runs of five seconds each; {} runs were disturbed",
            [Disturbed(BATCH16)],
        ),
        (
            "studies/latency.md",
            "TensorFlow is {} times as fast in VGG-16, {} in ResNet-152, {} in DenseNet-161, and "
            "faster than Caffe2 in VGG-16 alone, {} times",
            [
                *(
                    Ratio(Source(BATCH16, case, "inference_speed"), "tensorflow", "pytorch")
                    for case in ("vgg16", "resnet152", "densenet161")
                ),
                Ratio(Source(BATCH16, "vgg16", "inference_speed"), "tensorflow", "caffe2"),
            ],
        ),
        (
            "studies/latency.md",
            "Of {} pairs that our runs distinguish, {} are in the published order",
            [InOrder(BATCH16, "distinguishable"), InOrder(BATCH16, "agreeing")],
        ),
        (
            "studies/latency.md",
            "JAX and Caffe2 predict {}, {}, {} and {} times as many a second as one by one; Theano "
            "{} times, CNTK {}.",
            [
                ByBatch("resnet50", name)
                for name in ("tensorflow", "mxnet", "jax", "caffe2", "theano", "cntk")
            ],
        ),
        (
            "studies/latency.md",
            "with 16 images than with 4: {} instead of {} a second, {} instead of {}.",
            [
                Only(Source(BATCHES, "resnet50", "inference_speed", batch), name, ".1f")
                for name in ("pytorch", "caffe")
                for batch in (16, 4)
            ],
        ),
        (
            "studies/latency.md",
            "Of PyTorch's 2 cores {} work in the kernel then, {} with 4 images",
            [
                Only(Source(BATCHES, "resnet50", "cpu_system", batch), "pytorch", ".2f")
                for batch in (16, 4)
            ],
        ),
        (
            "studies/latency.md",
            "gain more in TensorFlow:** {} and {} times",
            [ByBatch(case, "tensorflow") for case in ("text_encoder", "mobilenet_v2")],
        ),
        (
            "method/noise.md",
            "Its correlation with a run's speed is {}: it doesn't explain why repeats differ",
            [HostCorrelation(BY)],
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
            "`mxnet-mkl` 1.2 trains {} images/s, with `MKL_DEBUG_CPU_TYPE` and "
            "`OPENBLAS_CORETYPE` set {}",
            [Only(RELEASED, "mxnet-mkl-as-it-came-1.2.0"), Only(RELEASED, "mxnet-mkl-1.2.0")],
        ),
        (
            "studies/language.md",
            "PyTorch has the highest mean** in the decoder at each length ({} tokens/s at 128",
            [Mean(DECODER, "pytorch")],
        ),
        (
            "studies/language.md",
            "best matrix multiplication (MXNet's {} GFLOP/s)",
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
            "batches get {} (JAX), {} (PyTorch), {} (TensorFlow) and {} (MXNet) tokens/s",
            [Mean(LONG, name) for name in ("jax", "pytorch", "tensorflow", "mxnet")],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_sentence_has_the_numbers_of_its_archive(
    document: str, sentence: str, numbers: list[Number]
) -> None:
    written = sentence.format(*(number.written() for number in numbers))
    assert written in (DOCUMENTS / document).read_text(encoding="utf-8")
