"""What the libraries in a worker's process say of themselves."""
