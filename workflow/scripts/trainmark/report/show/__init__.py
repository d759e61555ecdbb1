"""How values, tables and figures look, whatever they show."""
