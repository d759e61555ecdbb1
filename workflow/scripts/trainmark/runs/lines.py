"""The lines about a run: what is printed when it starts and when it ends.

    Measure lenet-digits/pytorch/cpu/float32/train-dataset, repeat 1 of 3
    lenet-digits/pytorch/cpu/float32/train-dataset/r1: ok: 5.0 images/s over 3.0 s (1 of 12 runs
    done)

A run's job writes the result as the last line of its log. Snakemake, maybe on another machine,
reads it there.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TextIO

from trainmark.study import axes, plugins
from trainmark.terminal import PREFIX

WITHOUT_VALUE = "no value"


def start(repeats: Collection[int]) -> str:
    """The message of the rule that measures runs; Snakemake fills in the wildcards.

    `repeats`: how many repeats each study has. Where they differ the message has no total.
    """
    configuration = axes.FOLDER.replace("{", "{wildcards.")
    total = f" of {max(repeats)}" if len(set(repeats)) == 1 else ""
    return f"Measure {configuration}, repeat {{wildcards.repeat}}{total}"


def result(record: Mapping[str, Any], main_value: tuple[str, float] | None = None) -> str:
    """The result of a run; `record` is the content of its run.json.

    `main_value` is the name and the value of its main metric, where a run that is ok has one.
    """
    noise = f"; disturbed: {', '.join(record['disturbances'])}" if record["disturbed"] else ""
    if record["status"] != "ok":
        return f"{record['status']}: {record['reason']}{noise}"
    value = _with_unit(*main_value) if main_value else WITHOUT_VALUE
    seconds = record["window"]["end_seconds"] - record["window"]["start_seconds"]
    return f"ok: {value} over {seconds:.1f} s{noise}"


def write(line: str, log: TextIO) -> None:
    """Write a line to the log of a run's job."""
    print(f"{PREFIX}{line}", file=log, flush=True)


def end(record: str, log: str, progress: str) -> str:
    """The line of a run that has ended, by the paths of its run.json and of its job's log."""
    name = str(Path(record).parent).partition("/runs/")[2]
    lines = Path(log).read_text(encoding="utf-8").splitlines()
    # Of a run that is touched Snakemake makes an empty log.
    last_line = lines[-1] if lines else "touched"
    return f"{name}: {last_line.removeprefix(PREFIX)} ({progress})"


def _with_unit(metric: str, value: float) -> str:
    facts = plugins.facts("metric", metric)
    return f"{facts['NUMBER_FORMAT'].format(value)} {facts['UNIT']}"
