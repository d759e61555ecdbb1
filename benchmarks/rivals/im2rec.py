"""MXNet's own im2rec.py on a list of image files, which pass through; prints its seconds.

It imports OpenCV, which nothing needs of it where images pass through, and so an empty module
stands in where there is none.
"""

import os
import runpy
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType

import mxnet

try:
    import cv2  # noqa: F401
except ImportError:
    sys.modules["cv2"] = ModuleType("cv2")

prefix, root = sys.argv[1:]
script = Path(mxnet.__file__).parent / "tools" / "im2rec.py"
sys.argv = [str(script), "--pass-through", prefix, root]
start = time.perf_counter()
with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
    runpy.run_path(str(script), run_name="__main__")
print(time.perf_counter() - start)
