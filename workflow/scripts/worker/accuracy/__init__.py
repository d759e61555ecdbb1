"""Accuracy on the test split: of trained weights, in corruptions, and during training."""
