"""Isolated environments, one per framework version."""
