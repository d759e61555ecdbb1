"""What becomes of trained weights elsewhere: predictions beside those of who trained."""
