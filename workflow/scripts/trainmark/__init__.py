"""trainmark: the host library, one room (package) per stage of the workflow."""
