"""Frameworks' own training loops and programs.

loop.py     OwnLoop and OwnProgram: the adapters by which a framework trains in its own way
feed.py     the batches that a loop trains on
timing.py   warm-up and window of a loop or program
dialect.py  announces the log that a loop or program prints
"""
