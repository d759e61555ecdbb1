"""CNTK by its training session."""
