"""Caffe2."""
