"""ImageNet: the 1,281,167 training and 50,000 validation images of ILSVRC12, in 1,000 classes.

O. Russakovsky et al. (2015), ImageNet Large Scale Visual Recognition Challenge;
https://www.image-net.org/challenges/LSVRC/2012/.
"""

IMAGE_SHAPE = (3, 224, 224)
CLASSES = 1000
TRAIN_COUNT = 1281167
TEST_COUNT = 50000
ENCODED = True
SOURCE_FILES = ()
