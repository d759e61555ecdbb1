"""What one setting does: devices, batches, precisions, input modes."""
