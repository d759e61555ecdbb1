"""What becomes of trained weights: in other frameworks, corrupted, attacked."""
