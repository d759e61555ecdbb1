"""Tables and figures from measurements."""
