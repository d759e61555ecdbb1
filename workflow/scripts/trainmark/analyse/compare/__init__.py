"""Repeats, frameworks and result sets beside each other."""
