"""Whole result sets: read and checked, and put together by what is in them."""
