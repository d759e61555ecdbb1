"""LiteRT.js."""
