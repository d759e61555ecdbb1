"""Theano."""
