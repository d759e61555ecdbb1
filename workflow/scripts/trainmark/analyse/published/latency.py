"""The latencies of Sako and others in this project's names; source: resources/published/latency."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from trainmark.analyse.published.result_sets import AS_PUBLISHED, GPU, Machine, Published
from trainmark.analyse.run.metrics.cost import HOUR
from trainmark.study.stages import main_metric

STUDY = "sako-2018"
SOURCE = (
    f"{AS_PUBLISHED} Sako and others (2018): images/s from the mean of 20 calls, whose spread "
    "wasn't published; no parity, no telemetry"
)
GPUS = {
    "tesla_v100": "Tesla V100",
    "titan_v": "Titan V",
    "gtx_1080_ti": "GTX 1080 Ti",
    "rtx_2080_ti": "RTX 2080 Ti",
}
STAGES = {"eval": "infer", "train": "gradients"}
DATASET = "synthetic-3x224x224-1000"
PRECISIONS = ("float32", "float16")


def published(folder: Path) -> Published:
    """Read its values and its GPUs, a result set for each GPU and major version of CUDA."""
    gpus = pd.read_csv(folder / "gpus.csv").set_index("gpu")
    values = _values(folder)
    values = pd.concat([values, *_costs(values, gpus)], ignore_index=True)
    machines = {
        name: Machine(GPUS[gpu], _peaks(gpus.loc[gpu]))
        for name, gpu in values[["set", "gpu"]].drop_duplicates().itertuples(index=False)
    }
    return Published(STUDY, SOURCE, machines, values)


def by_price(speeds: pd.Series, prices: pd.DataFrame) -> dict[str, pd.Series]:
    """Speeds in images/s by the prices of their GPUs, for each metric of cost.

    `prices` has a row for each speed: retail_usd and cloud_usd_per_hour in USD, NaN where none was
    published, which the results are then, too.
    """
    return {
        "speed_per_1000_usd": 1000 * speeds / prices["retail_usd"],
        "images_per_dollar": speeds * HOUR / prices["cloud_usd_per_hour"],
    }


def _costs(values: pd.DataFrame, gpus: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The values by the prices of their GPUs, where one was published."""
    prices = gpus.loc[values["gpu"]].set_index(values.index)
    for metric, value in by_price(values["value"], prices).items():
        yield values.assign(metric=metric, value=value)[value.notna()]


def _peaks(gpu: pd.Series) -> dict[str, float]:
    """The published peaks by precision, in GFLOP/s."""
    peaks = {name: 1000 * float(gpu[f"{name}_tflops"]) for name in PRECISIONS}
    return {name: peak for name, peak in peaks.items() if not pd.isna(peak)}


def _values(folder: Path) -> pd.DataFrame:
    table = pd.read_csv(folder / "values.csv")
    stage = table["stage"].map(STAGES)
    return table.assign(
        set=table["gpu"] + f"-{GPU}" + table[GPU].str.partition(".")[0],
        case=table["network"],
        dataset=DATASET,
        device=f"{GPU}:1",
        stage=stage,
        input_mode="synthetic",
        batch_size=table["batch"],
        metric=stage.map(main_metric),
        value=1000 * table["batch"] / table["milliseconds"],
        remark=table["framework"] + " " + table["framework_version"],
    )
