"""The job of a run: its settings, which the host writes to job.json."""

import json
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Union

from worker import devices


class Job(NamedTuple):
    """The content of job.json; job.schema.json describes each value."""

    study: str
    case: str
    framework: str
    adapter: str
    environment: str
    device: str
    precision: str
    stage: str
    input_mode: str
    thread_count: Union[str, int]
    repeat: int
    protocol: int
    image_shape: List[int]
    classes: int
    network: str
    dataset: str
    pixels: Dict[str, Any]
    augment: List[str]
    shuffle: bool
    batch_size: int
    steps: int
    latency_steps: int
    window_seconds: float
    warmup_steps: int
    warmup_seconds: float
    warmup_limit_seconds: float
    optimiser: str
    learning_rate: float
    schedule: Dict[str, Dict[str, Any]]
    bias_rate: float
    momentum: float
    weight_decay: Union[float, Dict[str, float]]
    seed: int
    evaluate: bool
    evaluate_every: int
    keep_weights: bool
    trained_by: Optional[str]
    corruptions: List[str]
    corrupted_images: int
    attacks: List[str]
    epsilons: List[float]
    attack_images: int
    attacked_by: Optional[str]
    max_seconds: Optional[float]
    options: Dict[str, Any]
    threads: int
    timeout_seconds: float
    data: Optional[str]
    reference: Optional[str]
    trained: Optional[str]
    attacked: Optional[str]
    attacker: Optional[str]

    @property
    def device_kind(self) -> str:
        """The kind of the job's devices: "cpu", or one of devices.GPUS."""
        return devices.parts(self.device)[0]

    @property
    def device_count(self) -> int:
        """The number of the job's devices, on all nodes together."""
        return devices.parts(self.device)[1]

    @property
    def node_count(self) -> int:
        """The number of nodes that have the job's devices."""
        return devices.shape(self.device)[1]

    @property
    def node_device_count(self) -> int:
        """The number of devices that each node has."""
        return devices.shape(self.device)[2]

    @property
    def device_batch_size(self) -> int:
        """The number of a batch's images that each device trains on."""
        return devices.batch_size(self.batch_size, self.device)

    @property
    def device_threads(self) -> int:
        """The number of threads per device, where each device has its own process."""
        return devices.threads(self.threads, self.device)

    def on_one_node(self) -> "Job":
        """The job of one node: the node's devices, and their part of each batch."""
        kind, nodes, node_devices = devices.shape(self.device)
        device = f"{kind}:{node_devices}" if nodes > 1 else self.device
        return self._replace(device=device, batch_size=self.batch_size // nodes)


def read(path: str) -> Job:
    """Read a job from a file; fields that a worker doesn't use are dropped."""
    return of(json.loads(Path(path).read_text(encoding="utf-8")))


def of(content: Mapping[str, Any]) -> Job:
    """Make a job of a run's settings; settings that aren't fields of Job are dropped."""
    return Job(**{name: content[name] for name in Job._fields})
