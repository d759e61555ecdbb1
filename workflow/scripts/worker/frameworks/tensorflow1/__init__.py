"""TensorFlow 1: graphs and sessions."""
