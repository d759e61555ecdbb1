"""The trained weights of another run, as a run reads them: whole, its own, and nothing drawn."""

import json

import numpy as np
import pytest
from examples import LENET

from worker import networks
from worker.job import Job
from worker.networks.neutral import weights
from worker.proof import start
from worker.stages.infer import calibration_batches

LENET5 = Job(**LENET)._replace(stage="infer", network="lenet5")


@pytest.fixture
def trained(tmp_path):
    """Weights of LeNet-5 that were kept, and a job that predicts with them."""
    arrays = weights.initial(networks.build("lenet5", [1, 28, 28], 10), seed=1)
    path = tmp_path / "weights.npz"
    np.savez(path, **arrays)
    return arrays, LENET5._replace(trained=str(path))


def test_kept_weights_are_read_as_they_were_written(trained):
    arrays, job = trained
    weights = start.trained(job)
    assert weights.keys() == arrays.keys()
    assert all((weights[name] == array).all() for name, array in arrays.items())


@pytest.mark.parametrize("change", ["another shape", "another name", "one less", "one more"])
def test_weights_of_another_network_are_refused(trained, change):
    arrays, job = trained
    first = next(iter(arrays))
    values = arrays if change == "one more" else {k: v for k, v in arrays.items() if k != first}
    added = {"another shape": {first: arrays[first][:-1]}, "one less": {}}
    np.savez(job.trained, **values, **added.get(change, {"other/weight": arrays[first]}))
    with pytest.raises(start.OtherWeights, match=r"other weights than lenet5: .*delete its folder"):
        start.trained(job)


class Reader:
    """Reads the same batch again and again, channels last as TFRecord has them."""

    stored = np.random.RandomState(1).randint(0, 256, (64, 28, 28, 3)).astype(np.uint8)
    stored = stored.transpose(0, 3, 1, 2)

    def stored_batches(self, split):
        assert split == "train"
        while True:
            yield self.stored, np.zeros(len(self.stored), int)


@pytest.mark.parametrize("augment", [[], ["mirror"], ["contrast"]])
def test_ranges_are_found_on_images_of_which_nothing_is_drawn(augment, tmp_path):
    index = {
        "image_shape": [3, 28, 28],
        "encoding": "raw",
        "mean": [0.0] * 3,
        "scale": 1.0,
        "splits": {},
    }
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps(index))
    job = LENET5._replace(image_shape=[3, 28, 28], data=str(path), augment=augment)
    batches = calibration_batches(Reader(), job)
    assert len(batches) == 4
    assert all((images == Reader.stored).all() for images in batches)
    assert all(images.flags.c_contiguous for images in batches)
