"""Several devices in TensorFlow: each has all variables and trains on its part of a batch.

A tf.distribute.MirroredStrategy over the GPUs, or over logical devices of one processor. One device
has TensorFlow's default strategy, which changes no functions, variables or values.
"""

from typing import Any, Callable, Dict, Iterator, List, Sequence

import numpy
import tensorflow as tf

from worker import devices, events, support
from worker.arrays import Shape
from worker.job import Job

DEVICES = {"cpu": "CPU", "cuda": "GPU"}
STATISTIC = {
    "synchronization": tf.VariableSynchronization.ON_READ,
    "aggregation": tf.VariableAggregation.MEAN,
}


class Replicas:
    """A job's devices and their strategy; values are on them, part by part.

    Raises events.Unsupported for fewer devices than the job has, and for several with XLA.
    """

    def __init__(self, job: Job, options: Dict[str, Any]) -> None:
        self.names = find(job)
        self.strategy = tf.distribute.get_strategy()
        if len(self.names) > 1:
            if options["jit_compile"]:
                raise events.Unsupported(f"jit_compile is for one device, not for {job.device}")
            self.strategy = tf.distribute.MirroredStrategy(self.names)

    def variable(self, shape: Shape, type: tf.DType = tf.float32) -> tf.Variable:
        """A variable of zeros, which equal updates keep equal on each device."""
        with self.strategy.scope(), tf.device(self.names[0]):
            return tf.Variable(tf.zeros(shape, type))

    def statistic(self, shape: Shape) -> tf.Variable:
        """A variable of zeros that each device changes by itself; outside, it is their mean."""
        with self.strategy.scope(), tf.device(self.names[0]):
            return tf.Variable(tf.zeros(shape), **STATISTIC)

    def batch(self, *arrays: numpy.ndarray) -> Any:
        """Arrays on the devices: the k-th part of the first axis on the k-th device."""

        def parts(context: tf.distribute.ReplicaContext) -> List[tf.Tensor]:
            k, count = context.replica_id_in_sync_group, context.num_replicas_in_sync
            with tf.device(self.names[k]):
                return [tf.constant(a[devices.rows(len(a), k, count)]) for a in arrays]

        if self.strategy.num_replicas_in_sync == 1:
            with tf.device(self.names[0]):
                return [tf.constant(array) for array in arrays]
        return self.strategy.experimental_distribute_values_from_function(parts)

    def batches(self, data: tf.data.Dataset) -> Iterator[Any]:
        """Iterate over a tf.data.Dataset of batches, split and read ahead to the devices."""
        if len(self.names) == 1:
            return iter(data.apply(tf.data.experimental.prefetch_to_device(self.names[0])))
        return iter(self.strategy.experimental_distribute_dataset(data))

    def run(self, function: Callable[..., Any], *values: Any) -> Any:
        """Call a function on each device with the values' parts; return the mean of the results."""
        if self.strategy.num_replicas_in_sync == 1:
            return function(*values)
        results = self.strategy.run(function, values)
        return self.strategy.reduce("MEAN", results, axis=None)

    def mean(self, gradients: List[tf.Tensor]) -> List[tf.Tensor]:
        """The means over the devices, in a function that runs on each device."""
        if self.strategy.num_replicas_in_sync == 1:
            return gradients
        return tf.distribute.get_replica_context().all_reduce("MEAN", gradients)

    def parts(self, value: Any) -> Sequence[tf.Tensor]:
        """A value's part on each device."""
        return self.strategy.experimental_local_results(value)

    def map(
        self,
        function: Callable[[tf.Tensor, Dict[str, tf.Tensor]], Any],
        parts: Sequence[tf.Tensor],
        values: Dict[str, tf.Variable],
    ) -> List[Any]:
        """Call a function on each device with its part and its values of variables, by name."""
        results = []
        for k, (device, part) in enumerate(zip(self.names, parts)):
            local_values = {name: self._local(variable, k) for name, variable in values.items()}
            with tf.device(device):
                results.append(function(part, local_values))
        return results

    def _local(self, variable: tf.Variable, k: int) -> tf.Tensor:
        """The value of a variable on the k-th device."""
        if variable.synchronization == tf.VariableSynchronization.ON_READ:
            return variable.read_value()
        return self.parts(variable)[k]


def find(job: Job) -> List[str]:
    """The names of the job's devices; raises events.Unsupported where there are fewer."""
    kind, count = job.device_kind, job.device_count
    if kind == "cpu" and count > 1:
        processor = tf.config.list_physical_devices("CPU")[0]
        logical = [tf.config.LogicalDeviceConfiguration()] * count
        tf.config.set_logical_device_configuration(processor, logical)
    prepared_gpus(job)
    logical_devices = tf.config.list_logical_devices(DEVICES[kind])
    support.check_gpu_count(job, len(logical_devices))
    return [device.name for device in logical_devices[:count]]


def prepared_gpus(job: Job) -> List[Any]:
    """TensorFlow's GPUs, whose memory grows as needed.

    Raises events.Unsupported if one can't compute the job's precision.
    """
    gpus: List[Any] = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        details = tf.config.experimental.get_device_details(gpu)
        support.check_capability(job, details["compute_capability"])
        tf.config.experimental.set_memory_growth(gpu, True)
    return gpus
