"""Model files of a network and its weights, from which runtimes predict.

runtime.py is the base class of all runtimes. Each format has a folder with the same file names:

    graph.py   a file under construction: its operators and its constants
    layers.py  every kind of layer of the neutral network as operators of the format
    model.py   model(): the network and its weights as the content of a file
    content.py reads a file: the bytes of its weights, the types of its products
    runtime.py the base class of the format's runtimes
    forms.py   FORMS: the functions that reduce a model's bits, by precision
"""
