"""From what a run left behind to measurements."""
