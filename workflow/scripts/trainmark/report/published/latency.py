"""Sako et al. (2018): milliseconds of an iteration by GPU, framework and precision; four charts."""

from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from trainmark.analyse.published import latency
from trainmark.analyse.published.latency import GPUS, STUDY
from trainmark.report.charts import ranking
from trainmark.report.draw.saving import Drawing
from trainmark.report.words import cells
from trainmark.report.words.writers import Table
from trainmark.study.stages import main_metric

TITLE = "Sako and others (2018)"
SETS = (
    "titan_v-cuda9",
    "gtx_1080_ti-cuda9",
    "tesla_v100-cuda9",
    "rtx_2080_ti-cuda9",
    "rtx_2080_ti-cuda10",
)
CHARTED = {
    "device": ["Titan V", "GTX 1080 Ti"],
    "framework": ["PyTorch 0.3.0", "TensorFlow 1.4.0", "Caffe2 0.8.1"],
}
CHARTED_NETWORKS = {"vgg16": "VGG-16", "resnet152": "ResNet-152"}
STAGES = {"eval": "forward", "train": "forward and backward, no update"}
PLACE = ["framework", "device", "precision", "cuda", "cudnn", "network", "stage"]
VALUE_COLUMNS = ["study", *PLACE, "adapter", "batch", "milliseconds", "images_per_second", "absent"]
HEADINGS = {"device": "GPU", "cuda": "CUDA", "cudnn": "cuDNN"}
NOT_RUN = "not run: DenseNet-161 was run in PyTorch alone"
NOT_RUN_NOTE = f"{cells.NOTHING}: DenseNet-161 was run in PyTorch alone."
SOURCE = (
    "As published by github.com/u39kun/deep-learning-benchmark at 9dc3e36 (2019-09-27). Each value "
    "is the mean of 20 calls, whose spread wasn't published, and counts as one (n = 1)."
)
WHAT = (
    "Milliseconds of one iteration on 16 images of 3x224x224. eval: forward; train: forward and "
    "backward, no update."
)
CHART_NOTE = f"16 images of 3x224x224: images/s = 16,000 / ms. {SOURCE}"
GPU_HEADINGS = {
    "study": "study",
    "gpu": "GPU",
    "architecture": "architecture",
    "memory": "memory",
    "cuda_cores": "CUDA cores",
    "tensor_cores": "tensor cores",
    "float32_tflops": "float32 TFLOPS",
    "float16_tflops": "float16 TFLOPS",
    "retail_usd": "USD, retail",
    "cloud_usd_per_hour": "USD an hour, cloud",
}
PRICE_NOTE = (
    "Speeds per 1,000 USD of the GPU's retail price then, and images per USD of the cloud's price "
    "then. Without the rest of the machine."
)
GPU_NOTE = f"As published; float16 on tensor cores. {cells.NOTHING}: none is there, or none named."


class Published(NamedTuple):
    """A row for each value or gap, and a row for each GPU."""

    values: pd.DataFrame
    gpus: pd.DataFrame


def read(folder: Path) -> Published:
    """Read values.csv and gpus.csv, the numbers of the latter as they are written."""
    gpus = pd.read_csv(folder / "gpus.csv", dtype=str)
    gpus.insert(0, "study", STUDY)
    values = pd.read_csv(folder / "values.csv").rename(columns={"framework": "adapter"})
    titles = pd.Series([cells.framework_title(name, name) for name in values["adapter"]])
    speeds = 1000 * values["batch"] / values["milliseconds"]
    named = values.assign(
        study=STUDY,
        framework=titles + " " + values["framework_version"],
        device=values["gpu"].map(GPUS),
        images_per_second=speeds,
        absent=_reasons(speeds),
    )
    return Published(named[VALUE_COLUMNS], gpus)


def tables(published: Published) -> dict[str, Table]:
    """All values, two ratios that follow from them, and the GPUs."""
    return {
        "iterations": _iterations(published.values),
        "float16-to-float32": _ratio(published.values, "precision", "float16", "float32"),
        "titan-v-to-gtx-1080-ti": _ratio(published.values, "device", "Titan V", "GTX 1080 Ti"),
        "prices": _prices(published),
        "gpus": _gpus(published.gpus),
    }


def figures(published: Published) -> dict[str, Drawing]:
    """The study's four charts, by the names of their files there."""
    return {
        f"{network}-{stage}": _chart(published.values, network, stage)
        for network, stage in product(CHARTED_NETWORKS, STAGES)
    }


