"""LiteRT on a phone."""
