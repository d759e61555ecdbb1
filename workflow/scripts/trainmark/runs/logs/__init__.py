"""What the logs of frameworks' own loops state, whichever their dialect."""
