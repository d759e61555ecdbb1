"""TensorFlow by Keras's Model.fit."""
