"""Caffe's Data layer: it reads an LMDB in a thread of its own, round and round, and normalises.

Source: https://github.com/BVLC/caffe/blob/master/src/caffe/data_transformer.cpp.
"""

from typing import Any, Dict

from caffe.proto import caffe_pb2

from worker.events import Unsupported
from worker.input import dataset

PHASES = {"train": caffe_pb2.TRAIN, "test": caffe_pb2.TEST}


def layer(index: dataset.Index, split: str, batch_size: int) -> caffe_pb2.LayerParameter:
    """The layer of `images` and `labels`; for "test" its net must be of that phase.

    Raises Unsupported.
    """
    reading = {"source": index["splits"][split]["path"], "batch_size": batch_size}
    transformation = {"mean_value": index["mean"], "scale": index["scale"]}
    if dataset.is_encoded(index):
        transformation.update(augmentation(index, split))
    return caffe_pb2.LayerParameter(
        name="data",
        type="Data",
        top=["images", "labels"],
        data_param=dict(reading, backend=caffe_pb2.DataParameter.LMDB),
        transform_param=transformation,
    )


def augmentation(index: dataset.Index, split: str) -> Dict[str, Any]:
    """Further settings for image files: the crop is random in the phase TRAIN, else in the middle.

    Colours are in the order blue, green, red of OpenCV, which Caffe can't change; the work is the
    same. Raises Unsupported for what the layer can't do.
    """
    _, height, width = index["image_shape"]
    if dataset.resized_to(index):
        raise Unsupported(
            "caffe's Data layer resizes no images: convert them with -short256 after the data "
            "set's name"
        )
    if height != width:
        raise Unsupported("caffe's Data layer crops squares only")
    return {
        "crop_size": height,
        "mirror": split == "train",
        "force_color": True,
        "mean_value": index["mean"][::-1],
    }
