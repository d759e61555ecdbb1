"""Pixels as a case asks for them, and the same whatever framework reads them."""

import numpy as np
import pytest
from examples import LENET
from small_study import case, make

from trainmark.study.config.errors import StudyError
from worker.input import pixels
from worker.job import Job

INDEX = {"image_shape": [3, 8, 10], "encoding": "raw", "mean": [100.0, 110.0, 120.0], "scale": 0.02}
STORED = np.random.RandomState(1).randint(0, 256, (5, 3, 8, 10)).astype(np.uint8)
LABELS = np.arange(5)


def ready(split="train", shape=(3, 8, 10), count=1, **settings):
    """The batches that come of some that are alike."""
    job = Job(**LENET)._replace(image_shape=list(shape), **settings)
    chunks = list(pixels.prepared([(STORED, LABELS)] * count, INDEX, job, split))
    assert all((labels == LABELS).all() for _, labels in chunks)
    assert all(images.dtype == np.float32 and images.flags.c_contiguous for images, _ in chunks)
    return [images for images, _ in chunks]


@pytest.mark.parametrize(
    ("rule", "mean", "scale"),
    [
        ({}, [100, 110, 120], 0.02),
        ({"divisor": 256}, [0, 0, 0], 1 / 256),
        ({"mean": "channel"}, [100, 110, 120], 1),
        ({"mean": 128, "divisor": 32}, [128, 128, 128], 1 / 32),
    ],
)
def test_a_rule_of_constants_is_left_to_the_frameworks_reader(rule, mean, scale):
    settings = pixels.constants(INDEX, rule)
    assert (settings["mean"], settings["scale"]) == (mean, scale)
    job = Job(**LENET)._replace(image_shape=[3, 8, 10], pixels=rule)
    assert not pixels.are_prepared(job, INDEX)


def test_an_image_that_is_standardised_has_a_mean_of_0_and_a_deviation_of_1():
    (images,) = ready(pixels={"standardise": "image"})
    np.testing.assert_allclose(images.mean(axis=(1, 2, 3)), 0, atol=1e-6)
    np.testing.assert_allclose(images.std(axis=(1, 2, 3)), 1, rtol=1e-6)


def test_an_image_of_one_grey_is_standardised_to_zeros():
    assert not pixels.standardised(np.full((1, 3, 4, 4), 7.0)).any()


def test_the_mean_image_is_subtracted_before_images_are_cropped(tmp_path, monkeypatch):
    np.save(tmp_path / "mean_image.npy", STORED[0].astype(np.float32))
    monkeypatch.setitem(INDEX, "mean_image", str(tmp_path / "mean_image.npy"))
    (images,) = ready("test", shape=(3, 4, 4), pixels={"mean": "image"})
    assert not images[0].any()
    expected = (STORED[1].astype(float) - STORED[0])[:, 2:6, 3:7]
    np.testing.assert_array_equal(images[1], expected)


def test_test_images_are_cropped_in_the_middle_and_nothing_is_drawn():
    (images,) = ready(
        "test", shape=(3, 4, 4), pixels={"mean": "none"}, augment=["crop", "mirror", "contrast"]
    )
    np.testing.assert_array_equal(images, STORED[:, :, 2:6, 3:7])


def test_training_images_are_windows_of_the_stored_ones_and_those_of_each_batch_new():
    first, second = ready(shape=(3, 4, 4), count=2, pixels={"mean": "none"}, augment=["crop"])
    for image, stored in zip(first, STORED, strict=True):
        windows = [stored[:, i : i + 4, j : j + 4] for i in range(5) for j in range(7)]
        assert sum((image == window).all() for window in windows) == 1
    assert (first != second).any()
    again, _ = ready(shape=(3, 4, 4), count=2, pixels={"mean": "none"}, augment=["crop"])
    np.testing.assert_array_equal(first, again)


def test_an_image_is_mirrored_or_left_and_its_contrast_turns_about_its_channels_means():
    (images,) = ready(pixels={"mean": "none"}, augment=["mirror"])
    mirrored = [
        (image == stored[:, :, ::-1]).all() for image, stored in zip(images, STORED, strict=True)
    ]
    left = [(image == stored).all() for image, stored in zip(images, STORED, strict=True)]
    assert all(np.add(mirrored, left) == 1)
    assert any(mirrored)
    assert any(left)
    (images,) = ready(pixels={"mean": "none"}, augment=["contrast"])
    means = STORED.mean(axis=(2, 3), keepdims=True)
    np.testing.assert_allclose(images.mean(axis=(2, 3), keepdims=True), means, rtol=1e-5)
    factors = ((images - means) / (STORED - means)).reshape(5, -1)
    np.testing.assert_allclose(factors, factors[:, :1] * np.ones_like(factors), rtol=1e-2)
    assert ((factors > 0.19) & (factors < 1.81)).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"image_size": 32}, "image_size 32 is more than the images of digits have, 28x28"),
        ({"augment": ["crop"]}, "augment: crop needs image_size"),
        (
            {"pixels": {"standardise": "image", "divisor": 2}},
            "standardise goes without mean and divisor",
        ),
        ({"augment": ["rotate"]}, "'rotate' is not one of"),
        ({"pixels": {"mean": "median"}}, "pixels.mean"),
        (
            {"dataset": "synthetic-imagenet", "pixels": {"divisor": 255}, "network": "alexnet"},
            "pixels, augment and shuffle are for stored pixels",
        ),
        ({"network": "text_lstm"}, "it needs pixels: {mean: none}, no augment"),
    ],
)
def test_pixels_that_make_no_sense_are_refused_in_one_line(changes, message):
    with pytest.raises(StudyError, match=message) as refused:
        make(cases=case(**changes))
    assert "\n" not in str(refused.value)


def test_epochs_become_the_steps_that_the_warm_up_leaves():
    whole = case(epochs=2, batch_size=100, warmup_steps=5)
    del whole["lenet-digits"]["steps"]
    runs = make(cases=whole, frameworks=["numpy"], repeats=1).runs.values()
    assert [run.settings["steps"] for run in runs] == [2 * 15 - 5]  # of 1,500 images
    larger = [{"where": {"case": "lenet-digits"}, "set": {"batch_size": 300}}]
    runs = make(cases=whole, frameworks=["numpy"], repeats=1, overrides=larger).runs.values()
    assert [run.settings["steps"] for run in runs] == [2 * 5 - 5]
    with pytest.raises(StudyError, match="remove steps or epochs"):
        make(cases=case(epochs=2))
    whole["lenet-digits"]["epochs"] = 0.2
    with pytest.raises(StudyError, match=r"0\.2 epochs of 1500 images leave no step after the 5"):
        make(cases=whole)
