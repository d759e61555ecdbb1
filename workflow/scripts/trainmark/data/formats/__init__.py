"""One file per storage format.

Each has `write(chunks, path, shape)` for decoded images and, for image files, `ImageWriter(path)`:
it tells how many are `written`, appends blocks of them, and when it is closed may have the `sha256`
of what is stored.
"""
