"""Read image files with Caffe's Data layer, which decodes them: pixels of blue, green, red."""

import sys
import tempfile

import caffe
import numpy

NET = """
layer {{
  name: "data" type: "Data" top: "data" top: "label"
  data_param {{ source: "{}" backend: LMDB batch_size: 1 }}
  transform_param {{ force_color: true }}
}}
"""

path, count, output = sys.argv[1:]
with tempfile.NamedTemporaryFile("w") as file:
    file.write(NET.format(path))
    file.flush()
    net = caffe.Net(file.name, caffe.TEST)
read = {}
for number in range(int(count)):
    tops = net.forward()
    read[f"image{number}"] = tops["data"][0].copy()
    read[f"label{number}"] = tops["label"][0].copy()
numpy.savez(output, **read)
