"""What both sides of a comparison train: network, images, and how many steps are timed."""

from collections import namedtuple

Task = namedtuple("Task", "image_shape batch_size warmup_steps steps")
TASKS = {
    "lenet": Task((1, 28, 28), 64, 40, 400),
    "alexnet": Task((3, 32, 32), 64, 5, 30),
    "resnet50": Task((3, 32, 32), 8, 3, 12),
}
CLASSES = 10
LEARNING_RATE, MOMENTUM = 0.001, 0.9
