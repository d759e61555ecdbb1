"""The other nodes of a run on several: where they are, what runs there, what they had to do."""
