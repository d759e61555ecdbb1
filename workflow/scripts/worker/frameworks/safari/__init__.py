"""Safari."""
