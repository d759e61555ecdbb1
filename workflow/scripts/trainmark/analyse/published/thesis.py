"""The thesis's Appendix A in this project's names; source: resources/published/thesis."""

from pathlib import Path

import pandas as pd

from trainmark.analyse.published.result_sets import AS_PUBLISHED, GPU, Machine, Published

STUDY = "piccione-2018"
SOURCE = (
    f"{AS_PUBLISHED} Piccione (2018): mean of three runs, whose spread wasn't published; no "
    "parity, no telemetry"
)
GPU_METRICS = ("gpu_memory_mean", "gpu_power")
"""Metrics of GPUs, of which the thesis prints values of idle GPUs for runs on the CPU."""


def published(folder: Path) -> Published:
    """Read its values, its machines and what its cases are called here."""
    machines = pd.read_csv(folder / "machines.csv")
    return Published(
        STUDY,
        SOURCE,
        {
            row["machine"]: Machine(row["hardware"], {"float32": row["float32_gflops"]})
            for row in machines.to_dict("records")
        },
        _values(folder, machines),
    )


def _values(folder: Path, machines: pd.DataFrame) -> pd.DataFrame:
    keys = ["dataset", "network"]
    settings = pd.read_csv(folder / "settings.csv")[[*keys, "batch_size"]]
    names = pd.read_csv(folder / "names.csv")
    table = pd.read_csv(folder / "values.csv").merge(settings, on=keys, validate="m:1")
    table = table.merge(names, on=keys, validate="m:1")
    device = table["device"].str.partition(":")
    on_gpu = device[0] != "cpu"
    processors = {
        dataset: row["machine"]
        for row in machines[machines["device"] == "cpu"].to_dict("records")
        for dataset in row["dataset"].split(" and ")
    }
    idle = ~on_gpu & table["metric"].isin(GPU_METRICS)
    return table.assign(
        set=device[0].where(on_gpu, table["dataset"].map(processors)),
        case=(table["network"] + "-" + table["dataset"]).str.lower(),
        dataset=table["our_dataset"],
        network=table["our_network"],
        framework=table["framework"].str.lower(),
        device=(f"{GPU}:" + device[2]).where(on_gpu, "cpu"),
    )[~idle]
