"""One run as a study plans it: its settings, and what it depends on."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from trainmark.study import axes, case_settings, digest, plugins, stages, steps
from worker import devices, precisions

REFERENCE_SETTINGS = ("stage", "image_shape", "classes", *case_settings.IN_REFERENCE)


@dataclass(frozen=True)
class PlannedRun:
    """One repeat of a configuration.

    Attributes:
        settings: all settings of the job, resolved, except those of the machine.
        requested: the case's values of the settings that the study's bounds cut.
        excluded: why the study leaves it out, or None.
        enough_percent: the run isn't needed if the repeats before it have an interval this small;
            None: it is always measured.
        has_batches: whether its case requests several batch sizes, so that its path names its own.

    """

    settings: dict[str, Any]
    requested: steps.Requested
    excluded: str | None
    enough_percent: float | None = None
    has_batches: bool = False

    @cached_property
    def path(self) -> str:
        """Its folder below results/<study>/runs, unique within the study."""
        folder = axes.FOLDER.format_map({**self.settings, "case": self.case_folder})
        return f"{folder}/r{self.settings['repeat']}"

    @property
    def case_folder(self) -> str:
        """The folder of its case, with its batch size where there are several."""
        ending = f"-b{self.settings['batch_size']}" if self.has_batches else ""
        return f"{self.settings['case']}{ending}{axes.case_ending(self.settings)}"

    @property
    def earlier(self) -> list[str]:
        """The paths of the earlier repeats that decide whether this run is needed."""
        if self.enough_percent is None:
            return []
        folder = self.path.rpartition("/")[0]
        return [f"{folder}/r{repeat}" for repeat in range(1, self.settings["repeat"])]

    @property
    def params(self) -> str:
        """Its settings as one canonical JSON string: equal strings, equal runs."""
        return canonical(axes.without_host_defaults(self.settings))

    @property
    def is_included(self) -> bool:
        """Whether the study doesn't leave it out, and its framework can be measured."""
        return self.excluded is None and stages.is_available(self.settings["adapter"])

    @property
    def reads_data(self) -> bool:
        """Whether it looks at any image of its data set."""
        evaluates = self.settings["evaluate"] or self.settings["evaluate_every"]
        return bool(self.settings["input_mode"] != "synthetic" or evaluates)

    @property
    def loses_evaluation(self) -> bool:
        """Whether its case requests evaluations that the study's bounds forbid."""
        return bool({"evaluate", "evaluate_every"} & self.requested.keys())

    @property
    def format(self) -> str:
        """The storage format that its adapter reads."""
        return str(plugins.facts("framework", self.settings["adapter"])["FORMAT"])

    @property
    def code(self) -> str:
        """A digest of the worker's files that it executes."""
        settings = {name: self.settings[name] for name in digest.RUN_SETTINGS}
        lists = {name: tuple(self.settings[name]) for name in ("corruptions", "attacks")}
        return digest.of_run(**settings, **lists)

    @property
    def reference_code(self) -> str:
        """A digest of the worker's files that compute its parity reference."""
        return digest.of_reference(self.settings["network"], self.settings["stage"])

    @property
    def reference_params(self) -> str:
        """The settings that its parity reference depends on, as canonical JSON."""
        size = devices.batch_size(self.settings["batch_size"], self.settings["device"])
        of_a_device = {"device": "cpu", "batch_size": size}
        precision = self.settings["precision"]
        if precision not in ("float32", *precisions.QUANTISED):  # these have float32's limits
            of_a_device["precision"] = precision
        return canonical({key: self.settings[key] for key in REFERENCE_SETTINGS} | of_a_device)

    @cached_property
    def reference(self) -> str:
        """The name of its parity reference: readable, and unique by a digest."""
        shape = "x".join(str(size) for size in self.settings["image_shape"])
        ending = hashlib.sha256(self.reference_params.encode()).hexdigest()[:8]
        return f"{self.settings['network']}-{shape}-{self.settings['classes']}-{ending}"


def canonical(value: Any) -> str:
    """JSON with sorted keys and no white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
