"""The light form of a result set: a line for each run, without logs, telemetry and local names.

An archive of it takes a kilobyte a run, so that it can be kept beside the code.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trainmark.analyse.run.hardware import hardware
from trainmark.files import sealed
from trainmark.runs.formats import Record
from trainmark.study.axes import key

RECORDS, PROOFS = "runs.jsonl", "parity.jsonl"
TABLES = ("measurements", "latencies", "accuracies", "attacks", "corruptions")


class LocalNames:
    """Names of one machine, hosts and folders, and what stands for them in published results."""

    def __init__(self, records: Iterable[Record], folder: Path) -> None:
        """`folder` is the one that results/ is in, of which the records' hosts wrote."""
        self._folders = {f"{folder}/": "", str(Path.home()): "~"}
        nodes = [node for record in records for node in _nodes(record)]
        self._hosts = {node["host"]["hostname"]: machine_label(node) for node in nodes}
        names = "|".join(map(re.escape, sorted(self._hosts, key=len, reverse=True)))
        self._pattern = re.compile(rf"\b({names})\b" if names else r"(?!)")

    def replaced(self, value: Any) -> Any:
        """A value of JSON without local names in its texts."""
        match value:
            case dict():
                return {name: self.replaced(each) for name, each in value.items()}
            case list():
                return [self.replaced(each) for each in value]
            case str():
                return self.in_text(value)
        return value

    def in_text(self, text: str) -> str:
        """A text without local names."""
        for folder, short in self._folders.items():
            text = text.replace(folder, short)
        return self._pattern.sub(lambda match: self._hosts[match[1]], text)


def machine_label(node: Mapping[str, Any]) -> str:
    """A node by its hardware, as a part of a file's name: amd-epyc-2-cores."""
    return re.sub(r"[^a-z0-9]+", "-", hardware({**node, "nodes": []}).lower()).strip("-")


def run_name(run: Mapping[Any, Any]) -> str:
    """A run by its key and repeat, from its job or from a row of measurements."""
    return "/".join((*key(run), f"r{run['repeat']}"))


def write(folder: Path, records: Mapping[Path, Record], target: Path) -> dict[str, Path]:
    """Write the files of a result set's light form; returns them by their names in the archive.

    `folder` has the study's CSVs and its events.jsonl; `records` are by their run's folder.
    """
    local = LocalNames(records.values(), folder.absolute().parents[1])
    contents = {
        RECORDS: _lines(sealed(local.replaced(record)) for record in records.values()),
        PROOFS: _lines(_proofs(folder / "events.jsonl", records)),
    }
    for name in TABLES:
        text = (folder / f"{name}.csv").read_text(encoding="utf-8")
        if text.count("\n") > 1:
            contents[f"{name}.csv"] = local.in_text(text)
    for name, text in contents.items():
        (target / name).write_text(text, encoding="utf-8")
    return {name: target / name for name in contents}


def _nodes(record: Record) -> list[Mapping[str, Any]]:
    provenance = record["provenance"]
    return [provenance, *provenance.get("nodes", [])]


def _proofs(events: Path, records: Mapping[Path, Record]) -> Iterable[dict[str, Any]]:
    """The last parity event of each run, with the run's name and without its time."""
    proofs = {}
    for line in events.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == "parity":
            del event["time_seconds"]
            proofs[event["run"]] = {**event, "run": run_name(records[Path(event["run"])]["job"])}
    return proofs.values()


def _lines(objects: Iterable[Mapping[str, Any]]) -> str:
    return "".join(
        json.dumps(each, sort_keys=True, separators=(",", ":")) + "\n" for each in objects
    )
