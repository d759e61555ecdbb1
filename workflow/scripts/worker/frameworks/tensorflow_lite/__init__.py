"""LiteRT, by TensorFlow's own converter."""
