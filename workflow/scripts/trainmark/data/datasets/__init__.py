"""One file per data set: where it comes from and how its images are read."""
