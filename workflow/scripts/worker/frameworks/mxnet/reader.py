"""The augmentation of image files by MXNet's ImageRecordIter.

Source: https://mxnet.apache.org/versions/1.9.1/api/python/docs/api/mxnet/io/index.html.
"""

from typing import Any, Dict

from worker.input import dataset


def augmentation(index: dataset.Index, split: str) -> Dict[str, Any]:
    """Settings of ImageRecordIter: none for pixels, which are trained on as they are.

    Without rand_crop it takes the crop in the middle. With a seed of its own (seed_aug) it would
    crop alike in every epoch.
    """
    if not dataset.is_encoded(index):
        return {}
    is_training = split == "train"
    return {
        "resize": dataset.resized_to(index) or -1,
        "rand_crop": is_training,
        "rand_mirror": is_training,
    }
