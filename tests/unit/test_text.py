"""Text as windows of bytes, each labelled with the byte that follows it."""

import math
from collections import Counter

import numpy as np
import pytest
from data_files import read_split

from trainmark.data import sources
from trainmark.data.convert import convert
from trainmark.data.datasets import sentences
from trainmark.data.errors import DataError
from trainmark.data.obtain.addresses import DownloadError
from trainmark.data.read import text
from trainmark.study.datasets import NoSuchVariant, facts
from worker.input import tokens


def test_a_window_is_labelled_with_the_byte_behind_it():
    ((images, labels),) = text.windows(b"the cat sees", tokens=4)
    assert [image.tobytes() for image in images] == [b"the ", b"cat "]
    assert bytes(labels.tolist()) == b"cs"  # the last four bytes have none behind them


def test_what_windows_are_cut_from_can_be_cut_anew():
    content = bytes(range(200))
    assert text.joined(text.windows(content, 64)) == content[: 3 * 64 + 1]


def test_a_batch_has_the_next_byte_of_each():
    images = np.frombuffer(b"thatthis", np.uint8).reshape(2, 1, 1, 4)
    read, following = tokens.with_next(images, np.array([ord("!"), ord("?")]))
    assert read.dtype == np.float32
    assert following.astype(np.uint8).tobytes() == b"hat!his?"


def test_windows_of_another_length_are_of_the_same_text(tmp_path):
    wanted = facts("sentences-tokens64")
    assert wanted.image_shape == (1, 1, 64)
    assert wanted.train_count == 2 * facts("sentences").train_count
    short, _ = read_split("sentences-tokens64", tmp_path / "sentences" / "source")
    long, _ = read_split("sentences", tmp_path / "sentences" / "source")
    assert short.tobytes() == long.tobytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [("sentences-tokens128", "has windows of 128 bytes"), ("mnist-tokens64", "of sentences, ")],
)
def test_other_variants_are_refused(name, message):
    with pytest.raises(NoSuchVariant, match=message):
        facts(name)


def test_generated_sentences_can_be_predicted_as_well_as_they_say(tmp_path):
    images, labels = read_split("sentences", tmp_path)
    lines = text.joined([(images, labels)]).decode().splitlines()[:-1]
    bits = sum(math.log2(len(words)) for words in sentences.WORDS)
    mean_bytes = np.mean([len(line) + 1 for line in lines])
    assert bits / mean_bytes == pytest.approx(0.522, abs=0.002)
    nouns = Counter(line.split()[2] for line in lines)
    assert set(nouns) == set(sentences.NOUNS)
    assert max(nouns.values()) < 1.2 * min(nouns.values())


def test_test_sentences_are_others(tmp_path):
    train, test = (read_split("sentences", tmp_path, split)[0] for split in ("train", "test"))
    assert train[0].tobytes() != test[0].tobytes()


def test_a_folder_of_text_files_is_read_in_the_order_of_their_names(tmp_path):
    folder = tmp_path / "mine"
    (folder / "more").mkdir(parents=True)
    (folder / "a.txt").write_bytes(b"a" * 900)
    (folder / "more" / "b.txt").write_bytes(b"b" * 1100)
    source = tmp_path / "text-mine" / "source"
    sources.obtain("text-mine", source, [str(folder)])
    images, _ = read_split("text-mine", source)
    assert images.shape == (14, 1, 1, 128)  # of the first 1,800 of 2,000 bytes
    assert images.tobytes().startswith(b"a" * 900 + b"b")
    assert len(sources.recorded(source)) == 2


def test_a_folder_of_text_files_must_be_named(tmp_path):
    with pytest.raises(DownloadError, match=r"text files under machine\.mirrors\.text-mine"):
        sources.obtain("text-mine", tmp_path / "text-mine" / "source")


def test_text_that_was_changed_since_it_was_listed_is_not_converted(tmp_path):
    texts = tmp_path / "mine"
    texts.mkdir()
    (texts / "a.txt").write_bytes(b"the cat sees the dog " * 100)
    source = tmp_path / "text-mine" / "source"
    sources.obtain("text-mine", source, [str(texts)])
    convert("text-mine", source, "lmdb", source.with_name("lmdb"))
    (texts / "folder.txt").mkdir()  # no file
    convert("text-mine", source, "cntk", source.with_name("cntk"))
    (texts / "b.txt").write_bytes(b"and the dog sees the cat")
    with pytest.raises(DataError, match="its files have changed since they were listed; delete"):
        convert("text-mine", source, "tfrecord", source.with_name("tfrecord"))
