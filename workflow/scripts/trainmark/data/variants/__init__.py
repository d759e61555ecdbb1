"""One file per variant: what is made of a data set's images when they are converted.

Each states its NAME, with numbers in it as `<height>`; where they are needed, CHANNELS (those that
it needs, and those that it makes of them), CLASSES, OF (the only data sets that it is for), and
NEEDS_COUNT, if the number of training images must be known beforehand.
"""
