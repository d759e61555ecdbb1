"""Caffe2 in the form of its ResNet-50 trainer."""
