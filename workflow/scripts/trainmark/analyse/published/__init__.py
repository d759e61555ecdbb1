"""Published results as measurements, and beside ours."""
