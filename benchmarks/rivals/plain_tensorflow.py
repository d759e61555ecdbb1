"""Networks in TensorFlow, as its guide writes Keras models and a custom training loop."""

import plain
import tensorflow as tf
from encoder_tensorflow import encoder
from gpt_tensorflow import Generator, gpt
from tensorflow.keras import Sequential, layers


def lenet():
    """Caffe's LeNet."""
    return Sequential(
        [
            tf.keras.Input((28, 28, 1)),
            layers.Conv2D(20, 5),
            layers.MaxPooling2D(),
            layers.Conv2D(50, 5),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(500, activation="relu"),
            layers.Dense(plain.CLASSES),
        ]
    )


def alexnet():
    """Caffe's AlexNet for images of 32x32."""
    same = {"padding": "same", "activation": "relu"}
    return Sequential(
        [
            tf.keras.Input((32, 32, 3)),
            layers.ZeroPadding2D(1),
            layers.Conv2D(96, 3, strides=2, activation="relu"),
            *(lrn(), layers.MaxPooling2D(3, 2)),
            layers.Conv2D(256, 5, groups=2, **same),
            *(lrn(), layers.MaxPooling2D(3, 2)),
            layers.Conv2D(384, 3, **same),
            layers.Conv2D(384, 3, groups=2, **same),
            layers.Conv2D(256, 3, groups=2, **same),
            *(layers.MaxPooling2D(3, 2), layers.Flatten()),
            *(layers.Dense(4096, activation="relu"), layers.Dropout(0.5)),
            *(layers.Dense(4096, activation="relu"), layers.Dropout(0.5)),
            layers.Dense(plain.CLASSES),
        ]
    )


def lrn():
    """Local response normalisation over five channels."""
    settings = {"depth_radius": 2, "bias": 1, "alpha": 1e-4 / 5, "beta": 0.75}
    return layers.Lambda(tf.nn.local_response_normalization, arguments=settings)


def resnet50():
    """ResNet-50 with the stem for images of 32x32."""
    images = tf.keras.Input((32, 32, 3))
    x = layers.ReLU()(conv_norm(images, 64, 3))
    for width, blocks in zip((64, 128, 256, 512), (3, 4, 6, 3)):
        for block in range(blocks):
            x = bottleneck(x, width, 2 if width > 64 and block == 0 else 1)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(images, layers.Dense(plain.CLASSES)(x))


def resnet20():
    """ResNet-20 for images of 32x32."""
    images = tf.keras.Input((32, 32, 3))
    x = layers.ReLU()(conv_norm(images, 16, 3))
    for width in (16, 32, 64):
        for block in range(3):
            x = basic(x, width, 2 if width > 16 and block == 0 else 1)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(images, layers.Dense(plain.CLASSES)(x))


def basic(x, width, stride):
    """ResNet's block of two 3x3 convolutions."""
    y = layers.ReLU()(conv_norm(x, width, 3, stride))
    return added(x, conv_norm(y, width, 3), width, stride)


def bottleneck(x, width, stride):
    """ResNet's block of 1x1, 3x3 and 1x1 convolutions."""
    y = layers.ReLU()(conv_norm(x, width, 1))
    y = layers.ReLU()(conv_norm(y, width, 3, stride))
    return added(x, conv_norm(y, 4 * width, 1), 4 * width, stride)


def added(x, y, channels, stride):
    """The shortcut and the branch."""
    if x.shape != y.shape:
        x = conv_norm(x, channels, 1, stride)
    return layers.ReLU()(layers.Add()([x, y]))


def conv_norm(x, channels, kernel, stride=1):
    """A convolution and its batch norm."""
    padding = "same"
    if stride > 1 and kernel > 1:
        x, padding = layers.ZeroPadding2D(1)(x), "valid"
    x = layers.Conv2D(channels, kernel, stride, padding, use_bias=False)(x)
    return layers.BatchNormalization(momentum=0.9, epsilon=1e-5)(x)


def mobilenet_v2():
    """Keras's."""
    settings = {"weights": None, "classes": plain.CLASSES, "classifier_activation": None}
    return tf.keras.applications.MobileNetV2((224, 224, 3), **settings)


tf.config.threading.set_intra_op_parallelism_threads(plain.THREADS)
tf.config.threading.set_inter_op_parallelism_threads(plain.THREADS)


def gpt2_mini():
    """The small decoder."""
    return gpt(heads=plain.HEADS, **plain.TEXT)


def text_encoder():
    """The small text encoder."""
    return encoder(heads=plain.HEADS, classes=plain.CLASSES, **plain.TEXT)


def generator():
    """The small decoder, which keeps keys and values."""
    return Generator(heads=plain.HEADS, **plain.TEXT)


OF_IMAGES = (lenet, alexnet, resnet50, resnet20, mobilenet_v2)
NETWORKS = {network.__name__: network for network in (*OF_IMAGES, text_encoder, gpt2_mini)}
model = generator() if plain.STAGE == "generate" else NETWORKS[plain.NETWORK]()
criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(plain.LEARNING_RATE, momentum=plain.MOMENTUM)


@tf.function
def step(images, labels):
    """Train on one batch."""
    with tf.GradientTape() as tape:
        loss = criterion(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def predict(images, _):
    """Predict one batch."""
    return model(images, training=False)


@tf.function
def continue_prompts(texts, _):
    """Generate from the prompts of one batch."""
    return model(texts[:, : plain.PROMPT], steps=plain.GENERATED)


x, y = plain.batch()
batch = tf.constant(x if x.ndim == 2 else x.transpose(0, 2, 3, 1)), tf.constant(y)
stages = {"train": step, "infer": predict, "generate": continue_prompts}
plain.measure(stages[plain.STAGE], batch, tf.test.experimental.sync_devices)
