"""Our own reader of image files: crops of the right size and place, in the order of the files."""

import json
from io import BytesIO

import image_files
import numpy as np
import pytest
from examples import LENET
from PIL import Image, UnidentifiedImageError

from worker.input import dataset, modes
from worker.input.readers import images
from worker.job import Job

JOB = Job(**LENET)
UNTOUCHED, RESIZED = {"short_side": None}, {"short_side": 256}


def read(index, split, contents, shape=(3, 32, 32), seed=1, channels_last=False):
    """One epoch, in batches of two images, of files whose labels are their numbers."""

    def files(index, split, batch_size):
        for start in range(0, len(contents), batch_size):
            labels = range(start, min(start + batch_size, len(contents)))
            yield [contents[label] for label in labels], np.array(labels)

    reader = images.Reader(files, JOB._replace(seed=seed), channels_last)
    batches = list(reader.batches({**index, "image_shape": shape}, split, 2))
    pixels, labels = (np.concatenate(parts) for parts in zip(*batches, strict=True))
    assert pixels.dtype == np.uint8 and pixels.shape[1:] == shape
    assert labels.tolist() == list(range(len(contents)))
    return pixels


def stored(image, kind="jpeg"):
    content = BytesIO()
    image.save(content, kind)
    return content.getvalue()


@pytest.mark.parametrize("channels_last", [False, True])
def test_the_crop_in_the_middle(channels_last):
    random = np.random.default_rng(0).integers(256, size=(256, 301, 3), dtype=np.uint8)
    crops = read(
        RESIZED, "test", [stored(Image.fromarray(random), "png")], (3, 31, 200), 1, channels_last
    )
    expected = random[112 : 112 + 31, 50:250].transpose(2, 0, 1)
    np.testing.assert_array_equal(crops[0], expected)


@pytest.mark.parametrize("factor", [0.7, 1, 1.5, 9])
def test_the_shorter_side_is_resized_to_256_before(factor):
    whole = image_files.image("train", 0).resize((300, 256))
    larger = whole.resize((round(300 * factor), round(256 * factor)))
    crop = read(UNTOUCHED, "test", [stored(larger)])[0].astype(float)
    expected = np.asarray(whole).transpose(2, 0, 1)[:, 112:144, 134:166]
    assert np.abs(crop - expected).mean() < 1


def test_one_channel_is_the_brightness():
    image = image_files.image("train", 1)
    crops = read(RESIZED, "test", [stored(image, "png")], (1, 256, 256))
    np.testing.assert_array_equal(crops[0, 0], np.asarray(image.convert("L")))


def test_training_crops_are_those_of_the_seed_and_no_two_alike():
    contents = [stored(image_files.image("train", 2), "png")] * 9
    crops = read(UNTOUCHED, "train", contents)
    assert len({crop.tobytes() for crop in crops}) == 9
    np.testing.assert_array_equal(crops, read(UNTOUCHED, "train", contents))
    assert (crops != read(UNTOUCHED, "train", contents, seed=2)).any()
    mirrored = crops[:, 0, 0, 0] > crops[:, 0, 0, -1]
    assert 0 < mirrored.sum() < 9


def test_a_crop_can_lie_at_every_edge():
    assert [images.corner(3, draw) for draw in (0, 0.3, 0.6, 0.99999, None)] == [0, 1, 2, 3, 1]
    assert images.corner(0, 0.99999) == 0


def test_what_is_no_image_ends_the_reading():
    with pytest.raises(UnidentifiedImageError):
        read(RESIZED, "train", [stored(image_files.image("train", 1)), b"no image", b"", b""])


def index_of(folder, **settings):
    """A job on a data set of 40 images, 10 batches."""
    index = {"splits": {"train": {"count": 40, "path": "train"}}, "mean": [0.0], "scale": 1.0}
    (folder / "dataset.json").write_text(
        json.dumps({"image_shape": [3, 224, 224], **index, **settings})
    )
    steps = {"batch_size": 4, "warmup_steps": 2, "steps": 3, "input_mode": "cached"}
    data = str(folder / "dataset.json")
    return JOB._replace(data=data, image_shape=[3, 227, 227], **steps)


def test_a_job_trains_on_its_own_image_size(tmp_path):
    job = index_of(tmp_path, encoding="jpeg", **RESIZED)
    assert dataset.of_job(job)["image_shape"] == [3, 227, 227]
    with pytest.raises(dataset.DataError, match="shorter side 256 has no crop of 299"):
        dataset.of_job(job._replace(image_shape=[3, 299, 299]))


@pytest.mark.parametrize(("encoding", "kept"), [("jpeg", 5), ("raw", 10)])
def test_of_image_files_no_more_is_kept_than_the_run_needs(tmp_path, encoding, kept):
    class Adapter:
        def batches(self, split):
            for number in range(10):
                made.append(number)
                yield number

    made = []
    job = index_of(tmp_path, encoding=encoding, **UNTOUCHED)._replace(image_shape=[3, 224, 224])
    batches = modes.training_batches(Adapter(), job)
    assert [next(batches) for _ in range(11)] == [number % kept for number in range(11)]
    assert len(made) == kept


@pytest.mark.parametrize("size", [(640, 427), (427, 640), (500, 331), (2000, 1327)])
@pytest.mark.parametrize("draw", [0.0, 0.9999999])
def test_a_crop_at_the_edge_is_within_images_of_any_size(size, draw):
    image = np.empty((3, 224, 224), np.uint8)
    content = stored(image_files.image("train", 0).resize(size))
    images.read(content, image, 256, (draw, draw, False))
    assert image.std() > 0
