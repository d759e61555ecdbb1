"""Generated: image files as a data set of image files has them, made up."""

TRAIN_COUNT = 1024
TEST_COUNT = 256
ENCODED = True
SOURCE_FILES = ()
