"""PyTorch in the form of its reference ImageNet example."""
