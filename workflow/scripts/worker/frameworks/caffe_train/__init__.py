"""Caffe by its own program."""
