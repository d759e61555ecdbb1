"""Of docs/studies/latency.md."""

from typing import NamedTuple

from archive_numbers import TITLES, Between, Disturbed, InOrder, Only, Ratio, Sentence, Source

from trainmark.study.stages import main_metric

BATCH16 = "latency-batch16/2026-11-30-amd-epyc-2-cores"
BATCHES = "latency-batches-short/2026-11-30-amd-epyc-2-cores"


def in_bfloat16(case: str, stage: str, framework: str) -> Between:
    """What a framework gains by bfloat16."""
    archive = "precision-short/2026-11-30-amd-epyc-2-cores"
    wide, narrow = (
        Source(archive, case, main_metric(stage), stage=stage, precision=precision)
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


SENTENCES: list[Sentence] = [
    *(
        (
            "studies/latency.md",
            f"| {TITLES[name]} | {{}} | {{}} |",
            [in_bfloat16("resnet50-32x32", stage, name) for stage in ("infer", "train")],
        )
        for name in ("pytorch", "mxnet", "tensorflow", "jax")
    ),
    (
        "studies/latency.md",
        "predictions gain distinguishably: {} and {} times",
        [in_bfloat16("lenet-28x28", "infer", name) for name in ("pytorch", "mxnet")],
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
]
