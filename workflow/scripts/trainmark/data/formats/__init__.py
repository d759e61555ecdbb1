"""One file per storage format: how a stream of images is written."""
