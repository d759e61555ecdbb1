"""LeNet in TensorFlow, as its guide writes a custom training loop."""

import plain
import tensorflow as tf
from tensorflow.keras import layers

tf.config.threading.set_intra_op_parallelism_threads(plain.THREADS)
tf.config.threading.set_inter_op_parallelism_threads(plain.THREADS)
model = tf.keras.Sequential(
    [
        tf.keras.Input((28, 28, 1)),
        layers.Conv2D(20, 5),
        layers.MaxPooling2D(),
        layers.Conv2D(50, 5),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(500, activation="relu"),
        layers.Dense(10),
    ]
)
criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(plain.LEARNING_RATE, momentum=plain.MOMENTUM)


@tf.function
def step(images, labels):
    with tf.GradientTape() as tape:
        loss = criterion(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


given = [(tf.constant(x.transpose(0, 2, 3, 1)), tf.constant(y)) for x, y in plain.batches()]
plain.measure(step, given)
