"""Reading a data set's own files into one stream of images and labels."""
