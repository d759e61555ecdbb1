"""Numbers in sentences on studies are those of the archives that the documents lead to."""

from typing import NamedTuple

import pytest
from archive_numbers import (
    Disturbed,
    InOrder,
    Mean,
    Number,
    Only,
    Ratio,
    Source,
    assert_written,
)

TUNED = "tuned-short/2026-11-27-amd-epyc-2-cores"
LANGUAGE = "language/2026-11-26-amd-epyc-2-cores"
THESIS = "thesis-short/2026-11-28-intel-r-xeon-r-processor-2-cores"
GTDLBENCH = "gtdlbench-short/2026-11-29-intel-r-xeon-r-processor-2-cores"
GENERATE = "generate/2026-11-27-amd-epyc-2-cores"
BATCH16 = "latency-batch16/2026-11-30-amd-epyc-2-cores"
BATCHES = "latency-batches-short/2026-11-30-amd-epyc-2-cores"
TRAINED = Source(TUNED, "resnet20", "training_speed")
PREDICTED = Source(TUNED, "resnet20", "inference_speed")
BUILT_TO_PREDICT = Source(TUNED, "resnet20", "compile_time", stage="infer")
BUILT_TO_TRAIN = Source(TUNED, "resnet20", "compile_time", stage="train")
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
            "studies/gtdlbench.md",
            "TensorFlow trains Caffe's CIFAR-10 setting at {} images/s, Caffe at {}.",
            [Only(OF_CAFFE, "tensorflow", ",.0f"), Only(OF_CAFFE, "caffe", ".1f")],
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
    assert_written(document, sentence, numbers)
