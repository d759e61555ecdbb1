"""Reading pickled arrays from an untrusted source without running its code.

A pickle may name any function and have it called. Here only what rebuilds a numpy array can be
named, after https://docs.python.org/3/library/pickle.html#restricting-globals.
"""

import pickle
from pathlib import Path
from typing import Any

import numpy as np

from trainmark.data.errors import DataError

ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"): np.ndarray.__new__,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
}


class _ArrayUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which is not allowed")
        return ALLOWED[module, name]


def read(path: Path) -> Any:
    """The content of a pickle of plain values and numpy arrays, written by Python 2 or 3.

    Byte strings of Python 2 stay bytes. Raises DataError for anything else or a damaged file.
    """
    try:
        with path.open("rb") as file:
            return _ArrayUnpickler(file, encoding="bytes").load()
    except OSError:
        raise
    except Exception as error:  # a damaged pickle can raise nearly anything
        raise DataError(f"{path}: not a pickle of arrays ({error})") from error
