"""Where batches come from: input modes, readers, the fixed batch."""
