"""The neutral network: its builder, initial weights, forward pass, layouts and weight update."""
