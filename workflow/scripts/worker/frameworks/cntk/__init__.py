"""CNTK."""
