"""What runtimes predict from: files of a network and its weights.

One folder per format, beside what runtimes have in common, with the same names in each:

    graph.py   a file in the making: its operators and its constants
    layers.py  every kind of layer of the neutral network, in the format's words
    model.py   model(): the network and its weights as the content of a file
    content.py what stands in a file: the bytes of its weights, the types of its products
    runtime.py what all runtimes of the format have in common
    forms.py   FORMS: what makes of that content one of fewer bits, by precision
"""
