"""How values, statuses, names and whole tables are written."""
