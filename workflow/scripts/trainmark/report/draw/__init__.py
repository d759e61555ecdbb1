"""How figures look: their style, panels, bars and curves, and how they are saved."""
