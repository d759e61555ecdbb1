"""One file per style of charts: how one metric is drawn."""
