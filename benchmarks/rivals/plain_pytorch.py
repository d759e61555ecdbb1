"""LeNet in PyTorch, as its tutorials write a training loop."""

import plain
import torch
from torch import nn

torch.set_num_threads(plain.THREADS)
model = nn.Sequential(
    nn.Conv2d(1, 20, 5),
    nn.MaxPool2d(2),
    nn.Conv2d(20, 50, 5),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(800, 500),
    nn.ReLU(),
    nn.Linear(500, 10),
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=plain.LEARNING_RATE, momentum=plain.MOMENTUM)


def step(images, labels):
    optimizer.zero_grad()
    criterion(model(images), labels).backward()
    optimizer.step()


plain.measure(step, [tuple(map(torch.from_numpy, batch)) for batch in plain.batches()])
