"""Reading logs: their lines, what they state, how they end."""
