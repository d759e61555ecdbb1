"""One run: its process from start to end, what it printed, and the record of what became of it."""
