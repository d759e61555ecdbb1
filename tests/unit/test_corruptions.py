"""Corruptions of test images: pure functions, the same whatever the batches."""

import numpy as np
import pytest
from small_study import case, make

from trainmark.study.config.errors import StudyError
from trainmark.study.plugins import UnknownPlugin, names
from worker.input import corruptions, modes
from worker.input.corruptions import blur, contrast, noise, rotation

IMAGES = np.random.RandomState(1).randint(0, 256, (6, 3, 9, 12)).astype(np.uint8)
LABELS = np.arange(6)
NUMBERS = np.arange(6)
TRAINED = {"trained_by": "numpy", "keep_weights": True}
BOTH = {"stages": ["train", "infer"], "repeats": 2}


def batches(size):
    return [(IMAGES[i : i + size], LABELS[i : i + size]) for i in range(0, len(IMAGES), size)]


def whole(prepared):
    images, labels = map(np.concatenate, zip(*prepared, strict=True))
    np.testing.assert_array_equal(labels, LABELS)
    return images


@pytest.mark.parametrize("name", names("corruption"))
def test_an_image_is_corrupted_the_same_in_batches_of_every_size(name):
    at_once, one_by_one = (
        whole(corruptions.corrupted(batches(size), name)) for size in (len(IMAGES), 1)
    )
    np.testing.assert_array_equal(at_once, one_by_one)
    assert at_once.dtype == np.uint8
    assert at_once.shape == IMAGES.shape
    assert (at_once != IMAGES).any(axis=(1, 2, 3)).all()


def test_a_single_pixel_is_rotated_about_the_middle():
    image = np.zeros((1, 1, 5, 5))
    image[0, 0, 2, 4] = 200  # to the right of the middle
    rotated = corruptions.as_bytes(rotation.rotated(image, 90))
    assert rotated[0, 0, 0, 2] == 200  # above it
    assert rotated.sum() == 200


def test_a_full_turn_changes_no_image():
    rotated = corruptions.as_bytes(rotation.rotated(IMAGES.astype(float), 360))
    np.testing.assert_array_equal(rotated, IMAGES)


def test_blur_keeps_the_mean_and_spreads_a_pixel_evenly():
    blurred = blur.corrupt(IMAGES.astype(float), NUMBERS)
    np.testing.assert_allclose(blurred.mean(axis=(2, 3)), IMAGES.mean(axis=(2, 3)))
    image = np.zeros((1, 1, 11, 11))
    image[0, 0, 5, 5] = 1
    spread = blur.corrupt(image, NUMBERS[:1])[0, 0]
    np.testing.assert_allclose(spread, spread.T)
    assert spread[5, 6] / spread[5, 5] == pytest.approx(np.exp(-0.5))


def test_contrast_keeps_the_mean_of_each_channel_and_lowers_its_deviation():
    corrupted = contrast.corrupt(IMAGES.astype(float), NUMBERS)
    np.testing.assert_allclose(corrupted.mean(axis=(2, 3)), IMAGES.mean(axis=(2, 3)))
    np.testing.assert_allclose(corrupted.std(axis=(2, 3)), 0.4 * IMAGES.std(axis=(2, 3)))


def test_noise_has_its_deviation_and_differs_from_image_to_image():
    grey = np.full((20, 1, 28, 28), 128.0)
    added_noise = noise.corrupt(grey, np.arange(20)) - grey
    assert added_noise.std() == pytest.approx(25.5, rel=0.02)
    assert abs(added_noise.mean()) < 0.5
    assert abs(np.corrcoef(added_noise[0].ravel(), added_noise[1].ravel())[0, 1]) < 0.1


def test_levels_are_rounded_to_bytes_halves_upwards_and_cut_at_black_and_white():
    levels = np.array([-3.0, 0.4, 0.5 - 1e-12, 0.5, 1.5, 300.0])
    assert corruptions.as_bytes(levels).tolist() == [0, 0, 1, 1, 2, 255]


@pytest.mark.parametrize(("count", "sizes"), [(0, [4, 2]), (6, [4, 2]), (5, [4, 1]), (3, [3])])
def test_the_first_images_of_a_split_are_taken_and_no_more_are_read(count, sizes):
    assert [len(labels) for _, labels in modes.first(batches(4), count)] == sizes


def test_corruptions_are_for_the_runs_that_train_for_others_and_for_these():
    settings = {**TRAINED, "corruptions": ["blur"], "corrupted_images": 100}
    study = make(cases=case(**settings), **{**BOTH, "input_modes": ["dataset", "synthetic"]})
    stages = {
        (run.settings["stage"], run.settings["input_mode"], *run.settings["corruptions"])
        for run in study.runs.values()
    }
    assert stages == {
        ("train", "dataset", "blur"),
        ("train", "synthetic", "blur"),
        ("infer", "dataset", "blur"),
        ("infer", "synthetic"),
    }


def test_corruptions_that_make_no_sense_are_refused_in_one_line():
    with pytest.raises(UnknownPlugin, match="unknown corruption 'fog'; known: blur, contrast"):
        make(cases=case(**TRAINED, corruptions=["fog"]), **BOTH)
    with pytest.raises(StudyError, match="corruptions: needs trained_by"):
        make(cases=case(corruptions=["blur"]))
    with pytest.raises(StudyError, match="corruptions: needs evaluate: true"):
        make(cases=case(**TRAINED, corruptions=["blur"], evaluate=False), **BOTH)


def test_each_repeat_has_a_seed_of_its_own_where_a_case_says_so():
    study = make(cases=case(**TRAINED, vary_seed=True, seed=7), **BOTH)
    seeds = {(run.settings["repeat"], run.settings["seed"]) for run in study.runs.values()}
    assert seeds == {(1, 7), (2, 8)}
