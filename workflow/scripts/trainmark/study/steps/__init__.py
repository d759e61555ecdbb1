"""How many steps a run trains: as its case asks for, and as the study bounds them."""
