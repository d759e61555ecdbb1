"""Logs of phones on the models that a study's runs wrote, beside this machine's values."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.errors import TrainmarkError
from trainmark.report.words import cells
from trainmark.report.words.writers import Table
from trainmark.runs.logs import lines
from trainmark.runs.logs.phone import Benchmark, benchmarks

TITLE = "Models on phones"
ADAPTERS = ("litert", "tensorflow_lite")
"""Adapters whose model files `benchmark_model` can run."""
MODEL = ["case", "framework", "adapter", "precision", "batch_size"]
"""The settings that a model's file depends on."""
HERE = "this PC"
NUMBERS = {
    "threads": "threads",
    "file_size": "file MB",
    "load_time": "init ms",
    "latency_first": "first ms",
    "latency_mean": "mean ms",
    "cpu_memory": "MiB",
}
"""The columns of a model, by the metric that each is here, and their short names."""
PHONES = (
    "Phones: as their benchmark_model said, of random images; nothing here watched them. init: "
    "loading the model and preparing to call it; MiB: what the tool needed more than at its start."
)
OURS = (
    "Of this study: means over the runs; MiB: the highest memory of all processes, Python's "
    "included."
)

ALL_OF_IT = "give all that benchmark_model prints, to its end"
ITS_OWN = "benchmark the model/model.tflite that a run of this study wrote"
ONE_OF_THEM = "take this model out of the log, or all but one of those out of the study (exclude)"


class NoSuchModel(TrainmarkError):
    """A phone's log is of no model, or of several, that the study's runs wrote."""


def rows(measurements: pd.DataFrame, logs: Mapping[str, Path]) -> pd.DataFrame:
    """One row per model and place: that of each log, and of each such model this machine's own.

    `logs` are files by what the user calls their phones. Columns: MODEL, place, used (what computed
    but a phone's CPU) and NUMBERS, in the units of these metrics. A model is recognised by the size
    of its file. Raises NoSuchModel.
    """
    valued = measurements[measurements["adapter"].isin(ADAPTERS)].dropna(subset="value")
    sizes = valued[valued["metric"] == "file_size"]
    phones = pd.DataFrame([row for name, log in logs.items() for row in _rows(name, log, sizes)])
    here = _measured(valued).merge(phones[MODEL].drop_duplicates()).assign(used="")
    order = {tuple(model): number for number, model in enumerate(sizes[MODEL].values.tolist())}
    table = pd.concat([here, phones], ignore_index=True)
    ranks = [order[tuple(model)] for model in table[MODEL].values.tolist()]
    return table.iloc[pd.Series(ranks).argsort(kind="stable")].reset_index(drop=True)


def table(numbers: pd.DataFrame) -> Table:
    """The rows of `rows` for reading, a block for each case."""
    shown = pd.DataFrame(
        {
            "case": numbers["case"],
            "framework": cells.framework_titles(numbers),
            "precision": numbers["precision"],
            "place": [f"{row.place} {row.used}".strip() for row in numbers.itertuples()],
            **{title: _texts(numbers, metric) for metric, title in NUMBERS.items()},
        }
    )
    return Table(TITLE, numbers, shown, "case", [PHONES, OURS])


def _texts(numbers: pd.DataFrame, metric: str) -> list[str]:
    return [cells.number(metric, value) for value in numbers[metric]]


def _measured(valued: pd.DataFrame) -> pd.DataFrame:
    """The measurements of each model by machine and threads; `place` is HERE or the machine."""
    chosen = valued[valued["metric"].isin(NUMBERS)].astype({"thread_count": str})
    names = chosen["machine_name"]
    chosen = chosen.assign(place=names if names.nunique() > 1 else HERE)
    index = [*MODEL, "place", "thread_count"]
    means = chosen.pivot_table(index=index, columns="metric", values="value", aggfunc="mean")
    table = means.reindex(columns=list(NUMBERS)).reset_index().rename_axis(columns=None)
    return table.drop(columns="thread_count")


def _rows(phone: str, log: Path, sizes: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """A row for each model that a phone's log has."""
    models = benchmarks("\n".join(lines.read(log)))
    if not models:
        missing = f"phones: {phone}: {log} has no line of benchmark_model's timings"
        raise NoSuchModel(f"{missing}; {ALL_OF_IT}")
    for benchmark in models:
        yield {
            **_model(benchmark, sizes, f"phones: {phone}: {benchmark.graph}"),
            "place": phone,
            "threads": benchmark.threads,
            "used": benchmark.used,
            "load_time": benchmark.init_ms,
            "latency_first": benchmark.first_ms,
            "latency_mean": benchmark.mean_ms,
            "cpu_memory": benchmark.memory_mib,
        }


def _model(benchmark: Benchmark, sizes: pd.DataFrame, where: str) -> dict[str, Any]:
    """The model whose file has the size in the log, with six digits; raises NoSuchModel."""
    if benchmark.size is None:
        missing = f"{where}: the log doesn't say the size of the model's file"
        raise NoSuchModel(f"{missing}; {ALL_OF_IT}, or take a newer one, which says it")
    logged = float(benchmark.size)
    alike = sizes[[float(f"{size:.6g}") == logged for size in sizes["value"]]]
    models = alike.drop_duplicates(subset=MODEL)
    if len(models) != 1:
        names = ["/".join(map(str, model)) for model in models[MODEL].values.tolist()]
        fitting = f"several: {', '.join(names)}; {ONE_OF_THEM}" if names else f"none; {ITS_OWN}"
        raise NoSuchModel(
            f"{where} has {logged:g} MB; of the models of this study that is {fitting}"
        )
    return {name: models[name].iloc[0] for name in MODEL} | {"file_size": models["value"].iloc[0]}
