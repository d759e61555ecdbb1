"""Our whole conversion of a folder of image files; prints its seconds."""

import sys
import time
from pathlib import Path

from trainmark.data.convert import convert

if __name__ == "__main__":
    dataset, source, format_name, output = sys.argv[1:]
    start = time.perf_counter()
    convert(dataset, Path(source), format_name, Path(output))
    print(time.perf_counter() - start)
