"""TensorFlow.js."""
