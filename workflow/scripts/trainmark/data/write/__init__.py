"""What the formats are written with."""
