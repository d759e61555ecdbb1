"""Batches: input modes, the data set's index, pixels, readers, corruptions, the fixed batch."""
