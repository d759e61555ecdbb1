"""Networks in PyTorch, as its tutorials and torchvision write models and training loops."""

import plain
import torch
import torchvision
from encoder_pytorch import Encoder
from gpt_pytorch import GPT, generate
from torch import nn


def lenet():
    """Caffe's LeNet."""
    return nn.Sequential(
        nn.Conv2d(1, 20, 5),
        nn.MaxPool2d(2),
        nn.Conv2d(20, 50, 5),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(800, 500),
        nn.ReLU(inplace=True),
        nn.Linear(500, plain.CLASSES),
    )


def alexnet():
    """Caffe's AlexNet for images of 32x32."""
    return nn.Sequential(
        *(nn.Conv2d(3, 96, 3, stride=2, padding=1), nn.ReLU(inplace=True)),
        *(nn.LocalResponseNorm(5), nn.MaxPool2d(3, 2)),
        *(nn.Conv2d(96, 256, 5, padding=2, groups=2), nn.ReLU(inplace=True)),
        *(nn.LocalResponseNorm(5), nn.MaxPool2d(3, 2)),
        *(nn.Conv2d(256, 384, 3, padding=1), nn.ReLU(inplace=True)),
        *(nn.Conv2d(384, 384, 3, padding=1, groups=2), nn.ReLU(inplace=True)),
        *(nn.Conv2d(384, 256, 3, padding=1, groups=2), nn.ReLU(inplace=True)),
        *(nn.MaxPool2d(3, 2), nn.Flatten()),
        *(nn.Linear(256, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5)),
        *(nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5)),
        nn.Linear(4096, plain.CLASSES),
    )


class Block(nn.Module):
    """ResNet's block: convolutions and a shortcut."""

    def __init__(self, branch, inputs, outputs, stride):
        super().__init__()
        self.relu, self.branch = nn.ReLU(inplace=True), nn.Sequential(*branch)
        self.shortcut = nn.Identity()
        if inputs != outputs or stride > 1:
            self.shortcut = conv_norm(inputs, outputs, 1, stride)

    def forward(self, x):
        """Add the shortcut."""
        return self.relu(self.branch(x) + self.shortcut(x))


def basic(inputs, width, stride):
    """Two convolutions of 3x3."""
    first = conv_norm(inputs, width, 3, stride, padding=1)
    branch = first, nn.ReLU(inplace=True), conv_norm(width, width, 3, padding=1)
    return Block(branch, inputs, width, stride)


def bottleneck(inputs, width, stride):
    """Convolutions of 1x1, 3x3 and 1x1."""
    branch = (
        *(conv_norm(inputs, width, 1), nn.ReLU(inplace=True)),
        *(conv_norm(width, width, 3, stride, padding=1), nn.ReLU(inplace=True)),
        conv_norm(width, 4 * width, 1),
    )
    return Block(branch, inputs, 4 * width, stride)


def conv_norm(*arguments, **settings):
    """A convolution and its batch norm."""
    conv = nn.Conv2d(*arguments, bias=False, **settings)
    return nn.Sequential(conv, nn.BatchNorm2d(conv.out_channels))


def resnet50():
    """ResNet-50 with the stem for images of 32x32."""
    layers, inputs = [conv_norm(3, 64, 3, padding=1), nn.ReLU(inplace=True)], 64
    for width, blocks in zip((64, 128, 256, 512), (3, 4, 6, 3)):
        for block in range(blocks):
            layers.append(bottleneck(inputs, width, 2 if width > 64 and block == 0 else 1))
            inputs = 4 * width
    return nn.Sequential(*layers, *head(inputs))


def resnet20():
    """ResNet-20 for images of 32x32."""
    layers, inputs = [conv_norm(3, 16, 3, padding=1), nn.ReLU(inplace=True)], 16
    for width in (16, 32, 64):
        for block in range(3):
            layers.append(basic(inputs, width, 2 if width > 16 and block == 0 else 1))
            inputs = width
    return nn.Sequential(*layers, *head(inputs))


def head(inputs):
    """The mean of each channel, and a dense layer."""
    return nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, plain.CLASSES)


def mobilenet_v2():
    """Torchvision's."""
    return torchvision.models.mobilenet_v2(num_classes=plain.CLASSES)


torch.set_num_threads(plain.THREADS)
device = torch.device("cuda" if plain.ON_GPU else "cpu")


def gpt2_mini():
    """The small decoder."""
    return GPT(heads=plain.HEADS, **plain.TEXT)


def text_encoder():
    """The small text encoder."""
    return Encoder(heads=plain.HEADS, classes=plain.CLASSES, **plain.TEXT)


OF_IMAGES = (lenet, alexnet, resnet50, resnet20, mobilenet_v2)
NETWORKS = {network.__name__: network for network in (*OF_IMAGES, text_encoder, gpt2_mini)}
model = NETWORKS[plain.NETWORK]().to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=plain.LEARNING_RATE, momentum=plain.MOMENTUM)


def step(images, labels):
    """Train on one batch."""
    optimizer.zero_grad()
    criterion(model(images), labels).backward()
    optimizer.step()


def step_of_texts(texts, following):
    """Train on one batch of texts."""
    optimizer.zero_grad()
    logits, _ = model(texts)
    criterion(logits.flatten(0, 1), following.flatten()).backward()
    optimizer.step()


def continue_prompts(texts, _):
    """Generate from the prompts of one batch."""
    generate(model, texts[:, : plain.PROMPT], plain.GENERATED)


@torch.inference_mode()
def predict(images, _):
    """Predict one batch."""
    return model(images)


model.train(plain.STAGE == "train")
batch = [torch.from_numpy(part).to(device) for part in plain.batch()]
synchronise = torch.cuda.synchronize if plain.ON_GPU else lambda: None
train = step_of_texts if plain.NETWORK == "gpt2_mini" else step
stages = {"train": train, "infer": predict, "generate": continue_prompts}
plain.measure(stages[plain.STAGE], batch, synchronise)
