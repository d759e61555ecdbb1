"""The barest loop into an LMDB: read a file, put it, sync once at the end; prints its seconds."""

import sys
import time
from pathlib import Path

import lmdb

IMAGES_PER_TRANSACTION = 1000
MAP_BYTES = 1 << 40

root, listed, output = sys.argv[1:]
paths = [f"{root}/{line.split()[0]}" for line in Path(listed).read_text().splitlines()]
start = time.perf_counter()
with lmdb.open(output, map_size=MAP_BYTES, lock=False, sync=False) as environment:
    for first in range(0, len(paths), IMAGES_PER_TRANSACTION):
        with environment.begin(write=True) as transaction:
            for number in range(first, min(len(paths), first + IMAGES_PER_TRANSACTION)):
                content = Path(paths[number]).read_bytes()
                transaction.put(b"%08d" % number, content, append=True)
    environment.sync(True)
print(time.perf_counter() - start)
