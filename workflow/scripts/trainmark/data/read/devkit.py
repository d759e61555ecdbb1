"""The development kit of ILSVRC12, which has the classes of the validation images.

Its readme.txt describes the two files that are read: meta.mat, the table of the WordNet ids by
ILSVRC2012_ID, and the ground truth, a line with such an id for each validation image.
"""

import io
import re
import tarfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy.io
from scipy.io.matlab import MatReadError

from trainmark.data.errors import DataError

NAME = "ILSVRC2012_devkit_t12"
META = "data/meta.mat"
GROUND_TRUTH = "data/ILSVRC2012_validation_ground_truth.txt"
DAMAGE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    MatReadError,
    NotImplementedError,  # a later format of meta.mat
    zlib.error,
)
NUMBERED = re.compile(r"ILSVRC2012_val_(?!0{8})(\d{8})\.JPEG", flags=re.ASCII)


def labels(folder: Path, names: Sequence[str], classes: Sequence[str]) -> list[int]:
    """The labels of validation images by their names: places of their WordNet ids in `classes`.

    The development kit is in `folder`, as an archive or unpacked. Raises DataError.
    """
    meta, ground_truth = _read(folder, META), _read(folder, GROUND_TRUTH)
    try:
        wordnet_ids, truth = _wordnet_ids(meta), [int(line) for line in ground_truth.split()]
        labels_by_id = {wordnet_id: label for label, wordnet_id in enumerate(classes)}
        return [labels_by_id[wordnet_ids[truth[_number(name) - 1]]] for name in names]
    except DAMAGE as error:
        raise DataError(
            f"{folder / NAME}: doesn't tell the class of each validation image ({error!r}); "
            "fetch it anew"
        ) from error


def _wordnet_ids(meta: bytes) -> dict[int, str]:
    synsets = scipy.io.loadmat(io.BytesIO(meta), squeeze_me=True)["synsets"]  # type: ignore[arg-type]
    return {int(row["ILSVRC2012_ID"]): str(row["WNID"]) for row in np.atleast_1d(synsets)}


def _number(name: str) -> int:
    """The number of a validation image, from 1 on, which is that of its line."""
    match = NUMBERED.fullmatch(name)
    if match is None:
        raise ValueError(f"{name} is not named as the validation images of ILSVRC12 are")
    return int(match[1])


def _read(folder: Path, name: str) -> bytes:
    """One file of the development kit."""
    unpacked, archive = folder / NAME, folder / f"{NAME}.tar.gz"
    try:
        if unpacked.is_dir():
            return (unpacked / name).read_bytes()
        with tarfile.open(archive) as tar:
            file = tar.extractfile(f"{NAME}/{name}")
            return file.read() if file else b""
    except (OSError, EOFError, KeyError, tarfile.TarError, zlib.error) as error:
        raise DataError(
            f"{folder}: the classes of the validation images stand in {archive.name}, which can't "
            f"be read ({error}); fetch it too, or sort the images into class folders in val"
        ) from error
