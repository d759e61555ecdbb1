"""Caffe."""
