"""trainmark: the host library, one package per stage of the workflow."""
