"""The light form of a result set: a line for each run, without logs, telemetry and local names.

An archive of it takes a kilobyte a run, and three bytes for each call whose latency it keeps, so
that it can be kept beside the code.
"""

import json
import re
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.analyse.run.events import read as read_events
from trainmark.analyse.run.hardware import hardware, nodes
from trainmark.analyse.sets import shared_study
from trainmark.files import sealed
from trainmark.runs.formats import Record
from trainmark.study.axes import key

RECORDS, PROOFS = "runs.jsonl", "parity.jsonl"
ABSOLUTE_PATH = re.compile(r"(?:(?<![\w.~/-])|(?<=file://))(?:/[\w.+@-]+){2,}")
"""An absolute path of two parts or more; not the path of an address on the web."""
TEXTS = ("reason", "disturbances", "absent")
"""What may name hosts, in records and in columns of CSVs."""

Node = Mapping[str, Any]


class LocalNames:
    """The names of one machine, its hosts and folders, and what stands for them when published."""

    def __init__(self, records: Iterable[Record]) -> None:
        """Hosts are called by their hardware; of paths the last part is kept."""
        self._hosts = host_labels(records)
        names = {short: label for name, label in self._hosts.items() for short in _forms(name)}
        longest_first = sorted(names, key=len, reverse=True)
        self._names = names
        self._pattern = re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b")

    def in_record(self, record: Record) -> Record:
        """A record without local names, with a digest of its own."""
        job = {name: _last_part(value) for name, value in record["job"].items()}
        origin = {name: _last_part(value) for name, value in record["provenance"].items()}
        replaced = without_folders({**record, "job": job, "provenance": origin})
        for node in nodes(replaced["provenance"]):
            node["host"]["hostname"] = self._hosts[node["host"]["hostname"]]
        replaced["provenance"]["batch"] = None
        for name in TEXTS:
            if name in replaced:
                replaced[name] = self._in_texts(replaced[name])
        return sealed(replaced)

    def in_csv(self, text: str) -> str:
        """A CSV without local names."""
        table = pd.read_csv(StringIO(text), dtype=str, na_filter=False)
        return table.apply(self._in_column).to_csv(index=False, lineterminator="\n")

    def _in_column(self, column: pd.Series) -> pd.Series:
        """A column of a CSV, of which many texts are the same: each is looked at once."""
        is_text = column.name in TEXTS
        texts = {
            text: without_folders(self._in_texts(text) if is_text else text)
            for text in column.unique()
        }
        return column.map(texts)

    def _in_texts(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._in_texts(each) for each in value]
        if isinstance(value, str):
            return self._pattern.sub(lambda match: self._names[match[1]], value)
        return value


def without_folders(value: Any) -> Any:
    """A value of JSON in whose texts absolute paths are cut to their last part."""
    if isinstance(value, dict):
        return {name: without_folders(each) for name, each in value.items()}
    if isinstance(value, list):
        return [without_folders(each) for each in value]
    if isinstance(value, str):
        return ABSOLUTE_PATH.sub(lambda match: Path(match[0]).name, value)
    return value


def is_path(value: Any) -> bool:
    """Whether a value of a job or of a provenance is an absolute path; it may have spaces."""
    return isinstance(value, str) and value.startswith("/")


def _last_part(value: Any) -> Any:
    return Path(value).name if is_path(value) else value


def host_labels(records: Iterable[Record]) -> dict[str, str]:
    """What each host is called: by its hardware, the most cores and GPUs that a run had of it."""
    largest: dict[str, Node] = {}
    for node in (node for record in records for node in nodes(record["provenance"])):
        name = node["host"]["hostname"]
        largest[name] = max(largest.get(name, node), node, key=_size)
    return {name: machine_label(node) for name, node in largest.items()}


def machines_label(records: Iterable[Record]) -> str:
    """All hosts of some runs, as a part of a file's name."""
    return "+".join(dict.fromkeys(host_labels(records).values()))


def machine_label(node: Node) -> str:
    """A node by its hardware, as a part of a file's name: amd-epyc-2-cores."""
    return re.sub(r"[^a-z0-9]+", "-", hardware({**node, "nodes": []}).lower()).strip("-")


def run_name(run: Mapping[Any, Any]) -> str:
    """A run by its key and repeat, from its job or from a row of measurements."""
    return "/".join((*key(run), f"r{run['repeat']}"))


def write(
    config: Mapping[str, Any],
    csvs: Iterable[Path],
    events: Path,
    records: Mapping[Path, Record],
    target: Path,
) -> dict[str, Path]:
    """Write the files of a result set's light form; returns them by their names in the archive.

    `config` is the complete study, `records` are by their run's folder; CSVs without rows are left
    out. Raises DamagedFile.
    """
    local = LocalNames(records.values())
    contents = {
        shared_study.FILE: shared_study.text(without_folders(config)),
        RECORDS: _lines(map(local.in_record, records.values())),
        PROOFS: _lines(_proofs(events, records)),
    }
    for path in csvs:
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > 1:
            contents[path.name] = local.in_csv(text)
    for name, text in contents.items():
        (target / name).write_text(text, encoding="utf-8")
    return {name: target / name for name in contents}


def _forms(host: str) -> tuple[str, str]:
    """A host's name, and the first part of a qualified one."""
    return host, host.partition(".")[0]


def _size(node: Node) -> tuple[int, int]:
    return len(node["gpus"]), node["host"]["cores"]


def _proofs(events: Path, records: Mapping[Path, Record]) -> Iterable[dict[str, Any]]:
    """The last parity event of each run, with the run's name and without its time."""
    for folder, last in read_events(events).items():
        if proof := last.get("parity"):
            rest = {name: value for name, value in proof.items() if name != "time_seconds"}
            yield {**rest, "run": run_name(records[Path(folder)]["job"])}


def _lines(objects: Iterable[Mapping[str, Any]]) -> str:
    return "".join(
        json.dumps(each, sort_keys=True, separators=(",", ":")) + "\n" for each in objects
    )
