"""The file of a study: its schema, its checks, its defaults."""
