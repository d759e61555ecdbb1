"""Accuracy on the test split: of trained weights, on corrupted images, and during training."""
