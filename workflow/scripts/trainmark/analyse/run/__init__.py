"""What one run left behind, as metrics and checks see it."""
