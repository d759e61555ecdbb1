"""What became of a run, in a word and a line: by how it ended, or before it began."""
