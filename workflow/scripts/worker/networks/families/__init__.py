"""Blocks that several networks of one family share."""
