"""One file per storage format, for frameworks that bring no reader of their own."""
