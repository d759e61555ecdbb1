"""Image files, read by every adapter's own reader: crops of the right images, mirrored or not.

What is right is what Pillow makes of them. Other decoders and other ways to resize differ from it
by less than two levels of 255, on average over an image.
"""

import adapters
import examples
import image_files
import numpy as np
import pytest

from trainmark.runs import events

LEVELS = 2
BLUE_FIRST = ("caffe", "caffe_train")
NOT_RESIZING = ("caffe", "caffe_train")
SIDE = 32
JOB = {
    **examples.LENET,
    "dataset": image_files.UNTOUCHED,
    "image_shape": [3, SIDE, SIDE],
    "classes": image_files.CLASSES,
    "batch_size": 4,
}
LARGER = {**JOB, "dataset": image_files.SHORT256, "image_shape": [3, 48, 48], "steps": 2}
READING = [
    name for name in adapters.TRAINING if name != "tensorflow1"
]  # which says that it doesn't
every_adapter = pytest.mark.parametrize("adapter", READING)
DATASETS = [image_files.UNTOUCHED, image_files.SHORT256]
every_dataset = pytest.mark.parametrize("dataset", DATASETS)


def datasets_of(adapter):
    """Those that an adapter reads."""
    return [image_files.SHORT256] if adapter in NOT_RESIZING else DATASETS


@pytest.fixture(scope="session")
def images_of(epochs):
    """Pixels (n, C, H, W) in levels, and labels (n,), of an adapter's split."""

    def arrays(adapter, dataset, split):
        datasets = datasets_of(adapter)
        if dataset not in datasets:
            pytest.skip(f"{adapter} resizes no images")
        jobs = [{**JOB, "dataset": each} for each in datasets]
        read, index = epochs(adapter, jobs)[datasets.index(dataset)]
        mean = np.array(index["mean"]).reshape(-1, 1, 1)
        pixels = read[f"pixels/{split}"].reshape(-1, *JOB["image_shape"])
        if adapter in BLUE_FIRST:
            pixels = pixels[:, ::-1]
        return pixels / index["scale"] + mean, read[f"labels/{split}"]

    return arrays


def off_by(pixels, expected):
    """Mean difference in levels."""
    return np.abs(pixels - expected).mean()


@every_adapter
@every_dataset
def test_a_test_image_is_the_crop_in_its_middle(images_of, adapter, dataset):
    pixels, labels = images_of(adapter, dataset, "test")
    assert labels.tolist() == list(range(image_files.COUNTS["test"]))
    for number in labels:
        whole = image_files.resized("test", number)
        top, left = ((size - SIDE) // 2 for size in whole.shape[1:])
        expected = whole[:, top : top + SIDE, left : left + SIDE]
        assert off_by(pixels[number], expected) < LEVELS


def nearest(profile, expected):
    """Where in a longer profile a part of it lies, and by how much it is off there."""
    windows = np.lib.stride_tricks.sliding_window_view(expected, len(profile))
    distances = np.abs(windows - profile).mean(axis=1)
    return distances.argmin(), distances.min()


def locate(crop, whole):
    """Where a crop lies (top, left), whether it is mirrored, and its difference in levels."""
    top, _ = nearest(crop[1].mean(axis=1), whole[1].mean(axis=1))
    columns = whole[0].mean(axis=0)
    matches = [nearest(crop[0].mean(axis=0)[::step], columns) for step in (1, -1)]
    mirrored = int(matches[1][1] < matches[0][1])
    left, _ = matches[mirrored]
    expected = whole[:, top : top + SIDE, left : left + SIDE]
    return top, left, mirrored, off_by(crop[:, :, :: -1 if mirrored else 1], expected)


@every_adapter
@every_dataset
def test_training_images_are_random_crops_every_other_one_mirrored(images_of, adapter, dataset):
    pixels, labels = images_of(adapter, dataset, "train")
    assert len(labels) == 2 * 12  # full batches only
    positions = []
    for crop, label in zip(pixels, labels, strict=True):
        whole = image_files.resized("train", label)
        *where, off = locate(crop, whole)
        assert off < LEVELS
        positions.append((label, *where))
    for epoch in (positions[:12], positions[12:]):
        assert len({label for label, *_ in epoch}) == 12
    tops, lefts, mirrored = map(np.array, zip(*(where for _, *where in positions), strict=True))
    assert np.ptp(tops) > 100 and np.ptp(lefts) > 100
    assert 3 <= mirrored.sum() <= 21  # all but one time in 10,000
    assert len(set(positions)) == len(positions)


RUNS = [
    *((adapter, "cpu") for adapter in READING),
    *((adapter, "cpu:2") for adapter in adapters.ON_SEVERAL_DEVICES),
    *((adapter, "cpu:2x1") for adapter in adapters.ON_SEVERAL_NODES),
]
is_chosen = adapters.every(3, READING, ["cpu:2", "cpu:2x1"], ("cpu",))


@pytest.mark.parametrize(("adapter", "device"), adapters.params(RUNS, is_chosen))
def test_a_run_of_another_image_size(run_events, adapter, device):
    log = run_events(adapter, {**LARGER, "device": device}).events
    assert log[-1]["event"] == "end"
    assert events.last(log, "window_end")["images"] == 8
    assert events.last(log, "evaluation")["count"] == image_files.COUNTS["test"]


@pytest.mark.parametrize("adapter", NOT_RESIZING)
def test_what_an_adapter_can_not_do_with_images_is_reported(refused, converted, adapter):
    data = str(converted(image_files.UNTOUCHED, adapter))
    assert "-short256 after the data set's name" in refused(adapter, {**JOB, "data": data})
