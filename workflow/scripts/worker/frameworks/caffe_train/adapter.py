"""Caffe by its own program: one call of `caffe train` does warm-up and window.

All other work, such as the parity check, uses pycaffe on the same net. The program continues over
the end of an epoch: if the number of images isn't a multiple of the batch size, batches of later
epochs begin at other images than in other adapters.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List

import numpy

from worker import events
from worker.frameworks.caffe import adapter, optimiser
from worker.frameworks.caffe import reader as data
from worker.frameworks.caffe.adapter import INPUTS, caffe_pb2
from worker.input import dataset, fixed_batch
from worker.job import Job
from worker.own_loops import dialect, loop
from worker.own_loops.loop import OwnProgram

TITLE = "Caffe (caffe train)"
FORMAT = "lmdb"
COLOUR = "#94a4a2"
ENVIRONMENT = "caffe"
DIALECT = "caffe"

PROGRAM = "caffe"
DEVICES = {"cpu": [], "cuda": ["--gpu", "0"]}
# All messages go to standard error, with times in UTC, and to no file.
LOGGING = {"GLOG_minloglevel": "0", "GLOG_logtostderr": "1", "TZ": "UTC"}


class Adapter(adapter.Adapter, OwnProgram):
    """pycaffe, except for training."""

    dialect = DIALECT

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        loop.check(job)
        loop.check_reads_itself(job)
        if shutil.which(PROGRAM) is None:
            raise events.Unsupported(f"no program {PROGRAM} is on PATH, where the environment's is")

    def train(self, warmup_steps: int, steps: int) -> None:
        """Train in another process, which writes into the run's log, and load its weights."""
        with tempfile.TemporaryDirectory() as name:
            folder, count = Path(name), warmup_steps + steps
            arguments = self._write(folder, count)
            self.release()  # so that only one process has nets in memory
            dialect.announce(self.dialect, self.job)
            status = subprocess.call(
                [PROGRAM, "train", *arguments, *DEVICES[self.job.device_kind]],
                env=dict(os.environ, **LOGGING),
            )
            if status:  # the host finds the reason in the log; signals are numbered as in shells
                sys.exit(status if status > 0 else 128 - status)
            self.make()
            self.net.copy_from(str(folder / f"trained_iter_{count}.caffemodel"))

    def _write(self, folder: Path, count: int) -> List[str]:
        """Write solver, net and weights; return the program's arguments that name the files.

        The program displays every step: three lines of the log, which take some 50 microseconds.
        """
        self.track()
        self.net.save(str(folder / "initial"))
        inputs = self._inputs()
        (folder / "inputs").write_bytes(inputs.SerializeToString())
        for layer in inputs.layer:
            layer.ClearField("blobs")
        solver = self.solver_message(
            net_param=self.training_net(inputs.layer),
            max_iter=count,
            display=1,
            snapshot_prefix=str(folder / "trained"),
        )
        solver.MergeFrom(caffe_pb2.SolverParameter(**optimiser.policy(self.job.schedule)))
        (folder / "solver").write_text(str(solver))
        return [f"--solver={folder}/solver", f"--weights={folder}/initial,{folder}/inputs"]

    def _inputs(self) -> caffe_pb2.NetParameter:
        """The layers that give images and labels: from a data set, or constant if synthetic."""
        batch_size = self.job.batch_size
        if self.job.input_mode == "dataset":
            index = dataset.of_job(self.job)
            dataset.check_batch(index, batch_size)
            layers = [data.layer(index, "train", batch_size)]
        else:
            batch = fixed_batch.whole(self.job)
            layers = [constant(*pair) for pair in zip(INPUTS, batch)]
        return caffe_pb2.NetParameter(layer=layers)


def constant(name: str, array: numpy.ndarray) -> caffe_pb2.LayerParameter:
    """A layer of one constant blob, stored like a weight but not trained."""
    shape = dict(dim=array.shape)
    return caffe_pb2.LayerParameter(
        name="constant/" + name,  # with the name of pycaffe's layer, it would load that's weights
        type="Parameter",
        top=[name],
        parameter_param=dict(shape=shape),
        param=[dict(lr_mult=0, decay_mult=0)],
        blobs=[dict(shape=shape, data=array.ravel())],
    )
