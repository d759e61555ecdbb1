"""Result sets in one file each, to be sent and kept."""
