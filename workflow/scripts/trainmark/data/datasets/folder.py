"""Folder: any folder of class folders with image files."""

TRAIN_COUNT = None
TEST_COUNT = None
ENCODED = True
SOURCE_FILES = ()
