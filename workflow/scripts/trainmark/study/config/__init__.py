"""What the file of a study may say: its schema, its checks, and what it means in full."""
