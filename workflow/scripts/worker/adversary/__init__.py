"""The process that attacks, in the Toolbox's own environment, and what answers its questions."""
