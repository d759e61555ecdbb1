"""One run: its process, its log, and its record."""
