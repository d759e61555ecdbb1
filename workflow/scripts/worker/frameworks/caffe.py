"""Caffe, by pycaffe: batches are handed to a net, which an SGDSolver trains step by step."""

from worker.frameworks._pycaffe import Pycaffe

TITLE = "Caffe"
FORMAT = "lmdb"
COLOUR = "#795548"


class Adapter(Pycaffe):
    """All of it is shared with caffe_train, which trains by Caffe's own program instead."""
