"""What both sides of a comparison train: network, images, and how many steps are timed."""

from collections import namedtuple

Task = namedtuple("Task", "image_shape batch_size warmup_steps steps")
TASKS = {
    "lenet": Task((1, 28, 28), 64, 40, 400),
    "alexnet": Task((3, 32, 32), 64, 5, 30),
    "resnet50": Task((3, 32, 32), 8, 3, 12),
    "resnet20": Task((3, 32, 32), 32, 5, 60),
    "mobilenet_v2": Task((3, 224, 224), 8, 2, 8),
    "text_encoder": Task((1, 1, 128), 16, 3, 20),
    "gpt2_mini": Task((1, 1, 128), 16, 2, 10),
}
OF_EACH = ("lenet", "alexnet", "resnet50")
"""Those of which each framework has a plain loop."""
WITH_ALL = ("jax", "mxnet", "pytorch", "tensorflow")
"""The frameworks that have plain loops of all."""
OF_TEXTS = ("text_encoder", "gpt2_mini")
CLASSES, VOCABULARY = 10, 256
GENERATED = 64
"""The tokens that follow a prompt, of each text."""
LEARNING_RATE, MOMENTUM = 0.001, 0.9
