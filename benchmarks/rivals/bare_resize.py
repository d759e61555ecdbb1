"""The barest loop that resizes: decode, resize, encode on all cores, keep nothing; its seconds."""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

from PIL import Image

SHORT_SIDE, QUALITY = 256, 95


def resized(path: str) -> int:
    """The bytes that a file takes when it is made smaller."""
    image = Image.open(path)
    shorter = min(image.size)
    width, height = (round(side * SHORT_SIDE / shorter) for side in image.size)
    image.draft("RGB", (2 * width, 2 * height))
    encoded = BytesIO()
    resized = image.convert("RGB").resize(
        (width, height), Image.Resampling.BILINEAR, reducing_gap=2
    )
    resized.save(encoded, "JPEG", quality=QUALITY)
    return len(encoded.getvalue())


root, listed = sys.argv[1:]
paths = [f"{root}/{line.split()[0]}" for line in Path(listed).read_text().splitlines()]
start = time.perf_counter()
with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
    sum(pool.map(resized, paths))
print(time.perf_counter() - start)
