"""What all tables and figures share: how values are written, styled and saved."""
