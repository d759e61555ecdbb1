"""The other nodes of a run on several: their hosts, what runs there, and the sums of all."""