def _iterations(values: pd.DataFrame) -> Table:
    """A block for each framework's version and precision, as the study has them."""
    blocks = values.assign(framework=values["framework"] + ", " + values["precision"])
    rows = ["framework", "device", "cuda", "cudnn"]
    shown = _side_by_side(blocks, rows, "milliseconds", "{:.1f}")
    return Table("One iteration", values, shown, "framework", [WHAT, NOT_RUN_NOTE, SOURCE])


def _ratio(values: pd.DataFrame, axis: str, of: str, to: str) -> Table:
    """The speed of one device or precision over another's, where both were tried."""
    keys = [name for name in PLACE if name != axis]
    one, other = (values[values[axis] == name] for name in (of, to))
    both = one.merge(other[[*keys, "milliseconds"]], on=keys, suffixes=("", "_other"))
    ratio = both["milliseconds_other"] / both["milliseconds"]
    numbers = both[["study", *keys]].assign(ratio=ratio, absent=_reasons(ratio))
    rows = [name for name in ("framework", "device", "precision") if name != axis]
    shown = _side_by_side(numbers, rows, "ratio", "{:.2f}")
    what = f"Milliseconds of {to} divided by those of {of}: {ratio.min():.2f} to {ratio.max():.2f}."
    title = f"How many times as fast {of} is as {to}"
    return Table(title, numbers, shown, "framework", [what, NOT_RUN_NOTE, SOURCE])


def _prices(published: Published) -> Table:
    """Every speed by the price of its GPU, to buy and to rent."""
    values = published.values
    gpus = published.gpus.assign(device=published.gpus["gpu"].map(GPUS)).set_index("device")
    prices = gpus.loc[values["device"], ["retail_usd", "cloud_usd_per_hour"]].astype(float)
    columns = latency.by_price(values["images_per_second"], prices.set_index(values.index))
    keys = ["study", *PLACE]
    wide = values[keys].assign(**columns)
    numbers = wide.melt(keys, var_name="metric").dropna(subset="value")
    numbers = numbers.assign(metric=numbers["metric"].map(cells.heading))
    rows = ["metric", "framework", "device", "precision", "cuda"]
    shown = _side_by_side(numbers, rows, "value", "{:,.0f}")
    return Table("What speed costs", numbers, shown, "metric", [PRICE_NOTE, SOURCE])


def _side_by_side(numbers: pd.DataFrame, rows: list[str], value: str, form: str) -> pd.DataFrame:
    """A column for each network and stage, all in the order of the numbers."""
    names = numbers["network"] + " " + numbers["stage"]
    texts = numbers[value].map(form.format).where(numbers[value].notna(), cells.NOTHING)
    wide = numbers.assign(name=names, text=texts).pivot(index=rows, columns="name", values="text")
    order = pd.MultiIndex.from_frame(numbers[rows].drop_duplicates())
    shown = wide.loc[order, names.unique()].rename_axis(columns=None).reset_index()
    return shown.fillna(cells.NOTHING).rename(columns=HEADINGS)


def _gpus(gpus: pd.DataFrame) -> Table:
    titled = gpus.assign(gpu=gpus["gpu"].map(GPUS)).fillna(cells.NOTHING)
    shown = titled[list(GPU_HEADINGS)].rename(columns=GPU_HEADINGS)
    return Table("GPUs", gpus, shown, "study", [GPU_NOTE])


def _reasons(values: pd.Series) -> pd.Series:
    """Why there is no value, where there is none."""
    return values.map(lambda value: NOT_RUN if pd.isna(value) else None)


def _chart(values: pd.DataFrame, network: str, stage: str) -> Drawing:
    chosen = values[(values["network"] == network) & (values["stage"] == stage)]
    for column, names in CHARTED.items():
        chosen = chosen[chosen[column].isin(names)]
    rows = chosen.rename(columns={"images_per_second": "mean", "absent": "remark"})
    rows = rows.assign(machine=rows["device"], n=1, half_width=float("nan"), disturbed=False)
    metric = main_metric(latency.STAGES[stage])
    data = ranking.ordered(rows, metric)
    title = f"{CHARTED_NETWORKS[network]}, {stage} ({STAGES[stage]})"
    return Drawing(data, partial(ranking.draw, data, metric, title, CHART_NOTE))
