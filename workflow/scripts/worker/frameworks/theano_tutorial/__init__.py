"""Theano in the form of the deep learning tutorials."""
