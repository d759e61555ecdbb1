"""Versions and settings of the libraries in a worker's process and environment."""
