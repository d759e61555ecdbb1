"""Input: input modes, readers, the fixed batch."""
