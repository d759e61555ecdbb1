"""One file per variant: what is made of a data set's images when they are converted.

Each states its NAME, with numbers in it as `<height>`; where they are needed, CHANNELS (those that
it needs, and those that it makes of them), CLASSES, and OF (the only data sets that it is for).
"""
