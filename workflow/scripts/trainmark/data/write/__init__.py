"""What all storage formats are written with."""
