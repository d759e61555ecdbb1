"""The neutral network: its builder, its initial weights, its forward pass and its layouts."""
