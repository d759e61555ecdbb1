"""MXNet's own loop: pack and write encoded images one by one; prints its seconds."""

import sys
import time

import mxnet
import numpy

images, labels, output = sys.argv[1:]
payloads = [image.tobytes() for image in numpy.load(images)]
labels = numpy.load(labels).tolist()
start = time.perf_counter()
writer = mxnet.recordio.MXIndexedRecordIO(output + ".idx", output + ".rec", "w")
for number, (payload, label) in enumerate(zip(payloads, labels)):
    header = mxnet.recordio.IRHeader(0, label, number, 0)
    writer.write_idx(number, mxnet.recordio.pack(header, payload))
writer.close()
print(time.perf_counter() - start)
