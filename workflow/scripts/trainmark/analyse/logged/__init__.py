"""Speeds by logs beside speeds by the clock."""
