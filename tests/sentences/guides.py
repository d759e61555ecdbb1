"""Of README, guides and methods."""

from archive_noise import Apart, Different, HostCorrelation, Spread
from archive_numbers import (
    TITLES,
    Between,
    Equals,
    Mean,
    Only,
    RangeOfRatios,
    Ratio,
    Sentence,
    Source,
)

RELEASES = "releases-short/2026-11-26-amd-epyc-2-cores"
ON_ZEN3, ON_ZEN4 = (
    Source(f"quick/2026-11-30-amd-epyc-2-cores{ending}", "resnet20-synthetic", "training_speed")
    for ending in ("", "-2")
)
EPYC, XEON = "AMD EPYC, 2 cores", "Intel(R) Xeon(R) Processor, 2 cores"
BY = "2026-12-01"
EQUALS = "equals/2026-11-30-amd-epyc-2-cores"
RELEASED = Source(RELEASES, "lenet-digits", "training_speed")
MEMORY = Source(RELEASES, "lenet-digits", "cpu_memory")
BUILT = Source(RELEASES, "lenet-digits", "compile_time")
H200 = "gpu-first/2026-11-26-intel-r-xeon-r-processor-16-cores-1-x-nvidia-h200"


def on_h200(precision: str) -> list[Source]:
    """Speed, power and memory on one H200."""
    metrics = ("training_speed", "gpu_power", "gpu_memory")
    return [Source(H200, "resnet50-224", name, precision=precision) for name in metrics]


READ, IN_MEMORY = (
    Source(
        "inputs-short/2026-11-30-amd-epyc-2-cores",
        "lenet-imagenet",
        "training_speed",
        input_mode=mode,
    )
    for mode in ("dataset", "synthetic")
)

SENTENCES: list[Sentence] = [
    (
        "../README.md",
        "slowest in ResNet-20, with {} images/s, and MXNet has the highest mean, {}.",
        [Mean(ON_ZEN3, name, ",.1f") for name in ("tensorflow", "mxnet")],
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
        "% where warm-up and window take less than 4 s, 4 to 16 s, and longer",
        [Spread(0, 4, BY), Spread(4, 16, BY), Spread(16, 1000, BY)],
    ),
    (
        "method/noise.md",
        "by a factor of {} on an AMD EPYC, of {} on an Intel Xeon (median and largest)",
        [
            Apart("quick", "family 25, model 1, stepping 1", BY),
            Apart("quick", "family 6, model 207, stepping 2", BY),
        ],
    ),
    (
        "method/noise.md",
        "trains ResNet-20 {} (MXNet) to {} (TensorFlow) times as fast as one without",
        [Between(ON_ZEN4, ON_ZEN3, name) for name in ("mxnet", "tensorflow")],
    ),
    (
        "guides/gpus.md",
        "| PyTorch, default layout | `tf32` | {} | {} | {} |",
        [Only(source, "pytorch") for source in on_h200("tf32")],
    ),
    (
        "guides/gpus.md",
        "| PyTorch, default layout | `bfloat16` | {} | {} | {} |",
        [Only(source, "pytorch") for source in on_h200("bfloat16")],
    ),
    (
        "guides/gpus.md",
        "| JAX | `bfloat16` | {} | {} | {} |",
        [Only(source, "jax") for source in on_h200("bfloat16")],
    ),
    (
        "method/noise.md",
        "{} cases are distinguishable (three repeats, ratios {}, [archive]",
        [Equals(EQUALS), RangeOfRatios(EQUALS)],
    ),
    (
        "method/noise.md",
        "Its correlation with a run's speed is {}: it doesn't explain why repeats differ",
        [HostCorrelation(BY)],
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
    *(
        ("method/image-files.md", f"| {title} | {{}} |", [Between(READ, IN_MEMORY, name)])
        for name, title in TITLES.items()
    ),
]
