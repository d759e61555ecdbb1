"""Numbers in sentences on studies are those of the archives that the documents lead to."""

from typing import NamedTuple

import pytest
from archive_numbers import (
    Between,
    Disturbed,
    InOrder,
    Mean,
    Number,
    Only,
    Range,
    Ratio,
    Source,
    assert_written,
)

TUNED = "tuned-short/2026-11-30-amd-epyc-2-cores"
LANGUAGE = "language/2026-11-26-amd-epyc-2-cores"
THESIS = "thesis-short/2026-11-28-intel-r-xeon-r-processor-2-cores"
GTDLBENCH = "gtdlbench-short/2026-11-29-intel-r-xeon-r-processor-2-cores"
GENERATE = "generate/2026-11-27-amd-epyc-2-cores"
BATCH16 = "latency-batch16/2026-11-30-amd-epyc-2-cores"
BATCHES = "latency-batches-short/2026-11-30-amd-epyc-2-cores"
DECODER = Source(LANGUAGE, "gpt2_mini-128", "token_speed")
LSTM = Source(LANGUAGE, "char_lstm-64", "token_speed")
PRODUCTS = Source(LANGUAGE, "matrix_products", "achieved_gflops")
LENET = Source(THESIS, "lenet-mnist", "training_speed")
ALEXNET = Source(THESIS, "alexnet-cifar10", "training_speed")
GOOGLENET = Source(THESIS, "googlenet-imagenet", "training_speed")
RESNET50 = Source(THESIS, "resnet50-cifar10", "training_speed")
WITH_THREADS = Source(
    "gtdlbench-threads-short/2026-11-30-amd-epyc-2-cores", "cifar10-caffe", "training_speed"
)
WITH_ONE, WITH_TWO = (WITH_THREADS._replace(thread_count=count) for count in ("1", "all"))
READING = Source("inputs-short/2026-11-30-amd-epyc-2-cores", "lenet-imagenet", "training_speed")
READ, CACHED, IN_MEMORY = (
    READING._replace(input_mode=mode) for mode in ("dataset", "cached", "synthetic")
)
OF_CAFFE = Source(GTDLBENCH, "cifar10-caffe", "training_speed")
VGG16 = Source(THESIS, "vgg16-cifar10", "training_speed")
SINGLE = Source(GENERATE, "gpt2_mini-64-64", "generation_speed", 1)
BATCH = Source(GENERATE, "gpt2_mini-64-64", "generation_speed", 16)
LONG = Source(GENERATE, "gpt2_mini-448-64", "generation_speed", 16)
SINGLE_LSTM = Source(GENERATE, "char_lstm-64-64", "generation_speed", 1)


def tuned(case: str, metric: str, stage: str | None = None) -> Source:
    """A metric of the study of experts' settings."""
    return Source(TUNED, case, metric, stage=stage)


def in_bfloat16(case: str, stage: str, framework: str) -> Between:
    """What a framework gains by bfloat16."""
    archive = "precision-short/2026-11-30-amd-epyc-2-cores"
    metric = {"infer": "inference_speed", "train": "training_speed"}[stage]
    wide, narrow = (
        Source(archive, case, metric, stage=stage, precision=precision)
        for precision in ("float32", "bfloat16")
    )
    return Between(narrow, wide, framework)


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
            "{} times in ResNet-20 and {} in ResNet-50; compiling it instead, {} and {}. By",
            [
                Ratio(tuned(case, "inference_speed"), name, "pytorch")
                for name in ("pytorch-keep-memory", "pytorch-compiled")
                for case in ("resnet20", "resnet50")
            ],
        ),
        (
            "studies/tuned.md",
            "of 2 cores {} and {} then work in the kernel, with the option {} and {}.",
            [
                Only(tuned(case, "cpu_system", "infer"), name, ".2f")
                for name in ("pytorch", "pytorch-keep-memory")
                for case in ("resnet20", "resnet50")
            ],
        ),
        (
            "studies/tuned.md",
            "ResNet-50 trains {} times as fast.",
            [Ratio(tuned("resnet50", "training_speed"), "pytorch-keep-memory", "pytorch")],
        ),
        (
            "studies/tuned.md",
            "TensorFlow still predicts ResNet-50 {} times as fast** as PyTorch with that option, "
            "instead of {} times",
            [
                Ratio(tuned("resnet50", "inference_speed"), "tensorflow", name)
                for name in ("pytorch-keep-memory", "pytorch")
            ],
        ),
        (
            "studies/tuned.md",
            "compiled by XLA trains ResNet-50 {} times as fast as its default",
            [Ratio(tuned("resnet50", "training_speed"), "tensorflow-jit", "tensorflow")],
        ),
        (
            "studies/tuned.md",
            "**JAX trains ResNet-20 {} times as fast as MXNet.**",
            [Ratio(tuned("resnet20", "training_speed"), "jax", "mxnet")],
        ),
        (
            "method/image-files.md",
            "they train {} (MXNet) to {} times (JAX) as fast as without it",
            [Between(READ, IN_MEMORY, name) for name in ("mxnet", "jax")],
        ),
        (
            "method/image-files.md",
            "TensorFlow trains {} times as fast as without reading",
            [Between(CACHED, IN_MEMORY, "tensorflow")],
        ),
        *(
            (
                "studies/latency.md",
                f"| {title} | {{}} | {{}} |",
                [in_bfloat16("resnet50-32x32", stage, name) for stage in ("infer", "train")],
            )
            for title, name in {
                "PyTorch": "pytorch",
                "MXNet": "mxnet",
                "TensorFlow": "tensorflow",
                "JAX": "jax",
            }.items()
        ),
        (
            "studies/latency.md",
            "predictions gain distinguishably: {} and {} times",
            [in_bfloat16("lenet-28x28", "infer", name) for name in ("pytorch", "mxnet")],
        ),
        *(
            (
                "studies/gtdlbench.md",
                f"| {title} | {{}} | {{}} | {{}} |",
                [Mean(WITH_ONE, name), Mean(WITH_TWO, name), Between(WITH_TWO, WITH_ONE, name)],
            )
            for title, name in {
                "Caffe2": "caffe2",
                "PyTorch": "pytorch",
                "TensorFlow": "tensorflow",
                "JAX": "jax",
                "CNTK": "cntk",
                "MXNet": "mxnet",
                "Theano": "theano",
                "Caffe": "caffe",
            }.items()
        ),
        (
            "studies/gtdlbench.md",
            "With two threads {} of Caffe's 2 cores work in the kernel, {} with one.",
            [
                Only(source._replace(metric="cpu_system"), "caffe", ".2f")
                for source in (WITH_TWO, WITH_ONE)
            ],
        ),
        (
            "studies/gtdlbench.md",
            "PyTorch trains {} times as fast as its default, TensorFlow {} times",
            [
                Ratio(WITH_ONE, f"{name}-{ending}", name)
                for name, ending in (("pytorch", "compiled"), ("tensorflow", "jit"))
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
            "the first token of a text takes {} ms instead of {};",
            [
                Range(Source(GENERATE, case, "time_to_first_token", 1))
                for case in ("gpt2_mini-448-64", "gpt2_mini-64-64")
            ],
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
