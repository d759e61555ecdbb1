"""Of the documents on experts' settings, GTDLBench and the thesis."""

from archive_numbers import (
    TITLES,
    Between,
    Mean,
    Only,
    Ratio,
    Sentence,
    SingleSteps,
    Source,
)

TUNED = "tuned-short/2026-12-01-amd-epyc-2-cores"
CONVOLUTIONAL = ("resnet20", "resnet50", "mobilenet_v2")
THESIS = "thesis-short/2026-11-28-intel-r-xeon-r-processor-2-cores"
GTDLBENCH = "gtdlbench-short/2026-11-29-intel-r-xeon-r-processor-2-cores"
LENET = Source(THESIS, "lenet-mnist", "training_speed")
ALEXNET = Source(THESIS, "alexnet-cifar10", "training_speed")
GOOGLENET = Source(THESIS, "googlenet-imagenet", "training_speed")
RESNET50 = Source(THESIS, "resnet50-cifar10", "training_speed")
VGG16 = Source(THESIS, "vgg16-cifar10", "training_speed")
WITH_THREADS = Source(
    "gtdlbench-threads-short/2026-11-30-amd-epyc-2-cores", "cifar10-caffe", "training_speed"
)
WITH_ONE, WITH_TWO = (WITH_THREADS._replace(thread_count=count) for count in ("1", "all"))
OF_CAFFE = Source(GTDLBENCH, "cifar10-caffe", "training_speed")


def tuned(case: str, metric: str, stage: str | None = None) -> Source:
    """A metric of the study of experts' settings."""
    return Source(TUNED, case, metric, stage=stage)


SENTENCES: list[Sentence] = [
    (
        "studies/tuned.md",
        "{} times in ResNet-20, {} in ResNet-50 and {} in MobileNetV2; compiling it instead, {}, "
        "{} and {}. By",
        [
            Ratio(tuned(case, "inference_speed"), name, "pytorch")
            for name in ("pytorch-keep-memory", "pytorch-compiled")
            for case in CONVOLUTIONAL
        ],
    ),
    (
        "studies/tuned.md",
        "of 2 cores {}, {} and {} then work in the kernel, with the option {}, {} and {}.",
        [
            Only(tuned(case, "cpu_system", "infer"), name, ".2f")
            for name in ("pytorch", "pytorch-keep-memory")
            for case in CONVOLUTIONAL
        ],
    ),
    (
        "studies/tuned.md",
        "ResNet-50 trains {} times as fast.",
        [Ratio(tuned("resnet50", "training_speed"), "pytorch-keep-memory", "pytorch")],
    ),
    (
        "studies/tuned.md",
        "ResNet-50 {} times, MobileNetV2 {} times, instead of {} and {} times.",
        [
            Ratio(tuned(case, "inference_speed"), "tensorflow", name)
            for name in ("pytorch-keep-memory", "pytorch")
            for case in ("resnet50", "mobilenet_v2")
        ],
    ),
    (
        "studies/tuned.md",
        "train faster**, ResNet-20 {}, ResNet-50 {} and MobileNetV2 {} times.",
        [
            Ratio(tuned(case, "training_speed"), "pytorch-channels-last", "pytorch")
            for case in CONVOLUTIONAL
        ],
    ),
    (
        "studies/tuned.md",
        "compiled by XLA trains ResNet-50 {} and MobileNetV2 {} times as fast as its default",
        [
            Ratio(tuned(case, "training_speed"), "tensorflow-jit", "tensorflow")
            for case in ("resnet50", "mobilenet_v2")
        ],
    ),
    (
        "studies/tuned.md",
        "**JAX trains ResNet-20 {} times as fast as MXNet.**",
        [Ratio(tuned("resnet20", "training_speed"), "jax", "mxnet")],
    ),
    *(
        (
            "studies/gtdlbench.md",
            f"| {title} | {{}} | {{}} | {{}} |",
            [Mean(WITH_ONE, name), Mean(WITH_TWO, name), Between(WITH_TWO, WITH_ONE, name)],
        )
        for name, title in TITLES.items()
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
        "studies/tuned.md",
        "in {} runs, of ResNet-50 and MobileNetV2, with the first",
        [SingleSteps(TUNED)],
    ),
    (
        "studies/thesis.md",
        "In {} runs, of large batches, the window is a single step",
        [SingleSteps(THESIS)],
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
        "takes JAX {} times as long as MXNet, which trains {} images/s; ResNet-50 there {} times",
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
]
