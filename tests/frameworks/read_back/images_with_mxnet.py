"""Read image files by their index, and all labels with MXNet's image iterator, which decodes."""

import json
import sys
from pathlib import Path

import mxnet

path, output = sys.argv[1:]
records = mxnet.recordio.MXIndexedRecordIO(path.replace(".rec", ".idx"), path, "r")
images = []
for number in records.keys:
    header, content = mxnet.recordio.unpack(records.read_idx(number))
    assert header.id == number
    images.append((content.hex(), int(header.label)))

batches = mxnet.io.ImageRecordIter(path_imgrec=path, data_shape=(3, 8, 8), batch_size=1, resize=8)
decoded = [(batch.data[0].asnumpy(), int(batch.label[0].asscalar())) for batch in batches]
assert [label for _, label in decoded] == [label for _, label in images]
assert all(pixels.std() > 0 for pixels, _ in decoded)
Path(output).write_text(json.dumps(images))
